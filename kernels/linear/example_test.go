package linear_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/linear"
)

// A row of bytes, each with its bits in the order from the highest to the lowest.
func Example() {
	s := linear.Active()
	m := make([]byte, s.Size)
	s.Prepare(m, [8]byte{128, 64, 32, 16, 8, 4, 2, 1})
	x, z := make([]byte, linear.Step), make([]byte, linear.Step)
	x[5] = 0x0d
	from, to := &x[0], &z[0]
	s.Sums[0](&to, &from, 1, &m[0], linear.Step)
	fmt.Printf("%#x\n", z[5])
	// Output: 0xb0
}
