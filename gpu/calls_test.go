package gpu

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
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
	ms := measured(b, g.d.room(), func() error { return t.Run(ctx, vec, field.BitReversed, false) })
	fmt.Printf("the same by events, one after the other: %.4f ms\n", ms)
	room, m, work := g.d.room(), memory(vec), t.(*wordTransform)
	alone := fastest(b, 2000, func() error {
		m.Did(work.Start(ctx, m.Stream(), callOf(vec, false, false)))
		return room.Wait(ctx, m)
	})
	begun := fastest(b, 2000, func() error { return work.Start(ctx, m.Stream(), callOf(vec, false, false)) })
	fmt.Printf("its kernel without a graph, waited for: %.4f ms, begun: %.4f ms\n", alone, begun)

	const n = 1 << 24
	q := must(fft.NewPlan[uint64](g, n))
	fmt.Printf("tables of 2^24 over its vector: %.2f\n", float64(q.Report().Tables)/float64(q.Report().Vector))
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

// BenchmarkOverlap prints times of batches of host slices beside those of their copies.
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
	v := must(g.b.Make(n * count))
	in := fastest(b, 5, func() error { g.b.Pack(v, bulks.ViewOf(x.Slice())); return g.b.Wait(ctx, v) })
	out := fastest(b, 5, func() error { g.b.Unpack(bulks.ViewOf(y.Slice()), v); return g.b.Wait(ctx, v) })
	require.NoError(b, g.b.Release(v))
	for name, opts := range map[string][]fft.Option{"checked": nil, "unchecked": {fft.WithoutRangeCheck()}} {
		p := must(fft.NewPlan[uint64](g, n, append(opts, fft.WithBatch(fft.Batch{Count: count}))...))
		ms := fastest(b, 5, func() error { return p.Forward(y.Slice(), x.Slice()) })
		fmt.Printf("2^20 x %d, pinned, %s: in %.2f, out %.2f, Forward %.2f ms (%.2f of the slower direction)\n", count, name,
			in, out, ms, ms/max(in, out))
	}
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
