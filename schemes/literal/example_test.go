package literal_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/literal"
)

// The procedures of the thesis compute what the schemes that are for use compute.
func Example() {
	f := smallprime.P1()
	d, err := field.NewCyclic(f, 1<<10)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]uint32, d.N)
	for i := range x {
		x[i] = uint32(i * i)
	}
	shipped, err := schemes.New(f, d, field.Spec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	printed, err := literal.New(f, d.N, field.Spec{Algorithm: field.SixStep, Base: 16},
		literal.Options{Preshuffle: literal.Iterative})
	if err != nil {
		fmt.Println(err)
		return
	}
	var values [2][]uint32
	for i, t := range []field.Transform[uint32]{shipped, printed} {
		values[i] = make([]uint32, d.N)
		if err := t.Forward(context.Background(), values[i], x); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(t.Report().Split)
	}
	fmt.Println(slices.Equal(values[0], values[1]))
	// Output:
	// [1024]
	// [2 2 2 2 2 2 16]
	// true
}
