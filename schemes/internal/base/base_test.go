package base_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/cases"
)

// The counts of the straight-line base cases, forward and inverse, are the least of radix 2.
func TestCounts(t *testing.T) {
	for _, want := range []struct{ n, additions, products int }{{2, 2, 0}, {4, 8, 1}, {8, 24, 5}, {16, 64, 17},
		{32, 160, 49}, {64, 384, 129}} {
		f := testfields.NewCounting[[4]uint64](testfields.NewWord256())
		c := newCase(t, f, want.n, 64)
		v := bulks.ViewOf(make([][4]uint64, want.n))
		for name, run := range map[string]func(){"forward": func() { c.Forward(nil, v, 1, false) },
			"inverse": func() { c.Inverse(nil, v, 1, nil, false) }} {
			f.Reset()
			run()
			require.Equal(t, want.additions, int(f.Adds.Load()), "additions of %s DFT_%d", name, want.n)
			require.Equal(t, want.products, int(f.Muls.Load()), "products of %s DFT_%d", name, want.n)
		}
	}
}

// Where the roots are powers of the shifter's, no product is left.
func TestShifts(t *testing.T) {
	for n := 4; n <= 32; n *= 2 {
		f := testfields.NewCounting[uint32](testfields.NewFermat())
		c := newCase[uint32](t, f.Field(), n, 64)
		r := rand.New(rand.NewPCG(1, uint64(n)))
		v, want := make([]uint32, n), make([]uint32, n)
		for i := range v {
			v[i] = r.Uint32N(65537)
			want[i] = v[i]
		}
		f.Reset()
		c.Forward(nil, bulks.ViewOf(v), 1, false)
		c.Inverse(nil, bulks.ViewOf(v), 1, nil, false)
		require.Zero(t, f.Muls.Load(), "products of DFT_%d", n)
		require.NotZero(t, f.Shifts.Load())
		for i := range want {
			want[i] = uint32(uint64(want[i]) * uint64(n) % 65537)
		}
		require.Equal(t, want, v)
	}
}

func newCase[E any](t *testing.T, f field.Field[E], n, size int) cases.Case {
	p := problem(t, f, n, field.Spec{MemoryLimit: 1 << 20})
	p.C = choice.Choice{Base: size, Cache: 1 << 12, Codelet: choice.MostCodelet}
	c, err := base.Cases(p).New(p.D)
	require.NoError(t, err)
	return c
}

func problem[E any](t *testing.T, f field.Field[E], n int, s field.Spec) *engine.Problem {
	d, err := field.NewCyclic(f, n)
	require.NoError(t, err)
	b := &bulks.Slices[E]{Field: f}
	points, err := front.NewDomain[E](f, b, d)
	require.NoError(t, err)
	p := &engine.Problem{F: b, T: b.Traits(), D: points, S: s, M: engine.NewMaking(n, s)}
	require.NoError(t, p.D.Points.Check())
	return p
}
