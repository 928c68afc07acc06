package bigprime_test

import (
	"fmt"
	"log"
	"math/big"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
)

// A transform over the scalar field of a curve, and back.
func Example() {
	f := bigprime.BN254()
	x := make([][4]uint64, 8) // zeros
	x[1] = [4]uint64{1}
	plan := fft.Must(fft.NewPlan(f, len(x)))
	if err := plan.Forward(x, x); err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Big(nil, &x[4])) // the root of order 8 to the power of 4
	// Output: 21888242871839275222246405745257275088548364400416034343698204186575808495616
}

// Any prime will do: elements have as many words as hold it.
func ExampleNew() {
	p := new(big.Int).Lsh(big.NewInt(1), 521) // a prime of Mersenne's
	p.Sub(p, big.NewInt(1))
	w, err := bigprime.Size(p)
	if err != nil {
		log.Fatal(err)
	}
	f, err := bigprime.New[[10]uint64](p)
	if err != nil {
		log.Fatal(err)
	}
	x := [10]uint64{2}
	for range 9 { // 2^512
		f.Mul(&x, &x, &x)
	}
	fmt.Println(w, x)
	// Output: 10 [0 0 0 0 0 0 0 0 1 0]
}
