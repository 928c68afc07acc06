package fft_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/internal/testscale"
)

func prime64(t *testing.T, p uint64) *smallprime.Field64 {
	f, err := smallprime.New64(p)
	require.NoError(t, err)
	return f
}

// The memory that a plan and a call take is what MemoryUse says, on every path, and a limit is kept while plans are
// made.
func TestMemoryUse(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random, so that calls allocate again")
	}
	safe := prime64(t, 2*10613+1)
	memoryUse(t, safe, 10613)                                                      // through other primes
	memoryUse(t, safe, 2*10613)                                                    // and by a factor 2
	memoryUse[uint32](t, smallprime.P1(), 625)                                     // sums of 5
	memoryUse(t, smallprime.Goldilocks(), 65537)                                   // by own roots
	memoryUse(t, smallprime.Goldilocks(), 3*65537)                                 //
	memoryUse(t, smallprime.Goldilocks(), 17*15*257)                               // within a case of several factors
	memoryUse(t, smallprime.Goldilocks(), 3<<14, fft.WithAlgorithm(fft.SixStep))   //
	memoryUse(t, smallprime.Goldilocks(), 257<<3, fft.WithAlgorithm(fft.FourStep)) //
	memoryUse(t, smallprime.Goldilocks(), 1<<16)
	memoryUse(t, smallprime.P62(), 1<<16, fft.WithAlgorithm(fft.FourStep), fft.WithBase(1<<6))
	memoryUse(t, bigprime.BN254(), 1<<12)
	memoryUse(t, smallprime.P62(), 1<<16, fft.WithCoset(uint64(3)))
	memoryUse(t, smallprime.P62(), 1<<16, fft.WithoutPlanner())
	memoryUse(t, smallprime.P62(), 1<<8, fft.WithAlgorithm(fft.Naive))
	memoryUse[[8]uint64](t, gfpf.K8(), 1<<12)
	memoryUse[[8]uint64](t, gfpf.K8(), 1<<12, fft.WithoutPlanner())
	memoryUse[[8]uint64](t, gfpf.K8(), 1<<13, fft.WithWorkers(4)) // a second factor in halves
	naive, shorter := fft.WithAlgorithm(fft.Naive), prime64(t, 2*5303+1)
	scratchUse[uint64](t, elements{shorter}, 5303, naive) // whose calls take a fourth
	limitUse(t, fft.Must(fft.NewPlan[uint64](elements{safe}, 10613, naive)), elements{safe}, naive)
	memoryUse[uint64](t, elements{prime64(t, 1031)}, 2*103) // by the definition
}

// Additive transforms that leave the caches have strips, and over Cantor's chain a skew for both directions.
func TestAdditiveMemoryUse(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random, so that calls allocate again")
	}
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	const m = 20
	r, own, any := rand.New(rand.NewPCG(31, m)), make([]uint64, m), make([]uint64, m)
	require.NoError(t, f.Subspace(own)) // is kept
	for i := range any {
		any[i] = r.Uint64()
	}
	for _, workers := range []int{1, 4} {
		for _, o := range []fft.Option{fft.WithSubspace(own...), fft.WithSubspace(any...),
			fft.WithCoefficients(fft.LCH)} {
			opts := []fft.Option{fft.WithWorkers(workers), o}
			use := scratchUse(t, f, 1<<m, opts...).MemoryUse()
			if cpu.Active() == cpu.Generic {
				continue // element methods take vectors of their own
			}
			// Neither tables nor vectors have N elements: what the caller's slice takes is enough.
			const slice = 8 << m
			require.Less(t, use, slice)
			_, err := fft.NewPlan(f, 1<<m, append(opts, fft.WithMemoryLimit(slice))...)
			require.NoError(t, err)
			_, err = fft.NewPlan(f, 1<<m, append(opts, fft.WithMemoryLimit(slice-1))...)
			require.ErrorIs(t, err, fft.ErrMemory)
		}
	}
	use := scratchUse(t, f, 1<<12, fft.WithSubspace(any[:12]...)).MemoryUse() // more than the slice
	_, err = fft.NewPlan(f, 1<<12, fft.WithSubspace(any[:12]...), fft.WithMemoryLimit(use-1))
	require.ErrorIs(t, err, fft.ErrMemory)
	_, err = fft.NewPlan(f, 1<<12, fft.WithSubspace(any[:12]...), fft.WithMemoryLimit(3*use))
	require.NoError(t, err)
}

