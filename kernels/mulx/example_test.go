package mulx_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/mulx"
)

// There are kernels for the sizes of package bigprime.
func ExampleWords() {
	for _, k := range []int{4, 7, 10, 128, 129} {
		fmt.Println(k, mulx.Words(k))
	}
	// Output:
	// 4 true
	// 7 false
	// 10 true
	// 128 true
	// 129 false
}
