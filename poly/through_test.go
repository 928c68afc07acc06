package poly_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// Products of thousands of coefficients over primes without roots equal those of integers.
func TestThroughPrimes(t *testing.T) {
	for _, p := range rootlessPrimes {
		f := prime64(p)
		for _, l := range [][2]int{{13, 13}, {49, 49}, {5000, 4097}, {9000, 700}, {1 << 13, 1 << 13}} {
			a, b := random(f, rng(l[0]), l[0]), random(f, rng(l[1], 1), l[1])
			for i := range min(l[0], l[1]) / 2 { // half of them −1
				a[i], b[i] = p-1, p-1
			}
			got, err := poly.Mul(f, a, b)
			require.NoError(t, err)
			require.Equal(t, kronecker(p, a, b), got, "%d by %d modulo %d", l[0], l[1], p)
		}
	}
}

func TestExplain(t *testing.T) {
	p12289 := prime64(12289)
	for _, c := range []struct {
		f    field.Field[uint64]
		a, b int
		want []string
	}{
		{smallprime.P62(), 0, 5, []string{"p62: product of 5 by 0", "none"}},
		{smallprime.P62(), 5, 7, []string{"schoolbook"}},
		{smallprime.P62(), 1000, 1000, []string{"modulo x^2048 - 1", "p < 2^62"}},
		{smallprime.P62(), 1025, 1025, []string{"modulo x^2048 - 1, and 1 coefficients by the schoolbook"}},
		{smallprime.P62(), 100, 100000, []string{"product of 100000 by 100 ", "blocks, each modulo x^"}},
		{smallprime.P62(), 4500, 4500, []string{"modulo (x^8192 + 1)(x^1024 + 1)", "length   8192", "length   1024"}},
		{p12289, 1000, 1000, []string{"prime:12289", "modulo x^2048 - 1", "values in ["}},
		{p12289, 4096, 4096, []string{"modulo x^8192 - 1", "products of integers modulo "}},
		{prime64(1<<61 - 1), 1 << 10, 1 << 10, []string{"modulo x^2048 - 1", "products of integers modulo "}},
	} {
		var s strings.Builder
		require.NoError(t, must(poly.New(c.f)).Explain(ctx, &s, c.a, c.b))
		for _, want := range c.want {
			require.Contains(t, s.String(), want)
		}
	}
	r := must(poly.New(rootless[uint64]{p998}))
	var s strings.Builder
	require.ErrorIs(t, r.Explain(ctx, &s, 1000, 1000), field.ErrNoRoot)
	require.ErrorIs(t, r.Explain(ctx, &s, -1, 5), field.ErrLength)
	require.ErrorIs(t, r.Explain(noContext, &s, 5, 5), field.ErrSpec)
	require.Empty(t, s.String())
}

// looked is a context that ends at a look at it.
type looked struct {
	context.Context
	left   atomic.Int64 // looks before the end
	cancel context.CancelFunc
}

func endsAfter(looks int64) *looked {
	c := new(looked)
	c.Context, c.cancel = context.WithCancel(ctx)
	c.left.Store(looks)
	return c
}

func (c *looked) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// A context that ends while a plan is made, early or late, is no error for those who come later.
func TestStoppedPlan(t *testing.T) {
	f := prime64(1<<61 - 1)
	r := must(poly.New(f, fft.WithWorkers(2)))
	a := random(f, rng(1), 1<<12)
	var got []uint64
	var err error
	looks := int64(1)
	for ; looks < 1<<20; looks *= 2 {
		c := endsAfter(looks)
		got, err = r.Mul(c, a, a)
		if c.cancel(); err == nil {
			break
		}
		require.ErrorIs(t, err, context.Canceled)
	}
	require.NoError(t, err, "after %d looks", looks)
	require.Greater(t, looks, int64(8), "ends in the making, and later")
	require.Equal(t, kronecker(f.Modulus(), a, a), got)
}

// Coefficients that are no elements are found by every method, by their operand and index, before anything is written.
func TestRange(t *testing.T) {
	for _, f := range []*smallprime.Field64{smallprime.P62(), prime64(1<<61 - 1)} {
		for _, n := range []int{5, 300} { // the schoolbook, and transforms
			r, free := must(poly.New(f)), must(poly.New(f, fft.WithoutRangeCheck()))
			a, b, dst := random(f, rng(1), 2*n), random(f, rng(2), n), make([]uint64, 3*n-1)
			wrong := append([]uint64(nil), b...)
			wrong[n-1] = f.Modulus()
			o, err := r.Prepare(ctx, a, len(dst))
			require.NoError(t, err)
			for name, c := range map[string]struct {
				what string
				do   func() error
			}{
				"MulTo":        {"b", func() error { return r.MulTo(ctx, dst, a, wrong) }},
				"MulTo, a":     {"a", func() error { return r.MulTo(ctx, dst, wrong, a) }},
				"SquareTo":     {"a", func() error { return r.SquareTo(ctx, dst[:2*n-1], wrong) }},
				"MiddleTo":     {"b", func() error { return r.MiddleTo(ctx, dst[:n+1], a, wrong) }},
				"CyclicTo":     {"b", func() error { return r.CyclicTo(ctx, dst[:min(64, len(dst))], a, wrong) }},
				"NegacyclicTo": {"a", func() error { return r.NegacyclicTo(ctx, dst[:min(64, len(dst))], wrong, a) }},
				"MulOperandTo": {"b", func() error { return r.MulOperandTo(ctx, dst, wrong, o) }},
				"Prepare":      {"a", func() error { _, err := r.Prepare(ctx, wrong, len(dst)); return err }},
				"Evaluate":     {"a", func() error { _, err := r.Evaluate(ctx, wrong, 2); return err }},
				"Interpolate": {"v", func() error {
					_, err := r.Interpolate(ctx,
						[]uint64{1, f.Modulus()})
					return err
				}},
			} {
				index := n - 1
				if name == "Interpolate" {
					index = 1
				}
				err := c.do()
				require.ErrorIs(t, err, field.ErrRange, name)
				var place *field.RangeError
				require.ErrorAs(t, err, &place, name)
				require.Equal(t, field.RangeError{What: c.what, Index: index}, *place, name)
				require.Equal(t, make([]uint64, len(dst)), dst, "%s: written", name)
			}
			require.NoError(t, free.MulTo(ctx, dst, a, wrong))
		}
	}
	one := uint64(1)
	f := smallprime.P62()
	l, err := poly.NewLDE(f, 8, 2, 1, &one)
	require.NoError(t, err)
	require.ErrorIs(t, l.ExtendTo(ctx, make([]uint64, 16), []uint64{7: f.Modulus()}), field.ErrRange)
}

// Waiting for a plan that another call makes ends with the context, and plans in the making are not touched meanwhile.
func TestWaitForPlan(t *testing.T) {
	r := must(poly.New(smallprime.Goldilocks()))
	const n = 3 << 17
	made := make(chan error)
	go func() {
		_, err := r.Evaluate(ctx, []uint64{1}, n)
		made <- err
	}()
	for range 4 {
		short, cancel := context.WithTimeout(ctx, 100*time.Microsecond)
		if _, err := r.Evaluate(short, []uint64{1}, n); err != nil {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		cancel()
	}
	require.NoError(t, <-made)
}
