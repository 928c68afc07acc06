package gmp

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
)

// ErrUnavailable says that this program was built without GMP.
var ErrUnavailable = errors.New("built without GMP, want cgo, libgmp (Debian: libgmp-dev) and -tags gmp")

// Prefix stands before the names of fields.
const Prefix = "gmp:"

// Field is a field of package bigprime whose products, transforms and operations on vectors are by GMP. It has the
// elements, the roots and the codecs of that field. It is immutable and safe for concurrent use.
//
// Nil and the zero Field are no fields, which Check says; other methods may panic on them.
type Field[E bigprime.Words] struct {
	*bigprime.Field[E]
	bulk *bulk[E]
}

// New returns the field of p, with the errors of [bigprime.New], and ErrUnavailable in a build without GMP.
func New[E bigprime.Words](p *big.Int) (*Field[E], error) {
	f, err := bigprime.New[E](p)
	if err != nil {
		return nil, err
	}
	return Of(f)
}

// Of returns f with the arithmetic of GMP. The error is that of f's Check, or ErrUnavailable in a build without GMP.
func Of[E bigprime.Words](f *bigprime.Field[E]) (*Field[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	b, err := newBulk(f)
	if err != nil {
		return nil, err
	}
	g := &Field[E]{f, b}
	b.init(g)
	return g, nil
}

// Check is a field.ErrSpec for nil and the zero Field.
func (f *Field[E]) Check() error {
	if f == nil || f.bulk == nil {
		return fmt.Errorf("gmp: %w: a field that is nil or zero, want one that a constructor made", field.ErrSpec)
	}
	return nil
}

// Name returns that of the field of package bigprime, after gmp: (Prefix).
func (f *Field[E]) Name() string { return Prefix + f.Field.Name() }
