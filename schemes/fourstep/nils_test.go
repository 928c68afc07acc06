package fourstep_test

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/schemes/fourstep"
)

// Nil and zero arguments of everything exported.
func TestNils(t *testing.T) {
	f := smallprime.P62()
	none := []field.Field[uint64]{nil, (*smallprime.Field64)(nil),
		new(smallprime.Field64), field.ElementsOnly[uint64](nil)}
	each := func(call func(f field.Field[uint64]) error) nils.Case {
		var calls []func() error
		for _, f := range none {
			calls = append(calls, func() error { return call(f) })
		}
		return nils.Is(field.ErrSpec, calls...)
	}
	nils.Run(t, nils.Table{
		"Build":     {nils.Panics(func() { fourstep.Build(nil) })},
		"BuildPart": {nils.Panics(func() { fourstep.BuildPart(nil, fourstep.Ranks{}) })},
		"New": {each(func(f field.Field[uint64]) error { _, err := fourstep.New(f, 8, field.Spec{}); return err }),
			nils.Is(field.ErrLength, func() error { _, err := fourstep.New(f, 0, field.Spec{}); return err })},
		"Over": {each(func(f field.Field[uint64]) error {
			_, err := fourstep.Over(f, field.Cyclic[uint64]{N: 1, Root: 1, Shift: 1}, field.Spec{})
			return err
		}), nils.Is(field.ErrLength, func() error {
			_, err := fourstep.Over(f, field.Cyclic[uint64]{},
				field.Spec{})
			return err
		})},
	})
}
