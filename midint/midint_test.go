package midint_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/kernels/batch"
	"github.com/galfft/fft/midint"
)

// widths are small ones, each length of the tail of a loop, odd ones, and each way of products.
var widths = []int{32, 64, 96, 128, 160, 192, 224, 256, 288, 512, 544, 1024, 1056, 1568, 1600, 2048, 4096, 8160,
	3 << 14}

// ones is 2^width − 1.
func ones(width int) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, uint(width)), one)
}

// patterns are integers of so many bits at the edges of carries.
func patterns(width int) []*big.Int {
	one, all := big.NewInt(1), ones(width)
	alternating, other := new(big.Int), new(big.Int)
	alternating.SetBytes(bytes.Repeat([]byte{0, 0, 0, 0, 255, 255, 255, 255}, (width+63)/64)) // ends with ones
	other.Xor(alternating, all)
	return []*big.Int{new(big.Int), one, all, alternating, other, new(big.Int).Lsh(one, uint(width-1)),
		new(big.Int).Rsh(all, 1), new(big.Int).Sub(all, one), new(big.Int).Rsh(all, uint(width/2))}
}

// operands are n pairs of patterns and random integers.
func operands(r *rand.Rand, width, n int) (x, y []*big.Int) {
	p := patterns(width)
	words := make([]big.Word, (width+31)/32)
	random := func() *big.Int {
		for i := range words {
			words[i] = big.Word(r.Uint64())
		}
		v := new(big.Int).SetBits(slices.Clone(words))
		return v.And(v, p[2])
	}
	for i := range n {
		a, b := random(), random()
		if k := len(p) * len(p); i < k {
			a, b = p[i/len(p)], p[i%len(p)]
		}
		x, y = append(x, a), append(y, b)
	}
	return x, y
}

func batchOf(t testing.TB, width int, x []*big.Int) *midint.Batch {
	b, err := midint.NewBatch(width, len(x))
	require.NoError(t, err)
	require.NoError(t, b.SetInts(x))
	return b
}

func empty(t testing.TB, width, n int) *midint.Batch {
	b, err := midint.NewBatch(width, n)
	require.NoError(t, err)
	for i := range b.Words() {
		b.Words()[i] = 0xa5a5a5a5
	}
	return b
}

// oracle is z = f(x, y) modulo 2^width.
func oracle(width int, x, y []*big.Int, f func(z, x, y *big.Int) *big.Int) []*big.Int {
	mask := ones(width)
	z := make([]*big.Int, len(x))
	for i := range x {
		v := f(new(big.Int), x[i], y[i])
		z[i] = v.And(v, mask)
	}
	return z
}

func six(z, x, y *big.Int) *big.Int {
	z.Mul(x, big.NewInt(6))
	return z.Add(z, new(big.Int).Mul(y, big.NewInt(10)))
}

type call = func(z, x, y *midint.Batch) error

// operations are all of an engine with two operands or one, with their definitions.
func operations(e *midint.Engine) []operation {
	ctx := context.Background()
	return []operation{
		{"add", 1, func(z, x, y *midint.Batch) error { return e.Add(ctx, z, x, y) }, (*big.Int).Add},
		{"sub", 1, func(z, x, y *midint.Batch) error { return e.Sub(ctx, z, x, y) }, (*big.Int).Sub},
		{"neg", 1, func(z, x, _ *midint.Batch) error { return e.Neg(ctx, z, x) },
			func(z, x, _ *big.Int) *big.Int { return z.Neg(x) }},
		{"sixadd", 1, func(z, x, y *midint.Batch) error { return e.SixAdd(ctx, z, x, y) }, six},
		{"mullow", 1, func(z, x, y *midint.Batch) error { return e.MulLow(ctx, z, x, y) }, (*big.Int).Mul},
		{"mulwide", 2, func(z, x, y *midint.Batch) error { return e.MulWide(ctx, z, x, y) }, (*big.Int).Mul},
		{"sqr", 1, func(z, x, _ *midint.Batch) error { return e.Sqr(ctx, z, x) }, square},
		{"sqr wide", 2, func(z, x, _ *midint.Batch) error { return e.Sqr(ctx, z, x) }, square},
	}
}

func square(z, x, _ *big.Int) *big.Int { return z.Mul(x, x) }

type operation struct {
	name string
	wide int // widths of the result
	run  call
	want func(z, x, y *big.Int) *big.Int
}

