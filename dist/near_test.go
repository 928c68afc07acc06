package dist_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
)

// Ranks that share memory have the values of one plan where columns have more rows than Size², and rows several passes.
func TestNear(t *testing.T) {
	f := smallprime.Goldilocks()
	for i, c := range []struct{ log, size int }{{19, 2}, {18, 4}, {17, 8}} {
		for j, order := range []fft.Order{fft.Natural, fft.BitReversed} {
			comparePlans(t, f, 1<<c.log, c.size, 2*i+j, fft.WithOrder(order), fft.WithGrain(1<<10), fft.WithBase(0))
		}
	}
}

// Ranks may take calls in place, or from one slice to another, each as it likes.
func TestNearInPlace(t *testing.T) {
	t.Run("goldilocks", func(t *testing.T) { inPlace(t, smallprime.Goldilocks()) })
	t.Run("p31", func(t *testing.T) { inPlace(t, smallprime.KoalaBear()) })
	t.Run("bn254", func(t *testing.T) { inPlace(t, bigprime.BN254()) })
}

func inPlace[E any](t *testing.T, f field.Rooted[E]) {
	const n, size = 1 << 9, 4
	x := draw(f, n, rand.New(rand.NewPCG(7, 8)))
	p, err := fft.NewPlan(f, n)
	require.NoError(t, err)
	values := make([]E, n)
	require.NoError(t, p.Forward(values, x))
	for which := range 1 << size {
		require.NoError(t, on(t, size, func(g dist.Group) error {
			p, err := dist.NewPlan(bg, g, f, n, dist.Blocks{})
			if err != nil {
				return err
			}
			src, want := make([]E, n/size), make([]E, n/size)
			other := func(v []E) []E {
				if which>>g.Rank()&1 == 1 {
					return v
				}
				return make([]E, n/size)
			}
			in, out := p.Coefficients(g.Rank()), p.Values(g.Rank())
			if err := errors.Join(p.Cut(src, x, in), p.Cut(want, values, out)); err != nil {
				return err
			}
			dst := other(src)
			if err := errors.Join(p.Forward(bg, dst, src), same(f, dst, want)); err != nil {
				return err
			}
			back := other(dst)
			return errors.Join(p.Inverse(bg, back, dst), p.Cut(want, x, in), same(f, back, want))
		}), "ranks %b", which)
	}
}

// A rank that panics behind any step of a call is an error of all others, who leave its vectors alone, be its context
// over too, and all serve on.
func TestNearPanics(t *testing.T) {
	f := smallprime.Goldilocks()
	const n, size, bad = 1 << 10, 4, 1
	x := draw(f, n, rand.New(rand.NewPCG(9, 10)))
	for i := range 8 {
		workers, inverse, ends := 1+i%2, i/2%2 == 1, i >= 4
		steps := 1
		for stop := 1; stop <= steps; stop++ {
			var total atomic.Int64
			outcomes := each(t, size, func(g dist.Group) error {
				ctx, cancel := context.WithCancel(bg)
				defer cancel()
				at := -1
				progress := func(done, all int) {
					if g.Rank() == bad {
						total.Store(int64(all))
					}
					if g.Rank() == bad && done == at {
						if ends {
							cancel()
						}
						panic("a step")
					}
				}
				p, err := dist.NewPlan(bg, g, f, n, dist.Blocks{Values: true}, fft.WithWorkers(workers),
					fft.WithGrain(1), fft.WithProgress(progress))
				if err != nil {
					return err
				}
				call, in := p.Forward, p.Coefficients(g.Rank())
				if inverse {
					call, in = p.Inverse, p.Values(g.Rank())
				}
				src, dst, want := make([]uint64, n/size), make([]uint64, n/size), make([]uint64, n/size)
				if err := errors.Join(p.Cut(src, x, in), call(bg, want, src)); err != nil {
					return err
				}
				at = stop
				outcome := func() (err error) {
					defer func() {
						if v := recover(); v != nil {
							err = fmt.Errorf("%w: %v", dist.ErrRank, v)
						}
					}()
					return call(ctx, dst, src)
				}()
				at = -1
				left := slices.Clone(dst)
				return errors.Join(outcome, g.Agree(bg, 0, nil), same(f, dst, left),
					call(bg, dst, src), same(f, dst, want))
			})
			steps = int(total.Load())
			for rank, err := range outcomes {
				require.ErrorIs(t, err, dist.ErrRank, "step %d", stop)
				what := "rank 1: a rank is not there: it has left the call by a panic"
				if rank == bad {
					what = "a step"
				}
				require.ErrorContains(t, err, what, "step %d", stop)
				require.NotContains(t, err.Error(), "differs", "step %d", stop)
			}
		}
		require.Greater(t, steps, 8)
	}
}

// A rank whose context ends leaves at once, whatever keeps another one between two steps.
func TestNearWaitsForNobody(t *testing.T) {
	const n, size, slow = 1 << 10, 2, 1
	for at := 1; at < 4; at++ { // vectors are lent, and columns are under way
		ctx, cancel := context.WithCancel(bg)
		gone := make(chan struct{})
		all(t, each(t, size, func(g dist.Group) error {
			progress := fft.WithProgress(func(done, _ int) {
				if g.Rank() == slow && done == at {
					cancel()
					<-gone
				}
			})
			p, err := dist.NewPlan(bg, g, smallprime.Goldilocks(), n, dist.Blocks{}, progress)
			if err != nil {
				return err
			}
			x, call := make([]uint64, n/size), bg
			if g.Rank() != slow {
				call = ctx
				defer close(gone)
			}
			return p.Forward(call, x, x)
		}), context.Canceled, at)
	}
}

// Explain says that ranks share memory, and what they exchange nevertheless.
func TestNearExplain(t *testing.T) {
	require.NoError(t, on(t, 4, func(g dist.Group) error {
		for _, values := range []bool{false, true} {
			blocks := dist.Blocks{Coefficients: true, Values: values}
			p, err := dist.NewPlan(bg, g, smallprime.BabyBear(), 1<<10, blocks)
			if err != nil {
				return err
			}
			var b strings.Builder
			if err := p.Explain(&b); err != nil {
				return err
			}
			want := "columns of all ranks, which share memory, in strips of 8: radix 16; rows: "
			if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "exchange of 3 · 64") != values {
				return errors.New(b.String())
			}
		}
		return nil
	}))
}
