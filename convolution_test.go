package fft_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testscale"
)

// threeTimes is the reason of primes of a word.
const threeTimes = "other primes take about 3.00 of the time of transforms over the field"

// Convolutions take the way that is asked for, or the faster one, and say why.
func TestProducts(t *testing.T) {
	ctx := context.Background()
	report := func(c interface{ Report() fft.Report }, err error) fft.Report {
		t.Helper()
		require.NoError(t, err)
		return c.Report()
	}
	goldilocks, mersenne, secp256k1 := smallprime.Goldilocks(), smallprime.Mersenne31(), bigprime.Secp256k1()
	native, crt := fft.WithProducts(fft.NativeProducts), fft.WithProducts(fft.CRTProducts)
	for _, c := range []struct {
		of     fft.Report
		way    fft.Products
		reason string
	}{
		{report(fft.NewConvolution(ctx, goldilocks, 64)), fft.NativeProducts, threeTimes},
		{report(fft.NewConvolution(ctx, goldilocks, 64, native)), fft.NativeProducts, "asked for"},
		{report(fft.NewConvolution(ctx, goldilocks, 64, crt)), fft.CRTProducts, "asked for"},
		{report(fft.NewConvolution(ctx, goldilocks, 15)), fft.NativeProducts, "there is no other way for this field and length"},
		{report(fft.NewConvolution(ctx, goldilocks, 4, fft.WithCoset(uint64(3)))), fft.NativeProducts,
			"a root or a coset was given"},
		{report(fft.NewConvolution(ctx, gfpf.K4(), 64)), fft.NativeProducts, "there is no other way for this field and length"},
		{report(fft.NewConvolution(ctx, mersenne, 64)), fft.CRTProducts, "the field has no roots of order 64"},
		{report(fft.NewConvolution(ctx, mersenne, 2)), fft.NativeProducts, threeTimes},
		{report(fft.NewConvolution(ctx, mersenne, 2, fft.WithNegacyclic())), fft.CRTProducts,
			"the field has no roots of order 4"},
		{report(fft.NewConvolution(ctx, secp256k1, 64)), fft.CRTProducts, "the field has no roots of order 64"},
	} {
		require.Equal(t, c.way, c.of.Products)
		require.Equal(t, c.reason, c.of.ProductsReason)
	}
	plan, err := fft.NewPlan(goldilocks, 64, crt)
	require.NoError(t, err, "transforms make no products")
	require.Equal(t, fft.AutoProducts, plan.Report().Products)
	require.Equal(t, fft.CRTProducts, fft.ProductsOf(native, crt, nil))

	for _, c := range []struct {
		want error
		do   func() (fft.Convolution[uint64], error)
	}{
		{fft.ErrSpec, func() (fft.Convolution[uint64], error) {
			return fft.NewConvolution(ctx, goldilocks, 64, fft.WithProducts(3))
		}},
		{fft.ErrSpec, func() (fft.Convolution[uint64], error) {
			return fft.NewConvolution(ctx, goldilocks, 4, crt, fft.WithCoset(uint64(3)))
		}},
		{fft.ErrLength, func() (fft.Convolution[uint64], error) {
			return fft.NewConvolution(ctx, goldilocks, 15, crt)
		}},
	} {
		_, err := c.do()
		require.ErrorIs(t, err, c.want)
	}
	_, err = fft.NewConvolution(ctx, gfpf.K4(), 64, crt)
	require.ErrorIs(t, err, fft.ErrSpec)
	_, err = fft.NewConvolution(ctx, mersenne, 64, native)
	require.ErrorIs(t, err, fft.ErrNoRoot)
	_, err = fft.NewConvolution(ctx, secp256k1, 64, native)
	require.ErrorIs(t, err, fft.ErrNoRoot)
}

// Products in one call are those of the methods one after the other, bit for bit: for operands of all lengths at edges,
// from any coefficient on, for squares, where the second factor has its values, and where the product overwrites one.
func TestMultiply(t *testing.T) {
	testMultiply(t, smallprime.BabyBear())
	testMultiply(t, smallprime.P50())
	testMultiply(t, smallprime.P62())
	testMultiply(t, smallprime.P63())
	testMultiply(t, smallprime.Goldilocks())

	f := smallprime.P50()
	for _, checked := range []bool{true, false} {
		opts := []fft.Option{fft.WithoutRangeCheck()}
		if checked {
			opts = nil
		}
		c, err := fft.NewConvolution(context.Background(), f, 4, opts...)
		require.NoError(t, err)
		x, err := c.NewVec()
		require.NoError(t, err)
		y, err := c.NewVec()
		require.NoError(t, err)
		one, wrong := []uint64{1}, []uint64{0, f.Modulus()}
		for _, operands := range [][2][]uint64{{one, wrong}, {wrong, one}} {
			err := c.(field.Multiplier[uint64]).Multiply(context.Background(), nil, 0, operands[0], operands[1], x, y)
			require.Equal(t, checked, errors.Is(err, fft.ErrRange))
		}
	}
}