// elements is a field without what it offers beside roots.
type elements struct{ field.Rooted[uint64] }

func memoryUse[E any](t *testing.T, f field.Field[E], n int, opts ...fft.Option) {
	limitUse(t, scratchUse(t, f, n, opts...), f, opts...)
}

// limitUse finds the least limit that is accepted, in quarters of what the plan uses, and all below: nothing above one
// is ever live. A collection waits for what sweeps beside it, which takes longer than to sweep alone.
func limitUse[E any](t *testing.T, p *fft.Plan[E], f field.Field[E], opts ...fft.Option) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	limit := func(bytes int) []fft.Option { return append(opts[:len(opts):len(opts)], fft.WithMemoryLimit(bytes)) }
	n, use, err := p.Len(), p.MemoryUse(), error(nil)
	for quarters := 1; ; quarters++ {
		most := use * quarters / 4
		if quarters == 4 {
			most-- // the last that is too little
		}
		var q *fft.Plan[E]
		live := peak(func(ctx context.Context) { q, err = fft.NewPlanContext(ctx, f, n, limit(most)...) })
		require.LessOrEqual(t, live, most+little, "length %d, %v: with %d/4 of the memory", n, p, quarters)
		if err == nil {
			require.LessOrEqual(t, q.MemoryUse(), most) // less memory may mean another scheme
			if quarters > 4 {
				return
			}
			continue
		}
		require.ErrorIs(t, err, fft.ErrMemory)
		require.Less(t, quarters, 16, "length %d, %v: refused with four times the memory", n, p)
	}
}

// little is closures, and tables of few elements.
const little = 1 << 15

// scratchUse compares what the making of a plan and its first calls allocate with its report.
func scratchUse[E any](t *testing.T, f field.Field[E], n int, opts ...fft.Option) (p *fft.Plan[E]) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // pools keep what they have,
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // and have one place for it
	made := allocated(func() { p = fft.Must(fft.NewPlan(f, n, opts...)) })
	r := p.Report()
	x := make([]E, n)
	called := allocated(func() {
		require.NoError(t, p.Forward(x, x))
		require.NoError(t, p.Inverse(x, x))
	})
	require.LessOrEqual(t, called, r.Scratch+r.Scratch/8+little, "length %d, %v: scratch of calls", n, p)
	require.LessOrEqual(t, made, 4*r.Tables+little, "length %d, %v: tables, with what is needed to make them", n, p)
	return p
}

// sampler is a context that notes the live memory whenever it is asked. Where all of the heap is no more than was live
// before, or little/2 more, what is live need not be known: a collection takes milliseconds.
type sampler struct {
	context.Context
	most *int
}

func (s sampler) Err() error {
	if heap() > *s.most+little/2 {
		*s.most = max(*s.most, live())
	}
	return nil
}

func live() int {
	runtime.GC()
	return heap()
}

// heap is the bytes that are live, and what the collector has not found to be none.
func heap() int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// peak returns the most memory that f has alive whenever it looks at its context, and at its end, to within little/2,
// which is added.
func peak(f func(ctx context.Context)) int {
	before := live()
	most := before
	s := sampler{context.Background(), &most}
	f(s)
	_ = s.Err()
	return most - before + little/2
}

// allocated returns the bytes that f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// A report says what makes a prime length.
func TestPrimeLengthForm(t *testing.T) {
	p := fft.Must(fft.NewPlan(prime64(t, 2*10613+1), 10613))
	require.Contains(t, p.Report().Form, "Bluestein's algorithm, 2 convolutions of length 16384 by products of integers modulo ")
	p = fft.Must(fft.NewPlan(smallprime.Goldilocks(), 65537))
	require.Contains(t, p.Report().Form, "Bluestein's algorithm, 2 convolutions of length 131072 by transforms")
	for q := range factor.PrimesBelow(20, 1013) { // 1013 products are below a prime of 50 bits, and 2048 are not
		require.Contains(t, fft.Must(fft.NewPlan(prime64(t, q), 1013)).Report().Form, "modulo 1 primes")
		break
	}
	p = fft.Must(fft.NewPlan(prime64(t, 2*1013+1), 1013))
	require.Contains(t, p.Report().Form, "Bluestein's algorithm, a convolution of length 2048 by products of integers")
}

