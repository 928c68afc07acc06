package depthfirst_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// Element methods have passes of one layer each.
func Example() {
	f := smallprime.KoalaBear()
	d, err := field.NewCyclic(f, 16)
	if err != nil {
		log.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{Algorithm: field.DepthFirst, Order: field.BitReversed, NoPlanner: true})
	if err != nil {
		log.Fatal(err)
	}
	r := t.Report()
	fmt.Println(r.Algorithm, r.Split, r.Passes)
	// Output:
	// depth-first [16] [radix 2 · 2 · 2 · 2]
}
