package dist_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testscale"
)

var (
	bg        = context.Background()
	noContext context.Context
)

// on runs f on every rank of a group in this process.
func on(t *testing.T, size int, f func(g dist.Group) error) error {
	ends, err := dist.Local(size)
	require.NoError(t, err)
	return dist.Run(ends, f)
}

// apart is an end of a group whose ranks do not reach into the vectors of each other: they exchange, as processes do.
type apart struct{ dist.Group }

// onApart is on for ranks that exchange.
func onApart(t *testing.T, size int, f func(g dist.Group) error) error {
	return on(t, size, func(g dist.Group) error { return f(apart{g}) })
}

func draw[E any](f field.Field[E], n int, r *rand.Rand) []E {
	x := make([]E, n)
	for i := range x {
		f.(field.Sampler[E]).Random(&x[i], r)
	}
	return x
}

func same[E any](f field.Field[E], x, y []E) error {
	if len(x) != len(y) {
		return fmt.Errorf("%d elements and %d", len(x), len(y))
	}
	for i := range x {
		if !f.Equal(&x[i], &y[i]) {
			return fmt.Errorf("element %d differs", i)
		}
	}
	return nil
}

// inOrder calls all until one fails.
func inOrder(calls ...func() error) error {
	for i, c := range calls {
		if err := c(); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

// Values of all ranks are those of one plan, bit for bit, whatever the group and the options.
func TestOnePlan(t *testing.T) {
	numbers, err := bigprime.Open(bigprime.BN254().Order())
	require.NoError(t, err)
	t.Run("goldilocks", func(t *testing.T) { onePlan(t, smallprime.Goldilocks(), 13) })
	t.Run("babybear", func(t *testing.T) { onePlan(t, smallprime.BabyBear(), 13) })
	t.Run("p50", func(t *testing.T) { onePlan(t, smallprime.P50(), 10) })
	t.Run("elements", func(t *testing.T) { onePlan(t, smallprime.P62(), 10, fft.WithoutPlanner()) })
	t.Run("bn254", func(t *testing.T) { onePlan(t, bigprime.BN254(), 11) })
	t.Run("gfpf", func(t *testing.T) { onePlan(t, gfpf.P2(), 11) })
	t.Run("numbers", func(t *testing.T) { onePlan(t, numbers, 8) })
}

// Ranks have long rows where columns are as many as keep all ranks at work, and the values of one plan.
func TestLongRows(t *testing.T) {
	f := smallprime.Goldilocks()
	for i, c := range []struct{ n, size, rows int }{{1 << 16, 2, 128}, {1 << 18, 4, 256}} {
		require.NoError(t, onApart(t, c.size, func(g dist.Group) error {
			p, err := dist.NewPlan(bg, g, f, c.n, dist.Blocks{})
			if err == nil && p.Coefficients(0).Rows != c.rows {
				err = fmt.Errorf("a matrix of %d rows, want %d", p.Coefficients(0).Rows, c.rows)
			}
			return err
		}))
		for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
			comparePlans(t, f, c.n, c.size, i, fft.WithOrder(order))
		}
	}
}

// Over affine domains coefficients are for LCH or of powers of x, of a subspace or of a coset.
func TestAffine(t *testing.T) {
	tower, err := binary.NewTower[uint64](64)
	require.NoError(t, err)
	t.Run("tower", func(t *testing.T) { affine(t, tower, 13) })
	t.Run("aes", func(t *testing.T) { affine(t, binary.AES(), 8) })
	t.Run("ghash", func(t *testing.T) { affine(t, binary.GHASH(), 10) })
	t.Run("elements", func(t *testing.T) { affine(t, binary.GHASH(), 8, fft.WithoutPlanner()) })
}

func affine[E any](t *testing.T, f field.Field[E], longest int, with ...fft.Option) {
	for size := 1; size <= 8; size *= 2 {
		for n := size * size; n <= 1<<longest; n *= 2 {
			r := rand.New(rand.NewPCG(uint64(n), uint64(size)))
			opts := append([]fft.Option{fft.WithGrain(1)}, with...)
			if n > size*size && r.IntN(3) == 0 {
				opts = append(opts, fft.WithCoefficients(fft.LCH))
			}
			if r.IntN(2) == 0 {
				opts = append(opts, fft.WithCoset(draw(f, 1, r)[0]))
			}
			if n < 1<<longest && r.IntN(2) == 0 { // a dependent basis is refused, and hardly ever drawn below that
				opts = append(opts, fft.WithSubspace(draw(f, bits.Len(uint(n))-1, r)...))
			}
			c := &comparison[E]{f: f, n: n, opts: opts, x: draw(f, n, r), y: draw(f, n, r), workers: r.IntN(3),
				orders: 1, blocks: dist.Blocks{Coefficients: r.IntN(2) == 0, Values: r.IntN(2) == 0}}
			require.NoError(t, c.whole(), "n %d", n)
			require.NoError(t, on(t, size, c.rank), "%d ranks, n %d, %+v", size, n, c.blocks)
		}
	}
	refused := func(n int, opts ...fft.Option) error {
		return on(t, 4, func(g dist.Group) error {
			_, err := dist.NewPlan(bg, g, f, n, dist.Blocks{}, opts...)
			return err
		})
	}
	require.ErrorIs(t, refused(64, fft.WithOrder(fft.BitReversed)), field.ErrSpec)
	require.ErrorIs(t, refused(8), field.ErrLength)
}

// The change from powers of x takes two exchanges for long vectors, and Explain lists them.
func TestAffineExchanges(t *testing.T) {
	f, err := binary.NewTower[uint64](64)
	require.NoError(t, err)
	require.Equal(t, 3, exchanges(t, f, 1<<15, 2, dist.Blocks{}))
	require.Equal(t, 5, exchanges(t, f, 1<<14, 2, dist.Blocks{}))
	require.Equal(t, 9, exchanges(t, f, 1<<10, 2, dist.Blocks{}))
	require.Equal(t, 3, exchanges(t, f, 1<<3, 2, dist.Blocks{})) // without tiles
	require.Equal(t, 2, exchanges(t, f, 1<<2, 2, dist.Blocks{Coefficients: true}))
	require.Equal(t, 3, exchanges(t, f, 1<<20, 4, dist.Blocks{}))
	require.Equal(t, 4, exchanges(t, f, 1<<20, 4, dist.Blocks{Coefficients: true}))
}

// Contiguous parts in natural order take an exchange more at either end.
func TestBlocksExchanges(t *testing.T) {
	f := smallprime.Goldilocks()
	require.Equal(t, 1, exchanges(t, f, 1<<10, 4, dist.Blocks{}))
	require.Equal(t, 2, exchanges(t, f, 1<<10, 4, dist.Blocks{Values: true}))
	require.Equal(t, 3, exchanges(t, f, 1<<10, 4, dist.Blocks{Coefficients: true, Values: true}))
}

// exchanges is how many of a transform Explain lists, in natural order, by ranks that exchange.
func exchanges[E any](t *testing.T, f field.Field[E], n, size int, blocks dist.Blocks) (count int) {
	require.NoError(t, onApart(t, size, func(g dist.Group) error {
		p, err := dist.NewPlan(bg, g, f, n, blocks)
		if err != nil || g.Rank() > 0 {
			return err
		}
		var b strings.Builder
		if err := p.Explain(&b); err != nil {
			return err
		}
		count = strings.Count(b.String(), "exchange of")
		return nil
	}))
	return count
}

func onePlan[E any](t *testing.T, f field.Rooted[E], longest int, with ...fft.Option) {
	cases := 2 * testscale.Of(t)
	for size := 1; size <= 8; size *= 2 {
		for n := size * size; n <= 1<<longest; n *= 2 {
			for i := range cases {
				comparePlans(t, f, n, size, i, with...)
			}
		}
	}
}

// comparePlans compares all calls on ranks with one plan, by options that i draws and those of with.
func comparePlans[E any](t *testing.T, f field.Rooted[E], n, size, i int, with ...fft.Option) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(100*size+i)))
	order := fft.Order(r.IntN(3))
	opts := []fft.Option{fft.WithGrain(1), fft.WithOrder(order), fft.WithTwiddles(fft.Twiddles(r.IntN(3)))}
	opts = append(opts, with...)
	switch r.IntN(3) {
	case 0:
		opts = append(opts, fft.WithCoset(draw(f, 1, r)[0]))
	case 1:
		opts = append(opts, fft.WithNegacyclic())
	}
	if r.IntN(3) == 0 {
		opts = append(opts, fft.WithBase(2<<r.IntN(6)))
	}
	c := &comparison[E]{f: f, n: n, opts: opts, x: draw(f, n, r), y: draw(f, n, r), workers: r.IntN(3),
		orders: 2, blocks: dist.Blocks{Coefficients: r.IntN(2) == 0, Values: r.IntN(2) == 0}}
	require.NoError(t, c.whole(), "n %d, case %d", n, i)
	require.NoError(t, on(t, size, c.rank), "%d ranks, n %d, case %d, %v order, %+v", size, n, i, order, c.blocks)
	require.NoError(t, onApart(t, size, c.rank), "%d ranks apart, n %d, case %d, %v order, %+v", size, n, i, order,
		c.blocks)
}

