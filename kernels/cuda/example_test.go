package cuda_test

import (
	"fmt"
	"strings"

	"github.com/galfft/fft/kernels/cuda"
)

// A module is text, with its kernels as entries.
func ExampleSource() {
	fmt.Println(strings.Contains(cuda.Source("probe"), ".entry fill64("))
	// Output: true
}
