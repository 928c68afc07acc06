package gpu

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
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
