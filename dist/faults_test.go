package dist_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// each runs f on every rank, and returns the errors of all.
func each(t *testing.T, size int, f func(g dist.Group) error) []error {
	ends, err := dist.Local(size)
	require.NoError(t, err)
	errs := make([]error, size)
	_ = dist.Run(ends, func(g dist.Group) error {
		errs[g.Rank()] = f(g)
		return errs[g.Rank()]
	})
	return errs
}

// all fails where an error is not want, or not the same one on all ranks.
func all(t *testing.T, errs []error, want error, what ...any) {
	t.Helper()
	for _, err := range errs {
		require.ErrorIs(t, err, want, what...)
		require.Equal(t, errs[0].Error(), err.Error(), what...)
	}
}

// end is the end of a group as a test takes it.
type end func(g dist.Group) dist.Group

func near(g dist.Group) dist.Group { return g }

// both runs a test for ranks that share memory, and for such as exchange.
func both(test func(t *testing.T, of end)) func(t *testing.T) {
	return func(t *testing.T) {
		t.Run("near", func(t *testing.T) { test(t, near) })
		t.Run("apart", func(t *testing.T) { test(t, func(g dist.Group) dist.Group { return apart{g} }) })
	}
}

// Wrong arguments are one error on all ranks, whether one or all of them have it.
func TestRefusals(t *testing.T) {
	f := smallprime.Goldilocks()
	plan := func(size, n int, opts ...fft.Option) []error {
		return each(t, size, func(g dist.Group) error {
			_, err := dist.NewPlan(bg, g, f, n, dist.Blocks{}, opts...)
			return err
		})
	}
	all(t, plan(4, 8), field.ErrLength)
	all(t, plan(4, 0), field.ErrLength)
	all(t, plan(2, 12), field.ErrLength)
	all(t, plan(3, 1<<10), field.ErrSpec)
	all(t, plan(2, 1<<10, fft.WithAlgorithm(fft.SixStep)), field.ErrScheme)
	all(t, plan(2, 1<<(bits.UintSize/2+1)), field.ErrNoRoot)
	all(t, plan(2, 1<<10, fft.WithMemoryLimit(1<<12)), field.ErrMemory)
	all(t, plan(4, 1<<10, fft.WithBatch(fft.Batch{Count: 3})), field.ErrSpec)
	all(t, each(t, 2, func(g dist.Group) error {
		_, err := dist.NewPlan(bg, g, binary.AES(), 1<<8, dist.Blocks{}, fft.WithOrder(fft.BitReversed))
		return err
	}), field.ErrSpec)
	differing := func(of func(rank int) (n int, b dist.Blocks, opts []fft.Option)) []error {
		return each(t, 4, func(g dist.Group) error {
			n, b, opts := of(g.Rank())
			_, err := dist.NewPlan(bg, g, f, n, b, opts...)
			return err
		})
	}
	all(t, differing(func(rank int) (int, dist.Blocks, []fft.Option) {
		return 1 << (8 + rank/3), dist.Blocks{}, nil
	}), dist.ErrDisagree)
	all(t, differing(func(rank int) (int, dist.Blocks, []fft.Option) {
		return 1 << 8, dist.Blocks{Values: rank == 1}, nil
	}), dist.ErrDisagree)
	all(t, differing(func(rank int) (int, dist.Blocks, []fft.Option) {
		return 1 << 8, dist.Blocks{}, []fft.Option{fft.WithCoset(uint64(3 + rank/2))}
	}), dist.ErrDisagree)
	all(t, differing(func(rank int) (int, dist.Blocks, []fft.Option) {
		return 1 << 8, dist.Blocks{}, []fft.Option{fft.WithOrder(fft.Order(rank % 2))}
	}), dist.ErrDisagree)
	all(t, differing(func(rank int) (int, dist.Blocks, []fft.Option) {
		if rank == 2 {
			return 1 << 8, dist.Blocks{}, []fft.Option{fft.WithMemoryLimit(100)}
		}
		return 1 << 8, dist.Blocks{}, nil
	}), field.ErrMemory)
	all(t, each(t, 2, func(g dist.Group) (err error) { // the same type, and another modulus
		f := []*smallprime.Field64{smallprime.P62(), smallprime.P63()}[g.Rank()]
		_, err = dist.NewPlan(bg, g, f, 1<<8, dist.Blocks{})
		return err
	}), dist.ErrDisagree)
	all(t, each(t, 2, func(g dist.Group) error { // one rank reaches into the vectors of the other, which exchanges
		if g.Rank() == 1 {
			g = apart{g}
		}
		_, err := dist.NewPlan(bg, g, f, 4, dist.Blocks{}) // of one N1
		return err
	}), dist.ErrDisagree)
	all(t, each(t, 2, func(g dist.Group) error { // slices on one rank, element methods on the other
		opts := []fft.Option{nil}
		if g.Rank() == 1 {
			opts[0] = fft.WithoutPlanner()
		}
		_, err := dist.NewPlan(bg, g, f, 1<<8, dist.Blocks{}, opts...)
		return err
	}), dist.ErrDisagree)
}

