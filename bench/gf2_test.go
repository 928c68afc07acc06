package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft/field"
)

// A line has what was computed, and its time in both units.
func TestGF2(t *testing.T) {
	var b bytes.Buffer
	s := &settings{least: 4, most: 5, filter: "gf2:64", budget: time.Microsecond, commit: "c"}
	if err := gf2(&b, s, field.Spec{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	subspaces := map[string]int{}
	for d := json.NewDecoder(&b); ; {
		var r gf2Result
		err := d.Decode(&r)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		log := map[int]float64{16: 4, 32: 5}[r.N]
		butterflies := float64(r.N) / 2 * log
		change := strings.HasPrefix(r.Op, "change") // a difference
		if r.NsMin <= 0 && !change || math.Abs(r.NsButterfly*butterflies-r.NsMin) > 1 || r.Field != "gf2:64" ||
			r.Coefficients != "monomial" && (r.Coefficients != "lch" || change) && r.Op != "products" ||
			r.Commit != "c" || r.Op == "" || r.Reps < 3 {
			t.Errorf("%+v", r)
		}
		subspaces[r.Subspace]++
	}
	if subspaces["own"] != 26 || subspaces["coset"] != 26 || subspaces["any"] != 26 {
		t.Errorf("lines by subspace: %v", subspaces)
	}
	for _, c := range [][2]int{{0, 3}, {4, 3}, {3, 99}} {
		s := &settings{least: c[0], most: c[1], budget: time.Microsecond}
		if err := gf2(io.Discard, s, field.Spec{}); err == nil {
			t.Errorf("lengths 2^%d to 2^%d were accepted", c[0], c[1])
		}
	}
}

// The first step and the last one have a line each, and others at most one in a second.
func TestGF2Progress(t *testing.T) {
	var b bytes.Buffer
	step := gf2Progress(&b)
	for i := range 1000 {
		step(i+1, 1000)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) > 3 || lines[0] != "0.00 s: step 1 of 1000" || !strings.HasSuffix(lines[len(lines)-1], "step 1000 of 1000") {
		t.Error(lines)
	}
}
