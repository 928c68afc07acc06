package poly_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// planned counts the plans that are made, those of one point by the roots that they ask for.
type planned struct {
	*smallprime.Field64
	plans *atomic.Int32
}

func (p planned) RootOfUnity(z *uint64, order uint64) error {
	if order <= 2 {
		p.plans.Add(1)
	}
	return p.Field64.RootOfUnity(z, order)
}

func (p planned) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	p.plans.Add(1)
	return p.Field64.Plan(d, s)
}

// A product alone makes the plans that it uses, and a ring makes each once.
func TestPlansMade(t *testing.T) {
	f := planned{smallprime.P62(), new(atomic.Int32)}
	a, b := make([]uint64, 64), make([]uint64, 65)
	for _, c := range []struct {
		plans int32
		a, b  []uint64
	}{{0, nil, a}, {0, a[:1], b}, {1, a, b}, {1, a, a}, {1, a, b[:40]}} {
		f.plans.Store(0)
		_, err := poly.Mul(f, c.a, c.b)
		require.NoError(t, err)
		require.Equal(t, c.plans, f.plans.Load(), "%d by %d", len(c.a), len(c.b))
	}
	f.plans.Store(0)
	r := must(poly.New(f))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := r.Mul(ctx, a, b)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, f.plans.Load())
}

// A ring says which plans it remembers, and they are not without bound.
func TestPlansKept(t *testing.T) {
	f := smallprime.BabyBear()
	r := must(poly.New(f))
	kept := func() string {
		var s strings.Builder
		require.NoError(t, r.Explain(ctx, &s, 1, 1))
		_, list, ok := strings.Cut(s.String(), "\nplans    ")
		require.True(t, ok)
		return strings.TrimSuffix(list, "\n")
	}
	require.Equal(t, "none", kept())
	a := make([]uint32, 100)
	_, err := r.Mul(ctx, a, a)
	require.NoError(t, err)
	_, err = r.Negacyclic(ctx, a, a, 32)
	require.NoError(t, err)
	_, err = r.Evaluate(ctx, a, 3)
	require.NoError(t, err)
	require.ErrorIs(t, errorOf(r.Evaluate(ctx, a, 7)), field.ErrNoRoot)
	require.Equal(t, "modulo x^n - 1 for n = 256, modulo x^n + 1 for n = 32, 3 values", kept())

	f2 := smallprime.Goldilocks() // whose order has many divisors
	s, c := must(poly.New(f2)), []uint64{1, 2, 3}
	for n := uint64(1); n < 5000; n++ {
		if (f2.Modulus()-1)%n != 0 {
			continue
		}
		_, err := s.Evaluate(ctx, c, int(n))
		require.NoError(t, err)
	}
	var list strings.Builder
	require.NoError(t, s.Explain(ctx, &list, 1, 1))
	require.Equal(t, 64, strings.Count(list.String(), " values"))
}

func errorOf[T any](_ T, err error) error { return err }
