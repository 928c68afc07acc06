package schemes_test

import (
	"context"
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// Package fft makes its plans by New. Whoever wants no options and no inference calls it with a domain and a spec.
func ExampleNew() {
	f := smallprime.P62()
	d, err := field.NewCyclic(f, 1<<12)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{Algorithm: field.FourStep, Order: field.BitReversed, Base: 64})
	if err != nil {
		log.Fatal(err)
	}
	x := make([]uint64, d.N)
	x[1] = 1
	if err := t.Forward(context.Background(), x, x); err != nil {
		log.Fatal(err)
	}
	r := t.Report()
	fmt.Println(r.Algorithm, r.Order, r.Split, x[0], x[1] == f.Modulus()-1) // the points 1 and −1 come first
	// Output: fourstep bitrev [64 64] 1 true
}

// goldilocks offers bulk operations: its Plan method answers with Build.
type goldilocks struct{ *smallprime.Field64 }

func (f goldilocks) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	return schemes.Build(f.Field64, &bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: f.Field64}}, d, s)
}

// A field opens its working form to plans in one method.
func ExampleBuild() {
	f := goldilocks{&smallprime.Goldilocks().Field64}
	d, err := field.NewCyclic(f, 8)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{})
	if err != nil {
		log.Fatal(err)
	}
	x := []uint64{1, 1, 1, 1, 1, 1, 1, 1}
	if err := t.Forward(context.Background(), x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x, t.Report().Form)
	// Output: [8 0 0 0 0 0 0 0] slices of elements, element methods
}
