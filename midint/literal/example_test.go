package literal_test

import (
	"fmt"

	"github.com/galfft/fft/midint/literal"
)

// A block of two integers of four words, two words a thread: one carry goes through the first, and out of it.
func ExampleAdd() {
	const all = 1<<32 - 1
	a, b := []uint32{all, all, all, all, 1, 2, 3, 4}, []uint32{1, 0, 0, 0, 1, 1, 1, 1}
	z := make([]uint32, 8)
	fmt.Println(literal.Add(z, a, b, literal.Shape{M: 4, Q: 2, Instances: 2}), z)
	// Output: <nil> [0 0 0 0 2 3 4 5]
}