func requireBatch(t *testing.T, want []*big.Int, got *midint.Batch, format string, args ...any) {
	t.Helper()
	z := make([]*big.Int, got.Len())
	for i := range z {
		z[i] = new(big.Int)
	}
	require.NoError(t, got.Ints(z))
	for i := range z {
		if want[i].Cmp(z[i]) != 0 {
			require.Failf(t, fmt.Sprintf(format, args...), "integer %d is %x, want %x", i, z[i], want[i])
		}
	}
}

// All operations are what math/big says, at all widths, for all pairs of patterns and for random integers, by one
// worker and by several; operands stay as they were, and the result may be one of them.
func TestOperations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 33))
	engines := map[string]*midint.Engine{}
	for name, o := range map[string]midint.Option{"one": midint.WithWorkers(1), "three": midint.WithWorkers(3)} {
		e, err := midint.New(o)
		require.NoError(t, err)
		engines[name] = e
	}
	for _, width := range append(widths, 1<<18-32) {
		sizes := []int{1, 2, 3, 90}
		switch {
		case width > 1<<14:
			sizes = sizes[:1]
		case width > 1<<11:
			sizes = []int{3}
		}
		for _, n := range sizes {
			x, y := operands(r, width, n)
			if n < 90 { // all ones by all ones, one carry through every word, and random ones
				x, y = operands(r, width, 90)
				pick := []int{20, 19, 89}
				x = []*big.Int{x[pick[0]], x[pick[1]], x[pick[2]]}[:n]
				y = []*big.Int{y[pick[0]], y[pick[1]], y[pick[2]]}[:n]
			}
			a, b := batchOf(t, width, x), batchOf(t, width, y)
			var wants, same [8][]*big.Int
			for name, e := range engines {
				if name == "three" && width > 1056 && n < 90 {
					continue
				}
				for k, o := range operations(e) {
					where := fmt.Sprintf("%s of %d bits, batch %d, workers %s", o.name, width, n, name)
					z := empty(t, o.wide*width, n)
					require.NoError(t, o.run(z, a, b), where)
					if wants[k] == nil {
						wants[k] = oracle(o.wide*width, x, y, o.want)
						same[k] = oracle(o.wide*width, x, x, o.want)
					}
					want := wants[k]
					requireBatch(t, want, z, "%s", where)
					requireBatch(t, x, a, "%s: x", where)
					requireBatch(t, y, b, "%s: y", where)
					if o.wide > 1 {
						continue
					}
					c := batchOf(t, width, x)
					require.NoError(t, o.run(c, c, b))
					requireBatch(t, want, c, "%s, in place of x", where)
					c = batchOf(t, width, y)
					require.NoError(t, o.run(c, a, c))
					if o.name != "neg" && o.name != "sqr" {
						requireBatch(t, want, c, "%s, in place of y", where)
					}
					c = batchOf(t, width, x)
					require.NoError(t, o.run(c, c, c))
					requireBatch(t, same[k], c, "%s, all one batch", where)
				}
				order := make([]int8, n)
				require.NoError(t, e.Cmp(t.Context(), order, a, b))
				for i := range order {
					require.EqualValues(t, x[i].Cmp(y[i]), order[i])
				}
			}
		}
	}
}

// Products of all tiers are the same words, at each width up to 2112 bits and where levels of Karatsuba's product
// begin and end, for batches that are no multiple of a tile, of random words and of ones.
func TestTiers(t *testing.T) {
	type result struct{ low, wide []uint32 }
	widths := []int{2464, 2496, 2528, 2592, 4800, 4896, 4928, 4992, 9408, 9440, 9600, 1 << 14, 17600, 1 << 15, 64512}
	for width := 32; width <= 2112; width += 32 {
		widths = append(widths, width)
	}
	want := map[int]result{}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		e, err := midint.New()
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(9, 33))
		for _, width := range widths {
			n := 1 + width/32%11
			if width > 1<<13 {
				n = 6 // a tile on every tier
			}
			x, y := empty(t, width, n), empty(t, width, n)
			low, wide := empty(t, width, n), empty(t, 2*width, n)
			for i := range x.Words() {
				x.Words()[i], y.Words()[i] = r.Uint32(), r.Uint32()
				if i >= (n-1)*width/32 {
					x.Words()[i], y.Words()[i] = math.MaxUint32, math.MaxUint32
				}
			}
			require.NoError(t, e.MulLow(t.Context(), low, x, y))
			require.NoError(t, e.MulWide(t.Context(), wide, x, y))
			if _, ok := want[width]; !ok {
				want[width] = result{low.Words(), wide.Words()}
			}
			require.Equal(t, want[width].low, low.Words(), "low, %d bits, %v", width, tier)
			require.Equal(t, want[width].wide, wide.Words(), "wide, %d bits, %v", width, tier)
		}
		undo()
	}
}

