package schemes_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

var manyWorkers = []int{1, 2, 3, 5, 8, 16, 64}

// Any number of workers, with more of them than processors and than steps, computes the bits of one: every scheme,
// order and direction, in place and out of place, over whatever shares work in its own way. By default every two of a
// number of workers, a scheme and an order meet.
func TestManyWorkers(t *testing.T) {
	eachTier(t, func(t *testing.T, _ cpu.Tier) {
		many(t, smallprime.P62(), 1<<12)
		many(t, smallprime.P50(), 1<<13)
		many(t, smallprime.BabyBear(), 1<<12)
		many(t, smallprime.Goldilocks(), 1<<12)
		many(t, smallprime.Goldilocks(), 3<<10)
		many(t, bigprime.BN254(), 1<<10)
		many[[4]uint64](t, gfpf.K4(), 1<<10)
	})
	many[[4]uint64](t, testfields.NewWord256(), 1<<8)
}

// primeLengths are odd primes by the roots of the field, and by its convolutions.
func primeLengths(t *testing.T) map[int]*smallprime.Field64 {
	t.Helper()
	fields := map[int]*smallprime.Field64{}
	for n, p := range map[int]uint64{1553: 4611686018398842881, 1013: 2*1013 + 1} {
		f, err := smallprime.New64(p)
		require.NoError(t, err)
		fields[n] = f
	}
	return fields
}

// Workers share transforms of a prime length.
func TestManyPrimes(t *testing.T) {
	eachTier(t, func(t *testing.T, tier cpu.Tier) {
		for n, f := range primeLengths(t) {
			many(t, f, n)
		}
	})
	many(t, bigprime.BN254(), 983) // not in place
	many(t, smallprime.Goldilocks(), 257)
}

// What a plan says of a prime length is what runs: passes of the transforms inside, and workers; hot calls allocate
// nothing.
func TestPrimePasses(t *testing.T) {
	for n, f := range primeLengths(t) {
		d, err := field.NewCyclic[uint64](f, n)
		require.NoError(t, err)
		steps := 0
		// One task at a time: a runner that forks would allocate. A small cache makes passes by columns.
		s := field.Spec{Workers: 2, Grain: 1, Cache: 16, Runner: inTurn{},
			Progress: func(_, total int) { steps = total }}
		plan, err := schemes.New(f, d, s)
		require.NoError(t, err)
		r := plan.Report()
		require.Equal(t, field.Bluestein, r.Algorithm)
		require.Equal(t, 2, r.Workers)
		require.Equal(t, []int{n}, r.Split)
		require.Equal(t, "factors", r.Passes[0])
		require.Equal(t, "factors", r.Passes[len(r.Passes)-1])
		require.Equal(t, n == 1553, slices.Contains(r.Passes, "products of values"))
		x, ctx := make([]uint64, n), t.Context()
		call := func() {
			require.NoError(t, plan.Forward(ctx, x, x))
			require.NoError(t, plan.Inverse(ctx, x, x))
		}
		call()
		require.Greater(t, steps, 4)
		if !raceEnabled {
			require.Zero(t, testing.AllocsPerRun(20, call))
		}
	}
}

// inTurn runs tasks one after the other.
type inTurn struct{}

func (inTurn) Run(tasks int, f func(task int)) {
	for i := range tasks {
		f(i)
	}
}

