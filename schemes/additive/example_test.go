package additive_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
)

// Coefficients of powers of x are taken to the basis of layers first, and values stand in the order of the points.
func Example() {
	f := testfields.Binary8{}
	d := field.Affine[uint8]{Basis: []uint8{1, 2, 4, 8}}
	t, err := schemes.New(f, d, field.Spec{})
	if err != nil {
		log.Fatal(err)
	}
	r := t.Report()
	fmt.Println(r.Algorithm, r.Order, r.Passes)
	// Output:
	// depth-first natural [change of basis radix 2 · 2 · 2 · 2]
}
