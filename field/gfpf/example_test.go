package gfpf_test

import (
	"fmt"
	"log"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/gfpf"
)

func Example() {
	f := gfpf.P3() // p = (2^63 + 2^34)^8 + 1
	x := [8]uint64{1, 2, 3, 4, 5, 6, 7, 8}
	f.Shift(&x, &x, 8) // r^8 = −1
	f.Neg(&x, &x)
	fmt.Println(f.Name(), x)
	// Output: gfpf:P3 [1 2 3 4 5 6 7 8]
}

// Where the number of digits is known at run time alone, elements are of one type for all of them.
func ExampleOpen() {
	r, err := gfpf.ParseRadix("2^63+2^34")
	if err != nil {
		log.Fatal(err)
	}
	f, err := gfpf.Open(r, 8)
	if err != nil {
		log.Fatal(err)
	}
	x := make([]gfpf.Number, 16) // zeros
	x[1] = gfpf.Number{1, 0, 0, 0, 0, 0, 0, 0}
	plan := fft.Must(fft.NewPlan(f, len(x)))
	if err := plan.Forward(x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Name(), x[3]) // the root of order 16 is r
	// Output: gfpf:P3 [0 0 0 1 0 0 0 0]
}
