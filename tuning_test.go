package fft_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/tuning"
)

// Tests do not depend on a file of whoever runs them: it is read at the first plan.
func init() { os.Setenv(tuning.Variable, tuning.Off) }

// all is a table that has one choice for every key, and keeps the keys.
type all struct {
	field.Untuned
	t    field.Tuned
	keys *[]field.TuningKey
}

func (a all) Tuned(k field.TuningKey) (field.Tuned, bool) {
	if a.keys != nil {
		*a.keys = append(*a.keys, k)
	}
	return a.t, true
}

// Tuned values change no bit of a result, over any field, at any length, in any order, whatever they are.
func TestTunedValues(t *testing.T) {
	t.Run("p30", func(t *testing.T) { testTuned(t, smallprime.P30()) })
	t.Run("p62", func(t *testing.T) { testTuned(t, smallprime.P62()) })
	t.Run("goldilocks", func(t *testing.T) { testTuned(t, smallprime.Goldilocks()) })
	t.Run("gfpf:P3", func(t *testing.T) { testTuned(t, gfpf.P3()) })
	t.Run("bn254", func(t *testing.T) { testTuned(t, bigprime.BN254()) })
	t.Run("element methods", func(t *testing.T) { testTuned(t, smallprime.P62(), fft.WithoutPlanner()) })
}

func testTuned[E comparable](t *testing.T, f interface {
	field.Field[E]
	field.Info
}, opts ...fft.Option) {
	choices := []field.Tuned{
		{}, {Algorithm: field.DepthFirst},
		{Algorithm: field.SixStepMerged, Base: 4, Strip: 2, Radix: 2, Twiddles: field.TwoLevel},
		{Algorithm: field.FourStep, Base: 16, Strip: 8, Twiddles: field.FullTwiddles, Tasks: 1},
		{Algorithm: field.SixStep, Tasks: 2}, {Algorithm: field.Codelet}, {Algorithm: field.MixedRadix},
		{Algorithm: field.Bluestein}, {Base: 3},
	}
	ran := 0
	for _, n := range []int{1, 2, 5, 8, 12, 64, 96, 1024} {
		own, err := fft.NewPlan(f, n, append(opts, fft.WithTuning(nil))...)
		if n&(n-1) != 0 && err != nil {
			require.ErrorIs(t, err, fft.ErrNoRoot)
			continue
		}
		require.NoError(t, err)
		x := make([]E, n)
		d := own.Domain().(fft.Cyclic[E])
		for i := range x {
			f.One(&x[i])
			if i > 0 {
				f.Mul(&x[i], &x[i-1], &d.Root)
				f.Add(&x[i], &x[i], &x[0])
			}
		}
		want := make([]E, n)
		require.NoError(t, own.Forward(want, x))
		for _, c := range choices {
			c.Source = "table:3"
			for _, o := range []fft.Order{fft.Natural, fft.Scheme} {
				p, err := fft.NewPlan(f, n, append(opts, fft.WithTuning(all{t: c}), fft.WithWorkers(2),
					fft.WithOrder(o))...)
				require.NoError(t, err, "%+v", c)
				y := make([]E, n)
				require.NoError(t, p.Forward(y, x))
				for i, j := range p.Permutation() {
					require.Equal(t, want[j], y[i], "n = %d, %+v", n, c)
				}
				require.NoError(t, p.Inverse(y, y))
				require.Equal(t, x, y)
				r := p.Report()
				if r.Ignored == "" {
					ran++
					continue
				}
				require.Contains(t, r.Ignored, "table:3: ")
			}
		}
	}
	require.Greater(t, ran, 30)
}

// Explain says which line decided, or why a line did not.
func TestExplainTuned(t *testing.T) {
	explain := func(c field.Tuned, opts ...fft.Option) string {
		c.Source = "dir/tuning.txt:12"
		var b strings.Builder
		p := fft.Must(fft.NewPlan(smallprime.P62(), 1<<10, append(opts, fft.WithTuning(all{t: c}))...))
		require.NoError(t, p.Explain(&b))
		return b.String()
	}
	require.Contains(t, explain(field.Tuned{Algorithm: field.FourStep, Base: 8}),
		"scheme   fourstep: tuned: dir/tuning.txt:12\n")
	text := explain(field.Tuned{Algorithm: field.Codelet})
	require.Contains(t, text, "scheme   depth-first: passes of several layers")
	require.Contains(t, text, "ignored  dir/tuning.txt:12: fft: bad plan parameter: scheme that does not serve this length: "+
		"codelet of length 1024")
	text = explain(field.Tuned{Algorithm: field.FourStep}, fft.WithAlgorithm(fft.SixStep))
	require.Contains(t, text, "scheme   sixstep, as asked for\n")
	require.NotContains(t, text, "tuning.txt")
	// What would take more memory than there is, is left aside too.
	text = explain(field.Tuned{Algorithm: field.SixStep, Base: 4, Twiddles: field.FullTwiddles},
		fft.WithMemoryLimit(2<<14))
	require.Contains(t, text, "scheme   depth-first")
	require.Contains(t, text, "ignored  tuned values: fft: not enough memory")
}

