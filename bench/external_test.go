package main

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// peerOf writes a peer in shell, which answers with one line of the text for each command.
func peerOf(t *testing.T, answers string) string {
	if runtime.GOOS == "windows" {
		t.Skip("the peer of this test is a shell script, and Windows has no sh")
	}
	name := filepath.Join(t.TempDir(), "peer")
	script := "#!/bin/sh\nwhile read -r command; do case $command in " + answers + " esac; done\n"
	if err := os.WriteFile(name, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestPrograms(t *testing.T) {
	const integers = "'open mul '*) echo ok one 1.2;; open*) echo no;; load*) echo ok;; "
	const product = "open*negacyclic*) echo no transforms;; open*) echo ok one 1.2;; load*) echo ok;; run*) echo 123;; "
	for name, c := range map[string]struct{ answers, lines, err string }{
		"nothing":      {"*) echo no;;", "", ""},
		"wrong values": {product + "values) echo 7;;", "", "the values are not those of one"},
		"wrong words":  {integers + "run*) echo 1;; values) echo 7 7;;", "", "integers, mul of 1: the values are not those of one"},
		"no name":      {"*) echo yes;;", "", "want ok and its name"},
		"no time":      {"open*) echo ok one;; load*) echo ok;; run*) echo soon;; values) echo 1;;", "", "values are not those"},
		"ends":         {"*) exit;;", "", "EOF"},
	} {
		var b strings.Builder
		err := programs(&b, []string{peerOf(t, c.answers)}, "", 0, 0, time.Millisecond, "c")
		same := err == nil && c.err == "" || err != nil && c.err != "" && strings.Contains(err.Error(), c.err)
		if b.String() != c.lines || !same {
			t.Errorf("%s: %q, error %v; want %q, %q", name, b.String(), err, c.lines, c.err)
		}
	}
	if err := programs(&strings.Builder{}, []string{filepath.Join(t.TempDir(), "none")}, "", 1, 1, 0, ""); err == nil {
		t.Error("no error without the program")
	}
}

// A peer with the right values has its least time in the line.
func TestProgramsTime(t *testing.T) {
	z := new(big.Int).Mul(randomInteger(1, 1), randomInteger(1, 2)).Bits()
	answers := "'open mul '*) echo ok one 1.2;; open*) echo no;; load*) echo ok;; run*) echo 123;; "
	peer := peerOf(t, answers+fmt.Sprintf("values) echo %d %d;;", z[0], z[1]))
	var b strings.Builder
	err := programs(&b, []string{peer}, "", 0, 0, time.Millisecond, "c")
	if want := `"peer":"one","peer_version":"1.2","peer_ns_min":123,`; err != nil || !strings.Contains(b.String(), want) {
		t.Errorf("%q, error %v; want %s", b.String(), err, want)
	}
	b.Reset()
	err = programs(&b, []string{peer}, "p62 forward", 0, 0, time.Millisecond, "c")
	if err != nil || b.Len() > 0 {
		t.Errorf("transforms alone, of which the peer has none: %q, error %v; want nothing", b.String(), err)
	}
}

// An operand in place is made anew before each call.
func TestProgramsPrepare(t *testing.T) {
	fresh, calls := false, 0
	c := task{op: "negacyclic", n: 1, version: "1.2, in place", operands: func(text []byte) []byte { return text },
		prepare: func() { fresh = true }, values: func() []string { return nil }, call: func() error {
			if !fresh {
				return errors.New("a call on the last one's result")
			}
			fresh, calls = false, calls+1
			return nil
		}}
	p, wait, err := start(peerOf(t, "load*) echo ok;; run*) echo 123;; values) echo;;"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.compare(c, 0); err != nil || calls < 3 || !c.inPlace() {
		t.Errorf("%d calls, error %v", calls, err)
	}
	if c.version = "1.2"; c.inPlace() {
		t.Error("a transform is in place whose program does not say so")
	}
	if err := wait(); err != nil {
		t.Error(err)
	}
}
