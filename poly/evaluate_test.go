package poly_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

// horner is the list of values of a at the n-th roots of unity, one by one.
func horner[E any](f field.Rooted[E], a []E, n int) []E {
	v := make([]E, n)
	var w, x E
	if err := f.RootOfUnity(&w, uint64(n)); err != nil {
		panic(err)
	}
	f.One(&x)
	for j := range v {
		for i := len(a) - 1; i >= 0; i-- {
			f.Mul(&v[j], &v[j], &x)
			f.Add(&v[j], &v[j], &a[i])
		}
		f.Mul(&x, &x, &w)
	}
	return v
}

func TestEvaluate(t *testing.T) {
	t.Run("17", func(t *testing.T) { evaluate(t, p17, 16) })
	t.Run("257", func(t *testing.T) { evaluate(t, p257, 256) })
	t.Run("bigint", func(t *testing.T) { evaluate(t, bigField(), 32) })
	t.Run("tile", func(t *testing.T) { evaluate(t, testfields.NewPlain256(), 128) })
	t.Run("goldilocks", func(t *testing.T) { evaluate(t, smallprime.Goldilocks(), 128) })
}

// evaluate checks values and interpolation for all lengths up to most that have a root, of polynomials shorter and
// longer.
func evaluate[E any](t *testing.T, f field.Rooted[E], most int) {
	r := must(poly.New[E](f))
	for n := 1; n <= most; n++ {
		var w E
		if f.RootOfUnity(&w, uint64(n)) != nil {
			_, err := r.Evaluate(ctx, nil, n)
			require.ErrorIs(t, err, field.ErrNoRoot, "%d points", n)
			continue
		}
		for _, l := range []int{0, 1, n / 2, n - 1, n, n + 1, 2 * n, 3*n + 2} {
			a := random[E](f, rng(n, l), l)
			a0 := clone[E](f, a)
			v, err := r.Evaluate(ctx, a, n)
			require.NoError(t, err)
			require.True(t, equal[E](f, horner(f, a, n), v), "%d coefficients at %d points", l, n)
			v0 := clone[E](f, v)
			c, err := r.Interpolate(ctx, v)
			require.NoError(t, err)
			require.True(t, equal[E](f, modulo[E](f, a, n, false), c), "%d coefficients from %d points", l, n)
			require.True(t, equal[E](f, a, a0) && equal[E](f, v, v0), "operands changed")
		}
	}
}
