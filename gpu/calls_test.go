package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/par"
	"github.com/stretchr/testify/require"
)

// BenchmarkCalls prints what whole calls take, with waits and copies, beside their parts.
func BenchmarkCalls(b *testing.B) {
	realDevice(b)
	f := smallprime.Goldilocks()
	start := time.Now()
	g, err := Field(f)
	require.NoError(b, err)
	fmt.Printf("first use of %s: %.3f s\n", g.Name(), time.Since(start).Seconds())
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	p := must(fft.NewPlan[uint64](g, 1<<12, fft.WithOrder(fft.BitReversed)))
	v := must(p.NewVec())
	require.NoError(b, p.Load(v, random(f, 1<<12, 1)))
	for _, c := range []struct {
		ctx  context.Context
		name string
	}{{context.Background(), "that never ends"}, {ctx, "that may end"}} {
		ms := fastest(b, 2000, func() error { return p.ForwardVec(c.ctx, v) })
		fmt.Printf("ForwardVec 2^12, waited for, a context %s: %.4f ms\n", c.name, ms)
	}
	t, vec := wholeOf(b, g, 12), randomVector(b, g, 1<<12)
	for range 3 { // the first one makes its graph
		require.NoError(b, t.Run(ctx, vec, field.BitReversed, false))
	}
	ms := measured(b, g.d.room(), func() error { return t.Run(ctx, vec, field.BitReversed, false) })
	fmt.Printf("the same by events, one after the other: %.4f ms\n", ms)
	room, m, work := g.d.room(), memory(vec), t.(*wordTransform)
	alone := fastest(b, 2000, func() error {
		m.Did(work.Start(ctx, m.Stream(), callOf(vec, false, false)))
		return room.Wait(ctx, m)
	})
	begun := fastest(b, 2000, func() error { return work.Start(ctx, m.Stream(), callOf(vec, false, false)) })
	fmt.Printf("its kernels without a graph, waited for: %.4f ms, begun: %.4f ms\n", alone, begun)
	one := &product{g.b.(*words)}
	least := fastest(b, 2000, func() error {
		return errors.Join(room.Run(ctx, one, callOf(vec.Slice(0, 1), false, false)), room.Wait(ctx, m))
	})
	fmt.Printf("a graph of one product, waited for: %.4f ms\n", least)

	const n = 1 << 24
	q := must(fft.NewPlan[uint64](g, n))
	fmt.Printf("tables of 2^24 over its vector: goldilocks %.2f", tablesOver(q.Report()))
	long62, long32 := must(Field(smallprime.P62())), must(Field(smallprime.BabyBear()))
	fmt.Printf(", p62 %.2f", tablesOver(must(fft.NewPlan[uint64](long62, n)).Report()))
	fmt.Printf(", babybear %.2f\n", tablesOver(must(fft.NewPlan[uint32](long32, n)).Report()))
	x, y := random(f, n, 2), make([]uint64, n)
	long := must(g.b.Make(n))
	in := fastest(b, 10, func() error { g.b.Pack(long, bulks.ViewOf(x)); return g.b.Wait(ctx, long) })
	out := fastest(b, 10, func() error { g.b.Unpack(bulks.ViewOf(y), long); return g.b.Wait(ctx, long) })
	whole := wholeOf(b, g, 24)
	run := fastest(b, 10, func() error {
		if err := whole.Run(ctx, long, field.Natural, false); err != nil {
			return err
		}
		return g.b.Wait(ctx, long)
	})
	all := fastest(b, 10, func() error { return q.Forward(y, x) })
	u := must(fft.NewPlan[uint64](g, n, fft.WithoutRangeCheck()))
	unchecked := fastest(b, 10, func() error { return u.Forward(y, x) })
	host := fastest(b, 10, func() error { f.FirstInvalid(x); return nil })
	px, py := must(HostSlice[uint64](n)), must(HostSlice[uint64](n))
	defer py.Close()
	defer px.Close()
	copy(px.Slice(), x)
	pin := fastest(b, 10, func() error { g.b.Pack(long, bulks.ViewOf(px.Slice())); return g.b.Wait(ctx, long) })
	pout := fastest(b, 10, func() error { g.b.Unpack(bulks.ViewOf(py.Slice()), long); return g.b.Wait(ctx, long) })
	pinned := fastest(b, 10, func() error { return q.Forward(py.Slice(), px.Slice()) })
	fmt.Printf("2^24, pinned: in %.2f, out %.2f, Forward %.2f (%.2f of these with the transform)\n", pin, pout, pinned,
		pinned/(pin+run+pout))
	fmt.Printf("2^24: in %.2f, transform %.2f, out %.2f, Forward %.2f (%.2f of these), unchecked %.2f, the host's check "+
		"%.2f ms\n", in, run, out, all, all/(in+run+out), unchecked, host)
}

