package bluestein_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// A prime length becomes convolutions of a power of two: here two of them, of twice the length.
func Example() {
	f := smallprime.Goldilocks()
	d, err := field.NewCyclic(f, 257)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{Algorithm: field.Bluestein})
	if err != nil {
		log.Fatal(err)
	}
	r := t.Report()
	fmt.Println(r.Algorithm, r.Split, r.Passes)
	// Output:
	// bluestein [257] [factors 2 convolutions of length 512 factors]
}
