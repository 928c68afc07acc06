package midint_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/midint"
)

// residues are n integers below moduli: 0, 1, the largest, and random ones.
func residues(r *rand.Rand, m []*big.Int, n int) (x []*big.Int) {
	for i := range n {
		mod := m[i%len(m)]
		switch w := random(r, mod.BitLen()+64); (i + int(r.Uint32()%2)) % 5 {
		case 0:
			x = append(x, new(big.Int).Sub(mod, big.NewInt(1)))
		case 1:
			x = append(x, w.Mod(big.NewInt(int64(i)%2), mod))
		default:
			x = append(x, w.Mod(w, mod))
		}
	}
	return x
}

func random(r *rand.Rand, width int) *big.Int {
	z := new(big.Int)
	for z.BitLen() < width {
		z.Lsh(z, 64).Or(z, new(big.Int).SetUint64(r.Uint64()|1<<63))
	}
	return z.Rsh(z, uint(z.BitLen()-width)).SetBit(z, width-1, uint(r.Uint32()%2))
}

// odd are n moduli of at most so many bits: the largest, 1, the least of full length, and random ones.
func odd(r *rand.Rand, width, n int) (m []*big.Int) {
	one := big.NewInt(1)
	for i := range n {
		w := random(r, width)
		switch i {
		case 0:
			w = ones(width)
		case 1:
			w = one
		case 3:
			w = new(big.Int).Lsh(one, uint(width-1))
		}
		m = append(m, w.SetBit(w, 0, 1))
	}
	return m
}

// Products and powers are those of math/big on all tiers, for one modulus and for one a row, one exponent and one a
// row, and operands that are the result.
func TestModular(t *testing.T) {
	tiers := cpu.Present() // the highest has tiles, or none has
	for _, tier := range []cpu.Tier{tiers[0], tiers[len(tiers)-1]} {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(5, 35))
		for _, width := range []int{32, 64, 96, 256, 512, 1056, 2048, 2464, 2496, 4864, 8192, 9376} {
			n := 11
			if width == 256 { // has few spare bits
				n = 64
			}
			if width > 512 {
				n = 5
			}
			if width > 3000 {
				n = 2
			}
			for _, moduli := range []int{1, n} {
				modular(t, r, width, n, moduli, tier.String())
			}
		}
		undo()
	}
}

func modular(t *testing.T, r *rand.Rand, width, n, moduli int, tier string) {
	ctx := context.Background()
	e, err := midint.New(midint.WithWorkers(2))
	require.NoError(t, err)
	m := odd(r, width, moduli)
	of, err := midint.NewModuli(batchOf(t, width, m))
	require.NoError(t, err)
	require.Equal(t, []int{width, moduli}, []int{of.Bits(), of.Len()})
	x, y := residues(r, m, n), residues(r, m, n)
	a, b, z := batchOf(t, width, x), batchOf(t, width, y), empty(t, width, n)
	var want, square []*big.Int
	for i := range x {
		mod := m[i%moduli]
		want = append(want, new(big.Int).Mod(new(big.Int).Mul(x[i], y[i]), mod))
		square = append(square, new(big.Int).Mod(new(big.Int).Mul(y[i], y[i]), mod))
	}
	where := fmt.Sprintf("%d bits, %d moduli, %s", width, moduli, tier)
	require.NoError(t, e.MulMod(ctx, z, a, b, of), where)
	requireBatch(t, want, z, "product, %s", where)
	requireBatch(t, x, a, "x, %s", where)
	require.NoError(t, e.MulMod(ctx, a, a, b, of))
	requireBatch(t, want, a, "product in place of x, %s", where)
	require.NoError(t, e.MulMod(ctx, b, b, b, of))
	requireBatch(t, square, b, "square in place, %s", where)
	for _, length := range []int{32, 64, 256} {
		for _, exponents := range []int{1, n} {
			if length > 64 && (width > 600 || exponents == 1) {
				continue
			}
			var p []*big.Int
			for range exponents {
				p = append(p, random(r, length))
			}
			switch {
			case exponents > 1:
				p[0], p[1] = new(big.Int), ones(length)
			case length == 32:
				p[0] = big.NewInt(65537)
			}
			a := batchOf(t, width, x)
			require.NoError(t, e.Exp(ctx, z, a, batchOf(t, length, p), of))
			want = want[:0]
			for i := range x {
				want = append(want, new(big.Int).Exp(x[i], p[i%exponents], m[i%moduli]))
			}
			requireBatch(t, want, z, "%d exponents of %d bits, %s", exponents, length, where)
			require.NoError(t, e.Exp(ctx, a, a, batchOf(t, length, p), of))
			requireBatch(t, want, a, "in place, %d exponents of %d bits, %s", exponents, length, where)
		}
	}
	require.NoError(t, e.Exp(ctx, z, batchOf(t, width, x), batchOf(t, 32, []*big.Int{new(big.Int)}), of))
	for i := range want {
		want[i] = new(big.Int).Mod(big.NewInt(1), m[i%moduli])
	}
	requireBatch(t, want, z, "exponent 0, %s", where)
}

