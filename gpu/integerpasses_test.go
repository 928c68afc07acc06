package gpu

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint"
)

// rest is the number with these words modulo p < 2^32.
func rest(x []uint32, p uint64) (r uint64) {
	for _, w := range slices.Backward(x) {
		r = (r<<32 | uint64(w)) % p
	}
	return r
}

// requireProducts wants the integers of z to be those of x·y modulo 2^32out, where they have out words: to 2^20 bits
// those of math/big, and of more bits whole products alone, modulo primes.
func requireProducts(t *testing.T, z, x, y []uint32, m, out int, what string) {
	for i := range len(x) / m {
		a, b, c := x[i*m:(i+1)*m], y[i*m:(i+1)*m], z[i*out:(i+1)*out]
		if m <= 1<<15 {
			mask := new(big.Int).Lsh(big.NewInt(1), uint(32*out))
			want := new(big.Int).Mul(bigOf(a), bigOf(b))
			require.Zero(t, bigOf(c).Cmp(want.And(want, mask.Sub(mask, big.NewInt(1)))), "%s, integer %d", what, i)
			continue
		}
		require.Equal(t, 2*m, out)
		for _, p := range []uint64{4294967291, 4294967279, 4294967231, 4294967197} {
			require.Equal(t, rest(a, p)*rest(b, p)%p, rest(c, p), "%s, integer %d modulo %d", what, i, p)
		}
	}
}

// Products of integers too long for a block are exact: low halves, whole ones and squares, in place of either operand,
// one, two, three and five of them, and where parts of a batch go one after the other.
func TestLongIntegers(t *testing.T) {
	g := integersOn(t)
	r := rand.New(rand.NewPCG(35, 104))
	cases := []struct{ bits, n, some int }{{1<<18 + 32, 3, 2}}
	if !emulator.Emulates() && !testing.Short() {
		for _, bits := range []int{1<<18 + 32, 1 << 19, 3 << 18, 1<<20 - 32, 1 << 20} {
			for _, n := range []int{1, 2, 3, 5} {
				cases = append(cases, struct{ bits, n, some int }{bits, n, 2}, struct{ bits, n, some int }{bits, n, n})
			}
		}
		for _, bits := range []int{1<<20 + 32, 1 << 21, 1 << 22, 1<<24 - 32, 1 << 26, 1 << 27, 1<<27 + 32, 1 << 28} {
			cases = append(cases, struct{ bits, n, some int }{bits, 1 + 1<<26/bits, 1 << 26 / bits})
		}
	}
	for _, c := range cases {
		m := c.bits / 32
		g.passMost = c.some * (24 << passLength(m))
		x, y := integerFactors(r, c.n, m)
		if c.n < 4 {
			all, other := integerFactors(r, 4, m)
			copy(x, all[(4-c.n)*m:])
			copy(y, other[(4-c.n)*m:])
		}
		vec := func(words []uint32) field.Vec {
			v, err := g.NewVec(len(words))
			require.NoError(t, err)
			require.NoError(t, g.LoadVec(v, words))
			return v
		}
		got := func(v field.Vec) []uint32 {
			words := make([]uint32, v.Len())
			require.NoError(t, g.StoreVec(words, v))
			return words
		}
		a, b, z := vec(x), vec(y), vec(make([]uint32, 2*len(x)))
		what := fmt.Sprintf("%d integers of %d bits", c.n, c.bits)
		require.NoError(t, g.ComputeVec(t.Context(), integersMul, z, a, b, c.bits))
		wide := got(z)
		requireProducts(t, wide, x, y, m, 2*m, what)
		var low []uint32
		for i := range c.n {
			low = append(low, wide[2*m*i:2*m*i+m]...)
		}
		require.NoError(t, g.ComputeVec(t.Context(), integersMul, z, a, a, c.bits))
		square := got(z)
		requireProducts(t, square, x, x, m, 2*m, what+", squared")
		require.NoError(t, g.ComputeVec(t.Context(), integersMul, a, a, b, c.bits))
		require.Equal(t, low, got(a), "%s, low halves over x", what)
		require.NoError(t, g.LoadVec(a, x))
		require.NoError(t, g.ComputeVec(t.Context(), integersMul, b, a, b, c.bits))
		require.Equal(t, low, got(b), "%s, low halves over y", what)
		require.NoError(t, g.ComputeVec(t.Context(), integersMul, a, a, a, c.bits))
		for i, words := 0, got(a); i < c.n; i++ {
			require.Equal(t, square[2*m*i:2*m*i+m], words[m*i:m*i+m], "%s, low halves of squares", what)
		}
		for _, v := range []field.Vec{a, b, z} {
			require.NoError(t, v.Close())
		}
	}
}

