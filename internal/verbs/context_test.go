package verbs

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/galfft/fft/field/smallprime"
)

// counted is a field that counts products of elements. Transforms and products of vectors do without.
type counted struct {
	*smallprime.Field64
	since *atomic.Int64 // the context was looked at
	most  *atomic.Int64
}

func (c counted) Mul(z, x, y *uint64) {
	c.Field64.Mul(z, x, y)
	n := c.since.Add(1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
}

// lookedAt is a context that ends after some looks at it.
type lookedAt struct {
	context.Context
	c    counted
	left *atomic.Int64
}

func (l lookedAt) Err() error {
	l.c.since.Store(0)
	if l.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// No loop runs long without a look at the context, and wherever that ends the work does.
func TestContext(t *testing.T) {
	const n = 4 * block
	bench := func(op string) func(context.Context, Field) error {
		return func(ctx context.Context, f Field) error {
			c := small(op)
			c.N = n
			_, err := f.Bench(ctx, c)
			return err
		}
	}
	for name, work := range map[string]func(context.Context, Field) error{
		"verify": func(ctx context.Context, f Field) error {
			return f.Verify(ctx, n, 1, Options{}, func(Check) {})
		},
		"forward": bench("forward"), "polymul": bench("polymul"), "pack": bench("pack"), "mul": bench("mul"),
		"add": bench("add"),
	} {
		c := counted{smallprime.P62(), new(atomic.Int64), new(atomic.Int64)}
		ctx := lookedAt{t.Context(), c, new(atomic.Int64)}
		const all = 1 << 40
		ctx.left.Store(all)
		if err := work(ctx, Of(c)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if most := c.most.Load(); most > 4*block {
			t.Errorf("%s: %d products without a look at the context, want at most %d", name, most, 4*block)
		}
		looks := all - ctx.left.Load()
		for _, i := range []int64{0, looks / 4, looks / 2, looks - 1} {
			ctx.left.Store(i)
			err := work(ctx, Of(c))
			ended := ctx.left.Load() < 0 // how often bench looks depends on time
			if errors.Is(err, context.Canceled) != ended {
				t.Errorf("%s: after %d of %d looks: cancelled %v, error %v", name, i, looks, ended, err)
			}
		}
	}
}
