//go:build cgo && gmp

package main

import (
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
