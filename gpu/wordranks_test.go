package gpu

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/engine"
)

// Ranks on a device have the values of one plan on the processor, bit for bit, in stages of whole transforms, by any
// arithmetic of words.
func TestWordRanks(t *testing.T) {
	emulator.Need(t)
	t.Run("goldilocks", func(t *testing.T) { wordRanks(t, smallprime.Goldilocks(), 4, 6, 9, 13) })
	t.Run("p62", func(t *testing.T) { wordRanks(t, smallprime.P62(), 3, 8) })
	t.Run("babybear", func(t *testing.T) { wordRanks(t, smallprime.BabyBear(), 3, 9, 13) })
}

func wordRanks[E any](t *testing.T, f field.Rooted[E], logs ...int) {
	ranksOf(t, f, func(n, size int) bool { return n >= size*size*size }, logs...)
}

// Over digits columns are the widest pass, so that size² is at most its rows; other ranks take the scheme four-step.
func TestDigitRanks(t *testing.T) {
	emulator.Long(t)
	staged := func(rows int) func(n, size int) bool {
		return func(n, size int) bool { return rows >= size*size && rows*size <= n }
	}
	t.Run("P1", func(t *testing.T) { ranksOf(t, gfpf.P1(), staged(16), 4, 5, 6) })
	t.Run("P2", func(t *testing.T) { ranksOf(t, gfpf.P2(), staged(64), 9) })
	t.Run("P3", func(t *testing.T) { ranksOf(t, gfpf.P3(), staged(16), 5, 9) })
	t.Run("P4", func(t *testing.T) { ranksOf(t, gfpf.P4(), staged(32), 7) })
}

// Where rows have chunks, ranks over digits have no tables as large as their parts.
func TestDigitRankTables(t *testing.T) {
	emulator.Need(t)
	on, err := Field(gfpf.P3())
	require.NoError(t, err)
	tables := func(steps int) (bytes int) {
		ends, err := dist.Local(4)
		require.NoError(t, err)
		require.NoError(t, dist.Run(ends, func(g dist.Group) error {
			p, err := dist.NewPlan(t.Context(), stepper{g, steps}, on, 1<<14, dist.Blocks{}, fft.WithNegacyclic())
			if err == nil && g.Rank() == 0 {
				bytes = p.Report().Tables
			}
			return err
		}))
		return bytes
	}
	require.Less(t, 3*tables(16), tables(1))
}

// countedGroup counts exchanges.
type countedGroup struct {
	dist.Group
	exchanges int
}

func (c *countedGroup) Exchange(ctx context.Context, b bulks.Bulk, recv, send bulks.View) error {
	c.exchanges++
	return c.Group.Exchange(ctx, b, recv, send)
}

// Contiguous values in natural order, and contiguous coefficients, take an exchange more each.
func TestRankBlocks(t *testing.T) {
	emulator.Need(t)
	on, err := Field(smallprime.Goldilocks())
	require.NoError(t, err)
	for blocks, want := range map[dist.Blocks]int{{}: 2, {Values: true}: 2, {Coefficients: true, Values: true}: 3} {
		ends, err := dist.Local(2)
		require.NoError(t, err)
		require.NoError(t, dist.Run(ends, func(g dist.Group) error {
			c := &countedGroup{Group: g}
			p, err := dist.NewPlan(t.Context(), c, on, 1<<10, blocks)
			if err != nil {
				return err
			}
			x := make([]uint64, p.Size())
			before := c.exchanges
			if err := p.Forward(t.Context(), x, x); err != nil {
				return err
			}
			if got := c.exchanges - before; got != want {
				return fmt.Errorf("%+v: %d exchanges, want %d", blocks, got, want)
			}
			before = c.exchanges
			err = p.Inverse(t.Context(), x, x)
			if got := c.exchanges - before; err == nil && got != want {
				err = fmt.Errorf("%+v: %d exchanges of the inverse, want %d", blocks, got, want)
			}
			return err
		}))
	}
}

// Vectors of one length exchange what they have, and others nothing.
func TestSwap(t *testing.T) {
	emulator.Need(t)
	on, err := Field(smallprime.Goldilocks())
	require.NoError(t, err)
	b := on.Bulk()
	made := func(a []uint64) bulks.View {
		v, err := b.Make(len(a))
		require.NoError(t, err)
		b.Pack(v, bulks.ViewOf(a))
		return v
	}
	has := func(v bulks.View, want []uint64) {
		got := make([]uint64, len(want))
		b.Unpack(bulks.ViewOf(got), v)
		require.Equal(t, want, got)
	}
	swap := b.(engine.Swapper).Swap
	x, y, z := made([]uint64{1, 2, 3}), made([]uint64{4, 5, 6}), made([]uint64{7, 8, 9, 10})
	require.True(t, swap(x, y))
	has(x, []uint64{4, 5, 6})
	has(y, []uint64{1, 2, 3})
	for _, of := range [][2]bulks.View{{x, x}, {x, z}, {x, z.Slice(0, 3)}, {x, z.Slice(1, 4)}} {
		require.False(t, swap(of[0], of[1]))
	}
	has(x, []uint64{4, 5, 6})
	has(z, []uint64{7, 8, 9, 10})
	y.Buf.(*device.Memory).Tell()
	require.False(t, swap(x, y))
	has(x, []uint64{4, 5, 6})
}

