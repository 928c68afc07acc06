package batch_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/batch"
)

// The rows of a product of 20 limbs: their limbs, those that the first turn leaves out, and the turns.
func ExampleRows() {
	fmt.Println(batch.Rows(20, false))
	// Output: [7 1 3 7 1 3 6 4 4 0 0 0]
}
