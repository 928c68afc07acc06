//go:build cgo && gmp

package main

import (
	"math/big"

	"github.com/ncw/gmp"

	"github.com/galfft/fft/bench/mpz"
	"github.com/galfft/fft/field/bigprime"
)

// withGMP says whether GMP is here to compare with.
const withGMP = true

// gmpProducts are products of packed vectors by GMP: Montgomery's and plain ones.
func gmpProducts[E bigprime.Words](f *bigprime.Field[E]) []func(z, x, y []uint64) {
	var e E
	p := make([]uint64, len(e))
	for i, w := range f.Order().Bits() {
		p[i] = uint64(w)
	}
	m := mpz.NewProducts(p)
	return []func(z, x, y []uint64){m.Montgomery, m.Plain}
}

// gmpIntegers is the product of two integers by GMP, into memory that it has.
func gmpIntegers(x, y *big.Int) []integerPeer {
	const module = "github.com/ncw/gmp"
	a, b, c := new(gmp.Int).SetBytes(x.Bytes()), new(gmp.Int).SetBytes(y.Bytes()), new(gmp.Int)
	return []integerPeer{{module, version(module), 30, func() { c.Mul(a, b) },
		func() *big.Int { return new(big.Int).SetBytes(c.Bytes()) }}}
}
