package intmul

import (
	"context"
	"math/big"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
)

// halved sets z to x·y by halves, whatever fits in memory.
func halved(t *testing.T, a *Arithmetic, x, y *big.Int) *big.Int {
	u, v := of(x), of(y)
	if x == y {
		v = u
	}
	s, ok := a.chooseHalf(len(u) + len(v))
	require.True(t, ok)
	h, err := a.newHalves(context.Background(), s)
	require.NoError(t, err)
	w, err := h.product(context.Background(), u, v)
	require.NoError(t, err)
	z := new(big.Int)
	set(z, w, false)
	return z
}

// Halves are products of math/big, for every length and for factors of two pieces.
func TestHalves(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, workers := range []int{1, 3} {
		a, err := New(WithWorkers(workers))
		require.NoError(t, err)
		for n := 1; n <= 600; n++ {
			if workers > 1 && n%50 > 0 {
				continue
			}
			for _, bits := range [][2]int{{64 * n, 64 * n}, {64*n - r.IntN(64), 8*n + r.IntN(56*n)}} {
				for i, x := range special(r, max(bits[0], 65)) {
					if n > 8 && i != n%7 {
						continue
					}
					y := special(r, max(bits[1], 65))[r.IntN(7)]
					require.Zero(t, new(big.Int).Mul(x, y).Cmp(halved(t, a, x, y)), "%d: %x\n%x", n, x, y)
					if n%4 == 0 {
						require.Zero(t, new(big.Int).Mul(x, x).Cmp(halved(t, a, x, x)), "%d: %x", n, x)
					}
				}
			}
		}
	}
}

// Every tier has the same halves.
func TestHalvesTiers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := random(r, 100000), random(r, 140000)
	want := new(big.Int).Mul(x, y)
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		a, err := New()
		require.NoError(t, err)
		require.Zero(t, want.Cmp(halved(t, a, x, y)), tier)
		undo()
	}
}

// A limit that a product at once does not fit in makes halves, also of the parts of a long factor, and Explain tells.
// Below what halves take there is an error.
func TestHalfLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	free, err := New()
	require.NoError(t, err)
	for _, bits := range [][2]int{{3e5, 3e5}, {1e6, 1e6}, {1e6, 3e5}, {64 * 20000, 64 * 20001}} {
		x, y := random(r, bits[0]), random(r, bits[1])
		s, ok := choose(1, bits[0], bits[1])
		require.True(t, ok)
		a, err := New(WithMemoryLimit(s.roomBytes(1) - 1))
		require.NoError(t, err)
		z, want := new(big.Int).Set(x), new(big.Int).Mul(x, y)
		h, err := a.halves(t.Context(), len(of(x)), len(of(y)), false)
		require.NoError(t, err)
		require.NotNil(t, h)
		require.NoError(t, a.Mul(t.Context(), z, z, y))
		require.Zero(t, want.Cmp(z), bits)
		w := make([]big.Word, len(x.Bits())+len(y.Bits()))
		require.NoError(t, a.MulWords(t.Context(), w, x.Bits(), y.Bits()))
		require.Zero(t, want.Cmp(new(big.Int).SetBits(w)))
		var text strings.Builder
		require.NoError(t, a.Explain(&text, bits[0], bits[1]))
		require.Contains(t, text.String(), "in turn")
		use, err := a.MemoryUse(bits[0], bits[1])
		require.NoError(t, err)
		all, err := free.MemoryUse(bits[0], bits[1])
		require.NoError(t, err)
		require.Less(t, use, all*6/10)

		low, err := New(WithMemoryLimit(use / 2))
		require.NoError(t, err)
		require.ErrorIs(t, low.Mul(t.Context(), z, x, y), field.ErrMemory)
		require.Zero(t, want.Cmp(z))
		require.ErrorIs(t, low.Explain(&text, bits[0], bits[1]), field.ErrMemory)
	}
	x, y := random(r, 2e6), random(r, 2e5)
	a, err := New(WithMemoryLimit(1 << 18))
	require.NoError(t, err)
	z := new(big.Int)
	require.NoError(t, a.Mul(t.Context(), z, x, y))
	require.Zero(t, new(big.Int).Mul(x, y).Cmp(z))
}