// comparison is a polynomial x with its values, and its product by y, of one plan.
type comparison[E any] struct {
	f       field.Field[E]
	n       int
	orders  int // natural, and bit-reversed
	opts    []fft.Option
	blocks  dist.Blocks
	workers int
	x, y    []E
	values  [2][]E // natural and bit-reversed
	product []E
}

func (c *comparison[E]) whole() error {
	c.product = make([]E, c.n)
	other := make([]E, c.n)
	for order := range c.orders {
		p, err := fft.NewPlan(c.f, c.n, append(c.opts[:len(c.opts):len(c.opts)], fft.WithOrder(fft.Order(order)))...)
		if err != nil {
			return err
		}
		c.values[order] = make([]E, c.n)
		if err := inOrder(
			func() error { return p.Forward(c.values[order], c.x) },
			func() error { return p.Forward(other, c.y) },
			func() error { return field.MulVec(c.f, c.product, c.values[order], other) },
			func() error { return p.Inverse(c.product, c.product) },
		); err != nil {
			return err
		}
	}
	return nil
}

// rank makes all calls on one rank, with workers of its own.
func (c *comparison[E]) rank(g dist.Group) error {
	opts := append(c.opts[:len(c.opts):len(c.opts)], fft.WithWorkers(1+(c.workers+g.Rank())%3))
	p, err := dist.NewPlan(bg, g, c.f, c.n, c.blocks, opts...)
	if err != nil {
		return err
	}
	in, out, size := p.Coefficients(g.Rank()), p.Values(g.Rank()), p.Size()
	fresh := func() []E { return make([]E, size) }
	src, src2, dst, back, want, want2 := fresh(), fresh(), fresh(), fresh(), fresh(), fresh()
	v, err := p.NewVec()
	if err != nil {
		return err
	}
	w, err := p.NewVec()
	if err != nil {
		return err
	}
	values := c.values[0]
	if p.Report().Order == fft.BitReversed {
		values = c.values[1]
	}
	return inOrder(
		func() error { return p.Cut(src, c.x, in) },
		func() error { return p.Cut(src2, c.y, in) },
		func() error { return p.Cut(want, values, out) },
		func() error { return p.Cut(want2, c.product, in) },
		func() error { return p.Forward(bg, dst, src) },
		func() error { return same(c.f, dst, want) },
		func() error { return p.Inverse(bg, back, dst) },
		func() error { return same(c.f, back, src) },
		func() error { return same(c.f, dst, want) }, // sources stay
		func() error { return p.Cut(back, c.x, in) },
		func() error { return same(c.f, back, src) },
		func() error { return p.Inverse(bg, dst, dst) },
		func() error { return same(c.f, dst, src) },
		func() error { return p.Forward(bg, dst, dst) },
		func() error { return same(c.f, dst, want) },
		func() error { return p.Load(v, src) },
		func() error { return p.Load(w, src2) },
		func() error { return p.ForwardVec(bg, v) },
		func() error { return p.ForwardVec(bg, w) },
		func() error { return p.MulVec(v, v, w) },
		func() error { return p.InverseVec(bg, v) },
		func() error { return p.Store(back, v) },
		func() error { return same(c.f, back, want2) },
		func() error { return p.ForwardVec(bg, w) }, // wide, then back
		func() error { return p.InverseVec(bg, w) },
		func() error { return p.InverseVec(bg, w) },
		func() error { return p.Store(back, w) },
		func() error { return same(c.f, back, src2) },
	)
}

