package bulks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	f, x := smallprime.P62(), make([]uint64, 3)
	null, none := new(bulks.Slices[uint64]), new(bulks.Plain[uint64])
	v, other, empty := bulks.ViewOf(x), bulks.ViewOf(make([]uint64, 3)), bulks.ViewOf[uint64](nil)
	var c *bulks.Copy
	nils.Run(t, nils.Table{
		"Traits.Serves": {nils.Quiet(func() { bulks.Traits{}.Serves(0) })},
		"ShiftPowers": {nils.Panics(func() { bulks.ShiftPowers(nil, x) }),
			nils.Quiet(func() { require.Empty(t, bulks.ShiftPowers(f, nil)) })},
		"Rev":     {nils.Quiet(func() { require.Zero(t, bulks.Rev(0, 0)) })},
		"NewRows": {nils.Quiet(func() { _ = bulks.NewRows(0, 0, 0, 0) })},

		"Rows.Contiguous": {nils.Quiet(func() { _, _ = bulks.Rows{}.Contiguous() })},
		"Rows.Singles":    {nils.Quiet(func() { require.False(t, bulks.Rows{}.Singles()) })},
		"Passes.Tail":     {nils.Quiet(func() { require.Empty(t, new(bulks.Passes).Tail(0, 1)) })},
		"Passes.IsWide":   {nils.Quiet(func() { require.False(t, new(bulks.Passes).IsWide(0)) })},
		"Alone":           {nils.Panics(func() { bulks.Alone(0, nil) })},
		"Pass.Has":        {nils.Quiet(func() { require.True(t, bulks.Pass{}.Has(0)) })},
		"Copy.From": {nils.Quiet(func() { require.Zero(t, new(bulks.Copy).From(0, 0)) }),
			nils.Panics(func() { c.From(0, 0) })},
		"ViewOf": {nils.Quiet(func() { require.Zero(t, bulks.ViewOf[uint64](nil).N) })},
		"SliceOf": {nils.Quiet(func() { require.Empty(t, bulks.SliceOf[uint64](bulks.ViewOf[uint64](nil))) }),
			nils.Panics(func() { bulks.SliceOf[uint64](bulks.View{}) }, func() { bulks.SliceOf[uint32](v) })},
		"View.Slice": {nils.Quiet(func() { bulks.View{}.Slice(0, 0) }),
			nils.Panics(func() { v.Slice(0, 4) }, func() { v.Slice(2, 1) }, func() { v.Slice(-1, 1) })},

		"NewSlices": {nils.Is(field.ErrSpec, func() error {
			_, err := bulks.NewSlices[uint64](nil, false).Table(v, bulks.Alone)
			return err
		})},

		"Slices.Memory":  {nils.Quiet(func() { null.Memory(bulks.View{}) })},
		"Plain.Memory":   {nils.Quiet(func() { none.Memory(bulks.View{}) })},
		"Slices.Check":   {nils.Is(field.ErrSpec, null.Check)},
		"Slices.Traits":  {nils.Quiet(func() { require.True(t, null.Traits().InPlace) })},
		"Slices.Table":   {nils.Is(field.ErrSpec, func() error { _, err := null.Table(v, bulks.Alone); return err })},
		"Slices.Make":    {nils.Quiet(func() { null.Make(0) })},
		"Slices.Bytes":   {nils.Quiet(func() { require.Zero(t, null.Bytes(0)) })},
		"Slices.Reduce":  {nils.Quiet(func() { null.Reduce(bulks.View{}) })},
		"Slices.Reorder": {nils.Quiet(func() { null.Reorder(empty, 1, 0, 1) })},
		"Slices.Pack": {nils.Quiet(func() { null.Pack(empty, empty) }),
			nils.Panics(func() { null.Pack(other, v) })},
		"Slices.Unpack": {nils.Quiet(func() { null.Unpack(empty, empty) }),
			nils.Panics(func() { null.Unpack(other, v) })},
		"Slices.VecMul": {nils.Quiet(func() { null.VecMul(empty, empty, empty) }),
			nils.Panics(func() { null.VecMul(v, v, v) })},
		"Slices.Copy": {nils.Quiet(func() { null.Copy(empty, empty, bulks.Copy{}) }),
			nils.Panics(func() { null.Copy(other, v, bulks.Copy{Rows: 1, Width: 3}) })},
		"Plain.Check":   {nils.Is(field.ErrSpec, none.Check)},
		"Plain.Traits":  {nils.Quiet(func() { require.True(t, none.Traits().InPlace) })},
		"Plain.Table":   {nils.Is(field.ErrSpec, func() error { _, err := none.Table(v, bulks.Alone); return err })},
		"Plain.Make":    {nils.Quiet(func() { none.Make(0) })},
		"Plain.Bytes":   {nils.Quiet(func() { require.Zero(t, none.Bytes(0)) })},
		"Plain.Reduce":  {nils.Quiet(func() { none.Reduce(bulks.View{}) })},
		"Plain.Reorder": {nils.Quiet(func() { none.Reorder(empty, 1, 0, 1) })},
		"Plain.Pack":    {nils.Quiet(func() { none.Pack(empty, empty) })},
		"Plain.Unpack":  {nils.Quiet(func() { none.Unpack(empty, empty) })},
		"Plain.VecMul":  {nils.Quiet(func() { none.VecMul(empty, empty, empty) })},
		"Plain.Copy":    {nils.Quiet(func() { none.Copy(empty, empty, bulks.Copy{}) })},
	})
}