// product is a call of one small kernel: what any call takes at least.
type product struct{ b *words }

func (p *product) Start(_ context.Context, s *device.Stream, c device.Call) error {
	v, _, _ := transformOf(c)
	return p.b.times(s, v, v, v)
}

func tablesOver(r field.Report) float64 { return float64(r.Tables) / float64(r.Vector) }

// fastest is the least time of some calls, in milliseconds.
func fastest(b *testing.B, calls int, call func() error) float64 {
	least := time.Duration(1 << 62)
	for range calls {
		start := time.Now()
		require.NoError(b, call())
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds()) / 1e6
}

// BenchmarkFirstUse prints what a program waits for before its first transform is over: kernels are compiled, where the
// driver has not kept them.
func BenchmarkFirstUse(b *testing.B) {
	realDevice(b)
	firstUse(b, smallprime.Goldilocks(), 1<<20)
	firstUse(b, smallprime.BabyBear(), 1<<20)
	firstUse(b, smallprime.P62(), 1<<20)
	firstUse(b, gfpf.P3(), 1<<16)
	firstUse(b, gfpf.P5(), 1<<12)
}

func firstUse[E any](b *testing.B, f field.Rooted[E], n int) {
	x := random(f, n, 1)
	start := time.Now()
	d, err := Open(0)
	require.NoError(b, err)
	opened := time.Since(start)
	g, err := Field(f, On(d))
	require.NoError(b, err)
	p, err := fft.NewPlan[E](g, n)
	require.NoError(b, err)
	planned := time.Since(start)
	require.NoError(b, p.Forward(x, x))
	fmt.Printf("first use of %s, %d points: device %.3f, plan %.3f, Forward %.3f s\n", g.Name(), n, opened.Seconds(),
		(planned - opened).Seconds(), (time.Since(start) - planned).Seconds())
	require.NoError(b, d.Close())
}