// ranksOf compares transforms of 2^log points. staged says whether ranks have stages.
func ranksOf[E any](t *testing.T, f field.Rooted[E], staged func(n, size int) bool, logs ...int) {
	on, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(7, 42))
	for _, log := range logs {
		n := 1 << log
		x := make([]E, n)
		for i := range x {
			f.(field.Sampler[E]).Random(&x[i], r)
		}
		for size := 2; size <= 8 && size*size <= n && size*n <= 1<<15; size *= 2 {
			for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
				opts := []fft.Option{fft.WithOrder(order)}
				if r.IntN(2) == 0 {
					opts = append(opts, fft.WithNegacyclic())
				}
				p, err := fft.NewPlan(f, n, opts...)
				require.NoError(t, err)
				want := make([]E, n)
				require.NoError(t, p.Forward(want, x))
				blocks := dist.Blocks{Coefficients: r.IntN(2) == 0, Values: r.IntN(2) == 0}
				for _, steps := range []int{1, 4 * size} {
					ends, err := dist.Local(size)
					require.NoError(t, err)
					require.NoError(t, dist.Run(ends, func(g dist.Group) error {
						return rankLike(t, stepper{g, steps}, on, n, staged(n, size), blocks, opts, x, want)
					}), "2^%d, %d ranks, %v order, %+v, up to %d steps", log, size, order, blocks, steps)
				}
			}
		}
	}
}

// rankLike compares what a rank has of a transform of x with the values of one plan. staged says that stages run.
func rankLike[E any](t *testing.T, g dist.Group, f field.Field[E], n int, staged bool, b dist.Blocks,
	opts []fft.Option, x, want []E) error {
	ctx := t.Context()
	p, err := dist.NewPlan(ctx, g, f, n, b, opts...)
	if err != nil {
		return err
	}
	if got := strings.Contains(fmt.Sprint(p.Report().Passes), "on the device"); got != staged {
		return fmt.Errorf("stages on the device: %v, want %v", got, staged)
	}
	src, values, dst := make([]E, p.Size()), make([]E, p.Size()), make([]E, p.Size())
	equal := func(a, b []E) bool {
		return slices.EqualFunc(a, b, func(x, y E) bool { return f.Equal(&x, &y) })
	}
	err = errors.Join(p.Cut(src, x, p.Coefficients(g.Rank())), p.Cut(values, want, p.Values(g.Rank())))
	if err := errors.Join(err, p.Forward(ctx, dst, src)); err != nil {
		return err
	}
	if !equal(dst, values) {
		return fmt.Errorf("values of rank %d are wrong", g.Rank())
	}
	if err := p.Inverse(ctx, dst, values); err != nil {
		return err
	}
	if !equal(dst, src) {
		return fmt.Errorf("coefficients of rank %d are wrong", g.Rank())
	}
	v, err := p.NewVec()
	err = errors.Join(err, p.Load(v, src), p.ForwardVec(ctx, v), p.InverseVec(ctx, v), p.Store(dst, v))
	if err != nil {
		return err
	}
	if !equal(dst, src) {
		return fmt.Errorf("the vector of rank %d is wrong", g.Rank())
	}
	return nil
}

// stepper is a group whose steps are exchanges of their own.
type stepper struct {
	dist.Group
	steps int
}

func (s stepper) Steps(int) int { return s.steps }

func (s stepper) ExchangeSteps(ctx context.Context, b bulks.Bulk, recv, send bulks.View, c dist.Chunks,
	before, after func(chunk int) error) error {
	n := send.N / len(c.Order) / s.Size()
	row := n / c.Rows()
	// rows is those of a chunk of a part, in a vector where they may lie apart.
	rows := func(v bulks.View, apart, chunk, part int) (at bulks.View, stride int) {
		if apart > 0 {
			return v.Slice((chunk*apart*s.Size()+part)*row, v.N), s.Size() * row
		}
		return v.Slice(part*n*len(c.Order)+chunk*n, v.N), row
	}
	to, err1 := b.Make(n * s.Size())
	from, err2 := b.Make(n * s.Size())
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for _, chunk := range c.Order {
		if before != nil {
			if err := before(chunk); err != nil {
				return err
			}
		}
		for part := range s.Size() {
			at, stride := rows(send, c.Sent, chunk, part)
			b.Copy(from.Slice(part*n, (part+1)*n), at, bulks.Copy{Rows: c.Rows(), Width: row, Dst: row, Src: stride})
		}
		if err := s.Exchange(ctx, b, to, from); err != nil {
			return err
		}
		for part := range s.Size() {
			at, stride := rows(recv, c.Received, chunk, part)
			b.Copy(at, to.Slice(part*n, (part+1)*n), bulks.Copy{Rows: c.Rows(), Width: row, Dst: stride, Src: row})
		}
		if after != nil {
			if err := after(chunk); err != nil {
				return err
			}
		}
	}
	return nil
}
