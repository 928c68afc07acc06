package main

import (
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
