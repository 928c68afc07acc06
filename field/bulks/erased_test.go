package bulks_test

import (
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
	f := bigprime.BN254()
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