// Tables that workers share are those of one.
func TestManyTables(t *testing.T) {
	const n = 1 << 15
	f := smallprime.P62()
	d, err := field.NewCyclic[uint64](f, n)
	require.NoError(t, err)
	d.Shift = 3
	x, r := make([]uint64, n), rand.New(rand.NewPCG(1, n))
	for i := range x {
		f.Random(&x[i], r)
	}
	var want []uint64
	for _, workers := range []int{1, 2, 8} {
		plan, err := schemes.New(f, d, field.Spec{Workers: workers, Grain: 1})
		require.NoError(t, err)
		got := make([]uint64, n)
		require.NoError(t, plan.Forward(t.Context(), got, x))
		if want == nil {
			want = slices.Clone(got)
		}
		require.True(t, slices.Equal(want, got), "%d workers", workers)
		require.NoError(t, plan.Inverse(t.Context(), got, got))
		require.True(t, slices.Equal(x, got), "inverse, %d workers", workers)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = schemes.New(f, d, field.Spec{Workers: 8, Grain: 1, Context: ended})
	require.ErrorIs(t, err, context.Canceled)
}

func many[E comparable](t *testing.T, f field.Rooted[E], n int) {
	d, err := field.NewCyclic[E](f, n)
	require.NoError(t, err)
	x, r := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.(field.Sampler[E]).Random(&x[i], r)
	}
	algorithms := []field.Algorithm{field.Auto, field.DepthFirst, field.SixStep, field.SixStepMerged, field.FourStep}
	orders := []field.Order{field.Natural, field.BitReversed}
	switch {
	case big.NewInt(int64(n)).ProbablyPrime(0):
		algorithms, orders = algorithms[:1], orders[:1]
	case n&(n-1) != 0:
		algorithms, orders = append(algorithms[:1:1], algorithms[2:]...), orders[:1]
	}
	type reference struct{ values, back []E }
	wants := map[field.Order]map[field.Algorithm]reference{field.Natural: {}, field.BitReversed: {}}
	for _, c := range testscale.Combinations(testscale.Of(t), r, len(manyWorkers), len(algorithms), len(orders)) {
		workers, a, o := manyWorkers[c[0]], algorithms[c[1]], orders[c[2]]
		// A small cache makes passes by columns on several levels.
		s := field.Spec{Algorithm: a, Order: o, Workers: workers, Grain: 1, Cache: 16}
		made := func(workers int) field.Transform[E] {
			s := s
			s.Workers = workers
			plan, err := schemes.New(f, d, s)
			require.NoError(t, err)
			return plan
		}
		want, there := wants[o][a]
		if !there {
			want = reference{make([]E, n), make([]E, n)}
			one := made(1)
			require.NoError(t, one.Forward(t.Context(), want.values, x))
			require.NoError(t, one.Inverse(t.Context(), want.back, want.values))
			wants[o][a] = want
		}
		plan := made(workers)
		what := fmt.Sprintf("%T, length %d, %v", f, n, s)
		got, in := make([]E, n), slices.Clone(x)
		require.NoError(t, plan.Forward(t.Context(), got, in), what)
		require.True(t, slices.Equal(x, in), what)
		require.NoError(t, plan.Forward(t.Context(), in, in))
		require.True(t, slices.Equal(got, in), "in place: %s", what)
		require.True(t, slices.Equal(want.values, got), what)
		require.NoError(t, plan.Inverse(t.Context(), got, in))
		require.True(t, slices.Equal(want.back, got) && slices.Equal(x, got), "inverse: %s", what)
		require.True(t, slices.Equal(want.values, in), what)
		require.NoError(t, plan.Inverse(t.Context(), in, in))
		require.True(t, slices.Equal(x, in), "inverse in place: %s", what)
		inVectors(t, f, plan, x, what)
	}
}

// inVectors squares what x begins with modulo t^n − 1, and finds elements that are not canonical.
func inVectors[E comparable](t *testing.T, f field.Rooted[E], plan field.Transform[E], x []E, what string) {
	v, err := plan.NewVec()
	require.NoError(t, err)
	n := len(x)
	var one E
	f.One(&one)
	for _, length := range []int{n, n/2 + 1, 3} {
		a, got := make([]E, length), make([]E, n)
		copy(a, x)
		require.NoError(t, plan.Load(v, a))
		require.NoError(t, plan.Store(got, v))
		require.True(t, slices.Equal(a, got[:length]) && slices.Equal(got[length:], make([]E, n-length)), what)
		require.NoError(t, plan.ForwardVec(t.Context(), v))
		require.NoError(t, plan.InverseVec(t.Context(), v)) // wide values are reduced before it
		require.NoError(t, plan.Store(got, v))
		require.True(t, slices.Equal(a, got[:length]), what)
	}
	a := make([]E, n)
	a[1], a[n-1] = one, x[0] // t + x₀·t^(n−1)
	require.NoError(t, plan.Load(v, a))
	require.NoError(t, plan.ForwardVec(t.Context(), v))
	require.NoError(t, plan.MulVec(v, v, v))
	require.NoError(t, plan.InverseVec(t.Context(), v))
	require.NoError(t, plan.Store(a, v))
	want := make([]E, n)
	want[2] = one
	f.Add(&want[0], &x[0], &x[0])
	f.Mul(&want[n-2], &x[0], &x[0])
	require.True(t, slices.Equal(want, a), what)
}

// The first of several elements that are not canonical is the one that errors name, whichever worker finds one first.
func TestFirstInvalid(t *testing.T) {
	const n = 1 << 12
	f := smallprime.P62()
	for _, workers := range manyWorkers {
		for _, b := range []field.Batch{{}, {Count: 3}, {Count: 3, Stride: n + 5}} {
			d, err := field.NewCyclic[uint64](f, n)
			require.NoError(t, err)
			plan, err := schemes.New(f, d, field.Spec{Workers: workers, Grain: 1, Batch: b})
			require.NoError(t, err)
			_, size, err := b.Layout(n)
			require.NoError(t, err)
			for _, first := range []int{0, 511, 512, 1000, n - 1} {
				x := make([]uint64, size)
				x[n-1], x[first], x[size-1] = f.Modulus(), f.Modulus(), f.Modulus()
				var bad *field.RangeError
				require.ErrorAs(t, plan.Forward(t.Context(), x, x), &bad)
				require.Equal(t, first, bad.Index, "%d workers, %+v", workers, b)
			}
		}
	}
}

