package clmul_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/clmul"
)

// The square of x^63 modulo x^64 + x^4 + x^3 + x + 1.
func Example() {
	x := []uint64{1 << 63}
	clmul.Active().Mul(&x[0], &x[0], &x[0], 1)
	fmt.Printf("%#x\n", x[0])
	// Output: 0xc00000000000005a
}
