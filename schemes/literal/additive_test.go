package literal_test

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/literal"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

// subspace returns a random affine domain of 2^m points of GF(2^64).
func subspace(f *binary.Field[uint64], m int, r *rand.Rand) field.Affine[uint64] {
	d := field.Affine[uint64]{Basis: make([]uint64, m), Shift: r.Uint64()}
	for {
		for i := range d.Basis {
			d.Basis[i] = r.Uint64()
		}
		if p, err := literal.Over(f, d, field.Spec{}, literal.Options{}); p != nil && err == nil {
			return d
		}
	}
}

// The thesis' form is the shipped scheme bit for bit over random bases and shifts, with its sums and products.
func TestAdditive(t *testing.T) {
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	for m := range 15 {
		n, d := 1<<m, subspace(f, m, r)
		x, want, got := make([]uint64, n), make([]uint64, n), make([]uint64, n)
		for i := range x {
			x[i] = r.Uint64()
		}
		shipped, err := schemes.New(f, d, field.Spec{})
		require.NoError(t, err)
		require.NoError(t, shipped.Forward(t.Context(), want, x))
		for _, workers := range []int{1, 3} {
			p, err := literal.Over(f, d, field.Spec{Workers: workers, Grain: 1}, literal.Options{})
			require.NoError(t, err)
			require.NoError(t, p.Forward(t.Context(), got, x))
			require.Equal(t, want, got, "2^%d points, %d workers", m, workers)
			require.NoError(t, p.Inverse(t.Context(), got, want))
			require.Equal(t, x, got, "2^%d points back, %d workers", m, workers)
		}
		c := testfields.NewCounting(f)
		p, err := literal.Over(c.Field(), d, field.Spec{}, literal.Options{})
		require.NoError(t, err)
		for _, call := range []func() error{
			func() error { return p.Forward(t.Context(), got, x) },
			func() error { return p.Inverse(t.Context(), got, got) },
		} {
			c.Reset()
			require.NoError(t, call())
			require.EqualValues(t, (m*m+3*m)*n/4, c.Adds.Load(), "sums, 2^%d points", m)
			require.EqualValues(t, max(0, 3*m*n/2-n+1), c.Muls.Load(), "products, 2^%d points", m)
		}
		require.Equal(t, x, got)
	}
}

func TestAdditiveConformance(t *testing.T) {
	schemetest.Run(t, testfields.Binary8{}, schemetest.Config[uint8]{MaxN: 64, Basis: []uint8{3, 9, 100, 7, 240, 32},
		New: func(d field.Domain[uint8], s field.Spec) (field.Transform[uint8], error) {
			if s.Algorithm == field.Auto && s.Coefficients == field.Monomial {
				return literal.Over(testfields.Binary8{}, d, s, literal.Options{})
			}
			return schemes.New(testfields.Binary8{}, d, s)
		}})
}

func TestAdditiveRefuses(t *testing.T) {
	f := testfields.Binary8{}
	for _, c := range []struct {
		basis []uint8
		s     field.Spec
		o     literal.Options
	}{
		{[]uint8{1, 2}, field.Spec{Algorithm: field.DepthFirst}, literal.Options{}},
		{[]uint8{1, 2}, field.Spec{Coefficients: field.LCH}, literal.Options{}},
		{[]uint8{1, 2}, field.Spec{}, literal.Options{Online: true}},
		{[]uint8{1, 2}, field.Spec{}, literal.Options{Transpose: literal.BlockedTranspose}},
		{[]uint8{1, 2}, field.Spec{}, literal.Options{Preshuffle: literal.Iterative}},
		{[]uint8{1, 2, 3}, field.Spec{}, literal.Options{}},
	} {
		p, err := literal.Over(f, field.Affine[uint8]{Basis: c.basis}, c.s, c.o)
		require.ErrorIs(t, err, field.ErrSpec, "%+v", c)
		require.Nil(t, p)
	}
}
