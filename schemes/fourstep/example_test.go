package fourstep_test

import (
	"context"
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/fourstep"
)

// In bit-reversed order nothing is permuted, and a transform in place needs strips for scratch alone.
func ExampleNew() {
	f := smallprime.P62()
	t, err := fourstep.New(f, 1<<12, field.Spec{Order: field.BitReversed, Base: 64})
	if err != nil {
		log.Fatal(err)
	}
	x := make([]uint64, 1<<12)
	x[1] = 1 // the polynomial x: its values are the points
	if err := t.Forward(context.Background(), x, x); err != nil {
		log.Fatal(err)
	}
	at := t.Permutation()
	fmt.Println(at[:4], x[0] == 1, x[1] == f.Modulus()-1) // points 0 and 2048 are 1 and −1
	if err := t.Inverse(context.Background(), x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x[:4])
	// Output:
	// [0 2048 1024 3072] true true
	// [0 1 0 0]
}
