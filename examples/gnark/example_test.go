package main

import (
	"fmt"
	"log"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"

	"github.com/galfft/fft/field/bigprime"
)

// The square of 1 + 2x + … + 8x⁷ modulo x⁸ − 5⁸, because the points are those where x⁸ is 5⁸: coefficient 6 is 84, and
// 64·5⁸ from x¹⁴.
func ExampleDomain() {
	const n = 8
	d := fft.NewDomain(n)
	coset, err := NewDomain[fr.Element](bigprime.BN254(), n, d.Generator.Bits(), d.FrMultiplicativeGen.Bits())
	if err != nil {
		log.Fatal(err)
	}
	a := make([]fr.Element, n)
	for i := range a {
		a[i].SetUint64(uint64(i + 1))
	}
	if err := coset.FFT(a, DIF); err != nil { // as d.FFT(a, fft.DIF, fft.OnCoset())
		log.Fatal(err)
	}
	for i := range a {
		a[i].Square(&a[i])
	}
	if err := coset.FFTInverse(a, DIT); err != nil {
		log.Fatal(err)
	}
	fmt.Println(a[7].Uint64(), a[6].Uint64())
	// Output: 120 25000084
}
