package main

import (
	"testing"
	"time"

	"github.com/galfft/fft/field/smallprime"
)

// Every comparison checks its output: it finds a peer with other values.
func TestCompare(t *testing.T) {
	for n := 2; n <= 1<<10; n *= 8 {
		if _, err := compare(smallprime.BabyBear(), n, time.Millisecond, gnarkBabyBear(n)); err != nil {
			t.Error(err)
		}
		if _, err := compare(smallprime.KoalaBear(), n, time.Millisecond, gnarkKoalaBear(n)); err != nil {
			t.Error(err)
		}
		if _, err := compare(smallprime.Goldilocks(), n, time.Millisecond, gnarkGoldilocks(n)); err != nil {
			t.Error(err)
		}
	}
	if _, err := compareLattigo(1<<6, time.Millisecond); err != nil {
		t.Error(err)
	}
	wrong := gnarkBabyBear(8)
	values := wrong.values
	wrong.values = func() []uint32 {
		y := values()
		y[3]++
		return y
	}
	if _, err := compare(smallprime.BabyBear(), 8, time.Millisecond, wrong); err == nil {
		t.Error("wrong values were not found")
	}
}

func TestRun(t *testing.T) {
	for _, c := range [][2]int{{0, 3}, {4, 3}, {3, 99}} {
		if err := run(c[0], c[1], time.Millisecond, ""); err == nil {
			t.Errorf("lengths 2^%d to 2^%d were accepted", c[0], c[1])
		}
	}
}
