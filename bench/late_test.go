package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// Every call over the subjects that a text chooses has a line with both times.
func TestLateness(t *testing.T) {
	var b bytes.Buffer
	if err := lateness(&b, 6, "golden", "c"); err != nil || strings.Count(b.String(), "\n") != 3 {
		t.Errorf("no subject: %v\n%s", err, b.String())
	}
	line := regexp.MustCompile(`^(goldilocks|integers) +[a-z]+\.[.A-Za-z]+ +\d+\.\d\d +\d+\.\d\d$`)
	for subject, least := range map[string]int{"goldilocks": 30, "integers": 7} {
		b.Reset()
		if err := lateness(&b, 6, subject, "c"); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")[3:]
		if len(lines) < least {
			t.Errorf("%s: %d lines, want %d at least", subject, len(lines), least)
		}
		for _, l := range lines {
			if !line.MatchString(l) {
				t.Errorf("%q", l)
			}
		}
	}
}
