package rate_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/rate"
)

// A loop counts what it multiplies.
func ExampleWords() {
	l := rate.Words()
	fmt.Println(l.Bits, l.Products, l.Run())
	// Output: 64 16384 true
}
