package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Ranks of this process, and names of groups that are none.
func TestGroup(t *testing.T) {
	for _, ranks := range []string{"local:1", "local:2", "local:4"} {
		code, stdout, stderr := newSession(t, nil).run("verify", "--field", "p62", "--n", "2^4..2^8", "--group", ranks)
		if code != exitOK || strings.Count(stdout, " ok ") != 5 || stderr != "" {
			t.Errorf("%s: code %d, %q, %q", ranks, code, stdout, stderr)
		}
	}
	for ranks, code := range map[string]int{"local:3": exitUsage, "local:0": exitUsage, "local:": exitUsage,
		"nccl:x": exitUsage, "other": exitUsage, "local:8": exitFailed, "mpi": exitFailed} {
		got, stdout, stderr := newSession(t, nil).run("verify", "--field", "p62", "--n", "2^5", "--group", ranks)
		if got != code || strings.Contains(stdout, " ok ") || stderr == "" {
			t.Errorf("%s: code %d, %q, %q", ranks, got, stdout, stderr)
		}
	}
}

// Options of affine domains go to ranks, too.
func TestAffineGroup(t *testing.T) {
	x := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(x, []byte(strings.Repeat("3 1a 4 1 5f 9 2 6 ", 8)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--coefficients", "lch"}, {"--coefficients", "lch", "--shift", "1f"},
		{"--shift", "1f"}} {
		args = append([]string{"--field", "gf2:64"}, args...)
		code, stdout, stderr := newSession(t, nil).run(append([]string{"verify", "--n", "2^6", "--group", "local:4"}, args...)...)
		if code != exitOK || !strings.Contains(stdout, " ok ") || stderr != "" {
			t.Errorf("verify %v: code %d, %q, %q", args, code, stdout, stderr)
		}
	}
	args := []string{"run", "--field", "gf2:64", "--coefficients", "lch", "--op", "forward", x}
	_, want, _ := newSession(t, nil).run(args...)
	code, got, stderr := newSession(t, nil).run(append(args, "--group", "local:4")...)
	if code != exitOK || got != want || stderr != "" {
		t.Errorf("run: code %d, %q, want %q; %q", code, got, want, stderr)
	}
	args = []string{"bench", "--field", "gf2:64", "--coefficients", "lch", "--op", "forward", "--n", "2^6", "--reps", "2",
		"--group", "local:4"}
	if code, stdout, stderr := newSession(t, nil).run(args...); code != exitOK || !strings.Contains(stdout, "gf2:64") {
		t.Errorf("bench: code %d, %q, %q", code, stdout, stderr)
	}
}

// Ranks transform a file as one process does.
func TestRunGroup(t *testing.T) {
	x := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(x, []byte("3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"p62", "babybear", "bn254"} {
		for _, args := range [][]string{{"--op", "forward"}, {"--op", "inverse"}, {"--op", "coset", "--shift", "5"},
			{"--op", "inverse-negacyclic", "--order", "bitrev"}, {"--op", "forward", "--json"}} {
			args = append([]string{"run", "--field", field}, append(args, x)...)
			_, want, _ := newSession(t, nil).run(args...)
			for _, ranks := range []string{"local:1", "local:2", "local:4"} {
				code, got, stderr := newSession(t, nil).run(append(args, "--group", ranks)...)
				if code != exitOK || got != want || stderr != "" {
					t.Errorf("%v, %s: code %d, %q, want %q; %q", args, ranks, code, got, want, stderr)
				}
			}
		}
	}
	for _, args := range [][]string{{x + "1", "--group", "local:2"}, {x, "--group", "local:8"}, {x, "--group", "local:0"}} {
		code, stdout, stderr := newSession(t, nil).run(append([]string{"run", "--field", "p62", "--op", "forward"}, args...)...)
		if code == exitOK || stdout != "" || stderr == "" {
			t.Errorf("%v: code %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

// A measurement of ranks names them.
func TestBenchGroup(t *testing.T) {
	args := []string{"bench", "--field", "p62", "--n", "2^6", "--group", "local:2", "--reps", "3", "--json"}
	code, stdout, stderr := newSession(t, nil).run(append(args, "--op", "forward")...)
	if code != exitOK || !strings.Contains(stdout, `"group":"local:2"`) || !strings.Contains(stdout, `"reps":3`) {
		t.Errorf("code %d, %q, %q", code, stdout, stderr)
	}
	for _, more := range [][]string{{"--op", "add"}, {"--batch", "4"}, {"--backend", "gpu"}} {
		code, stdout, _ := newSession(t, nil).run(append(args, more...)...)
		if code != exitUsage && code != exitFailed || stdout != "" {
			t.Errorf("%v: code %d, %q", more, code, stdout)
		}
	}
}