// One carry goes through every word, from every word on.
func TestCarries(t *testing.T) {
	e, err := midint.New()
	require.NoError(t, err)
	const width = 1056
	all := ones(width)
	var x, y []*big.Int
	for i := 0; i < width; i += 32 {
		x = append(x, all)
		y = append(y, new(big.Int).Lsh(big.NewInt(1), uint(i)))
	}
	for _, o := range operations(e) {
		for _, c := range [][2][]*big.Int{{x, y}, {y, x}, {y, y}} {
			z := empty(t, o.wide*width, len(x))
			require.NoError(t, o.run(z, batchOf(t, width, c[0]), batchOf(t, width, c[1])))
			requireBatch(t, oracle(o.wide*width, c[0], c[1], o.want), z, "%s", o.name)
		}
	}
}

// Conversions go to all forms and back, and refuse what does not fit.
func TestConversions(t *testing.T) {
	e, err := midint.New()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(2, 33))
	ctx := t.Context()
	for _, width := range []int{32, 64, 96, 1024, 1056} {
		x, _ := operands(r, width, 7)
		b, k := batchOf(t, width, x), (width+63)/64
		for i, v := range x { // the layout
			for j := range width / 32 {
				word := new(big.Int).Rsh(v, uint(32*j))
				require.Equal(t, uint32(word.Uint64()), b.Words()[i*width/32+j])
			}
		}
		half, words := make([]uint32, 7*width/32), make([]uint64, 7*k)
		require.NoError(t, b.Uint32s(half))
		require.Equal(t, b.Words(), half)
		require.NoError(t, b.Uint64s(words))
		for i, v := range x {
			for j := range k {
				word := new(big.Int).Rsh(v, uint(64*j))
				require.Equal(t, word.And(word, new(big.Int).SetUint64(1<<64-1)).Uint64(), words[i*k+j])
			}
		}
		c := empty(t, width, 7)
		require.NoError(t, c.SetUint64s(words))
		require.Equal(t, b.Words(), c.Words())
		c = empty(t, width, 7)
		require.NoError(t, c.SetUint32s(half))
		require.Equal(t, b.Words(), c.Words())
		if width%64 != 0 {
			words[3*k-1] = 1 << 32
			require.ErrorIs(t, c.SetUint64s(words), field.ErrRange)
			require.Equal(t, b.Words(), c.Words())
		}
		wide := empty(t, width+32, 7)
		require.NoError(t, e.Convert(ctx, wide, b))
		requireBatch(t, x, wide, "wider")
		require.NoError(t, e.Convert(ctx, c, wide))
		requireBatch(t, x, c, "narrower")
		wide.Words()[4*(width/32+1)-1] = 1
		require.ErrorIs(t, e.Convert(ctx, c, wide), field.ErrRange)
		requireBatch(t, x, c, "after a refusal")
		x[6] = new(big.Int).Lsh(big.NewInt(1), uint(width))
		require.ErrorIs(t, b.SetInts(x), field.ErrRange)
		x[6] = big.NewInt(-1)
		require.ErrorIs(t, b.SetInts(x), field.ErrRange)
		require.Equal(t, half, b.Words())
	}
	old := new(big.Int).SetBits(make([]big.Word, 1, 99)) // memory that is large enough is used again
	b := batchOf(t, 64, []*big.Int{big.NewInt(5)})
	require.NoError(t, b.Ints([]*big.Int{old}))
	require.EqualValues(t, 5, old.Int64())
}

