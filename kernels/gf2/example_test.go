package gf2_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/gf2"
)

// A product of 64 elements of GF(2^16), in two planes.
func Example() {
	x, y := make([]byte, 2*gf2.Lanes), make([]byte, 2*gf2.Lanes)
	gf2.Put(x, 1, 5, gf2.Element{0x100})
	gf2.Put(y, 1, 5, gf2.Element{0x100})
	gf2.Active().Mul[1](&x[0], &x[0], &y[0], 1)
	fmt.Printf("%#x\n", gf2.Get(x, 1, 5)[0]) // Y_1² = Y_0·Y_1 + 1
	// Output: 0x3501
}
