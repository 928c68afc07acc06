package intmul

import (
	"context"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Words that are lent go to those who need as many, and the longest to those who need them.
func TestBorrow(t *testing.T) {
	a := must(t)
	first, second := make([]uint64, 4*leastScratch), make([]uint64, 3*leastScratch)
	a.lend(second)
	a.lend(first)
	w := a.borrow(3*leastScratch - 5)
	require.Len(t, w, 3*leastScratch-5)
	require.Same(t, &second[0], &w[0])
	require.NotSame(t, &first[0], &a.borrow(leastScratch)[0], "far too long")
	require.Same(t, &first[0], &a.borrow(3 * leastScratch)[0])
	x := a.integer(64 * 4 * leastScratch)
	x.Lsh(big.NewInt(1), 64*4*leastScratch)
	x.Rsh(x, 64*4*leastScratch) // one word, with room for others
	a.free(x)
	require.Same(t, &x.Bits()[0], &fromWords(a.borrow(4 * leastScratch))[0])
}

// Results go where z has room, and elsewhere where another integer shares that.
func TestResult(t *testing.T) {
	a := must(t)
	words := []uint64{3, 2, 1, 0}
	z := new(big.Int).Lsh(big.NewInt(1), 1000)
	at := &z.Bits()[0]
	a.result(z, words, true)
	require.Same(t, at, &z.Bits()[0])
	want := new(big.Int).SetBits(fromWords([]uint64{3, 2, 1}))
	require.Zero(t, z.Cmp(want.Neg(want)))
	other := new(big.Int).SetBits(z.Bits())
	a.result(z, []uint64{7, 7, 7}, false, other)
	require.Equal(t, []uint64{3, 2, 1}, of(other))
	require.Equal(t, []uint64{7, 7, 7}, of(z))
}

// Divisions and conversions that follow each other, some at a time, neither spoil results of those before nor operands.
func TestScratchResults(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 3))
	a := must(t)
	type pair struct{ x, y *big.Int }
	var list []pair
	for _, bits := range []int{1 << 16, 100000, 1 << 17} {
		for _, more := range []int{0, bits / 3, bits, 3 * bits} {
			list = append(list, pair{random(r, bits+more), random(r, bits)})
		}
	}
	check := func() {
		var kept [][2]*big.Int
		for _, p := range list {
			q, rest := new(big.Int), new(big.Int)
			x, y := new(big.Int).Set(p.x), new(big.Int).Set(p.y)
			require.NoError(t, a.QuoRem(t.Context(), q, rest, x, y))
			require.Zero(t, x.Cmp(p.x))
			require.Zero(t, y.Cmp(p.y))
			kept = append(kept, [2]*big.Int{q, rest})
			require.NoError(t, a.QuoRem(t.Context(), x, y, x, y), "in place")
			require.Zero(t, x.Cmp(q))
			require.Zero(t, y.Cmp(rest))
			text, err := a.Append(t.Context(), nil, p.x, 10)
			require.NoError(t, err)
			back := new(big.Int).Set(p.y)
			require.NoError(t, a.Parse(t.Context(), back, text, 10))
			require.Zero(t, back.Cmp(p.x))
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			require.Error(t, a.QuoRem(ctx, back, new(big.Int), p.x, p.y))
			require.Zero(t, back.Cmp(p.x))
		}
		for i, p := range list {
			q, rest := new(big.Int).QuoRem(p.x, p.y, new(big.Int))
			require.Zero(t, kept[i][0].Cmp(q))
			require.Zero(t, kept[i][1].Cmp(rest))
		}
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(check)
	}
	group.Wait()
}

// Powers of two have their digits, whatever their bits are.
func TestPowerOfTwo(t *testing.T) {
	a := must(t)
	for n := range 700 {
		z, err := a.powerOfTwo(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, toDecimal(of(new(big.Int).Lsh(big.NewInt(1), uint(n)))), z, n)
	}
	for _, n := range []int{64 * 2048, 64*3000 + 64, 123457} {
		z, err := a.powerOfTwo(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, toDecimal(of(new(big.Int).Lsh(big.NewInt(1), uint(n)))), z, n)
	}
}
