package gfpf_test

import (
	"fmt"

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