// A rank with wrong operands, or that makes another call, fails all before anything is written, and the plan serves on.
func TestOperands(t *testing.T) {
	f := smallprime.Goldilocks()
	const n = 1 << 8
	x := draw(f, n, rand.New(rand.NewPCG(3, 4)))
	for name, c := range map[string]struct {
		want error
		call func(p *dist.Plan[uint64], rank int, dst, src []uint64) error
	}{
		"length": {field.ErrLength, func(p *dist.Plan[uint64], rank int, dst, src []uint64) error {
			return p.Forward(bg, dst, src[:len(src)-rank/3])
		}},
		"range": {field.ErrRange, func(p *dist.Plan[uint64], rank int, dst, src []uint64) error {
			src[5] += uint64(rank%2) * (1<<64 - 1 - src[5])
			return p.Inverse(bg, dst, src)
		}},
		"overlap": {field.ErrOverlap, func(p *dist.Plan[uint64], rank int, dst, src []uint64) error {
			both := append(dst, 0)
			return p.Inverse(bg, both[min(rank, 1):][:len(dst)], both[:len(dst)])
		}},
		"call": {dist.ErrDisagree, func(p *dist.Plan[uint64], rank int, dst, src []uint64) error {
			if rank == 2 {
				return p.Inverse(bg, dst, src)
			}
			return p.Forward(bg, dst, src)
		}},
		"vector": {field.ErrVec, func(p *dist.Plan[uint64], rank int, dst, src []uint64) error {
			v, err := p.NewVec()
			if rank == 0 {
				v = nil
			}
			return errors.Join(err, p.ForwardVec(bg, v))
		}},
		"context": {field.ErrSpec, func(p *dist.Plan[uint64], rank int, dst, src []uint64) error {
			if rank == 1 {
				return p.Forward(noContext, dst, src)
			}
			return p.Forward(bg, dst, src)
		}},
	} {
		t.Run(name, both(func(t *testing.T, of end) {
			all(t, each(t, 4, func(g dist.Group) error {
				g = of(g)
				p, err := dist.NewPlan(bg, g, f, n, dist.Blocks{})
				if err != nil {
					return err
				}
				src, dst := make([]uint64, n/4), make([]uint64, n/4)
				if err := p.Cut(src, x, p.Coefficients(g.Rank())); err != nil {
					return err
				}
				bad := c.call(p, g.Rank(), dst, append([]uint64(nil), src...))
				if err := same(f, dst, make([]uint64, n/4)); err != nil {
					return fmt.Errorf("written: %w", err)
				}
				return errors.Join(bad, p.Forward(bg, dst, src))
			}), c.want)
		}))
	}
}

// Wherever the context of a rank ends, all ranks have one outcome, nobody writes to the vectors of those that have it,
// and the plan serves on.
func TestCancel(t *testing.T) {
	tower, err := binary.NewTower[uint64](64)
	require.NoError(t, err)
	t.Run("words", both(func(t *testing.T, of end) { cancelled(t, smallprime.Goldilocks(), of) }))
	t.Run("binary", func(t *testing.T) { cancelled(t, tower, near) }) // of powers of x
}

