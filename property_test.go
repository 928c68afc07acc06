package fft_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
)

// drawPlan draws parameters of every kind and a plan of a word-size field with them.
func drawPlan(t *rapid.T, n int, opts ...fft.Option) (*smallprime.Field64, *fft.Plan[uint64]) {
	p := rapid.SampledFrom([]uint64{998244353, 1125899437080577, 4611686018326724609, 9223372036737335297,
		18446744073692774401}).Draw(t, "p")
	f, err := smallprime.New64(p)
	if err != nil {
		t.Fatal(err)
	}
	power := func(name string) int { return 1 << rapid.IntRange(1, 8).Draw(t, name) }
	opts = append(opts,
		fft.WithAlgorithm(rapid.SampledFrom([]fft.Algorithm{fft.Auto, fft.SixStep, fft.SixStepMerged, fft.FourStep,
			fft.DepthFirst}).Draw(t, "algorithm")),
		fft.WithOrder(rapid.SampledFrom([]fft.Order{fft.Natural, fft.BitReversed, fft.Scheme}).Draw(t, "order")),
		fft.WithTwiddles(rapid.SampledFrom([]fft.Twiddles{fft.FullTwiddles, fft.TwoLevel}).Draw(t, "twiddles")),
		fft.WithBase(power("base")), fft.WithStrip(power("strip")), fft.WithCache(power("cache")),
		fft.WithWorkers(rapid.IntRange(1, 4).Draw(t, "workers")), fft.WithGrain(1))
	plan, err := fft.NewPlan(f, n, opts...)
	if errors.Is(err, fft.ErrScheme) && n < 4 {
		plan, err = fft.NewPlan(f, n, append(opts, fft.WithAlgorithm(fft.Auto))...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, plan
}

func drawVector(t *rapid.T, f *smallprime.Field64, n int, name string) []uint64 {
	edge := rapid.SampledFrom([]uint64{0, 1, f.Modulus() - 1})
	return rapid.SliceOfN(rapid.OneOf(edge, rapid.Uint64Range(0, f.Modulus()-1)), n, n).Draw(t, name)
}

// Transforms are linear, turn a rotation into a multiplication by powers of the root, and come back, whatever
// the parameters.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(0, 9).Draw(t, "log n")
		f, p := drawPlan(t, n)
		x, y := drawVector(t, f, n, "x"), drawVector(t, f, n, "y")
		run := func(src []uint64) []uint64 {
			dst := make([]uint64, n)
			if err := p.Forward(dst, src); err != nil {
				t.Fatal(err)
			}
			return dst
		}
		sum, rotated := make([]uint64, n), make([]uint64, n)
		f.AddVec(sum, x, y)
		for i := range x {
			rotated[(i+1)%n] = x[i]
		}
		fx, fy := run(x), run(y)
		want := make([]uint64, n)
		f.AddVec(want, fx, fy)
		if !slices.Equal(run(sum), want) {
			t.Fatal("not linear")
		}
		for i, j := range p.Permutation() { // X[j]·w^j
			var z uint64
			p.Point(&z, j)
			f.Mul(&want[i], &fx[i], &z)
		}
		if !slices.Equal(run(rotated), want) {
			t.Fatal("a rotation is not a multiplication by powers of the root")
		}
		if err := p.Inverse(fx, fx); err != nil || !slices.Equal(fx, x) {
			t.Fatalf("there and back: error %v", err)
		}
	})
}

// The product in working form over the odd powers of a root is the negacyclic one, by its definition.
func TestNegacyclicProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(0, 6).Draw(t, "log n")
		f, p := drawPlan(t, n, fft.WithNegacyclic())
		x, y := drawVector(t, f, n, "x"), drawVector(t, f, n, "y")
		want, got := make([]uint64, n), make([]uint64, n)
		for i := range x {
			for j := range y {
				var z uint64
				f.Mul(&z, &x[i], &y[j])
				if i+j >= n {
					f.Neg(&z, &z)
				}
				f.Add(&want[(i+j)%n], &want[(i+j)%n], &z)
			}
		}
		u, v := newVec(t, p), newVec(t, p)
		if err := errors.Join(p.Load(u, x), p.Load(v, y), p.ForwardVec(t.Context(), u), p.ForwardVec(t.Context(), v),
			p.MulVec(u, u, v), p.InverseVec(t.Context(), u), p.Store(got, u)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
