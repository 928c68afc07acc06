package main

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/intmul"
)

// Each operation is what its name says, and a peer with another value is found.
func TestHuge(t *testing.T) {
	a, err := intmul.New()
	if err != nil {
		t.Fatal(err)
	}
	x, y := randomInteger(3, 1), randomInteger(3, 2)
	long := randomInteger(6, 1)
	q, r := new(big.Int).QuoRem(long, y, new(big.Int))
	want := map[string][]string{
		"mul":   words(new(big.Int).Mul(x, y), 6),
		"sqr":   words(new(big.Int).Mul(x, x), 6),
		"quo":   append(words(q, 4), words(r, 3)...),
		"sqrt":  words(new(big.Int).Sqrt(x), 2),
		"text":  {x.String()},
		"parse": words(x, 3),
	}
	for _, op := range hugeOps {
		_, call, values := op.work(a, 3)
		if err := call(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(values(), " "); got != strings.Join(want[op.name], " ") {
			t.Errorf("%s: %s, want %s", op.name, got, want[op.name])
		}
	}
	peer := peerOf(t, "'open quo '*) echo ok one 1;; open*) echo no;; load*) echo ok;; run*) echo 1;; values) echo 7;;")
	err = huge(&strings.Builder{}, []string{peer}, 3, 3, time.Millisecond, "c")
	if err == nil || !strings.Contains(err.Error(), "quo of 16: the values are not those of one") {
		t.Errorf("error %v for a wrong peer", err)
	}
	for _, c := range [][2]int{{2, 3}, {4, 3}, {3, 10}} {
		if err := huge(&strings.Builder{}, nil, c[0], c[1], 0, ""); err == nil {
			t.Errorf("10^%d to 10^%d bits were accepted", c[0], c[1])
		}
	}
}

// Products by bits are those of a program, and their plot has a line for each side.
func TestHugeBits(t *testing.T) {
	wrong := peerOf(t, "'open mul '*) echo ok one 1;; load*) echo ok;; run*) echo 1;; values) echo 7;;")
	err := hugeBits(&strings.Builder{}, []string{wrong}, 7, 7, time.Millisecond, "c")
	if err == nil || !strings.Contains(err.Error(), "mul of 2: the values are not those of one") {
		t.Errorf("error %v for a wrong peer", err)
	}
	for _, c := range [][2]int{{6, 7}, {8, 7}, {7, 31}} {
		if err := hugeBits(&strings.Builder{}, nil, c[0], c[1], 0, ""); err == nil {
			t.Errorf("2^%d to 2^%d bits were accepted", c[0], c[1])
		}
	}
	from, to := filepath.Join(t.TempDir(), "x-huge-bits.jsonl"), filepath.Join(t.TempDir(), "x.svg")
	line := `{"op":"mul","n":%d,"ns_min":%d,"peer":"%s","peer_version":"1","peer_ns_min":%d,"cpu":"a core","commit":"c"}`
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{fmt.Sprintf(line, 2, 10, "one", 20) + fmt.Sprintf(line, 2, 11, "two", 21) + fmt.Sprintf(line, 3, 20, "one", 30), true},
		{"", false}, {"{", false}, {`{"op":"sqr","n":1,"ns_min":1,"peer_ns_min":1}`, false},
		{`{"op":"mul","n":1,"ns_min":1}`, false},
	} {
		if err := os.WriteFile(from, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := execute([]string{"draw", from, to}); (err == nil) != c.ok {
			t.Errorf("%q: error %v", c.text, err)
		}
	}
	plot, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">galfft<", ">one 1<", ">two 1<", "one core of a core", "commit c"} {
		if !strings.Contains(string(plot), want) {
			t.Errorf("the plot lacks %q", want)
		}
	}
}
