package fft_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/sixstep"
)

func randomWords(n int, p, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 0))
	x := make([]uint64, n)
	for i := range x {
		x[i] = r.Uint64N(p)
	}
	return x
}

func TestPlan(t *testing.T) {
	f := smallprime.Goldilocks()
	const n = 1 << 12
	p, err := fft.NewPlan(f, n)
	require.NoError(t, err)
	require.Equal(t, n, p.Len())
	require.Equal(t, n, p.Size())
	require.Equal(t, fft.Natural, p.Order())
	require.Contains(t, p.String(), "goldilocks: length 4096")
	require.Positive(t, p.MemoryUse())

	x := randomWords(n, f.Modulus(), 1)
	y := make([]uint64, n)
	require.NoError(t, p.Forward(y, x))
	for _, j := range []int{0, 1, 77, n - 1} {
		var z, v uint64
		p.Point(&z, j)
		for i := n - 1; i >= 0; i-- {
			f.Mul(&v, &v, &z)
			f.Add(&v, &v, &x[i])
		}
		require.Equal(t, v, y[j], "value %d", j)
	}
	require.NoError(t, p.Inverse(y, y))
	require.Equal(t, x, y)

	var b strings.Builder
	require.NoError(t, p.Explain(&b))
	for _, word := range []string{"scheme", "passes", "form", "workers  1 of 1", "memory"} {
		require.Contains(t, b.String(), word)
	}
}

// A coset plan evaluates at shifted points, and shifts multiply.
func TestCoset(t *testing.T) {
	f := smallprime.BabyBear()
	const n = 64
	p := fft.Must(fft.NewPlan(f, n))
	three, nine := uint32(3), uint32(9)
	once, err := p.Coset(&three)
	require.NoError(t, err)
	twice, err := once.Coset(&three)
	require.NoError(t, err)
	direct := fft.Must(fft.NewPlan(f, n, fft.WithCoset(nine)))
	require.Equal(t, nine, twice.Domain().(fft.Cyclic[uint32]).Shift)
	x := make([]uint32, n)
	x[5] = 2
	y, z := make([]uint32, n), make([]uint32, n)
	require.NoError(t, twice.Forward(y, x))
	require.NoError(t, direct.Forward(z, x))
	require.Equal(t, z, y)
	zero := uint32(0)
	_, err = p.Coset(&zero)
	require.ErrorIs(t, err, fft.ErrNotInvertible)
}

// A negacyclic product wraps around with a minus sign.
func TestNegacyclic(t *testing.T) {
	f := smallprime.P62()
	const n = 8
	p := fft.Must(fft.NewPlan(f, n, fft.WithNegacyclic()))
	x := make([]uint64, n)
	x[n-1] = 1 // x^(n−1), squared: −x^(n−2)
	v := newVec(t, p)
	ctx := context.Background()
	require.NoError(t, errors.Join(p.Load(v, x), p.ForwardVec(ctx, v), p.MulVec(v, v, v), p.InverseVec(ctx, v),
		p.Store(x, v)))
	want := make([]uint64, n)
	want[n-2] = f.Modulus() - 1
	require.Equal(t, want, x)
}

func TestRootOption(t *testing.T) {
	f := smallprime.P50()
	var w uint64
	require.NoError(t, f.RootOfUnity(&w, 16))
	var w3 uint64
	field.PowUint(f, &w3, &w, 3)
	p, err := fft.NewPlan(f, 16, fft.WithRoot(w3))
	require.NoError(t, err)
	require.Equal(t, w3, p.Domain().(fft.Cyclic[uint64]).Root)
	_, err = fft.NewPlan(f, 16, fft.WithRoot(uint32(3)))
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = fft.NewPlan(f, 32, fft.WithRoot(w))
	require.ErrorIs(t, err, fft.ErrNoRoot)
	_, err = fft.NewPlan(f, 16, fft.WithRoot(w), fft.WithNegacyclic())
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = fft.NewPlan(f, 0, fft.WithRoot(w))
	require.ErrorIs(t, err, fft.ErrLength)
}

