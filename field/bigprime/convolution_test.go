package bigprime

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/stretchr/testify/require"
)

// moduli of products: of sizes at and beside bounds of words and limbs.
var moduli = map[int]string{}

func convolves[E Words](t *testing.T, f *Field[E], lengths ...int) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	p := f.Characteristic()
	for _, n := range lengths {
		for _, negacyclic := range []bool{false, true} {
			c, err := f.Convolution(n, negacyclic, field.Spec{})
			require.NoError(t, err)
			x, err := c.NewVec()
			require.NoError(t, err)
			y, err := c.NewVec()
			require.NoError(t, err)
			for round := range 4 {
				a, b, got := make([]E, n), make([]E, n-n/3), make([]E, n)
				for i := range a {
					words(&a[i])[0] = 1
					if f.Neg(&a[i], &a[i]); round < 2 {
						f.Random(&a[i], r)
					}
				}
				for i := range b {
					words(&b[i])[0] = 1
					if f.Neg(&b[i], &b[i]); round%2 == 0 {
						f.Random(&b[i], r)
					}
				}
				want := make([]*big.Int, n)
				for i := range want {
					want[i] = new(big.Int)
				}
				var u, v, z big.Int
				for i := range a {
					f.Big(&u, &a[i])
					for j := range b {
						z.Mul(&u, f.Big(&v, &b[j]))
						if to := want[(i+j)%n]; negacyclic && i+j >= n {
							to.Sub(to, &z)
						} else {
							to.Add(to, &z)
						}
					}
				}
				require.NoError(t, c.Load(x, a))
				require.NoError(t, c.Load(y, b))
				require.NoError(t, c.ForwardVec(ctx, x))
				require.NoError(t, c.ForwardVec(ctx, y))
				require.NoError(t, c.MulVec(x, x, y))
				require.NoError(t, c.InverseVec(ctx, x))
				require.NoError(t, c.Store(got, x))
				for i := range want {
					require.Zero(t, want[i].Mod(want[i], p).Cmp(f.Big(&u, &got[i])), "%s, %d, %t, %d", f.Name(), n, negacyclic, i)
				}
			}
		}
	}
}

func TestConvolution(t *testing.T) {
	for _, tier := range []cpu.Tier{cpu.Generic, cpu.Active()} {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		convolves(t, BN254(), 1, 2, 4, 32, 64)
		convolves(t, P2(), 1, 2, 4, 32, 64)
		convolves(t, Secp256k1(), 1, 2, 4, 32, 64)
		undo()
	}
}

// BenchmarkConvolution prints the time of a product of n/2 by n/2 coefficients and of its stages, for primes of several
// sizes.
func BenchmarkConvolution(b *testing.B) {
	stages(b, P2(), 1<<17)
	stages(b, BN254(), 1<<10)
	stages(b, BN254(), 1<<17)
	stages(b, mersenne[[10]uint64](b, 521), 1<<14)
	stages(b, mersenne[[20]uint64](b, 1279), 1<<13)
	stages(b, mersenne[[64]uint64](b, 3217), 1<<11)
}

// mersenne returns the field of 2^e − 1.
func mersenne[E Words](t testing.TB, e uint) *Field[E] {
	p := new(big.Int).Lsh(big.NewInt(1), e)
	f, err := New[E](p.Sub(p, big.NewInt(1)))
	require.NoError(t, err)
	return f
}

func stages[E Words](b *testing.B, f *Field[E], n int) {
	ctx := context.Background()
	c, err := f.Convolution(n, false, field.Spec{Unchecked: true})
	require.NoError(b, err)
	x, err := c.NewVec()
	require.NoError(b, err)
	y, err := c.NewVec()
	require.NoError(b, err)
	a, z := make([]E, n/2), make([]E, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range a {
		f.Random(&a[i], r)
	}
	load := func() error { return errors.Join(c.Load(x, a), c.Load(y, a)) }
	forward := func() error { return errors.Join(c.ForwardVec(ctx, x), c.ForwardVec(ctx, y)) }
	product := func() error { return c.MulVec(x, x, y) }
	inverse := func() error { return c.InverseVec(ctx, x) }
	store := func() error { return c.Store(z, x) }
	all := func() error { return errors.Join(load(), forward(), product(), inverse(), store()) }
	require.NoError(b, all())
	for _, s := range []struct {
		name string
		do   func() error
	}{{"load", load}, {"forward", forward}, {"product", product}, {"inverse", inverse}, {"store", store}, {"all", all}} {
		b.Run(fmt.Sprintf("%d bits/2^%d/%s", f.Characteristic().BitLen(), bits.Len(uint(n-1)), s.name), func(b *testing.B) {
			for b.Loop() {
				if err := s.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
