package poly_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

// Tests do not depend on tuned values of whoever runs them: a file is read at the first plan.
func init() { os.Setenv("GALFFT_TUNE", "off") }

// crossover is a field.Tuning of products over the fields of one name.
type crossover struct {
	field.Untuned
	name string
	n    int
}

func (c crossover) TunedProducts(name string) (field.TunedProducts, bool) {
	return field.TunedProducts{Schoolbook: c.n, Source: "dir/tuning.txt:9"}, name == c.name
}

// few is a field on element methods with roots of orders up to 2^7 alone.
type few struct {
	field.Field[uint64]
	roots field.Rooted[uint64]
}

func (f few) RootOfUnity(z *uint64, n uint64) error {
	if n > 1<<7 {
		return field.ErrNoRoot
	}
	return f.roots.RootOfUnity(z, n)
}

// Rings take the crossover that was measured for their field, say so, and compute the same.
func TestTunedCrossover(t *testing.T) {
	f := smallprime.P62()
	x, y := random(f, rng(1), 100), random(f, rng(2), 30)
	for _, n := range []int{1, 8, 29, 30, 64} {
		r := must(poly.New(f, fft.WithTuning(crossover{name: "*smallprime.Field64 p62", n: n})))
		report, err := r.Products(ctx, 100, 30)
		require.NoError(t, err)
		require.Equal(t, n >= 30, report.Products == fft.AutoProducts, "%d", n)
		var s strings.Builder
		require.NoError(t, r.Explain(ctx, &s, 100, 30))
		require.Contains(t, s.String(), "\ntuned    dir/tuning.txt:9: the schoolbook up to ")
		got, err := r.Mul(ctx, x, y)
		require.NoError(t, err)
		require.Equal(t, kronecker(f.Modulus(), x, y), got)
	}
	own := explained(t, must(poly.New(f, fft.WithTuning(nil))))
	for why, r := range map[string]*poly.Ring[uint64]{
		"another field":  must(poly.New(f, fft.WithTuning(crossover{name: "*smallprime.Field64 p63", n: 64}))),
		"left to poly":   must(poly.New(f, fft.WithTuning(crossover{name: "*smallprime.Field64 p62", n: 0}))),
		"no products":    must(poly.New(f, fft.WithTuning(field.Untuned{}))),
		"the default":    must(poly.New(f)),
		"by other means": must(poly.New(f, fft.WithTuning(crossover{name: "*smallprime.Field64 p62", n: 64}))).WithSchoolbook(12),
	} {
		require.Equal(t, own, explained(t, r), why)
	}
	native := []fft.Option{fft.WithProducts(fft.NativeProducts), fft.WithTuning(crossover{name: "*smallprime.Field64 p62", n: 64})}
	require.NotContains(t, explained(t, must(poly.New(f, native...))), "tuned")

	// What the schoolbook does without roots needs none with a crossover either.
	for g, n := range map[field.Field[uint64]]int{few{f, f}: 24, rootless[uint64]{f}: 24} {
		name := field.TuningName(g)
		r := must(poly.New(g, fft.WithTuning(crossover{name: name, n: 2})))
		_, err := r.Prepare(ctx, x[:n], 1<<9)
		require.NoError(t, err, name)
		require.NotContains(t, explained(t, r), "tuned", name)
		require.Contains(t, explained(t, must(poly.New(g, fft.WithTuning(crossover{name: name, n: 40})))), "tuned", name)
	}
	plain := testfields.NewWord256()
	low := must(poly.New(plain, fft.WithTuning(crossover{name: field.TuningName(plain), n: 2})))
	require.NotContains(t, explained(t, low), "tuned")
}

// explained is what a ring says about a product that the schoolbook makes by default.
func explained[E any](t *testing.T, r *poly.Ring[E]) string {
	var s strings.Builder
	require.NoError(t, r.Explain(ctx, &s, 10, 8))
	return s.String()
}