// First passes of every shape, modulo both sets of primes, have products of the largest coefficients.
func TestFirstPasses(t *testing.T) {
	g := integersOn(t)
	r := rand.New(rand.NewPCG(38, 104))
	for lg := 16; lg <= 18; lg++ {
		m := 3 << (lg - 3)
		x, y := make([]uint32, m), make([]uint32, m)
		for i := range x {
			x[i], y[i] = 1<<32-1, 1<<32-1-r.Uint32()>>(i%33)
		}
		for _, long := range []bool{false, true} {
			if long && lg == 16 {
				continue // no length of theirs has six layers first
			}
			p, err := g.makePasses(lg, long)
			require.NoError(t, err)
			g.passes[lg] = p
			z := make([]uint32, 2*m)
			require.NoError(t, g.Compute(t.Context(), integersMul, z, x, y, 32*m))
			requireProducts(t, z, x, y, m, 2*m, fmt.Sprint(lg, long))
		}
	}
}

// Carries between blocks are those of the numbers that words and states stand for, whatever blocks are one behind the
// other: without a threshold, and with words just below a power of 2^32 by 1, 2 and 3.
func TestLongCarries(t *testing.T) {
	g := integersOn(t)
	r := rand.New(rand.NewPCG(36, 104))
	const n, blocks, out = 24, 4, 3*passPiece + 7
	z, states := make([]uint32, n*out), make([]uint32, n*blocks)
	var want []*big.Int
	mask := new(big.Int).Lsh(big.NewInt(1), 32*out)
	mask.Sub(mask, big.NewInt(1))
	for i := range n {
		sum := new(big.Int)
		for b := range blocks {
			words := z[i*out+b*passPiece : i*out+min(out, (b+1)*passPiece)]
			base, below := uint32(r.IntN(3)), uint32(r.IntN(4))
			for j := range words {
				words[j] = 1<<32 - 1
			}
			words[0] -= below - 1 // 0 is no threshold: the lowest word is 0 then
			if i >= 20 {
				words[len(words)-1]--
				below = 0
			}
			states[i*blocks+b] = base | below<<2
			part := bigOf(words)
			part.Add(part, new(big.Int).Lsh(big.NewInt(int64(base)), uint(32*len(words))))
			sum.Add(sum, part.Lsh(part, uint(32*b*passPiece)))
		}
		want = append(want, sum.And(sum, mask))
	}
	require.NoError(t, g.load(4*len(z), z, states))
	at := g.memory[1].At
	g.memory[1].Did(g.carryLong(g.d.Stream(), at, g.memory[2].At, n, out))
	require.NoError(t, g.d.Wait(t.Context(), g.memory[1]))
	require.NoError(t, g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), at, 4*len(z)))
	for i, w := range want {
		require.Zero(t, bigOf(z[i*out:(i+1)*out]).Cmp(w), "integer %d", i)
	}
}

// Programs on integers too long for a block are the processor's, over an operand too.
func TestLongPrograms(t *testing.T) {
	g := integersOn(t)
	const bits, n = 1<<18 + 32, 1
	plain, err := midint.New()
	require.NoError(t, err)
	on, err := midint.New(midint.WithDevice(g))
	require.NoError(t, err)
	a, b := midint.Operand(0), midint.Operand(1)
	x := a.Times(b).Minus(b).Plus(a.Squared())
	p, err := plain.Compile(x, bits, 0)
	require.NoError(t, err)
	q, err := on.Compile(x, bits, 0)
	require.NoError(t, err)
	require.Contains(t, q.Explain(), "device: 28 launches, each product and each sum apart\n")
	require.Contains(t, on.Explain(bits), "each takes 786688 bytes")
	r := rand.New(rand.NewPCG(37, 104))
	batch := func() *midint.Batch {
		v, err := midint.NewBatch(bits, n)
		require.NoError(t, err)
		for i := range v.Words() {
			v.Words()[i] = r.Uint32()
		}
		return v
	}
	u, v, want, got := batch(), batch(), batch(), batch()
	require.NoError(t, p.Run(t.Context(), want, u, v))
	require.NoError(t, q.Run(t.Context(), got, u, v))
	require.Equal(t, want.Words(), got.Words())
	require.NoError(t, q.Run(t.Context(), u, u, v))
	require.Equal(t, want.Words(), u.Words())
}

// Where the memory lacks for what is on the way, products are field.ErrMemory, and the result is as it was.
func TestLongMemory(t *testing.T) {
	if !emulator.Emulates() {
		t.Skip("of the emulated driver")
	}
	t.Setenv("EMULATE_MEMORY", "8000000")
	g := integersOn(t)
	const bits = 1 << 22
	x := make([]uint32, bits/32)
	z := []uint32{0: 1, bits/16 - 1: 2}
	require.ErrorIs(t, g.Compute(t.Context(), integersMul, z, x, x, bits), field.ErrMemory)
	require.Equal(t, []uint32{0: 1, bits/16 - 1: 2}, z)
	sum := make([]uint32, len(x))
	require.NoError(t, g.Compute(t.Context(), integersAdd, sum, x, x, bits))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, g.Compute(ctx, integersMul, z, x, x, bits), context.Canceled)
}
