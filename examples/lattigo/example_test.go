package main

import (
	"fmt"
	"log"

	"github.com/tuneinsight/lattigo/v6/ring"
)

// X^15·X modulo X^16 + 1 is −1.
func ExampleNewTransformer() {
	const n = 16
	r, err := ring.NewRingWithCustomNTT(n, []uint64{97, 193}, NewTransformer, 2*n)
	if err != nil {
		log.Fatal(err)
	}
	x, y := r.NewPoly(), r.NewPoly()
	for i := range r.SubRings {
		x.Coeffs[i][n-1], y.Coeffs[i][1] = 1, 1
	}
	r.NTT(x, x)
	r.NTT(y, y)
	r.MulCoeffsBarrett(x, y, x)
	r.INTT(x, x)
	fmt.Println(x.Coeffs)
	// Output: [[96 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0] [192 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0]]
}
