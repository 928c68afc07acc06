//go:build !cgo || !gmp

package gmp

import "github.com/galfft/fft/field/bigprime"

// Available says whether this program was built with GMP.
const Available = false

// bulk is none: fields are not made without GMP.
type bulk[E bigprime.Words] struct{}

func newBulk[E bigprime.Words](*bigprime.Field[E]) (*bulk[E], error) { return nil, ErrUnavailable }

func (*bulk[E]) init(*Field[E]) {}

func integers() (mul func(z, x, y []uint64), err error) { return nil, ErrUnavailable }