// Parts of all ranks are the whole, at each end, and Cut, Paste and Read know them.
func TestParts(t *testing.T) {
	f := smallprime.Goldilocks()
	const n = 1 << 8
	whole, file := draw(f, n, rand.New(rand.NewPCG(1, 2))), make([]byte, 8*n+3)
	for i := range whole {
		f.PutBytes(file[3+8*i:], &whole[i])
	}
	for _, b := range []dist.Blocks{{}, {Coefficients: true}, {Values: true}} {
		for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
			require.NoError(t, on(t, 4, func(g dist.Group) error {
				p, err := dist.NewPlan(bg, g, f, n, b, fft.WithOrder(order))
				if err != nil {
					return err
				}
				q, err := dist.NewPlan(bg, apart{g}, f, n, b, fft.WithOrder(order))
				if err != nil {
					return err
				}
				for _, of := range []func(rank int) dist.Part{p.Coefficients, p.Values, q.Coefficients, q.Values} {
					all, some, read := make([]uint64, n), make([]uint64, n/4), make([]uint64, n/4)
					for rank := range g.Size() {
						part := of(rank)
						if err := inOrder(
							func() error { return p.Cut(some, whole, part) },
							func() error { return p.Paste(all, some, part) },
							func() error { return p.Read(read, bytes.NewReader(file), 3, part) },
							func() error { return same(f, read, some) },
						); err != nil {
							return err
						}
						for i := range some {
							if some[i] != whole[part.Index(i)] {
								return fmt.Errorf("index %d of %v", i, part)
							}
						}
					}
					if err := same(f, all, whole); err != nil {
						return err
					}
				}
				mine := p.Coefficients(g.Rank())
				require.Equal(t, b.Coefficients, mine.Rows == 1)
				require.Equal(t, b.Values || order == fft.BitReversed, p.Values(g.Rank()).Rows == 1)
				require.ErrorIs(t, p.Cut(make([]uint64, n/4-1), whole, mine), field.ErrLength)
				require.ErrorIs(t, p.Paste(whole[:n/4], make([]uint64, n/4), p.Coefficients(3)), field.ErrLength)
				require.ErrorIs(t, p.Cut(nil, whole, dist.Part{First: -1}), field.ErrSpec)
				for _, far := range []dist.Part{{Rows: 4, Width: 2, Stride: math.MaxInt/3 + 1},
					{First: math.MaxInt, Rows: 1, Width: 1}, {Rows: 5, Width: 1, Stride: 1<<(bits.UintSize-2) + 3},
					{Rows: 1 << (bits.UintSize - 2), Width: 4}} {
					require.ErrorIs(t, p.Paste(whole, make([]uint64, far.Len()), far), field.ErrSpec)
					require.ErrorIs(t, p.Cut(make([]uint64, far.Len()), whole, far), field.ErrSpec)
				}
				require.Error(t, p.Read(make([]uint64, n/4), bytes.NewReader(file[:100]), 0, p.Coefficients(3)))
				bad := bytes.Repeat([]byte{255}, 8*n)
				require.ErrorIs(t, p.Read(make([]uint64, n/4), bytes.NewReader(bad), 0, mine), field.ErrRange)
				return nil
			}))
		}
	}
}