// Even moduli, residues that are none, and wrong sizes are errors, and the result is as it was.
func TestModularErrors(t *testing.T) {
	ctx := t.Context()
	e, err := midint.New()
	require.NoError(t, err)
	list := func(v ...int64) (x []*big.Int) {
		for _, w := range v {
			x = append(x, big.NewInt(w))
		}
		return x
	}
	for _, even := range [][]*big.Int{list(0), list(4), list(7, 9, 6)} {
		_, err := midint.NewModuli(batchOf(t, 64, even))
		require.ErrorIs(t, err, field.ErrModulus)
	}
	_, err = midint.NewModuli(empty(t, 64, 0))
	require.ErrorIs(t, err, field.ErrLength)
	m, err := midint.NewModuli(batchOf(t, 64, list(7, 9, 11)))
	require.NoError(t, err)
	x, z, p := batchOf(t, 64, list(6, 8, 10)), empty(t, 64, 3), batchOf(t, 32, list(3))
	for _, bad := range [][]*big.Int{list(7, 0, 0), list(0, 0, 11), list(0, 10, 0)} {
		y := batchOf(t, 64, bad)
		require.ErrorIs(t, e.MulMod(ctx, z, x, y, m), field.ErrRange)
		require.ErrorIs(t, e.MulMod(ctx, z, y, x, m), field.ErrRange)
		require.ErrorIs(t, e.Exp(ctx, z, y, p, m), field.ErrRange)
	}
	two, narrow := batchOf(t, 64, list(1, 1)), batchOf(t, 32, list(1, 1, 1))
	require.ErrorIs(t, e.MulMod(ctx, z, x, two, m), field.ErrLength)
	require.ErrorIs(t, e.MulMod(ctx, two, two, two, m), field.ErrLength)
	require.ErrorIs(t, e.MulMod(ctx, narrow, narrow, narrow, m), field.ErrLength)
	require.ErrorIs(t, e.Exp(ctx, z, x, two, m), field.ErrLength)
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, e.Exp(stopped, z, x, p, m), context.Canceled)
	require.ErrorIs(t, e.MulMod(stopped, z, x, x, m), context.Canceled)
	require.Equal(t, empty(t, 64, 3).Words(), z.Words())
}

// A context that ends in the middle of a power stops it there.
func TestExpStops(t *testing.T) {
	e, err := midint.New()
	require.NoError(t, err)
	m, err := midint.NewModuli(batchOf(t, 1024, []*big.Int{ones(1024)}))
	require.NoError(t, err)
	x, p := batchOf(t, 1024, []*big.Int{big.NewInt(3)}), batchOf(t, 1024, []*big.Int{ones(1023)})
	ctx := &countdown{Context: context.Background()}
	for _, left := range []int64{2, 3, 30, 100} {
		ctx.left.Store(left)
		ctx.asked.Store(0)
		require.ErrorIs(t, e.Exp(ctx, x, x, p, m), context.Canceled)
		require.Less(t, ctx.asked.Load(), left+5)
	}
}

// One engine and moduli serve calls at the same time, which allocate nothing once warm.
func TestModularShared(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(6, 35))
	const width, n = 512, 20
	m := odd(r, width, n)
	of, err := midint.NewModuli(batchOf(t, width, m))
	require.NoError(t, err)
	e, err := midint.New()
	require.NoError(t, err)
	x := batchOf(t, width, residues(r, m, n))
	p := batchOf(t, 32, []*big.Int{big.NewInt(65537)})
	want := empty(t, width, n)
	require.NoError(t, e.Exp(ctx, want, x, p, of))
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			z := empty(t, width, n)
			for range 3 {
				if e.MulMod(ctx, z, x, x, of) != nil || e.Exp(ctx, z, x, p, of) != nil {
					t.Error("a call failed")
				}
			}
			if fmt.Sprint(z.Words()) != fmt.Sprint(want.Words()) {
				t.Error("another result")
			}
		})
	}
	all.Wait()
	allocs := testing.AllocsPerRun(40, func() { // more than the first run allocates
		if e.MulMod(ctx, want, x, x, of) != nil || e.Exp(ctx, want, x, p, of) != nil {
			panic("a call failed")
		}
	})
	if !raceEnabled {
		require.Less(t, allocs, 1.0)
	}
}
