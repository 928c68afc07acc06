package schemes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/schemes"
)

// Vectors that no cache of the second level holds have no strips where the field has no folds: fields without kernels
// over their own subspaces, whose change of basis is sums alone. Coefficient 3, and the last one, have known values.
func TestLongElements(t *testing.T) {
	f, err := binary.New[[4]uint64](256)
	require.NoError(t, err)
	testLongElements(t, f, field.Spec{Workers: 2, Grain: 1})
	f64, err := binary.New[uint64](64)
	require.NoError(t, err)
	testLongElements(t, f64, field.Spec{NoPlanner: true, Cache: 1 << 6})
}

func testLongElements[E binary.Elements](t *testing.T, f *binary.Field[E], s field.Spec) {
	const n = 1 << 15
	d, err := field.NewAffine(f, n)
	require.NoError(t, err)
	p, err := schemes.New(f, d, s)
	require.NoError(t, err)
	x, y := make([]E, n), make([]E, n)
	f.One(&x[3])
	f.One(&x[n-1])
	require.NoError(t, p.Forward(t.Context(), y, x))
	r := rand.New(rand.NewPCG(31, 15))
	for range 20 {
		j := r.IntN(n)
		var point, cube, last E
		d.Point(f, &point, j)
		f.Mul(&cube, &point, &point)
		f.Mul(&cube, &cube, &point)
		f.One(&last)
		for range n - 1 {
			f.Mul(&last, &last, &point)
		}
		f.Add(&cube, &cube, &last)
		require.True(t, f.Equal(&cube, &y[j]), "%s: value %d", f.Name(), j)
	}
	require.NoError(t, p.Inverse(t.Context(), y, y))
	for i := range x {
		require.True(t, f.Equal(&x[i], &y[i]), "%s: coefficient %d", f.Name(), i)
	}
}