func TestPlanErrors(t *testing.T) {
	f := smallprime.P1() // 2-adicity 20
	_, err := fft.NewPlan(f, 1<<21)
	require.ErrorIs(t, err, fft.ErrNoRoot)
	_, err = fft.NewPlan(f, -1)
	require.ErrorIs(t, err, fft.ErrLength)
	_, err = fft.NewPlan(f, 12) // 3 does not divide p − 1 = 5^4·2^20
	require.ErrorIs(t, err, fft.ErrNoRoot)
	_, err = fft.NewPlan(f, 10, fft.WithOrder(fft.BitReversed))
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = fft.NewPlan(smallprime.Mersenne31(), 4)
	require.ErrorIs(t, err, fft.ErrNoRoot)
	if huge := uint64(1) << 50; huge <= math.MaxInt { // beyond any machine's memory, before it is asked for
		_, err = fft.NewPlan(smallprime.Covanov(), int(huge))
		require.ErrorIs(t, err, fft.ErrMemory)
	}
	_, err = fft.NewPlan(f, 1<<16, fft.WithMemoryLimit(1<<16))
	require.ErrorIs(t, err, fft.ErrMemory)

	p := fft.Must(fft.NewPlan(f, 8))
	err = p.Forward(make([]uint32, 8), make([]uint32, 7))
	var length *fft.LengthError
	require.ErrorAs(t, err, &length)
	require.Equal(t, fft.LengthError{What: "src", Want: 8, Got: 7}, *length)
	require.ErrorIs(t, err, fft.ErrLength)
	require.Panics(t, func() { fft.Must(fft.NewPlan(f, 3)) })
}

func TestNil(t *testing.T) {
	_, err := fft.NewPlan[uint64](nil, 8)
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = schemes.New[uint64](nil, field.Cyclic[uint64]{N: 1}, field.Spec{})
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = sixstep.New[uint64](nil, 8, field.Spec{})
	require.ErrorIs(t, err, fft.ErrSpec)
	p, err := fft.NewPlan(smallprime.P62(), 8, nil)
	require.NoError(t, err)
	_, err = p.Coset(nil)
	require.ErrorIs(t, err, fft.ErrSpec)
	x := make([]uint64, 8)
	var none context.Context
	require.ErrorIs(t, p.ForwardContext(none, x, x), fft.ErrSpec)
	require.ErrorIs(t, p.InverseVec(none, newVec(t, p)), fft.ErrSpec)
	require.ErrorIs(t, p.InverseVec(context.Background(), nil), fft.ErrVec)
}

// A shift or root that is no canonical element is found.
func TestNonCanonical(t *testing.T) {
	f := smallprime.P62()
	for _, n := range []int{1, 2, 8} {
		_, err := fft.NewPlan(f, n, fft.WithCoset(f.Modulus()))
		require.ErrorIs(t, err, fft.ErrRange)
		_, err = fft.NewPlan(f, n, fft.WithCoset(uint64(0)))
		require.ErrorIs(t, err, fft.ErrNotInvertible)
	}
}

// No limit below what a plan takes is accepted.
func TestMemoryLimit(t *testing.T) {
	f := smallprime.P62()
	const n = 1 << 12
	for _, opts := range [][]fft.Option{{}, {fft.WithAlgorithm(fft.Naive)}, {fft.WithBase(64)},
		{fft.WithBase(64), fft.WithTwiddles(fft.FullTwiddles)}, {fft.WithCoset(uint64(3))},
		{fft.WithBatch(fft.Columns(64, 0)), fft.WithWorkers(8), fft.WithGrain(1)},
		{fft.WithBase(64), fft.WithWorkers(1 << 20), fft.WithGrain(1)}} {
		p := fft.Must(fft.NewPlan(f, n, opts...))
		_, err := fft.NewPlan(f, n, append(opts, fft.WithMemoryLimit(p.MemoryUse()-1))...)
		require.ErrorIs(t, err, fft.ErrMemory, "%v", p)
		_, err = fft.NewPlan(f, n, append(opts, fft.WithMemoryLimit(4*max(p.MemoryUse(), p.Report().Vector)))...)
		require.NoError(t, err, "%v", p)
	}
}

// What Domain returns is the caller's.
func TestDomainIsACopy(t *testing.T) {
	f, err := testfields.NewBigInt(big.NewInt(97))
	require.NoError(t, err)
	p := fft.Must(fft.NewPlan(f, 8))
	d := p.Domain().(fft.Cyclic[testfields.Int])
	f.One(&d.Root)
	again := p.Domain().(fft.Cyclic[testfields.Int])
	require.False(t, f.Equal(&again.Root, &d.Root))
}

// Any length goes with the naive scheme.
func TestOddLengths(t *testing.T) {
	f := smallprime.Mersenne31()
	for _, n := range []int{1, 2, 3, 6, 7, 9, 11, 14, 18, 63, 77} {
		p, err := fft.NewPlan(f, n, fft.WithAlgorithm(fft.Naive))
		require.NoError(t, err, "n = %d", n)
		x := make([]uint32, n)
		for i := range x {
			x[i] = uint32(i*i + 1)
		}
		y := slices.Clone(x)
		require.NoError(t, p.Forward(y, y))
		require.NoError(t, p.Inverse(y, y))
		require.Equal(t, x, y)
	}
}