// BenchmarkOverlap prints times of batches of host slices beside those of their copies, in turns: in one direction, and
// in both at once, which take longer where the host's memory is busy; a batch cannot take less. One that is checked
// cannot take less than reckoned: the device and all processors look from both ends, at the rates that each has alone,
// while the bus goes one way. The rest comes in both ways, and then what is left goes out.
func BenchmarkOverlap(b *testing.B) {
	realDevice(b)
	const n, count = 1 << 20, 64
	f := smallprime.Goldilocks()
	g := must(Field(f))
	ctx := context.Background()
	x, y := must(HostSlice[uint64](n*count)), must(HostSlice[uint64](n*count))
	defer y.Close()
	defer x.Close()
	copy(x.Slice(), random(f, n*count, 1))
	v, w := must(g.b.Make(n*count)), must(g.b.Make(n*count))
	into := func() error { g.b.Pack(v, bulks.ViewOf(x.Slice())); return g.b.Wait(ctx, v) }
	outOf := func() error { g.b.Unpack(bulks.ViewOf(y.Slice()), w); return g.b.Wait(ctx, w) }
	look := func() error {
		par.Fork.Run(runtime.GOMAXPROCS(0), func(i int) {
			from, to := par.Share(i, runtime.GOMAXPROCS(0), n*count)
			f.FirstInvalid(x.Slice()[from:to])
		})
		return nil
	}
	batch := func(opts ...fft.Option) func() error {
		p := must(fft.NewPlan[uint64](g, n, append(opts, fft.WithBatch(fft.Batch{Count: count}))...))
		return func() error { return p.Forward(y.Slice(), x.Slice()) }
	}
	calls := []func() error{into, outOf, func() error {
		var wait sync.WaitGroup
		var err error
		wait.Go(func() { err = outOf() })
		return errors.Join(into(), func() error { wait.Wait(); return err }())
	}, look, batch(fft.WithoutRangeCheck()), batch()}
	least := slices.Repeat([]float64{math.Inf(1)}, len(calls))
	for range 8 {
		for i, call := range calls {
			least[i] = min(least[i], fastest(b, 2, call))
		}
	}
	in, out, both, alone, unchecked, checked := least[0], least[1], least[2], least[3], least[4], least[5]
	looked := 1 / (1/in + 1/alone)
	reckoned := looked + (1-looked/in)*both + looked/in*out
	fmt.Printf("2^20 x %d, pinned: in %.2f, out %.2f, both at once %.2f, looked at by the host %.2f ms\n", count, in, out, both,
		alone)
	fmt.Printf("unchecked: %.2f ms, %.2f of the slower direction, %.2f of both at once\n", unchecked,
		unchecked/max(in, out), unchecked/both)
	fmt.Printf("checked: %.2f ms, %.2f of the slower direction, %.2f of what is reckoned, %.2f\n", checked,
		checked/max(in, out), checked/reckoned, reckoned)
}

// BenchmarkProducts prints times of products over one transform: of vectors on the device, and of slices of the host.
func BenchmarkProducts(b *testing.B) {
	realDevice(b)
	productTimes[uint64](b, smallprime.Goldilocks(), 24)
	productTimes[uint64](b, must(smallprime.New64(1<<61-1)), 22)
	productTimes[uint32](b, smallprime.Mersenne31(), 22)
}

func productTimes[E any](b *testing.B, f interface {
	field.Rooted[E]
	field.Convolver[E]
}, log int) {
	g, err := Field[E](f)
	require.NoError(b, err)
	n, ctx := 1<<log, context.Background()
	c, err := fft.NewConvolution[E](ctx, g, n)
	require.NoError(b, err)
	v, w := must(c.NewVec()), must(c.NewVec())
	x, y, z := random[E](f, n/2, 1), random[E](f, n/2, 2), make([]E, n)
	require.NoError(b, errors.Join(c.Load(v, x), c.Load(w, y)))
	one := fastest(b, 20, func() error { return c.ForwardVec(ctx, v) })
	product := fastest(b, 20, func() error {
		return errors.Join(c.ForwardVec(ctx, v), c.ForwardVec(ctx, w), c.MulVec(v, v, w), c.InverseVec(ctx, v))
	})
	fused := fastest(b, 20, func() error {
		return errors.Join(c.ForwardVec(ctx, v), c.ForwardVec(ctx, w), InverseMulVec(ctx, v, v, w))
	})
	m := c.(field.Multiplier[E])
	whole := fastest(b, 10, func() error { return m.Multiply(ctx, z, 0, x, y, v, w) })
	parts := fastest(b, 10, func() error {
		return errors.Join(c.Load(v, x), c.ForwardVec(ctx, v), c.Load(w, y), c.ForwardVec(ctx, w), c.MulVec(v, v, w),
			c.InverseVec(ctx, v), c.Store(z, v))
	})
	fmt.Printf("%s, products of 2^%d coefficients: transform %.4f, resident product %.4f (%.2f), with InverseMulVec "+
		"%.4f (%.2f), of slices %.3f, by parts %.3f ms; %s\n", g.Name(), log-1, one, product, product/one, fused, fused/one, whole, parts, c.Report().Form)
}
