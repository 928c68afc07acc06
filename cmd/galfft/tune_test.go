package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/galfft/fft/internal/tuning"
)

// Tests do not depend on a file of whoever runs them.
func init() { os.Setenv(tuning.Variable, tuning.Off) }

// Tune prints the lines that it writes, and adds them to those of before.
func TestTune(t *testing.T) {
	s := newSession(t, nil)
	lines := ""
	for _, line := range []string{"--field p62 --n 2^2..2^3", "--field bn254 --n 4 --effort estimate --order scheme"} {
		code, stdout, stderr := s.run(strings.Fields("tune --time-limit 0 -o new/f " + line)...)
		if code != exitOK || !strings.Contains(stderr, "lines for new/f") {
			t.Fatalf("tune %s: exit code %d, stderr %q", line, code, stderr)
		}
		lines += stdout
	}
	if n := strings.Count(lines, "\n"); n != 5 || strings.Count(lines, "transform n=") != 3 {
		t.Errorf("%d lines: %s", n, lines)
	}
	for line := range strings.Lines(lines) {
		if !strings.Contains(s.read("new/f"), line) {
			t.Errorf("the file lacks %s", line)
		}
	}
	code, stdout, stderr := s.run(strings.Fields("tune --field secp256k1 --effort estimate -o few")...)
	if code != exitOK || !strings.HasPrefix(stdout, "product field=") || !strings.Contains(stderr, "left out: length 256") {
		t.Errorf("a field with few roots: exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	if table, err := tuning.Read("new/f", tuning.Here()); err != nil || table.Len() != 5 {
		t.Errorf("%d lines, error %v", table.Len(), err)
	}
}

func TestTuneFails(t *testing.T) {
	s := newSession(t, map[string]string{"other": "mine\n"})
	s.expect("tune", exitUsage, "", "no field: want --field NAME")
	s.expect("tune --field p62", exitUsage, "", "GALFFT_TUNE is off: want --output FILE")
	s.expect("tune --field p62 --effort all", exitUsage, "", `effort "all", want one of ["estimate" "measure" "exhaustive"]`)
	for _, bad := range []string{"--workers 0", "--workers 9999", "--batch 0", "--time-limit -1s"} {
		s.expect("tune --field p62 -o f "+bad, exitUsage, "", "want 1 to 1024, at least 1, and none negative")
	}
	s.expect("tune --field p62 -o other", exitFailed, "",
		`galfft: bad file of tuned values: other:1: "mine", want "galfft-tuning 3": the file is no table`)
	if s.read("other") != "mine\n" {
		t.Error("the file of somebody else was changed")
	}
	s.expect("tune --field p62 --n 2^40 -o f", exitFailed, "", "not enough memory")
	s.expect("tune --field mersenne31 --n 2^10 -o f", exitFailed, "", "no root of unity")
	s.expect("tune --field p62 --n 2^2..2^4 --time-limit 1ns -o f", exitOK, "", "there was no time for 4 more")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, stderr := s.runContext(ctx, "tune", "--field", "p62", "-o", "f"); code != exitFailed ||
		!strings.Contains(stderr, "cancelled") {
		t.Errorf("cancelled: exit code %d, stderr %q", code, stderr)
	}
}

// Info says what is loaded, or why nothing is.
func TestTuned(t *testing.T) {
	here := tuning.Here()
	table := tuning.New()
	old := tuning.New()
	old.Header.Go = "go1.1"
	family := tuning.New()
	family.Header.CPU = "model 9"
	for _, c := range []struct {
		l    tuning.Loaded
		want string
	}{
		{tuning.Loaded{}, "none: GALFFT_TUNE=off, or no directory of configurations"},
		{tuning.Loaded{File: "f"}, "none: no file f"},
		{tuning.Loaded{File: "f", User: table}, "f: 0 lines"},
		{tuning.Loaded{File: "f", User: old, Built: family}, fmt.Sprintf("f: 0 lines, measured with go1.1 and version %s "+
			"of this module: other choices may be faster by now; 0 lines are built in for model 9", here.Module)},
		{tuning.Loaded{File: "f", Err: fmt.Errorf("tuning: why")}, "ignored: why"},
	} {
		if got := tuned(&c.l, here); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	s := newSession(t, nil)
	if _, stdout, _ := s.run("info"); !strings.Contains(stdout, "\ntuning   none: GALFFT_TUNE=off") {
		t.Errorf("info: %s", stdout)
	}
	if _, stdout, _ := s.run("info", "--json"); !strings.Contains(stdout, `"tuning":"none: GALFFT_TUNE=off`) {
		t.Errorf("info --json: %s", stdout)
	}
}
