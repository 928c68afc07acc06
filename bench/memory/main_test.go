package main

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A line has the memory of operands, of one product and of all, with a limit and without.
func TestRun(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	for _, limit := range []int{0, 1 << 20} {
		var b bytes.Buffer
		if err := run(&b, line{Op: "mul", Bits: 2e6, Limit: limit, Reps: 2, Commit: "c"}); err != nil {
			t.Fatal(err)
		}
		var l line
		if err := json.Unmarshal(b.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Operands <= 0 || l.First < l.Operands || l.Peak < l.First || l.Min <= 0 {
			t.Errorf("%+v", l)
		}
		if l.Explain == "" || l.Commit != "c" {
			t.Errorf("%+v", l)
		}
	}
	for _, l := range []line{
		{Bits: 0, Reps: 1}, {Bits: 1, Reps: 0}, {Bits: 1, Reps: 1, Limit: -1}, {Bits: 1e7, Reps: 1, Limit: 1},
	} {
		if err := run(&bytes.Buffer{}, l); err == nil {
			t.Errorf("%+v was accepted", l)
		}
	}
}

// Residues are those of math/big, and a status without a peak is an error.
func TestParts(t *testing.T) {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 61), big.NewInt(1))
	x, y := random(5, 1), random(9, 2)
	z := new(big.Int).Mul(x, y)
	if got, want := mersenne(x, y), z.Mod(z, p).Uint64(); got != want {
		t.Errorf("%d, want %d", got, want)
	}
	status := filepath.Join(t.TempDir(), "status")
	for text, want := range map[string]int{"VmPeak:\t 9 kB\nVmHWM:\t  123 kB\n": 123, "VmPeak: 9 kB\n": 0} {
		if err := os.WriteFile(status, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := peakOf(status); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, error %v", text, got, err)
		}
	}
	if _, err := peakOf(status + "s"); err == nil {
		t.Error("no error without a file")
	}
}
