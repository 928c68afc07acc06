package bulks_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

// The bulk of one type for all elements: words, rows of butterflies, powers of a Shifter, elements that hold pointers,
// and affine domains.
func TestNewSlices(t *testing.T) {
	f := bigprime.P2()
	numbers, err := bigprime.Open(f.Order())
	require.NoError(t, err)
	t.Run("words", func(t *testing.T) { newSlices(t, smallprime.P30(), false) })
	t.Run("methods", func(t *testing.T) {
		newSlices(t, field.ElementsOnly[uint64](smallprime.P62()), false)
	})
	t.Run("rows", func(t *testing.T) { newSlices(t, f, false) })
	t.Run("powers", func(t *testing.T) { newSlices(t, gfpf.P1(), false) })
	t.Run("pointers", func(t *testing.T) { newSlices(t, numbers, false) })
	t.Run("affine", func(t *testing.T) { newSlices(t, binary.GHASH(), true) })
}

func newSlices[E any](t *testing.T, f field.Field[E], affine bool) {
	b := bulks.NewSlices(f, affine)
	require.Equal(t, (&bulks.Slices[E]{Field: f, Affine: affine}).Traits(), b.Traits())
	fieldtest.RunBulk(t, f, b, fieldtest.Config[E]{})
}

// Rows that leave a vector panic before anything is written.
func TestOutside(t *testing.T) {
	f := smallprime.P30()
	b := bulks.NewSlices(f, false)
	all := make([]uint32, 64)
	v, from := bulks.ViewOf(all).Slice(16, 48), bulks.ViewOf(make([]uint32, 64))
	w := bulks.ViewOf([]uint32{1, 2, 3, 4})
	table, err := b.Table(w, nil)
	require.NoError(t, err)
	for name, do := range map[string]func(){
		"copy, back":    func() { b.Copy(v, from, bulks.Copy{Rows: 2, Width: 4, Dst: -2, Src: 4}) },
		"copy, wrapped": func() { b.Copy(v, from, bulks.Copy{Rows: 4, Width: 2, Dst: math.MaxInt/3*2 + 2, Src: 2}) },
		"scale":         func() { table.Scale(v, 0, 2, 4, -2) },
		"pass":          func() { table.Pass(v, bulks.Pass{}, bulks.Rows{Blocks: 1, Half: 1, Width: 4, Stride: -2}) },
		"multipliers":   func() { table.Pass(v, bulks.Pass{Off: 3}, bulks.Rows{Blocks: 8, Half: 2, Width: 1, Stride: 1}) },
	} {
		for i := range all {
			all[i] = 5
		}
		require.Panics(t, do, name)
		require.Equal(t, slices.Repeat([]uint32{5}, 64), all, name)
	}
}
