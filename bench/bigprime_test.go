package main

import (
	"math/big"
	"math/rand/v2"
	"testing"

	bls12377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	bls12377fft "github.com/consensys/gnark-crypto/ecc/bls12-377/fr/fft"
	bls12381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bls12381fft "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	bn254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bn254fft "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
)

// Elements of gnark-crypto are Montgomery's form of those of package bigprime, and transforms of both have the same
// values in the same order.
func TestGnarkElements(t *testing.T) {
	const n = 1 << 8
	a := bn254fft.NewDomain(n)
	sameAsGnark(t, bigprime.BN254(), n, (*bn254.Element).BigInt, func(x []bn254.Element) { a.FFT(x, bn254fft.DIF) })
	b := bls12381fft.NewDomain(n)
	sameAsGnark(t, bigprime.BLS12381(), n, (*bls12381.Element).BigInt,
		func(x []bls12381.Element) { b.FFT(x, bls12381fft.DIF) })
	c := bls12377fft.NewDomain(n)
	sameAsGnark(t, bigprime.BLS12377(), n, (*bls12377.Element).BigInt,
		func(x []bls12377.Element) { c.FFT(x, bls12377fft.DIF) })
}

// sameAsGnark compares numbers and transforms of f with those of gnark-crypto, whose elements are G.
func sameAsGnark[G ~[4]uint64](t *testing.T, f *bigprime.Field[[4]uint64], n int,
	number func(x *G, z *big.Int) *big.Int, transform func(x []G)) {
	r := rand.New(rand.NewPCG(1, 2))
	x, forms, theirs := make([][4]uint64, n), make([][4]uint64, n), make([]G, n)
	for i := range x {
		f.Random(&x[i], r)
	}
	if err := f.Montgomery(forms, x); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		theirs[i] = G(forms[i])
		if a, b := f.Big(nil, &x[i]), number(&theirs[i], new(big.Int)); a.Cmp(b) != 0 {
			t.Fatalf("%s: gnark-crypto reads %v, want %v", f.Name(), b, a)
		}
	}
	plan, err := fft.NewPlan(f, n, fft.WithOrder(fft.BitReversed))
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Forward(x, x); err != nil {
		t.Fatal(err)
	}
	transform(theirs)
	for i := range x {
		forms[i] = theirs[i]
	}
	if err := f.SetMontgomery(forms, forms); err != nil {
		t.Fatal(err)
	}
	for i := range x {
		if x[i] != forms[i] {
			t.Fatalf("%s: value %d of gnark-crypto is %v, want %v", f.Name(), i, forms[i], x[i])
		}
	}
}
