package main

import (
	"math/big"
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
