//go:build !(cgo && gmp)

package main

import (
	"math/big"

	"github.com/galfft/fft/field/bigprime"
)

const withGMP = false

// gmpProducts has none without GMP.
func gmpProducts[E bigprime.Words](*bigprime.Field[E]) []func(z, x, y []uint64) { return nil }

// gmpIntegers has none without GMP.
func gmpIntegers(x, y *big.Int) []integerPeer { return nil }
