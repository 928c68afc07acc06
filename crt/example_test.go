package crt_test

import (
	"context"
	"fmt"
	"log"
	"math/big"

	"github.com/galfft/fft/crt"
)

// The product of 10¹⁸ and −1 + 10¹⁸ by residues: each prime on its own, and Garner at the end.
func Example() {
	ctx := context.Background()
	primes, err := crt.Primes(ctx, 62, 24, 2)
	if err != nil {
		log.Fatal(err)
	}
	s, err := crt.New(ctx, primes)
	if err != nil {
		log.Fatal(err)
	}
	r, err := s.NewResidues(2)
	if err != nil {
		log.Fatal(err)
	}
	a := []*big.Int{big.NewInt(1e18), big.NewInt(1e18 - 1)}
	if err := s.Residues(ctx, r, a); err != nil {
		log.Fatal(err)
	}
	product, err := s.NewResidues(1)
	if err != nil {
		log.Fatal(err)
	}
	for i, p := range primes {
		x, y, m := new(big.Int).SetUint64(r[i][0]), new(big.Int).SetUint64(r[i][1]), new(big.Int).SetUint64(p)
		product[i][0] = x.Mul(x, y).Mod(x, m).Uint64()
	}
	dst, err := s.NewInts(1)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Garner(ctx, dst, product); err != nil {
		log.Fatal(err)
	}
	fmt.Println(primes, s.Bits(), dst[0])
	// Output: [4611686018326724609 4611686018309947393] 124 999999999999999999000000000000000000
}

func ExampleMul() {
	x := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	a := []*big.Int{x, big.NewInt(-1)} // 10³⁰ − t
	b := []*big.Int{x, big.NewInt(1)}  // 10³⁰ + t
	c, err := crt.Mul(context.Background(), a, b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output: [1000000000000000000000000000000000000000000000000000000000000 0 -1]
}

func ExamplePrimes() {
	ctx := context.Background()
	primes, err := crt.Primes(ctx, 30, 24, 2)
	fmt.Println(primes, err)
	_, err = crt.Primes(ctx, 30, 29, 1)
	fmt.Println(err)
	// Output:
	// [754974721 469762049] <nil>
	// crt: value out of range: want 1 primes below 2^30 with 2-adicity 29, there are 0
}

func ExampleNewBounded() {
	bound, _ := new(big.Int).SetString("1000000000000000000000000000000", 10)
	s, err := crt.NewBounded(context.Background(), bound, 24)
	if err != nil {
		log.Fatal(err)
	}
	a := []*big.Int{new(big.Int).Neg(bound), bound}
	r, err := s.NewResidues(2)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Residues(context.Background(), r, a); err != nil {
		log.Fatal(err)
	}
	b, err := s.NewInts(2)
	if err != nil {
		log.Fatal(err)
	}
	if err := s.GarnerSymmetric(context.Background(), b, r); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(s.Primes()), b)
	// Output: 2 [-1000000000000000000000000000000 1000000000000000000000000000000]
}
