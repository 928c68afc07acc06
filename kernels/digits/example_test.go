package digits_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/digits"
)

// The carry of the last of four digits has the weight r^4 = −1, and goes to the first one; a vector has two elements.
func ExampleCarries() {
	c := digits.Carries(4)
	for i := range 8 {
		fmt.Print(int64(c[0][i]), " to digit ", i/4*4+(i+1)%4, "; ")
	}
	fmt.Println(c[2])
	// Output:
	// 1 to digit 1; 1 to digit 2; 1 to digit 3; -1 to digit 0; 1 to digit 5; 1 to digit 6; 1 to digit 7; -1 to digit 4; [3 0 1 2 7 4 5 6]
}
