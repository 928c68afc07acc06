package literal_test

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/schemes/literal"
)

// Nil and zero arguments of everything exported.
func TestNils(t *testing.T) {
	f, x := smallprime.P1(), make([]uint32, 4)
	preshuffle := func(f field.Field[uint32], dst, src []uint32, b int) func() error {
		return func() error { return literal.Preshuffle(f, dst, src, b) }
	}
	transpose := func(f field.Field[uint32], dst, src []uint32, rows, columns int) func() error {
		return func() error { return literal.Transpose(f, dst, src, rows, columns, 0) }
	}
	none := (*smallprime.Field32)(nil)
	over := func(f field.Field[uint32]) error {
		_, err := literal.Over(f, field.Cyclic[uint32]{N: 1, Root: 1, Shift: 1}, field.Spec{}, literal.Options{})
		return err
	}
	made := func(f field.Field[uint32], n int) func() error {
		return func() error { _, err := literal.New(f, n, field.Spec{}, literal.Options{}); return err }
	}
	nils.Run(t, nils.Table{
		"New": {nils.Is(field.ErrSpec, made(nil, 4), made(none, 4), made(new(smallprime.Field32), 4)),
			nils.Is(field.ErrLength, made(f, 0))},
		"Over": {nils.Is(field.ErrSpec, func() error { return over(nil) }, func() error { return over(none) }),
			nils.Is(nil, func() error { return over(f) })},
		"Part.String": {nils.Quiet(func() { _ = literal.Part(0).String() })},
		"Preshuffle": {nils.Is(field.ErrSpec, preshuffle(nil, x, x, 1), preshuffle(none, x, x, 1),
			preshuffle(new(smallprime.Field32), x, x, 1)),
			nils.Is(field.ErrLength, preshuffle(f, nil, x, 1), preshuffle(f, x, nil, 1), preshuffle(f, x, x, 0),
				preshuffle(f, nil, nil, 1))},
		"Transpose": {nils.Is(field.ErrSpec, transpose(nil, x, x, 2, 2), transpose(none, x, x, 2, 2),
			transpose(new(smallprime.Field32), x, x, 2, 2)),
			nils.Is(field.ErrLength, transpose(f, nil, x, 2, 2), transpose(f, x, nil, 2, 2), transpose(f, x, x, 0, 0)),
			nils.Is(nil, transpose(f, nil, nil, 0, 0))},
	})
}
