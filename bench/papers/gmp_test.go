//go:build cgo && gmp

package main

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	integers "github.com/galfft/fft/field/literal"
)

// All arithmetics that are timed give the values of the definition, by all schemes and base cases, with one worker and
// two.
func TestArithmetics(t *testing.T) {
	words := bigprime.P2()
	packed, err := gmp.Of(words)
	single, errSingle := integers.NCW(words)
	slow, errSlow := integers.Big(words)
	if err != nil || errSingle != nil || errSlow != nil {
		t.Fatal(err, errSingle, errSlow)
	}
	const n = 256
	want := values256(t, words, form{field.Spec{Algorithm: field.Naive}, nil})
	for _, workers := range []int{1, 2} {
		for _, a := range literals {
			for _, base := range kernels {
				spec := literalOf(a, base, workers)
				spec.Grain = 1 // two workers for short transforms too
				for name, got := range map[string][]*big.Int{
					"words": values256(t, words, spec), "gmp": values256(t, packed, spec),
					"ncw": values256(t, single, spec), "big": values256(t, slow, spec),
				} {
					for j := range n {
						if got[j].Cmp(want[j]) != 0 {
							t.Fatalf("%s, %v, base %d, %d workers: value %d is %v, want %v", name, a, base, workers, j,
								got[j], want[j])
						}
					}
				}
			}
		}
	}
}

// values256 returns the values of the data of 256 points.
func values256[E any](t *testing.T, f interface {
	rooted[E]
	Big(z *big.Int, x *E) *big.Int
}, spec form) (list []*big.Int) {
	d, err := newData[E](f, 256)
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.transform(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Forward(t.Context(), d.y, d.x); err != nil {
		t.Fatal(err)
	}
	for j := range d.y {
		list = append(list, f.Big(nil, &d.y[j]))
	}
	return list
}
