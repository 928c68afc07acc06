// Command hello is the quick start: a transform of 2²⁰ elements, its inverse, and what a mistake looks like.
package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
)

func main() {
	f := smallprime.Goldilocks()            // p = 2⁶⁴ − 2³² + 1; elements are plain uint64
	plan := fft.Must(fft.NewPlan(f, 1<<20)) // immutable: share it between goroutines
	x := make([]uint64, plan.Len())
	for i, r := 0, rand.New(rand.NewPCG(1, 2)); i < len(x); i++ {
		f.Random(&x[i], r)
	}
	y := slices.Clone(x)
	if err := plan.Forward(y, y); err != nil { // in place, because dst is src
		log.Fatal(err)
	}
	if err := plan.Inverse(y, y); err != nil { // Inverse divides by n
		log.Fatal(err)
	}
	fmt.Println(plan, slices.Equal(x, y))
	mistake(plan.Forward(y[:1000], x))
}

// mistake tells errors apart: errors.Is finds the kind, errors.As the figures. y was not touched.
func mistake(err error) {
	var length *fft.LengthError
	if errors.Is(err, fft.ErrLength) && errors.As(err, &length) {
		fmt.Printf("%v (%d too few)\n", err, length.Want-length.Got)
	}
}
