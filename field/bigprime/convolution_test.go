package bigprime

import (
	"context"
	"math/big"
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

func BenchmarkStages(b *testing.B) {
	f := BN254()
	n := 1 << 17
	ctx := context.Background()
	c, err := f.Convolution(n, false, field.Spec{Unchecked: true})
	require.NoError(b, err)
	x, _ := c.NewVec()
	y, _ := c.NewVec()
	a, z := make([][4]uint64, n/2), make([][4]uint64, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range a {
		f.Random(&a[i], r)
	}
	load := func() { c.Load(x, a) }
	load()
	c.Load(y, a)
	forward := func() { c.ForwardVec(ctx, x) }
	mul := func() { c.MulVec(x, x, y) }
	inverse := func() { c.InverseVec(ctx, x) }
	store := func() { c.Store(z, x) }
	for _, s := range []struct {
		name string
		f    func()
	}{{"load", load}, {"forward", forward}, {"mul", mul}, {"inverse", inverse}, {"store", store}, {"all", func() {
		load()
		c.Load(y, a)
		forward()
		c.ForwardVec(ctx, y)
		mul()
		inverse()
		store()
	}}} {
		b.Run(s.name, func(b *testing.B) {
			for b.Loop() {
				s.f()
			}
		})
	}
}
