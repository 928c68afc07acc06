package poly_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// kroneckerBig is a·b over a large prime by one product of integers.
func kroneckerBig(f *bigprime.Field[[4]uint64], a, b [][4]uint64) [][4]uint64 {
	const slot = 8 * 72 // bits: products below 2^512, at most 2^64 of them
	pack := func(a [][4]uint64) *big.Int {
		bytes := make([]byte, slot/8*len(a))
		for i := range a {
			f.PutBytes(bytes[slot/8*i:], &a[i])
		}
		for i, j := 0, len(bytes)-1; i < j; i, j = i+1, j-1 {
			bytes[i], bytes[j] = bytes[j], bytes[i]
		}
		return new(big.Int).SetBytes(bytes)
	}
	z, mask, t := new(big.Int).Mul(pack(a), pack(b)), new(big.Int).Lsh(big.NewInt(1), slot), new(big.Int)
	mask.Sub(mask, big.NewInt(1))
	c := make([][4]uint64, len(a)+len(b)-1)
	for i := range c {
		t.And(t.Rsh(z, uint(slot*i)), mask)
		if err := f.SetBig(&c[i], t.Mod(t, f.Characteristic())); err != nil {
			panic(err)
		}
	}
	return c
}

// Products of thousands of coefficients over large primes, with roots and without, equal those of integers in every
// way.
func TestThroughLargePrimes(t *testing.T) {
	for _, f := range []*bigprime.Field[[4]uint64]{bigprime.Secp256k1(), bigprime.BN254()} {
		for _, way := range []fft.Products{fft.AutoProducts, fft.NativeProducts, fft.CRTProducts} {
			r := must(poly.New(f, fft.WithProducts(way)))
			for _, l := range [][2]int{{9, 9}, {49, 49}, {1000, 70}, {1500, 1100}} {
				a, b := random(f, rng(l[0]), l[0]), random(f, rng(l[1], 1), l[1])
				var one [4]uint64
				f.One(&one)
				for i := range min(l[0], l[1]) / 2 { // half of them −1
					f.Neg(&a[i], &one)
					f.Neg(&b[i], &one)
				}
				got, err := r.Mul(ctx, a, b)
				if way == fft.NativeProducts && f.Name() == "secp256k1" && l[0] > 40 {
					require.ErrorIs(t, err, field.ErrNoRoot)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, kroneckerBig(f, a, b), got, "%s, %v, %d by %d", f.Name(), way, l[0], l[1])
			}
		}
	}
}

// Every kind of product is the same in every way, bit for bit.
func TestWays(t *testing.T) {
	ways(t, bigprime.BN254())
	ways(t, smallprime.P62())
	ways(t, smallprime.BabyBear())
}

func ways[E any](t *testing.T, f field.Field[E]) {
	a, b := random(f, rng(1), 300), random(f, rng(2), 200)
	var want [][]E
	for _, way := range []fft.Products{fft.NativeProducts, fft.CRTProducts, fft.AutoProducts} {
		r := must(poly.New(f, fft.WithProducts(way)))
		var got [][]E
		add := func(c []E, err error) {
			require.NoError(t, err)
			got = append(got, c)
		}
		add(r.Mul(ctx, a, b))
		add(r.Square(ctx, a))
		add(r.Middle(ctx, a, b))
		add(r.Cyclic(ctx, a, b, 256))
		add(r.Negacyclic(ctx, a, b, 128))
		x, err := r.Prepare(ctx, a, 499)
		require.NoError(t, err)
		y, err := r.Prepare(ctx, b, 499)
		require.NoError(t, err)
		add(r.MulOperand(ctx, b, x))
		add(r.MulOperands(ctx, x, y))
		add(r.Evaluate(ctx, a, 16))
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "%v", way)
	}
}