// counted is a Runner that counts its tasks.
type counted struct{ runs, tasks atomic.Int64 }

func (c *counted) Run(tasks int, f func(i int)) {
	c.runs.Add(1)
	c.tasks.Add(int64(tasks))
	for i := range tasks {
		f(i)
	}
}

// Workers go through the Runner, in few fork-joins, and only where there is enough work.
func TestWorkers(t *testing.T) {
	f := smallprime.P62()
	var r counted
	for _, a := range []fft.Algorithm{fft.SixStepMerged, fft.FourStep} {
		p := fft.Must(fft.NewPlan(f, 1<<17, fft.WithAlgorithm(a), fft.WithWorkers(2), fft.WithRunner(&r),
			fft.WithBase(1<<10), fft.WithoutRangeCheck())) // a check is one more
		r.runs.Store(0)
		r.tasks.Store(0)
		x := randomWords(1<<17, f.Modulus(), 2)
		require.NoError(t, p.Forward(x, x))
		require.EqualValues(t, 2, r.runs.Load(), "fork-joins of %v", a)
		require.EqualValues(t, 4, r.tasks.Load())
	}
	small := fft.Must(fft.NewPlan(f, 16, fft.WithWorkers(2), fft.WithRunner(&r), fft.WithBase(4)))
	r.runs.Store(0)
	require.NoError(t, small.Forward(make([]uint64, 16), make([]uint64, 16)))
	require.Zero(t, r.runs.Load(), "a transform of 16 points forked")
	require.Equal(t, runtime.GOMAXPROCS(0) > 1, fft.Must(fft.NewPlan(f, 1<<20,
		fft.WithWorkers(0))).Report().Workers > 1)
}

