package crt_test

import (
	"context"
	"math/big"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
)

// countdown is a context that ends when it was asked so many times.
type countdown struct {
	context.Context
	left, asked atomic.Int64
}

func newCountdown(left int64) *countdown {
	c := &countdown{Context: context.Background()}
	c.left.Store(left)
	return c
}

func (c *countdown) Err() error {
	c.asked.Add(1)
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Systems look at the context for each prime while they are made, and conversions for each prime and each integer of
// many words. An end at any look is the error.
func TestStops(t *testing.T) {
	const (
		k = 520 // primes, more than kernels serve
		n = 64
	)
	stops := func(what string, least int64, call func(ctx context.Context) error) {
		ctx := newCountdown(1 << 40)
		require.NoError(t, call(ctx))
		asked := ctx.asked.Load()
		require.GreaterOrEqual(t, asked, least, what)
		for left := int64(0); left < asked; left += 1 + asked/3 {
			require.ErrorIs(t, call(newCountdown(left)), context.Canceled, "%s, end %d of %d", what, left, asked)
		}
		require.ErrorIs(t, call(newCountdown(asked-1)), context.Canceled, what)
	}
	primes := must(crt.Primes(t.Context(), 62, 1, k))
	s := must(crt.New(t.Context(), primes))
	stops("Primes", k, func(ctx context.Context) error { _, err := crt.Primes(ctx, 62, 1, k); return err })
	stops("New", 3*k, func(ctx context.Context) error { _, err := crt.New(ctx, primes); return err })
	stops("NewBounded", 4*k, func(ctx context.Context) error {
		_, err := crt.NewBounded(ctx, new(big.Int).Rsh(s.Modulus(), 2), 1)
		return err
	})
	r, a := must(s.NewResidues(n)), constant(n, new(big.Int).Rsh(s.Modulus(), 2))
	stops("Residues", n/32*k, func(ctx context.Context) error { return s.Residues(ctx, r, a) })
	z := must(s.NewInts(n))
	stops("Garner", n/32*k+n, func(ctx context.Context) error { return s.Garner(ctx, z, r) })
	requireInts(t, a, z, "from residues")
	const many = 1 << 16
	ones, words := constant(many, big.NewInt(1)), make([]*big.Int, many)
	for i := range words {
		words[i^1] = big.NewInt(int64(i)) // not in the order of their addresses
	}
	two := must(crt.New(t.Context(), primes[:2]))
	rows := must(two.NewResidues(many))
	stops("Residues of words", many/64, func(ctx context.Context) error { return two.Residues(ctx, rows, ones) })
	stops("Garner of words", many/64+many/4096, func(ctx context.Context) error { return two.Garner(ctx, words, rows) })
	stops("Mul", 3*k, func(ctx context.Context) error {
		_, err := crt.Mul(ctx, a[:1], a[1:2])
		return err
	})
	stops("Mul of words", many/32, func(ctx context.Context) error {
		_, err := crt.Mul(ctx, ones, ones[:1])
		return err
	})
}