// A ring takes the way that is asked for, and says why; fields without it are errors.
func TestProductsOption(t *testing.T) {
	explain := func(r explainer) string {
		var s strings.Builder
		require.NoError(t, r.Explain(ctx, &s, 1000, 1000))
		return s.String()
	}
	native, crt := fft.WithProducts(fft.NativeProducts), fft.WithProducts(fft.CRTProducts)
	bn254, secp256k1, p62 := bigprime.BN254(), bigprime.Secp256k1(), smallprime.P62()
	for _, c := range []struct {
		r    explainer
		want string
	}{
		{must(poly.New(p62)), "products native: other primes take about 3.00 of the time"},
		{must(poly.New(p62, native)), "products native: asked for"},
		{must(poly.New(p62, crt)), "products crt: asked for"},
		{must(poly.New(prime64(1<<61 - 1))), "products crt: the field has no roots of order 2048"},
		{must(poly.New(secp256k1)), "products crt: the field has no roots of order 2048"},
		{must(poly.New(bn254, crt)), "products crt: asked for"},
		{must(poly.New(bn254, native)), "products native: asked for"},
		{must(poly.New(bn254)), fmt.Sprintf("products %v: other primes take about %.2f of the time",
			faster(bn254.ConvolutionCost(2048)), bn254.ConvolutionCost(2048))},
		{must(poly.New(costed{p62, 0.5})), "products crt: other primes take about 0.50 of the time"},
		{must(poly.New(costed{p62, 1.5})), "products native: other primes take about 1.50 of the time"},
	} {
		require.Contains(t, explain(c.r), c.want)
	}
	r, err := must(poly.New(secp256k1)).Products(ctx, 5, 1000)
	require.NoError(t, err)
	require.Equal(t, fft.AutoProducts, r.Products)
	require.Equal(t, "by the schoolbook", r.ProductsReason)
	r, err = must(poly.New(secp256k1)).Products(ctx, 100, 150)
	require.NoError(t, err)
	require.Equal(t, fft.CRTProducts, r.Products)
	require.Contains(t, r.ProductsReason, "the field has no roots")
	for _, l := range [][2]int{{-1, 5}, {5, -1}} {
		_, err = must(poly.New(secp256k1)).Products(ctx, l[0], l[1])
		require.ErrorIs(t, err, field.ErrLength)
	}
	for _, way := range []fft.Products{fft.CRTProducts, 7} {
		_, err := poly.New(gfpf.K4(), fft.WithProducts(way))
		require.ErrorIs(t, err, field.ErrSpec)
	}
	_, err = poly.New(bn254, fft.WithProducts(7))
	require.ErrorIs(t, err, field.ErrSpec)
	a := random(p998, rng(3), 1000)
	_, err = must(poly.New(prime64(1<<61-1), native)).Square(ctx, a)
	require.ErrorIs(t, err, field.ErrNoRoot)
}

type explainer interface {
	Explain(ctx context.Context, w io.Writer, a, b int) error
}

func faster(cost float64) fft.Products {
	if cost < 1 {
		return fft.CRTProducts
	}
	return fft.NativeProducts
}

// costed is a field that says what its convolutions cost.
type costed struct {
	*smallprime.Field64
	cost float64
}

func (f costed) ConvolutionCost(int) float64 { return f.cost }

// Where blocks of the roots that a field has cost less than other primes, they are taken.
func TestShortRoots(t *testing.T) {
	f := prime64(12289) // roots up to 4096
	for _, c := range []struct {
		cost float64
		want string
	}{{3, "products native"}, {0.9, "products crt"}} {
		var s strings.Builder
		require.NoError(t, must(poly.New(costed{f, c.cost})).Explain(ctx, &s, 20000, 1500))
		require.Contains(t, s.String(), c.want)
	}
}

// Products through other primes allocate nothing once warm.
func TestThroughAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("pools are emptied at random")
	}
	f := bigprime.Secp256k1()
	r := must(poly.New(f))
	a, b := random(f, rng(1), 300), random(f, rng(2), 300)
	dst := make([][4]uint64, 599)
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if err := errors.Join(r.MulTo(ctx, dst, a, b), r.SquareTo(ctx, dst, a)); err != nil {
			t.Error(err)
		}
	}))
}
