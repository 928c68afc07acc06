package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// rivalMode makes this test's program a rival that is right, wrong, or not there.
const rivalMode = "PAPERS_TEST_RIVAL"

func TestMain(m *testing.M) {
	if mode := os.Getenv(rivalMode); mode != "" {
		standIn(mode)
		return
	}
	if mode := os.Getenv(binaryMode); mode != "" {
		binaryStandIn(mode)
		return
	}
	os.Exit(m.Run())
}

// standIn speaks the protocol of bench/peers/peer.h for transforms over the two primes of B-3.
func standIn(mode string) {
	var t field.Transform[uint64]
	var x, y []uint64
	for in := bufio.NewReader(os.Stdin); ; {
		command, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch words := strings.Fields(command); words[0] {
		case "open":
			var p, root uint64
			var n int
			fmt.Sscan(words[2], &p)
			fmt.Sscan(words[3], &n)
			fmt.Sscan(words[4], &root)
			if mode == "none" || words[1] != "transform" {
				fmt.Println("no such transform")
				continue
			}
			f, err := smallprime.New64(p)
			if err != nil {
				panic(err)
			}
			d := field.Cyclic[uint64]{N: n, Root: root, Shift: 1}
			if t, err = f.Plan(d, field.Spec{}); err != nil {
				panic(err)
			}
			x, y = make([]uint64, n), make([]uint64, n)
			fmt.Println("ok stand-in", os.Getenv("THREADS"))
		case "load":
			for i, w := range words[1:] {
				fmt.Sscan(w, &x[i])
			}
			fmt.Println("ok")
		case "run":
			if err := t.Forward(context.Background(), y, x); err != nil {
				panic(err)
			}
			fmt.Println(mode) // a time, where it is one
		case "values":
			if mode == "wrong" {
				y[len(y)-1]++
			}
			fmt.Println(strings.Trim(fmt.Sprint(y), "[]"))
		}
	}
}

// A rival's time stands in a line of its own; one with wrong values or no time is an error, and one without the
// transform is left out.
func TestRivals(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(mode string) (string, error) {
		t.Setenv(rivalMode, mode)
		var b bytes.Buffer
		err := command([]string{"run", "-time", "0s", "-rounds", "1", "-min", "3", "-max", "3", "-bases", "8",
			"-commit", "test", "-peer", "other=" + self, "b3"}, &b)
		return b.String(), err
	}
	out, err := run("1234")
	if n := strings.Count(out, `"contender":"other"`); err != nil || n != 2 {
		t.Errorf("%d lines of the rival, want 2: %v", n, err)
	}
	if !strings.Contains(out, `"n":8,"base":0,"workers":1,"ns_min":1234,`) || !strings.Contains(out, `"peer":true`) {
		t.Errorf("no line with the rival's time: %s", out)
	}
	if out, err := run("none"); err != nil || strings.Contains(out, `"peer":true`) {
		t.Errorf("%v: %s", err, out)
	}
	for _, mode := range []string{"wrong", "x", "-1"} {
		if _, err := run(mode); err == nil || !strings.Contains(err.Error(), "b3: ") {
			t.Errorf("%s: error %v", mode, err)
		}
	}
}

// Recorded times are those of the file, of the fastest of BPAS' programs, and tables give them no ratio.
func TestRecorded(t *testing.T) {
	if err := readRecorded(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field      string
		n, workers int
		ns         float64
	}{{"covanov", 1 << 22, 1, 88100000}, {"gfpf:k8", 1 << 12, 1, 5753800}, {"gfpf:k16", 1 << 15, 2, 72162003}} {
		if ns, ok := recordedTime(c.field, c.n, c.workers); !ok || ns != c.ns {
			t.Errorf("%s, %d points, %d threads: %g, want %g", c.field, c.n, c.workers, ns, c.ns)
		}
	}
	if _, ok := recordedTime("gfpf:k8", 1<<13, 1); ok {
		t.Error("a time that was not recorded")
	}
}

// An experiment that fails does not keep the others from running, and the error tells of it.
func TestRunGoesOn(t *testing.T) {
	before := experiments
	defer func() { experiments = before }()
	lost := errors.New("lost")
	experiments = []experiment{
		{"one", "", "", func(*session) error { return lost }},
		{"two", "", "", func(s *session) error { return s.print(line{Contender: "second"}) }},
		{"three", "", "", func(*session) error { return lost }},
	}
	var b bytes.Buffer
	err := command([]string{"run", "-commit", "test", "all"}, &b)
	if !errors.Is(err, lost) || !strings.Contains(err.Error(), "one: lost\nthree: lost") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(b.String(), `"experiment":"two"`) {
		t.Errorf("printed %q", b.String())
	}
}

// B-11 has lines of every named field with transforms of powers of two above 2.
func TestBases(t *testing.T) {
	var b bytes.Buffer
	err := command([]string{"run", "-time", "0s", "-rounds", "1", "-min", "4", "-max", "4", "-commit", "test", "b11"}, &b)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`<]+)` \\|.*2-adicity (?:at least )?(\\d+)").FindAllSubmatch(text, -1) {
		found++
		has := strings.Contains(b.String(), fmt.Sprintf("%q:%q", "field", m[1]))
		if want := string(m[2]) != "1"; has != want {
			t.Errorf("%s of the README has 2-adicity %s, lines: %v", m[1], m[2], has)
		}
	}
	if found < 30 {
		t.Errorf("%d fields in the README", found)
	}
}

func TestCounters(t *testing.T) {
	for given, want := range map[string]string{"1": "[1]", "2": "[1 2]", "6": "[1 2 4 6]", "16": "[1 2 4 8 16]",
		"1,16": "[1 16]", "16,": "[16]", "2,3,5": "[2 3 5]", "": "", "0": "", "16,1": "", "2,2": "", "1,x": "", ",": ""} {
		var s session
		if err := s.setWorkers(given); (err != nil) != (want == "") || want != "" && fmt.Sprint(s.workers) != want {
			t.Errorf("workers %q: %d, error %v, want %s", given, s.workers, err, want)
		}
	}
	if !strings.Contains(counted, "cpu.rdtscp=off") || !strings.Contains(counted, "asyncpreemptoff=1") {
		t.Errorf("valgrind runs with GODEBUG=%s", counted)
	}
}
