package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/tune"
)

// A table of the family has no lines that leave everything to the plan, and holds on this machine.
func TestBuiltIn(t *testing.T) {
	here := tuning.Here()
	if familyOf.FindString(here.CPU) == "" {
		t.Skipf("the processor %q has no family", here.CPU)
	}
	file := filepath.Join(t.TempDir(), "x.txt")
	var log strings.Builder
	if err := builtIn(file, &log, []tuner{tunerOf(bigprime.P2())}, []int{8, 64}, 10*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "natural order, 1 workers\n") {
		t.Errorf("progress: %s", log.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table, err := tuning.Parse(file, text, here)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Header.Family || !strings.Contains(here.CPU, table.Header.CPU) {
		t.Errorf("header %+v on %+v", table.Header, here)
	}
	if strings.Contains(string(text), "=> scheme=auto base=0 strip=0 radix=0 twiddles=auto tasks=0") {
		t.Errorf("a line says nothing: %s", text)
	}
	boom := errors.New("boom")
	bad := tuner{"bad", func(tune.Options) (*tune.Table, error) { return nil, boom }}
	if err := builtIn(file, &log, []tuner{bad}, []int{8}, time.Millisecond); !errors.Is(err, boom) {
		t.Errorf("error %v, want boom", err)
	}
	if n := len(builtInLengths(20)); n != 8 {
		t.Errorf("%d lengths, want 2^6 to 2^20", n)
	}
}
