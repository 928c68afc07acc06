package main

import (
	"strings"
	"testing"
)

// Lists of integers are added and multiplied one by one, modulo 2^N or whole.
func TestMidint(t *testing.T) {
	binary := strings.Repeat("\xff", 8) + "\x02" + strings.Repeat("\x00", 7)
	s := newSession(t, map[string]string{
		"a": "18446744073709551615 # all ones\n2", "b": "1\n3", "none": "", "one": "7", "large": "1 18446744073709551616",
		"word": "x 1", "bin": binary})
	s.expect("midint add --bits 64 a b", exitOK, "0\n5\n", "")
	s.expect("midint add --bits 96 a b", exitOK, "18446744073709551616\n5\n", "")
	s.expect("midint mul --bits 64 a a", exitOK, "340282366920938463426481119284349108225\n4\n", "")
	s.expect("midint mul --bits 64 --low --workers 2 a a", exitOK, "1\n4\n", "")
	s.expect("midint add --bits 64 --format binary bin bin", exitOK,
		"\xfe"+strings.Repeat("\xff", 7)+"\x04"+strings.Repeat("\x00", 7), "")
	s.expect("midint mul --bits 32 --json one one", exitOK, `{"bits":64,"n":1,"values":["49"]}`+"\n", "")
	s.expect("midint add --bits 32 none none", exitOK, "", "")
	s.expect("midint mul --bits 64 -o out b b", exitOK, "", "")
	if got := s.read("out"); got != "1\n9\n" {
		t.Errorf("the file has %q", got)
	}
	s.expect("midint add --bits 64 a one", exitFailed, "", "one: wrong length: 1 integers, want 2 as in the other file")
	s.expect("midint add --bits 64 none one", exitFailed, "", "one: wrong length: 1 integers, want 0")
	s.expect("midint add --bits 64 a large", exitFailed, "", "large:1:3: element 1: value out of range")
	s.expect("midint add --bits 64 --n 3 a b", exitFailed, "", "wrong length")
	s.expect("midint mul --bits 64 a word", exitFailed, "", "word:1:1: element 0: not a number")
	for _, line := range []string{"add a b", "add --bits 33 a b", "mul --bits 64 a", "", "sub", "add --bits 64 --low a b",
		"mul --bits 64 - -", "add --bits 64 --workers -1 a b"} {
		code, _, stderr := s.run(strings.Fields("midint " + line)...)
		if code != exitUsage || !strings.Contains(stderr, "--help tells more") {
			t.Errorf("galfft midint %s: exit code %d, %q", line, code, stderr)
		}
	}
	for _, line := range []string{"bench a", "bench --bits 33", "bench --n 0"} {
		if code, _, stderr := s.run(strings.Fields("midint " + line)...); code != exitUsage {
			t.Errorf("galfft midint %s: exit code %d, %q", line, code, stderr)
		}
	}
	code, stdout, stderr := s.run(strings.Fields("midint bench --bits 96 --n 9 --workers 1 --time 1us")...)
	if code != exitOK || strings.Count(stdout, `"bits":96,"batch":9,"device":"`) != 5 ||
		strings.Count(stdout, `"residency":"host"`) != 5 || strings.Contains(stdout, `"ns_median":0,`) {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	s.expect("midint bench --workers 0", exitUsage, "", "0 workers, want at least 1")
	s.expect("midint bench --workers 9999", exitUsage, "", "9999 workers, want at most 1024")
	s.expect("midint bench --time -1s", exitUsage, "", "time -1s, want more than 0")
	code, stdout, _ = s.run(strings.Fields("midint bench --bits 64000000000 --n 64000000")...)
	if code != exitFailed || stdout != "" {
		t.Errorf("a batch beyond memory: exit code %d, %q", code, stdout)
	}
	code, stdout, _ = s.run(strings.Fields("midint mul --help")...)
	if code != exitOK || !strings.Contains(stdout, "galfft midint mul --bits 2048 a.txt b.txt") {
		t.Errorf("help: exit code %d, %q", code, stdout)
	}
}