// A bound of the radix shows in the passes.
func TestRadix(t *testing.T) {
	for _, r := range []int{2, 4, 1 << 20} {
		p, err := fft.NewPlan(smallprime.P62(), 1<<12, fft.WithRadix(r))
		require.NoError(t, err)
		for _, pass := range p.Report().Passes {
			radices, _ := strings.CutPrefix(pass, "radix ")
			for radix := range strings.SplitSeq(radices, " · ") {
				if n, err := strconv.Atoi(radix); err == nil {
					require.LessOrEqual(t, n, r, "%v", p.Report().Passes)
				}
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	f := smallprime.Goldilocks()
	const n = 1 << 12
	x, y := randomWords(n, f.Modulus(), 3), make([]uint64, n)
	for _, opts := range [][]fft.Option{{}, {fft.WithOrder(fft.BitReversed)}, {fft.WithBase(64)},
		{fft.WithBase(64), fft.WithWorkers(2), fft.WithGrain(1)}} {
		p := fft.Must(fft.NewPlan(f, n, opts...))
		if got := testing.AllocsPerRun(50, func() {
			if err := errors.Join(p.Forward(y, x), p.Inverse(y, y)); err != nil {
				t.Fatal(err)
			}
		}); got > 0 && !raceEnabled {
			t.Errorf("%v: %v allocations", p, got)
		}
	}
}

// FuzzPlan asks for plans of every kind and runs those that exist: no call panics, and what goes forward comes
// back.
func FuzzPlan(f *testing.F) {
	f.Add(uint64(998244353), 16, uint8(0), uint8(0), 0, 0, 1, 0, 0, false, uint64(1))
	f.Add(uint64(0xffffffff00000001), 64, uint8(1), uint8(4), 4, 2, 3, 2, 70, true, uint64(3))
	f.Add(uint64(97), 3, uint8(2), uint8(1), -1, 3, -7, 9, 1, false, uint64(0))
	f.Fuzz(func(t *testing.T, modulus uint64, n int, order, algorithm uint8, base, strip, workers, count, stride int,
		columns bool, shift uint64) {
		k, err := smallprime.New64(modulus)
		if err != nil || n > 1<<10 || count > 1<<6 || stride > 1<<12 {
			return
		}
		p, err := fft.NewPlan(k, n, fft.WithOrder(fft.Order(order)), fft.WithAlgorithm(fft.Algorithm(algorithm)),
			fft.WithBase(base), fft.WithStrip(strip),
			fft.WithWorkers(min(workers, 8)), fft.WithGrain(1),
			fft.WithBatch(fft.Batch{Count: count, Stride: stride, Columns: columns}), fft.WithCoset(shift%modulus))
		if err != nil {
			for _, known := range []error{fft.ErrLength, fft.ErrNoRoot, fft.ErrSpec, fft.ErrMemory,
				fft.ErrNotInvertible, fft.ErrRange} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatalf("an error of no kind: %v", err)
		}
		x := randomWords(p.Size(), modulus, shift)
		y := slices.Clone(x)
		if err := errors.Join(p.Forward(y, x), p.Inverse(y, y)); err != nil || !slices.Equal(x, y) {
			t.Fatalf("%v: there and back: error %v", p, err)
		}
	})
}

// FuzzSlices gives slices of any length and overlap.
func FuzzSlices(f *testing.F) {
	f.Add(0, 16, 16, 32)
	f.Add(0, 16, 8, 24)
	f.Add(3, 3, 0, 16)
	k := smallprime.P998244353()
	plans := []*fft.Plan[uint32]{
		fft.Must(fft.NewPlan(k, 16)), fft.Must(fft.NewPlan(k, 4, fft.WithBatch(fft.Rows(3, 6)))),
		fft.Must(fft.NewPlan(k, 4, fft.WithBatch(fft.Columns(4, 0)))),
	}
	f.Fuzz(func(t *testing.T, a, b, c, d int) {
		buf := make([]uint32, 64)
		for i := range buf {
			buf[i] = uint32(i)
		}
		if a < 0 || c < 0 || a > b || c > d || b > len(buf) || d > len(buf) {
			return
		}
		for _, p := range plans {
			before := slices.Clone(buf)
			v := newVec(t, p)
			for _, call := range []func() error{func() error { return p.Forward(buf[a:b], buf[c:d]) },
				func() error { return p.Inverse(buf[a:b], buf[c:d]) }} {
				err := call()
				sound := b-a == p.Size() && d-c == p.Size() && (a == c || b <= c || d <= a)
				if sound != (err == nil) || !sound && !slices.Equal(before, buf) {
					t.Fatalf("%v, dst [%d:%d], src [%d:%d]: error %v", p, a, b, c, d, err)
				}
				copy(buf, before)
			}
			fits := b-a == p.Size() || p.Size() == p.Len() && b-a < p.Len() // a batch is loaded whole
			if err := p.Load(v, buf[a:b]); (err == nil) != fits {
				t.Fatalf("load of %d: %v", b-a, err)
			}
			if err := p.Store(buf[a:b], v); (err == nil) != fits {
				t.Fatalf("store of %d: %v", b-a, err)
			}
		}
	})
}

func newVec[E any](t require.TestingT, p *fft.Plan[E]) fft.Vec {
	v, err := p.NewVec()
	require.NoError(t, err)
	return v
}

// Workers beyond number take no more memory than those that find work, which MemoryUse counts.
func TestManyWorkers(t *testing.T) {
	f := smallprime.Goldilocks()
	for _, workers := range []int{1 << 20, math.MaxInt} {
		for _, opts := range [][]fft.Option{nil, {fft.WithGrain(1)},
			{fft.WithGrain(1), fft.WithBatch(fft.Rows(3, 0))}} {
			p := fft.Must(fft.NewPlan(f, 8, append(opts, fft.WithWorkers(workers))...))
			x := make([]uint64, p.Size())
			const little = 1 << 14 // closures, and tables of few elements
			bytes := allocated(func() { require.NoError(t, p.Forward(x, x)) })
			require.LessOrEqual(t, bytes, p.MemoryUse()+little)
			require.LessOrEqual(t, p.MemoryUse(), little)
		}
	}
}

// A batch of no transforms is none.
func TestNoBatch(t *testing.T) {
	for _, b := range []fft.Batch{fft.Rows(0, 0), fft.Rows(0, 8), fft.Rows(-1, 0), fft.Columns(0, 0),
		fft.Columns(-1, 0)} {
		_, err := fft.NewPlan(smallprime.Goldilocks(), 8, fft.WithBatch(b))
		require.ErrorIs(t, err, fft.ErrSpec, "%+v", b)
	}
}

// An element of another type is an error that names both types.
func TestElementType(t *testing.T) {
	_, err := fft.NewPlan(smallprime.P62(), 8, fft.WithCoset(3))
	require.ErrorIs(t, err, fft.ErrSpec)
	require.EqualError(t, err, "fft: bad plan parameter: WithCoset has an element of type int, want uint64")
}
