package poly_test

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// Any number of workers computes the same: truncated, wrapped and cut products, moduli, middle products, operands that
// were transformed once, and values of extensions.
func TestWorkers(t *testing.T) {
	mersenne, err := smallprime.New64(1<<61 - 1)
	require.NoError(t, err)
	workers[uint64](t, smallprime.P62())
	workers[uint64](t, mersenne)
	workers[[4]uint64](t, bigprime.BN254())
}

func workers[E any](t *testing.T, f interface {
	field.Field[E]
	field.Sampler[E]
}) {
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []E {
		x := make([]E, n)
		for i := range x {
			f.Random(&x[i], rnd)
		}
		return x
	}
	a, b, c := random(4096), random(1500), random(900) // a·b is truncated, b·c not
	var want [][]E
	for _, workers := range []int{1, 2, 3, 5, 8, 16, 64} {
		ring, err := poly.New(f, fft.WithWorkers(workers), fft.WithGrain(1))
		require.NoError(t, err)
		ring = ring.WithSchoolbook(8)
		ctx := t.Context()
		o, err := ring.Prepare(ctx, c, 6000)
		require.NoError(t, err)
		var got [][]E
		for _, call := range []func() ([]E, error){
			func() ([]E, error) { return ring.Mul(ctx, a, b) },
			func() ([]E, error) { return ring.Mul(ctx, b, c) },
			func() ([]E, error) { return ring.Mul(ctx, a, a[:30]) },
			func() ([]E, error) { return ring.Square(ctx, b) },
			func() ([]E, error) { return ring.Cyclic(ctx, a, b, 1024) },
			func() ([]E, error) { return ring.Negacyclic(ctx, a, b, 1024) },
			func() ([]E, error) { return ring.Negacyclic(ctx, a, b, 1000) },
			func() ([]E, error) { return ring.Middle(ctx, a, c) },
			func() ([]E, error) { return ring.MulOperand(ctx, a, o) },
		} {
			z, err := call()
			require.NoError(t, err)
			got = append(got, z)
		}
		if want == nil {
			want = got
		}
		for i := range want {
			require.Equal(t, want[i], got[i], "call %d, %d workers", i, workers)
		}
		if raceEnabled {
			continue
		}
		z := make([]E, len(a)+len(b)-1)
		require.LessOrEqual(t, testing.AllocsPerRun(30, func() {
			require.NoError(t, ring.MulTo(ctx, z, a, b))
		}), 0., "%d workers", workers)
	}
}

// The first of several coefficients that are not canonical is the one that errors name.
func TestWorkersCheck(t *testing.T) {
	f := smallprime.P62()
	for _, workers := range []int{1, 2, 8, 64} {
		ring, err := poly.New(f, fft.WithWorkers(workers), fft.WithGrain(1))
		require.NoError(t, err)
		for _, first := range []int{0, 511, 512, 4000} {
			a := make([]uint64, 5000)
			a[first], a[4999] = f.Modulus(), f.Modulus()
			var bad *field.RangeError
			_, err := ring.Mul(t.Context(), make([]uint64, 3), a)
			require.ErrorAs(t, err, &bad)
			require.Equal(t, field.RangeError{What: "b", Index: first}, *bad)
		}
	}
}