// A plan of prime length takes at most 350 bytes for each element of a word, wherever it stands between powers of two,
// over primes of every class, with roots for its convolutions and without: over cosets, which take more than others.
func TestPrimeMemory(t *testing.T) {
	const most, long, longest = 350, 524309, 2097169
	// The least ones of two parts and of one; sums of many products, and above a power of two.
	for _, n := range []int{4099, 5471, long, longest} {
		for _, bits := range []int{30, 31, 32, 50, 62, 63, 64} {
			for _, roots := range []bool{false, true} {
				if n >= long && (bits < 64 || roots || testscale.Of(t) < testscale.Full) {
					continue
				}
				size := choice.ConvolutionOf(n).Len
				if roots && bits <= 32 && n*size >= 1<<bits {
					continue
				}
				divisor := uint64(n)
				if roots {
					divisor *= uint64(size) // which the prime n does not divide
				}
				for q := range factor.PrimesBelow(bits, divisor) {
					if (q-1)%uint64(size) == 0 != roots {
						continue
					}
					what := fmt.Sprintf("coset, length %d modulo %d", n, q)
					if bits > 32 {
						f := prime64(t, q)
						require.LessOrEqual(t, bytesOf(f, n, fft.WithCoset(uint64(3))), most*n, what)
					} else {
						f, err := smallprime.New32(uint32(q))
						require.NoError(t, err)
						require.LessOrEqual(t, bytesOf(f, n, fft.WithCoset(uint32(3))), most*n, what)
					}
					break
				}
			}
		}
	}
}

// Prime lengths of so many points modulo a prime of 64 bits go by one chirp for both parts: values of both are those of
// the definition, over a coset, and the inverse undoes them.
func TestPrimeReversed(t *testing.T) {
	const n = 262147 // above a power of two, so that there are two parts
	q := func() uint64 {
		for q := range factor.PrimesBelow(64, n) {
			if (q-1)%(1<<19) != 0 {
				return q
			}
		}
		panic("no prime")
	}()
	f := prime64(t, q)
	p, err := fft.NewPlan(f, n, fft.WithCoset(uint64(3)))
	require.NoError(t, err)
	require.LessOrEqual(t, p.MemoryUse(), 285*n) // 332 with a chirp for each part
	x, y := make([]uint64, n), make([]uint64, n)
	r := rand.New(rand.NewPCG(27, 2))
	for i := range x {
		f.Random(&x[i], r)
	}
	require.NoError(t, p.Forward(y, x))
	var root uint64
	require.NoError(t, f.RootOfUnity(&root, n))
	for _, k := range []uint64{0, 1, n / 2, n/2 + 1, n/2 + 2, n - 1} {
		var at, sum uint64
		f.One(&at)
		for range k {
			f.Mul(&at, &at, &root)
		}
		shift := uint64(3)
		f.Mul(&at, &at, &shift)
		for i := n - 1; i >= 0; i-- {
			f.Mul(&sum, &sum, &at)
			f.Add(&sum, &sum, &x[i])
		}
		require.Equal(t, sum, y[k], "value %d", k)
	}
	require.NoError(t, p.Inverse(y, y))
	require.Equal(t, x, y)
}

func bytesOf[E any](f field.Rooted[E], n int, opts ...fft.Option) int {
	return fft.Must(fft.NewPlan[E](f, n, opts...)).MemoryUse()
}

// A prime length that no memory holds is refused, by little work.
func TestHugePrimeLength(t *testing.T) {
	f := prime64(t, 2*1073741789+1)
	var err error
	require.Less(t, allocated(func() { _, err = fft.NewPlan(f, 1073741789, fft.WithMemoryLimit(1<<30)) }), 1<<20)
	require.ErrorIs(t, err, fft.ErrMemory)
}