// Wrong sizes are errors, and what they would have written is as it was.
func TestErrors(t *testing.T) {
	ctx := t.Context()
	e, err := midint.New()
	require.NoError(t, err)
	for _, width := range []int{-32, 0, 1, 33, 63} {
		_, err := midint.NewBatch(width, 1)
		require.ErrorIs(t, err, field.ErrSpec, width)
	}
	_, err = midint.NewBatch(32, -1)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = midint.NewBatch(1<<30, 1<<30)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = midint.NewBatch(math.MaxInt&^31, math.MaxInt)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = midint.New(midint.WithWorkers(-1))
	require.ErrorIs(t, err, field.ErrSpec)

	x, y := empty(t, 64, 3), empty(t, 64, 3)
	for _, other := range []*midint.Batch{empty(t, 96, 3), empty(t, 64, 2), empty(t, 32, 6)} {
		for _, o := range operations(e) {
			z := empty(t, o.wide*64, 3)
			require.ErrorIs(t, o.run(other, x, y), field.ErrLength, o.name)
			if o.name != "neg" && o.wide*64 == z.Bits() && o.name != "sqr" && o.name != "sqr wide" {
				require.ErrorIs(t, o.run(z, x, other), field.ErrLength, o.name)
				require.ErrorIs(t, o.run(z, other, y), field.ErrLength, o.name)
			}
			require.Equal(t, empty(t, o.wide*64, 3).Words(), z.Words())
		}
		require.ErrorIs(t, e.Cmp(ctx, make([]int8, 3), x, other), field.ErrLength)
	}
	require.ErrorIs(t, e.MulWide(ctx, x, x, y), field.ErrLength)
	require.ErrorIs(t, e.Cmp(ctx, make([]int8, 2), x, y), field.ErrLength)
	require.ErrorIs(t, x.SetUint32s(make([]uint32, 5)), field.ErrLength)
	require.ErrorIs(t, x.Uint64s(make([]uint64, 4)), field.ErrLength)
	stopped, stop := context.WithCancel(ctx)
	stop()
	z := empty(t, 64, 3)
	require.ErrorIs(t, e.Add(stopped, z, x, y), context.Canceled)
	require.Equal(t, empty(t, 64, 3).Words(), z.Words())
}

// A batch of no integers has no result.
func TestEmpty(t *testing.T) {
	e, err := midint.New(midint.WithWorkers(2))
	require.NoError(t, err)
	for _, o := range operations(e) {
		require.NoError(t, o.run(empty(t, 32*o.wide, 0), empty(t, 32, 0), empty(t, 32, 0)))
	}
}

// countdown is a context that ends when it was asked so many times.
type countdown struct {
	context.Context
	left, asked atomic.Int64
}

func (c *countdown) Err() error {
	c.asked.Add(1)
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// The end of a context at any look is the error, and there is a look for each long product, or for each tile of them.
func TestStops(t *testing.T) {
	e, err := midint.New(midint.WithWorkers(1))
	require.NoError(t, err)
	const n = 64
	looks := int64(n)
	if batch.Active() != nil {
		looks /= 8
	}
	x, z := empty(t, 1<<15, n), empty(t, 1<<16, n)
	for left := range looks + 2 {
		ctx := &countdown{Context: context.Background()}
		ctx.left.Store(left)
		require.ErrorIs(t, e.MulWide(ctx, z, x, x), context.Canceled)
	}
	ctx := &countdown{Context: context.Background()}
	ctx.left.Store(1000)
	require.NoError(t, e.MulWide(ctx, z, x, x))
	require.EqualValues(t, looks+2, ctx.asked.Load())
}

// Calls allocate nothing once warm. A worker that first comes late allocates its room then, which is no more than the
// first call of all does, and the mean over more runs than that is below one.
func TestAllocations(t *testing.T) {
	for _, workers := range []int{1, 2} {
		for _, width := range []int{96, 1024, 1 << 14} {
			x, y, order := empty(t, width, 64), empty(t, width, 64), make([]int8, 64)
			e, err := midint.New(midint.WithWorkers(workers))
			require.NoError(t, err)
			for _, o := range operations(e) {
				z := empty(t, o.wide*width, 64)
				call := func() {
					if o.run(z, x, y) != nil || e.Cmp(context.Background(), order, x, y) != nil {
						panic(o.name)
					}
				}
				runs := int(first(t, workers, width)) + 1
				allocs := testing.AllocsPerRun(runs, call)
				if !raceEnabled {
					require.Less(t, allocs, 1.0, "%s of %d bits, %d workers, %d runs", o.name, width, workers, runs)
				}
			}
		}
	}
}

// first is the allocations of an engine's first calls.
func first(t *testing.T, workers, width int) uint64 {
	e, err := midint.New(midint.WithWorkers(workers))
	require.NoError(t, err)
	x := empty(t, width, 64)
	z := empty(t, 2*width, 64)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = errors.Join(e.SixAdd(context.Background(), x, x, x), e.MulWide(context.Background(), z, x, x))
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	return after.Mallocs - before.Mallocs
}
