package fft_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
)

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
		{report(fft.NewConvolution(ctx, goldilocks, 64)), fft.NativeProducts, "the field has the roots"},
		{report(fft.NewConvolution(ctx, goldilocks, 64, native)), fft.NativeProducts, "asked for"},
		{report(fft.NewConvolution(ctx, goldilocks, 64, crt)), fft.CRTProducts, "asked for"},
		{report(fft.NewConvolution(ctx, goldilocks, 15)), fft.NativeProducts, "there is no other way for this field and length"},
		{report(fft.NewConvolution(ctx, goldilocks, 4, fft.WithCoset(uint64(3)))), fft.NativeProducts,
			"a root or a coset was given"},
		{report(fft.NewConvolution(ctx, gfpf.K4(), 64)), fft.NativeProducts, "there is no other way for this field and length"},
		{report(fft.NewConvolution(ctx, mersenne, 64)), fft.CRTProducts, "the field has no roots of order 64"},
		{report(fft.NewConvolution(ctx, mersenne, 2)), fft.NativeProducts, "the field has the roots"},
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