// A context that ends leaves z as it was, at whichever look at it that is.
func TestHalvesCancel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := random(r, 2e6), random(r, 2e6)
	for _, workers := range []int{1, 3} {
		s, ok := choose(1, 2e6, 2e6)
		require.True(t, ok)
		a, err := New(WithWorkers(workers), WithMemoryLimit(s.roomBytes(1)-1))
		require.NoError(t, err)
		looks := &looking{Context: t.Context()}
		z := new(big.Int)
		require.NoError(t, a.Mul(looks, z, x, y))
		most := int(looks.count.Load())
		require.Greater(t, most, 40)
		for at := 1; at < most; at += 1 + most/40 {
			z := new(big.Int).Set(x)
			ctx := &looking{Context: t.Context(), most: int64(at)}
			err := a.Mul(ctx, z, z, y)
			if err == nil { // workers look in another order
				continue
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Zero(t, x.Cmp(z))
		}
	}
}

// looking is a context that ends at look number most.
type looking struct {
	context.Context
	count atomic.Int64
	most  int64
}

func (c *looking) Err() error {
	if n := c.count.Add(1); c.most > 0 && n >= c.most {
		return context.Canceled
	}
	return nil
}

// Residues of every kind are put together, and sums that are negative or 2^N are dropped to theirs.
func TestJoinHalves(t *testing.T) {
	const n = 64
	one := big.NewInt(1)
	power := new(big.Int).Lsh(one, 64*n)
	words := func(x *big.Int, count int) []uint64 {
		w := make([]uint64, count)
		copy(w, of(x))
		return w
	}
	number := func(w []uint64) *big.Int { return new(big.Int).SetBits(fromWords(append([]uint64(nil), w...))) }
	less, more := new(big.Int).Sub(power, one), new(big.Int).Add(power, one)
	r := rand.New(rand.NewPCG(9, 10))
	values := []*big.Int{new(big.Int), one, less, power, more, new(big.Int).Mul(less, less), new(big.Int).Lsh(less, 1),
		new(big.Int).Lsh(more, 5), new(big.Int).Mul(less, big.NewInt(77)), new(big.Int).Lsh(power, 100),
		new(big.Int).Sub(new(big.Int).Mul(less, more), one), random(r, 64*n), random(r, 128*n-1), random(r, 100*n)}
	for i := range int64(3) { // 2^N modulo 2^N + 1, and what is next to it
		for k := range int64(3) {
			x := new(big.Int).Mul(more, big.NewInt(k))
			values = append(values, x.Add(x, power).Add(x, big.NewInt(i)))
		}
	}
	for i, x := range values {
		b := new(big.Int).Mod(x, more)
		top := uint64(b.Bit(64 * n))
		low, high := words(new(big.Int).Mod(x, less), n), words(b.SetBit(b, 64*n, 0), n)
		require.NoError(t, joinHalves(t.Context(), low, high, top))
		require.Zero(t, x.Cmp(number(append(low, high...))), i)
	}
	low, high := words(less, n), make([]uint64, n) // 2^N − 1 is 0 too
	require.NoError(t, joinHalves(t.Context(), low, high, 0))
	require.Zero(t, number(append(low, high...)).Sign())
	e := &engine{shape: shape{primes: 3, size: 64, n: n, side: plus}}
	lifted := new(big.Int)
	for k := range n {
		lifted.SetBit(lifted, e.liftBits()+64*k, 1)
	}
	for i, x := range values {
		for _, sign := range []int64{1, -1} {
			x := new(big.Int).Mul(x, big.NewInt(sign))
			if x.BitLen() > 64*n+100 {
				continue
			}
			sum := new(big.Int).Add(lifted, x)
			wrapped := sum.Mod(sum, new(big.Int).Lsh(one, 64*(n+5)))
			z := words(wrapped, n+5)
			top, err := e.drop(t.Context(), z)
			require.NoError(t, err)
			got := number(z[:n])
			got.Add(got, new(big.Int).Lsh(new(big.Int).SetUint64(top), 64*n))
			require.Zero(t, new(big.Int).Mod(x, more).Cmp(got), "%d: %d", i, sign)
		}
	}
}

// Tables of one prime after the other are collected while halves go on, where each is short and all of them are not.
func TestHalvesCollect(t *testing.T) {
	r := rand.New(rand.NewPCG(125, 1))
	a, err := New(WithMemoryLimit(48e6))
	require.NoError(t, err)
	x := random(r, 1e8)
	h, err := a.halves(t.Context(), len(of(x)), len(of(x)), true)
	require.NoError(t, err)
	require.NotNil(t, h)
	require.Less(t, h.tables, longTable)
	all := 2 * h.minus.primes * h.tables
	require.Greater(t, all, 4*longTable)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.NoError(t, a.Sqr(t.Context(), new(big.Int), x))
	runtime.ReadMemStats(&after)
	least := all / (h.minus.roomBytes(0)/spared + 2*longTable)
	require.Greater(t, int(after.NumForcedGC-before.NumForcedGC), max(1, least))
}