func cancelled(t *testing.T, f field.Field[uint64], of end) {
	const n, size = 1 << 10, 4
	x := draw(f, n, rand.New(rand.NewPCG(5, 6)))
	for i := range 4 {
		b, inverse := dist.Blocks{Coefficients: i < 2, Values: i < 2}, i%2 == 1
		steps := 0
		for stop := 0; stop <= steps; stop++ {
			var total, stopped atomic.Int64
			outcomes := each(t, size, func(g dist.Group) error {
				g = of(g)
				ctx, cancel := context.WithCancel(bg)
				defer cancel()
				at := -1
				p, err := dist.NewPlan(bg, g, f, n, b, fft.WithProgress(func(done, all int) {
					if g.Rank() == 2 {
						total.Store(int64(all))
					}
					if g.Rank() == 2 && done == at {
						cancel()
					}
				}))
				if err != nil {
					return err
				}
				call, in := p.Forward, p.Coefficients(g.Rank())
				if inverse {
					call, in = p.Inverse, p.Values(g.Rank())
				}
				src, dst, want := make([]uint64, n/size), make([]uint64, n/size), make([]uint64, n/size)
				if err := inOrder(
					func() error { return p.Cut(src, x, in) },
					func() error { return call(bg, want, src) },
				); err != nil {
					return err
				}
				at = stop
				if stop == 0 && g.Rank() == 2 {
					cancel()
				}
				outcome := call(ctx, dst, src)
				if outcome != nil {
					stopped.Add(1)
				}
				at = -1
				left := slices.Clone(dst)
				return errors.Join(outcome, g.Agree(bg, 0, nil), same(f, dst, left),
					call(bg, dst, src), same(f, dst, want))
			})
			steps = int(total.Load())
			switch stopped.Load() {
			case size:
				all(t, outcomes, context.Canceled, stop)
			case 0:
				require.NoError(t, errors.Join(outcomes...), stop)
				require.Equal(t, steps, stop, "the end of a context was not seen")
			default:
				require.Fail(t, "some ranks stop, others not", "step %d: %v", stop, outcomes)
			}
		}
		want := 2 + n/size/32/8 // at the least: an agreement, an exchange, strips
		require.Greater(t, steps, want, "steps of a call")
	}
}

// The making of a plan stops on all ranks where it does on one.
func TestCancelPlan(t *testing.T) {
	all(t, each(t, 4, func(g dist.Group) error {
		ctx, cancel := context.WithCancel(bg)
		defer cancel()
		if g.Rank() == 3 {
			cancel()
		}
		_, err := dist.NewPlan(ctx, g, smallprime.Goldilocks(), 1<<10, dist.Blocks{})
		return err
	}), context.Canceled)
}

// Who waits for a rank that never comes leaves with its own context, and the others with its error.
func TestAbsent(t *testing.T) {
	f := smallprime.Goldilocks()
	waiting := make(chan struct{})
	for _, err := range each(t, 4, func(g dist.Group) error {
		ctx, cancel := context.WithCancel(bg)
		defer cancel()
		switch g.Rank() {
		case 2:
			<-waiting
			return context.Canceled
		case 1:
			defer close(waiting)
			cancel()
		}
		_, err := dist.NewPlan(ctx, g, f, 64, dist.Blocks{})
		return err
	}) {
		require.ErrorIs(t, err, context.Canceled)
	}
	for _, err := range each(t, 4, func(g dist.Group) error {
		if g.Rank() == 2 {
			return dist.ErrRank // and its end is closed
		}
		_, err := dist.NewPlan(bg, g, f, 64, dist.Blocks{})
		return err
	}) {
		require.ErrorIs(t, err, dist.ErrRank)
	}
}

// faulty is a field whose products panic, and whose bulk has no memory, where it is told so.
type faulty struct {
	*smallprime.GoldilocksField
	panics, full *atomic.Bool
}

func (f faulty) Mul(z, x, y *uint64) {
	if f.panics.Load() {
		panic("a product")
	}
	f.GoldilocksField.Mul(z, x, y)
}

func (f faulty) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	return schemes.Build(f, &short{bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: f}}, f.full}, d, s)
}

type short struct {
	bulks.Plain[uint64]
	full *atomic.Bool
}

func (b *short) Make(n int) (bulks.View, error) {
	if b.full.Load() {
		return bulks.View{}, fmt.Errorf("a vector of %d: %w", n, field.ErrMemory)
	}
	return b.Plain.Make(n)
}

// A rank that panics, or that has no memory for the scratch of a call, is an error of all others.
func TestPanic(t *testing.T) {
	const n, size = 1 << 8, 4
	for _, workers := range []int{1, 2} {
		for _, inverse := range []bool{false, true} {
			var recovered atomic.Value
			errs := each(t, size, func(g dist.Group) (err error) {
				f := faulty{smallprime.Goldilocks(), new(atomic.Bool), new(atomic.Bool)}
				p, err := dist.NewPlan(bg, g, f, n, dist.Blocks{}, fft.WithWorkers(workers), fft.WithGrain(1))
				if err != nil {
					return err
				}
				x := make([]uint64, n/size)
				call := p.Forward
				if inverse {
					call = p.Inverse
				}
				f.full.Store(g.Rank() == 1)
				if err := call(bg, x, x); !errors.Is(err, field.ErrMemory) {
					return fmt.Errorf("no memory: %v", err)
				}
				f.full.Store(false)
				defer func() {
					if v := recover(); v != nil {
						recovered.Store(fmt.Sprint(v))
						f.panics.Store(false)
						err = call(bg, x, x) // the others agree on this one too
						if err != nil {
							return
						}
						err = dist.ErrRank
					}
				}()
				f.panics.Store(g.Rank() == 3)
				err = call(bg, x, x)
				f.panics.Store(false)
				return errors.Join(err, call(bg, x, x))
			})
			for rank, err := range errs {
				if rank == 3 {
					require.ErrorIs(t, err, dist.ErrRank)
				} else {
					require.ErrorIs(t, err, dist.ErrRank)
					require.ErrorContains(t, err, "rank 3")
				}
			}
			require.Contains(t, recovered.Load(), "a product")
		}
	}
}