// Batches are dealt out, by rows and by columns, with gaps and without, on groups of any size.
func TestBatches(t *testing.T) {
	f := smallprime.BabyBear()
	for i, b := range []fft.Batch{{Count: 7}, {Count: 5, Stride: 51}, {Count: 9, Columns: true},
		{Count: 3, Columns: true, Stride: 5}} {
		for _, size := range []int{1, 2, 3} {
			const n = 48
			p, err := fft.NewPlan(f, n, fft.WithBatch(b))
			require.NoError(t, err)
			r := rand.New(rand.NewPCG(uint64(i), uint64(size)))
			x := draw(f, p.Size(), r)
			values, back := make([]uint32, p.Size()), make([]uint32, p.Size())
			require.NoError(t, p.Forward(values, x))
			require.NoError(t, p.Inverse(back, values))
			require.NoError(t, on(t, size, func(g dist.Group) error {
				q, err := dist.NewPlan(bg, g, f, n, dist.Blocks{}, fft.WithBatch(b))
				if err != nil {
					return err
				}
				part := q.Coefficients(g.Rank())
				src, dst, want := make([]uint32, q.Size()), make([]uint32, q.Size()), make([]uint32, q.Size())
				require.Equal(t, part, q.Values(g.Rank()))
				return inOrder(
					func() error { return q.Cut(src, x, part) },
					func() error { return q.Cut(want, values, part) },
					func() error { return q.Forward(bg, dst, src) },
					func() error { return same(f, dst, want) },
					func() error { return q.Cut(want, back, part) },
					func() error { return q.Inverse(bg, dst, dst) },
					func() error { return same(f, dst, want) },
				)
			}), "%+v on %d ranks", b, size)
		}
	}
}