// A context that ends between the steps of many workers is the error, from each phase on, and no step begins after it.
func TestManyStop(t *testing.T) {
	manyStop(t, smallprime.P62(), 1<<12, field.Spec{}, field.Natural, field.BitReversed)
	manyStop(t, smallprime.Goldilocks(), 1<<14, field.Spec{Algorithm: field.SixStepMerged, Base: 8}, // in halves
		field.Natural, field.BitReversed)
	for n, f := range primeLengths(t) {
		manyStop(t, f, n, field.Spec{}, field.Natural)
	}
}

func manyStop(t *testing.T, f field.Rooted[uint64], n int, s field.Spec, orders ...field.Order) {
	for _, o := range orders {
		for _, workers := range []int{5, 16} {
			var steps atomic.Int64
			d, err := field.NewCyclic[uint64](f, n)
			require.NoError(t, err)
			s.Workers, s.Grain, s.Cache, s.Order = workers, 1, 16, o
			s.Progress = func(int, int) { steps.Add(1) }
			plan, err := schemes.New(f, d, s)
			require.NoError(t, err)
			if s.Algorithm == field.SixStepMerged {
				require.Len(t, plan.Report().Passes, 3)
			}
			x := make([]uint64, n)
			for _, call := range []func(context.Context, []uint64, []uint64) error{plan.Forward, plan.Inverse} {
				clear(x)
				steps.Store(0)
				require.NoError(t, call(t.Context(), x, x))
				all := steps.Load()
				for at := int64(1); at < all; at += 1 + all/7 {
					ctx, cancel := context.WithCancel(t.Context())
					steps.Store(0)
					clear(x) // it is unspecified after the last end
					stop := stopAfter{ctx, &steps, at, cancel}
					// The steps of other workers that had begun by then end, which may be all that are left.
					if err := call(stop, x, x); err != nil || at+int64(workers) <= all {
						require.ErrorIs(t, err, context.Canceled, "after %d of %d steps", at, all)
					} else {
						require.Equal(t, all, steps.Load(), "left out without an error")
					}
					require.Less(t, steps.Load(), at+int64(workers)+1)
					cancel()
				}
			}
		}
	}
}

// stopAfter is a context that ends after some steps.
type stopAfter struct {
	context.Context
	steps  *atomic.Int64
	at     int64
	cancel func()
}

func (c stopAfter) Err() error {
	if c.steps.Load() >= c.at {
		c.cancel()
	}
	return c.Context.Err()
}

// Tasks that are too many for the strips of a second factor share its case by columns and by rows: bits, orders and
// vectors are those of one worker.
func TestHalves(t *testing.T) {
	eachTier(t, func(t *testing.T, _ cpu.Tier) {
		halves[[8]uint64](t, gfpf.K8(), 1<<12, 2, 0)
		halves[[4]uint64](t, gfpf.K4(), 1<<13, 3, 0)
		halves(t, smallprime.Goldilocks(), 1<<14, 4, 8)
		halves(t, smallprime.P62(), 1<<14, 4, 8) // rows end wide
	})
}

func halves[E comparable](t *testing.T, f field.Rooted[E], n, workers, base int) {
	x, r := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.(field.Sampler[E]).Random(&x[i], r)
	}
	for i, o := range []field.Order{field.Natural, field.BitReversed, field.Natural} {
		d, err := field.NewCyclic[E](f, n)
		require.NoError(t, err)
		if i == 2 {
			d.Shift = x[0]
		}
		s := field.Spec{Algorithm: field.SixStepMerged, Order: o, Workers: 1, Grain: 1, Base: base}
		one, err := schemes.New(f, d, s)
		require.NoError(t, err)
		require.Len(t, one.Report().Passes, 2)
		s.Workers = workers
		plan, err := schemes.New(f, d, s)
		require.NoError(t, err)
		what := fmt.Sprintf("%T, length %d, case %d: %v", f, n, i, plan.Report())
		require.Len(t, plan.Report().Passes, 3, what)
		want, got, in := make([]E, n), make([]E, n), slices.Clone(x)
		require.NoError(t, one.Forward(t.Context(), want, x))
		require.NoError(t, plan.Forward(t.Context(), got, x))
		require.True(t, slices.Equal(want, got), what)
		require.NoError(t, plan.Forward(t.Context(), in, in))
		require.True(t, slices.Equal(want, in), "in place: %s", what)
		require.NoError(t, plan.Inverse(t.Context(), got, in))
		require.True(t, slices.Equal(x, got) && slices.Equal(want, in), "inverse: %s", what)
		require.NoError(t, plan.Inverse(t.Context(), in, in))
		require.True(t, slices.Equal(x, in), "inverse in place: %s", what)
		if i < 2 {
			inVectors(t, f, plan, x, what)
		}
	}
}
