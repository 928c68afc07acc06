package naive_test

import (
	"context"
	"fmt"
	"log"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/naive"
)

// Any length that divides p−1: here 6 modulo 7, where the root is 3.
func ExampleNew() {
	f, err := smallprime.New32(7)
	if err != nil {
		log.Fatal(err)
	}
	t, err := naive.New(f, 6, field.Spec{})
	if err != nil {
		log.Fatal(err)
	}
	x := []uint32{0, 1, 0, 0, 0, 0} // the polynomial x: its values are the powers of the root
	if err := t.Forward(context.Background(), x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output: [1 3 2 6 4 5]
}
