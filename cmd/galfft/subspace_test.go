package main

import (
	"strings"
	"testing"
)

// The flags of subspaces say which points there are, and what coefficients mean.
func TestSubspaces(t *testing.T) {
	s := newSession(t, map[string]string{"x": "2 5", "b": "3 1b 7", "dependent": "3 3"})
	for line, want := range map[string]string{
		"x":                                "2\n7\n", // at 0 and 1
		"--basis b x":                      "2\nd\n", // at 0 and 3: 2 + 5·3
		"--basis b --op coset --shift 1 x": "7\n8\n", // at 1 and 2
		"--basis b --coefficients lch x":   "2\n7\n", // the second polynomial is x/3
		"--basis b --coefficients lch --op coset --shift 3 x": "7\n2\n",
		"--coefficients monomial x":                           "2\n7\n",
	} {
		s.expect("run --field gf2:64 "+line, exitOK, want, "")
	}
	code, stdout, stderr := s.run(strings.Fields("verify --field gf2:64 --n 2^3 --basis b --shift 1b " +
		"--coefficients lch --seed 1 --json")...)
	if code != exitOK || strings.Count(stdout, `"ok":true`) != 7 {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	code, stdout, stderr = s.run(strings.Fields("bench --field gf2:64 --op forward --n 2^3 --basis b --shift 1b " +
		"--coefficients lch --reps 1 --time 1us --seed 1 --json")...)
	if code != exitOK || !strings.Contains(stdout, `"subspace":"given, shifted","coefficients":"lch"`) &&
		!strings.Contains(stdout, `"coefficients":"lch","subspace":"given, shifted"`) {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	for line, says := range map[string]string{
		"verify --field gf2:64 --n 2^4 --basis b --seed 1":         "b: ",
		"verify --field gf2:64 --n 2^2 --basis dependent --seed 1": "depends on those before it",
		"verify --field gf2:64 --n 2^2 --shift xyz --seed 1":       `shift "xyz"`,
		"verify --field p62 --n 2^2 --coefficients lch --seed 1":   "binary field",
		"verify --field gf2:64 --n 2^2 --basis none --seed 1":      "none",
		"verify --field gf2:64 --n 5 --coefficients lch --seed 1":  "power of two",
	} {
		code, _, stderr := s.run(strings.Fields(line)...)
		if code == exitOK || !strings.Contains(stderr, says) {
			t.Errorf("galfft %s: exit code %d, stderr %q, want %q in it", line, code, stderr, says)
		}
	}
}