// A table is asked once for a plan, by what the choice depends on.
func TestTuningKeys(t *testing.T) {
	keys := func(plan func(o fft.Option) error) []field.TuningKey {
		var list []field.TuningKey
		require.NoError(t, plan(fft.WithTuning(all{keys: &list})))
		return list
	}
	f := smallprime.P62()
	plan := func(opts ...fft.Option) field.TuningKey {
		list := keys(func(o fft.Option) error { _, err := fft.NewPlan(f, 64, append(opts, o)...); return err })
		require.Len(t, list, 1)
		return list[0]
	}
	k := plan()
	require.Equal(t, field.TuningKey{Form: fft.Must(fft.NewPlan(f, 64)).Report().Form, Bytes: 8, N: 64, Workers: 1}, k)
	k.Workers, k.Order = 3, fft.BitReversed
	require.Equal(t, k, plan(fft.WithWorkers(3), fft.WithOrder(fft.BitReversed)))
	k.Workers, k.Order, k.Batch = 1, fft.Natural, true
	require.Equal(t, k, plan(fft.WithBatch(fft.Rows(4, 0)), fft.WithWorkers(3)), "each transform has one worker")
	k = plan(fft.WithoutPlanner())
	require.Equal(t, "*smallprime.Field64, 62 bits", k.Field)
	require.Equal(t, "slices of elements, element methods", k.Form)

	// The tasks of a choice are those of the plan.
	for _, tasks := range []int{1, 2} {
		p := fft.Must(fft.NewPlan(f, 1<<12, fft.WithWorkers(4), fft.WithTuning(all{t: field.Tuned{Tasks: tasks,
			Algorithm: field.SixStepMerged}})))
		require.Equal(t, tasks, p.Report().Workers)
	}

	// Products ask too.
	require.NotEmpty(t, keys(func(o fft.Option) error {
		_, err := fft.NewConvolution(context.Background(), f, 256, o)
		return err
	}))
}

// Plans take what programs load, unless WithTuning says otherwise, and say that a file was left aside.
func TestDefaultTuning(t *testing.T) {
	k := fft.Must(fft.NewPlan(smallprime.P62(), 64)).Report()
	text := tuning.New()
	text.Add(tuning.Line{Key: tuning.Key{Tier: cpu.Active(),
		TuningKey: field.TuningKey{Form: k.Form, Bytes: 8, N: 64, Workers: 1}},
		Tuned: field.Tuned{Algorithm: field.SixStep}})
	table, err := tuning.Parse("home/tuning.txt", text.Text(), tuning.Here())
	require.NoError(t, err)
	loaded := func(l tuning.Loaded) fft.Option { return fft.WithLoaded(func() *tuning.Loaded { return &l }) }
	r := fft.Must(fft.NewPlan(smallprime.P62(), 64, loaded(tuning.Loaded{User: table}))).Report()
	require.Equal(t, "tuned: home/tuning.txt:11", r.Reason)
	require.Equal(t, fft.SixStep, r.Algorithm)

	bad := fmt.Errorf("tuning: %w: home/tuning.txt: measured elsewhere", fft.ErrTuning)
	p := fft.Must(fft.NewPlan(smallprime.P62(), 64, loaded(tuning.Loaded{Err: bad})))
	require.Equal(t, bad.Error(), p.Report().Ignored)
	require.Equal(t, k.Algorithm, p.Report().Algorithm)
	three := uint64(3)
	require.Equal(t, bad.Error(), fft.Must(p.Coset(&three)).Report().Ignored)

	read := 0
	counted := fft.WithLoaded(func() *tuning.Loaded { read++; return new(tuning.Loaded) })
	_, err = fft.NewConvolution(context.Background(), smallprime.Mersenne31(), 64, counted) // through other primes
	require.NoError(t, err)
	require.Positive(t, read)

	never := fft.WithLoaded(func() *tuning.Loaded { panic("read") })
	require.Equal(t, k, fft.Must(fft.NewPlan(smallprime.P62(), 64, fft.WithTuning(nil), never)).Report())
}
