package rns_test

import (
	"fmt"

	"github.com/galfft/fft/kernels/rns"
)

// A constant of Dot has the factor 2^104 that the sum loses.
func ExampleLift() {
	fmt.Println(rns.Lift(3, 65537)) // 2^104 = 2^8 modulo 2^16 + 1
	// Output: 768
}
