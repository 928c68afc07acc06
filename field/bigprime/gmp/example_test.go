package gmp_test

import (
	"errors"
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
)

// A transform with GMP has the values of one without.
func Example() {
	f := bigprime.BN254()
	x := make([][4]uint64, 8) // zeros
	x[1] = [4]uint64{1}
	y := append([][4]uint64{}, x...)
	if err := fft.Must(fft.NewPlan(f, len(x))).Forward(x, x); err != nil {
		panic(err)
	}
	switch g, err := gmp.Of(f); {
	case errors.Is(err, gmp.ErrUnavailable): // not built with -tags gmp
		copy(y, x)
	case err != nil:
		panic(err)
	default:
		if err := fft.Must(fft.NewPlan(g, len(y))).Forward(y, y); err != nil {
			panic(err)
		}
	}
	fmt.Println(x[3] == y[3])
	// Output: true
}