func testMultiply[E comparable](t *testing.T, f interface {
	field.Rooted[E]
	field.Info
	field.Sampler[E]
}) {
	ctx, r, scale := context.Background(), rand.New(rand.NewPCG(1, 2)), testscale.Of(t)
	random := func(n int) []E {
		x := make([]E, n)
		for i := range x {
			f.Random(&x[i], r)
		}
		return x
	}
	for _, n := range []int{1, 2, 8, 16, 32, 512, 4096, 1 << 16, 1 << 19} {
		for i, opts := range [][]fft.Option{nil, {fft.WithNegacyclic()}, {fft.WithWorkers(3), fft.WithGrain(1 << 10)},
			{fft.WithAlgorithm(fft.FourStep)},
			{fft.WithAlgorithm(fft.FourStep), fft.WithNegacyclic(), fft.WithWorkers(3), fft.WithGrain(1)}} {
			if i > 2 && n < 4 {
				continue // it has no two factors
			}
			if n > 1<<16 && f.Name() != "p50" || n > 4096 && raceEnabled && opts == nil {
				continue // what differs there is the same for all fields; one worker shares nothing
			}
			if n > 4096 && scale < testscale.Full && (f.Name() != "babybear" && f.Name() != "p50" || n > 1<<16 && i%4 > 0) {
				continue // a field of each word, and the longest by one worker and by several, with factors and without
			}
			c, err := fft.NewConvolution[E](ctx, f, n, opts...)
			require.NoError(t, err)
			m, ok := c.(field.Multiplier[E])
			require.True(t, ok)
			vec := func() fft.Vec {
				v, err := c.NewVec()
				require.NoError(t, err)
				return v
			}
			x, y, v, w := vec(), vec(), vec(), vec()
			want := func(a, b []E) []E {
				z := make([]E, n)
				require.NoError(t, c.Load(v, a))
				require.NoError(t, c.Load(w, b))
				require.NoError(t, c.ForwardVec(ctx, v))
				require.NoError(t, c.ForwardVec(ctx, w))
				require.NoError(t, c.MulVec(v, v, w))
				require.NoError(t, c.InverseVec(ctx, v))
				require.NoError(t, c.Store(z, v))
				return z
			}
			lengths := []int{0, 1, n/4 - 1, n / 4, n/4 + 1, n/2 - 1, n / 2, n/2 + 1, n - 1, n}
			if n > 4096 || n > 512 && scale < testscale.Full { // edges are the same as below, passes are not
				lengths = []int{1, n/4 + 255, n}
			}
			for _, la := range lengths {
				for _, lb := range lengths {
					if la < 0 || lb < 1 || la > n || lb > n {
						continue
					}
					a, b := random(la + 1)[:la], random(lb + 1)[:lb] // what stands behind them is no zero
					at := fmt.Sprintf("%s: %d by %d coefficients, length %d", f.Name(), la, lb, n)
					z, from := want(a, b), r.IntN(n+1)
					got := make([]E, r.IntN(n-from+1))
					require.NoError(t, m.Multiply(ctx, got, from, a, b, x, y))
					require.True(t, slices.Equal(z[from:][:len(got)], got), at)
					got = make([]E, n)
					require.NoError(t, m.Multiply(ctx, got, 0, a, nil, x, y))
					require.True(t, slices.Equal(z, got), "%s, the second known", at)
					z = want(b, b)
					require.NoError(t, m.Multiply(ctx, got, 0, b, b, x, nil))
					require.True(t, slices.Equal(z, got), "%s, square", at)
					z = want(a, b)[:lb]
					require.NoError(t, m.Multiply(ctx, b, 0, a, b, x, y))
					require.True(t, slices.Equal(z, b), "%s, in place", at)
				}
			}
			// Vectors serve the other methods after that.
			a, b := random(n), random(n)
			require.NoError(t, m.Multiply(ctx, slices.Clone(a), 0, a, b, x, y))
			require.NoError(t, c.InverseVec(ctx, y))
			got := make([]E, n)
			require.NoError(t, c.Store(got, y))
			require.Equal(t, b, got)

			ended, cancel := context.WithCancel(ctx)
			cancel()
			long := make([]E, n+1)
			for _, c := range []struct {
				want error
				err  error
			}{
				{fft.ErrLength, m.Multiply(ctx, a, 0, long, b, x, y)},
				{fft.ErrLength, m.Multiply(ctx, a, 0, a, long, x, y)},
				{fft.ErrLength, m.Multiply(ctx, a, 1, a, b, x, y)},
				{fft.ErrLength, m.Multiply(ctx, nil, -1, a, b, x, y)},
				{fft.ErrLength, m.Multiply(ctx, nil, n+1, a, b, x, y)},
				{fft.ErrVec, m.Multiply(ctx, a, 0, a, b, nil, y)},
				{fft.ErrVec, m.Multiply(ctx, a, 0, a, b, x, nil)},
				{fft.ErrSpec, m.Multiply(noContext, a, 0, a, b, x, y)},
				{context.Canceled, m.Multiply(ended, a, 0, a, b, x, y)},
			} {
				require.ErrorIs(t, c.err, c.want)
			}
			if !raceEnabled {
				require.Zero(t, testing.AllocsPerRun(10, func() { _ = m.Multiply(ctx, got, 0, a, b, x, y) }))
			}
		}
	}
}
