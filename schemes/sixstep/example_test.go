package sixstep_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/sixstep"
)

// The merged form and the explicit one compute the same values.
func ExampleNew() {
	f := smallprime.KoalaBear()
	x := make([]uint32, 1<<10)
	for i := range x {
		x[i] = uint32(i * i)
	}
	var values [2][]uint32
	for i, s := range []field.Spec{{Base: 32}, {Base: 32, Algorithm: field.SixStep}} {
		t, err := sixstep.New(f, len(x), s)
		if err != nil {
			log.Fatal(err)
		}
		values[i] = make([]uint32, len(x))
		if err := t.Forward(context.Background(), values[i], x); err != nil { // x stays
			log.Fatal(err)
		}
		r := t.Report()
		fmt.Println(r.Algorithm, r.Split, r.Order)
	}
	fmt.Println(slices.Equal(values[0], values[1]))
	// Output:
	// sixstep-merged [32 32] natural
	// sixstep [32 32] natural
	// true
}
