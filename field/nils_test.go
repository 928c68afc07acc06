package field_test

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// unchecked is a field without a Check of its own.
type unchecked struct{ field.Field[uint64] }

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	f := smallprime.P62()
	x := make([]uint64, 3)
	nones := []field.Field[uint64]{
		nil, (*smallprime.Field64)(nil), (*unchecked)(nil), new(smallprime.Field64), new(smallprime.GoldilocksField),
		field.ElementsOnly[uint64](nil), field.ElementsOnly[uint64](new(smallprime.Field64)),
	}
	// each has a case for every field that is none.
	each := func(call func(f field.Field[uint64]) error) nils.Case {
		var calls []func() error
		for _, f := range nones {
			calls = append(calls, func() error { return call(f) })
		}
		return nils.Is(field.ErrSpec, calls...)
	}
	vectors := func(call func(f field.Field[uint64], z, x, y []uint64) error) []nils.Case {
		return []nils.Case{
			each(func(f field.Field[uint64]) error { return call(f, x, x, x) }),
			nils.Is(field.ErrLength, func() error { return call(f, nil, x, x) },
				func() error { return call(f, x, nil, x) }, func() error { return call(f, x, x, nil) }),
			nils.Is(nil, func() error { return call(f, nil, nil, nil) }),
		}
	}
	var e *field.LengthError
	var place *field.RangeError
	nils.Run(t, nils.Table{
		"TuningName": {nils.Quiet(func() { require.Equal(t, "<nil>", field.TuningName(nil)) })},
		"Tuned.Check": {nils.Is(nil, field.Tuned{}.Check), nils.Is(field.ErrSpec, field.Tuned{Base: 1}.Check,
			field.Tuned{Strip: 3}.Check, field.Tuned{Tasks: -1}.Check, field.Tuned{Algorithm: 99}.Check,
			field.Tuned{Twiddles: 9}.Check)},
		"Check": {each(func(f field.Field[uint64]) error { return field.Check(f) }),
			nils.Is(nil, func() error { return field.Check[uint64](f) })},
		"HasRoot": {nils.Quiet(func() { require.False(t, field.HasRoot[uint64](nil, 2)) },
			func() { require.False(t, field.HasRoot[uint64](f, 0)) })},
		"CheckValue": {nils.Is(field.ErrSpec, func() error { return field.CheckValue("bulk", nil) },
			func() error { return field.CheckValue("field", (*smallprime.Field64)(nil)) },
			func() error { return field.CheckValue("field", new(smallprime.Field64)) })},
		"CheckRange": {nils.Is(nil,
			func() error { return field.CheckRange[uint64](nil, "x", x) },
			func() error { return field.CheckRange(f, "", nil) },
			func() error { return field.CheckRange(field.ElementsOnly[uint64](f), "x", x) })},
		"RangeError.Error": {nils.Panics(func() { _ = place.Error() }),
			nils.Quiet(func() { _ = new(field.RangeError).Error() })},
		"RangeError.Is": {nils.Quiet(func() { require.False(t, place.Is(nil)) })},
		"NewAffine":     {nils.Is(field.ErrSpec, func() error { _, err := field.NewAffine[uint64](nil, 2); return err })},
		"SubspacesOf": {each(func(f field.Field[uint64]) error {
			if _, ok := field.SubspacesOf(f); !ok {
				return field.ErrSpec // fields of other characteristics have none either
			}
			return nil
		})},
		"TextBaseOf": {nils.Quiet(func() { require.Equal(t, 10, field.TextBaseOf(nil)) })},
		"NewCyclic": {each(func(f field.Field[uint64]) error { _, err := field.NewCyclic(f, 4); return err }),
			nils.Is(field.ErrLength, func() error { _, err := field.NewCyclic(f, 0); return err })},
		"Cyclic.Len":   {nils.Quiet(func() { require.Zero(t, field.Cyclic[uint64]{}.Len()) })},
		"Cyclic.Point": {nils.Panics(func() { field.Cyclic[uint64]{}.Point(nil, &x[0], 0) })},
		"Affine.Len": {nils.Quiet(func() {
			require.Equal(t, 1, field.Affine[uint64]{}.Len())
			require.Zero(t, field.Affine[uint64]{Basis: make([]uint64, 63)}.Len())
		})},
		"Affine.Point": {nils.Panics(func() { field.Affine[uint64]{}.Point(nil, &x[0], 0) })},
		"Length":       {nils.Quiet(func() { require.Zero(t, field.Length[uint64](nil)) })},
		"NewNegacyclic": {each(func(f field.Field[uint64]) error { _, err := field.NewNegacyclic(f, 4); return err }),
			nils.Is(field.ErrLength, func() error { _, err := field.NewNegacyclic(f, 0); return err })},
		"AddVec":    vectors(field.AddVec[uint64]),
		"SubVec":    vectors(field.SubVec[uint64]),
		"MulVec":    vectors(field.MulVec[uint64]),
		"MulAddVec": vectors(field.MulAddVec[uint64]),
		"InvVec": {each(func(f field.Field[uint64]) error { return field.InvVec(f, x, x) }),
			nils.Is(field.ErrLength, func() error { return field.InvVec(f, nil, x) },
				func() error { return field.InvVec(f, x, nil) }),
			nils.Is(field.ErrNotInvertible, func() error { return field.InvVec(f, x, x) }),
			nils.Is(nil, func() error { return field.InvVec(f, nil, nil) })},
		"VectorsOf": {nils.Quiet(func() { field.VectorsOf[uint64](nil) }),
			nils.Panics(func() { field.VectorsOf[uint64](nil).AddVec(x, x, x) })},
		"Canonical": {nils.Panics(func() { field.Canonical[uint64](nil, &x[0]) }, func() { field.Canonical(f, nil) })},
		"Pow": {nils.Panics(
			func() { field.Pow[uint64](nil, &x[0], &x[0], big.NewInt(1)) },
			func() { field.Pow(f, nil, &x[0], big.NewInt(1)) },
			func() { field.Pow(f, &x[0], nil, big.NewInt(1)) },
			func() { field.Pow(f, &x[0], &x[0], nil) },
			func() { field.Pow(f, &x[0], &x[0], big.NewInt(-2)) })},
		"PowUint": {nils.Panics(func() { field.PowUint[uint64](nil, &x[0], &x[0], 1) },
			func() { field.PowUint(f, nil, &x[0], 1) })},
		"ElementsOnly":      {nils.Quiet(func() { field.ElementsOnly[uint64](nil) })},
		"ParseCoefficients": {nils.Is(field.ErrSpec, func() error { _, err := field.ParseCoefficients(""); return err })},
		"Coefficients.String": {nils.Quiet(func() {
			require.Equal(t, "monomial", field.Coefficients(0).String())
			require.Equal(t, "lch", field.LCH.String())
		})},
		"ParseOrder":       {nils.Is(field.ErrSpec, func() error { _, err := field.ParseOrder(""); return err })},
		"ParseAlgorithm":   {nils.Is(field.ErrSpec, func() error { _, err := field.ParseAlgorithm(""); return err })},
		"ParseProducts":    {nils.Is(field.ErrSpec, func() error { _, err := field.ParseProducts(""); return err })},
		"ParseTwiddles":    {nils.Is(field.ErrSpec, func() error { _, err := field.ParseTwiddles(""); return err })},
		"Order.String":     {nils.Quiet(func() { require.Equal(t, "natural", field.Order(0).String()) })},
		"Algorithm.String": {nils.Quiet(func() { require.Equal(t, "auto", field.Algorithm(0).String()) })},
		"Products.String":  {nils.Quiet(func() { require.Equal(t, "auto", field.Products(0).String()) })},
		"Twiddles.String":  {nils.Quiet(func() { require.Equal(t, "auto", field.Twiddles(0).String()) })},

		"Batch.Layout": {nils.Is(nil, func() error { _, _, err := field.Batch{}.Layout(1); return err }),
			nils.Is(field.ErrSpec, func() error { _, _, err := field.Batch{Stride: 1}.Layout(1); return err })},
		"Untuned.Tuned":         {nils.Quiet(func() { field.Untuned{}.Tuned(field.TuningKey{}) })},
		"Untuned.TunedProducts": {nils.Quiet(func() { field.Untuned{}.TunedProducts("") })},
		"Untuned.TunedDevice":   {nils.Quiet(func() { field.Untuned{}.TunedDevice("", "") })},
		"LengthError.Error": {nils.Quiet(func() { _ = new(field.LengthError).Error() }),
			nils.Panics(func() { _ = e.Error() })},
		"LengthError.Is": {nils.Quiet(func() { new(field.LengthError).Is(nil); e.Is(nil) })},
	})
}
