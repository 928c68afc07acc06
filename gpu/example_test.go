package gpu_test

import (
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
)

// A transform on a device, or on the processor where there is none.
func ExampleField() {
	var f field.Rooted[uint64] = smallprime.Goldilocks()
	if g, err := gpu.Field(f); err == nil {
		f = g
	}
	p, err := fft.NewPlan(f, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []uint64{1, 2, 3, 4}
	if err := p.Forward(x, x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x[0])
	// Output: 10
}
