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
	null, none := new(field.Slices[uint64]), new(field.Plain[uint64])
	v, other, empty := field.ViewOf(x), field.ViewOf(make([]uint64, 3)), field.ViewOf[uint64](nil)
	var e *field.LengthError
	var place *field.RangeError
	var c *field.Copy
	nils.Run(t, nils.Table{
		"TuningName": {nils.Quiet(func() { require.Equal(t, "<nil>", field.TuningName(nil)) })},
		"Tuned.Check": {nils.Is(nil, field.Tuned{}.Check), nils.Is(field.ErrSpec, field.Tuned{Base: 1}.Check,
			field.Tuned{Strip: 3}.Check, field.Tuned{Tasks: -1}.Check, field.Tuned{Algorithm: 99}.Check,
			field.Tuned{Twiddles: 9}.Check)},
		"Check": {each(func(f field.Field[uint64]) error { return field.Check(f) }),
			nils.Is(nil, func() error { return field.Check[uint64](f) })},
		"CheckBulk": {nils.Is(field.ErrSpec, func() error { return field.CheckBulk(nil) },
			func() error { return field.CheckBulk(null) },
			func() error { return field.CheckBulk((*field.Slices[uint64])(nil)) })},
		"CheckRange": {nils.Is(nil,
			func() error { return field.CheckRange[uint64](nil, "x", x) },
			func() error { return field.CheckRange(f, "", nil) },
			func() error { return field.CheckRange(field.ElementsOnly[uint64](f), "x", x) })},
		"RangeError.Error": {nils.Panics(func() { _ = place.Error() }),
			nils.Quiet(func() { _ = new(field.RangeError).Error() })},
		"RangeError.Is": {nils.Quiet(func() { require.False(t, place.Is(nil)) })},
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
		"ShiftPowers": {nils.Panics(func() { field.ShiftPowers(nil, x) }),
			nils.Quiet(func() { require.Empty(t, field.ShiftPowers(f, nil)) })},
		"ElementsOnly": {nils.Quiet(func() { field.ElementsOnly[uint64](nil) })},
		"Rev":          {nils.Quiet(func() { require.Zero(t, field.Rev(0, 0)) })},
		"NewRows":      {nils.Quiet(func() { _ = field.NewRows(0, 0, 0, 0) })},

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
		"Rows.Contiguous":       {nils.Quiet(func() { _, _ = field.Rows{}.Contiguous() })},
		"Rows.Singles":          {nils.Quiet(func() { require.False(t, field.Rows{}.Singles()) })},
		"Untuned.Tuned":         {nils.Quiet(func() { field.Untuned{}.Tuned(field.TuningKey{}) })},
		"Untuned.TunedProducts": {nils.Quiet(func() { field.Untuned{}.TunedProducts("") })},
		"Untuned.TunedDevice":   {nils.Quiet(func() { field.Untuned{}.TunedDevice("", "") })},
		"Passes.Tail":           {nils.Quiet(func() { require.Empty(t, new(field.Passes).Tail(0)) })},
		"Alone":                 {nils.Panics(func() { field.Alone(0, nil) })},
		"Pass.Has":              {nils.Quiet(func() { require.True(t, field.Pass{}.Has(0)) })},
		"Copy.From": {nils.Quiet(func() { require.Zero(t, new(field.Copy).From(0, 0)) }),
			nils.Panics(func() { c.From(0, 0) })},
		"LengthError.Error": {nils.Quiet(func() { _ = new(field.LengthError).Error() }),
			nils.Panics(func() { _ = e.Error() })},
		"LengthError.Is": {nils.Quiet(func() { new(field.LengthError).Is(nil); e.Is(nil) })},

		"ViewOf": {nils.Quiet(func() { require.Zero(t, field.ViewOf[uint64](nil).N) })},
		"SliceOf": {nils.Quiet(func() { require.Empty(t, field.SliceOf[uint64](field.ViewOf[uint64](nil))) }),
			nils.Panics(func() { field.SliceOf[uint64](field.View{}) }, func() { field.SliceOf[uint32](v) })},
		"View.Slice": {nils.Quiet(func() { field.View{}.Slice(0, 0) }),
			nils.Panics(func() { v.Slice(0, 4) }, func() { v.Slice(2, 1) }, func() { v.Slice(-1, 1) })},

		"Slices.Check":   {nils.Is(field.ErrSpec, null.Check)},
		"Slices.Traits":  {nils.Quiet(func() { require.True(t, null.Traits().InPlace) })},
		"Slices.Table":   {nils.Is(field.ErrSpec, func() error { _, err := null.Table(v, field.Alone); return err })},
		"Slices.Make":    {nils.Quiet(func() { null.Make(0) })},
		"Slices.Bytes":   {nils.Quiet(func() { require.Zero(t, null.Bytes(0)) })},
		"Slices.Reduce":  {nils.Quiet(func() { null.Reduce(field.View{}) })},
		"Slices.Reorder": {nils.Quiet(func() { null.Reorder(empty, 0, 1) })},
		"Slices.Pack": {nils.Quiet(func() { null.Pack(empty, empty) }),
			nils.Panics(func() { null.Pack(other, v) })},
		"Slices.Unpack": {nils.Quiet(func() { null.Unpack(empty, empty) }),
			nils.Panics(func() { null.Unpack(other, v) })},
		"Slices.VecMul": {nils.Quiet(func() { null.VecMul(empty, empty, empty) }),
			nils.Panics(func() { null.VecMul(v, v, v) })},
		"Slices.Copy": {nils.Quiet(func() { null.Copy(empty, empty, field.Copy{}) }),
			nils.Panics(func() { null.Copy(other, v, field.Copy{Rows: 1, Width: 3}) })},
		"Plain.Check":   {nils.Is(field.ErrSpec, none.Check)},
		"Plain.Traits":  {nils.Quiet(func() { require.True(t, none.Traits().InPlace) })},
		"Plain.Table":   {nils.Is(field.ErrSpec, func() error { _, err := none.Table(v, field.Alone); return err })},
		"Plain.Make":    {nils.Quiet(func() { none.Make(0) })},
		"Plain.Bytes":   {nils.Quiet(func() { require.Zero(t, none.Bytes(0)) })},
		"Plain.Reduce":  {nils.Quiet(func() { none.Reduce(field.View{}) })},
		"Plain.Reorder": {nils.Quiet(func() { none.Reorder(empty, 0, 1) })},
		"Plain.Pack":    {nils.Quiet(func() { none.Pack(empty, empty) })},
		"Plain.Unpack":  {nils.Quiet(func() { none.Unpack(empty, empty) })},
		"Plain.VecMul":  {nils.Quiet(func() { none.VecMul(empty, empty, empty) })},
		"Plain.Copy":    {nils.Quiet(func() { none.Copy(empty, empty, field.Copy{}) })},
	})
}