// Nothing is left of groups: neither goroutines, nor what waits.
func TestLeftovers(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		_ = each(t, 8, func(g dist.Group) error {
			p, err := dist.NewPlan(bg, g, smallprime.Goldilocks(), 1<<10, dist.Blocks{}, fft.WithWorkers(2),
				fft.WithGrain(1))
			if err != nil {
				return err
			}
			x := make([]uint64, p.Size())
			if g.Rank() == 5 {
				return nil
			}
			return p.Forward(bg, x, x)
		})
	}
	for runtime.NumGoroutine() > before { // they end by themselves; the test's own deadline is the limit
		runtime.Gosched()
	}
}

// An end can be used after all others have gone, and closed twice.
func TestGroup(t *testing.T) {
	_, err := dist.Local(0)
	require.ErrorIs(t, err, field.ErrSpec)
	ends, err := dist.Local(2)
	require.NoError(t, err)
	require.NoError(t, ends[1].Close())
	require.NoError(t, ends[1].Close())
	require.ErrorIs(t, ends[0].Agree(bg, 0, nil), dist.ErrRank)
	v := bulks.ViewOf(make([]uint64, 4))
	b := &bulks.Plain[uint64]{}
	require.ErrorIs(t, ends[0].Exchange(bg, b, v, v), dist.ErrRank)
	require.ErrorIs(t, ends[1].Agree(bg, 0, nil), dist.ErrRank)
	require.Equal(t, 2, ends[0].Size())

	require.ErrorIs(t, errors.Join(each(t, 2, func(g dist.Group) error { // vectors of two lengths
		v := bulks.ViewOf(make([]uint64, 4+4*g.Rank()))
		w := bulks.ViewOf(make([]uint64, 4+4*g.Rank()))
		return g.Exchange(bg, b, v, w)
	})...), dist.ErrDisagree)
	all(t, each(t, 2, func(g dist.Group) error { // two calls
		if g.Rank() == 0 {
			return g.Agree(bg, 1, nil)
		}
		return g.Exchange(bg, b, v, v)
	}), dist.ErrDisagree)
	all(t, each(t, 2, func(g dist.Group) error {
		return g.Exchange(bg, b, v.Slice(0, 3), v.Slice(0, 3))
	}), field.ErrLength)
	for severity := 1; dist.OfSeverity(3, severity) != nil; severity++ {
		err := dist.OfSeverity(3, severity)
		require.Equal(t, severity, dist.Severity(fmt.Errorf("wrapped: %w", err)))
	}
	require.Zero(t, dist.Severity(nil))
	require.NoError(t, dist.OfSeverity(1, 0))
	require.Less(t, dist.Severity(context.Canceled), dist.Severity(errors.New("a stranger")))
	require.Less(t, dist.Severity(errors.New("a stranger")), dist.Severity(dist.ErrRank))
}

// The exchange is in Explain, and its steps in the progress of every rank.
func TestExplain(t *testing.T) {
	var mu sync.Mutex
	texts := map[int]string{}
	require.NoError(t, onApart(t, 2, func(g dist.Group) error {
		p, err := dist.NewPlan(bg, g, smallprime.BabyBear(), 1<<10, dist.Blocks{Coefficients: true})
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := p.Explain(&b); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		texts[g.Rank()] = b.String()
		return nil
	}))
	require.Contains(t, texts[1], "babybear: length 1024, fourstep, natural order, rank 1 of 2\n")
	require.Contains(t, texts[0], "blocks to columns: exchange of 1 · 256 elements; strips of 16 columns")
	require.Contains(t, texts[0], "twiddles; exchange of 1 · 256 elements; rows: ")
	require.Contains(t, texts[1], "coefficients: 512 elements from 512 on; values: 32 rows of 16 elements, 32 apart, from 16 on")
}
