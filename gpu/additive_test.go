package gpu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// independent returns k random vectors that do not depend on each other, and a shift.
func independent[E binary.Elements](f *binary.Field[E], k int, r *rand.Rand) (basis []E, shift E) {
	basis = make([]E, k)
	for {
		for i := range basis {
			f.Random(&basis[i], r)
		}
		f.Random(&shift, r)
		if _, err := fft.NewPlan[E](f, 1<<k, fft.WithSubspace(basis...)); err == nil {
			return basis, shift
		}
	}
}

// additiveLike compares additive transforms of 2^n points on a device with those of the processor, in both directions
// and orders, over the field's own subspace, multiples of it and random ones, with shifts and in batches.
func additiveLike[E binary.Elements](t *testing.T, f *binary.Field[E], of fft.Coefficients, logs ...int) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(7, uint64(f.Degree())))
	for i, n := range logs {
		batch := fft.Batch{Count: 1 + i%3, Columns: i%5 == 1}
		basis, shift := independent(f, n, r)
		opts := []fft.Option{fft.WithOrder(fft.Order(i % 2)), fft.WithBatch(batch), fft.WithCoefficients(of)}
		name := fmt.Sprintf("2^%d x %d, order %d", n, batch.Count, i%2)
		switch {
		case i%4 == 1 && n > 1:
			own, err := field.NewAffine(f, 1<<n)
			require.NoError(t, err)
			for k := range own.Basis {
				f.Mul(&basis[k], &own.Basis[k], &basis[0])
			}
			opts, name = append(opts, fft.WithSubspace(basis...)), name+", multiples"
		case i%4 > 1:
			opts, name = append(opts, fft.WithSubspace(basis...)), name+", basis"
		}
		if i%3 > 0 {
			opts, name = append(opts, fft.WithCoset(shift)), name+", coset"
		}
		x := make([]E, batch.Count<<n)
		for i := range x {
			if f.Random(&x[i], r); r.IntN(9) == 0 {
				f.Sub(&x[i], &x[i], &x[i])
			}
		}
		here, err := fft.NewPlan(f, 1<<n, opts...)
		require.NoError(t, err, name)
		there, err := fft.NewPlan(g, 1<<n, opts...)
		require.NoError(t, err, name)
		require.Equal(t, g.Device().Info().Name, there.Report().Device, name)
		want, got := make([]E, len(x)), make([]E, len(x))
		require.NoError(t, here.Forward(want, x), name)
		for range 2 { // the last one as a graph
			require.NoError(t, there.Forward(got, x), name)
			require.True(t, slicesEqual(f, got, want), name)
			require.NoError(t, there.Inverse(got, want), name)
			require.True(t, slicesEqual(f, got, x), "%s, inverse", name)
		}
		v, err := there.NewVec()
		require.NoError(t, err, name)
		require.NoError(t, there.Load(v, x))
		require.NoError(t, there.ForwardVec(t.Context(), v))
		require.NoError(t, there.InverseVec(t.Context(), v))
		require.NoError(t, there.Store(got, v))
		require.True(t, slicesEqual(f, got, x), "%s, vectors", name)
		require.NoError(t, v.Close())
	}
}

func TestAdditive(t *testing.T) {
	logs := []int{13, 1, 2, 4, 9, 10, 11, 12, 13, 14}
	wide := logs
	switch {
	case testing.Short() && !emulator.Emulates(): // under a sanitizer: kernels of wide passes as well
		logs, wide = []int{13, 3, 10, 11, 14, 1, 17}, []int{3, 11, 10, 15}
	case !emulator.Emulates():
		logs = append(logs, 15, 16, 17, 18, 19, 20, 21)
	case testscale.Of(t) < testscale.Full:
		logs, wide = []int{13, 3, 10, 11, 14, 1}, []int{3, 11, 10}
	}
	for _, of := range []fft.Coefficients{fft.LCH, fft.Monomial} {
		t.Run(of.String(), func(t *testing.T) {
			t.Run("32", func(t *testing.T) { additiveLike(t, ofGF2[uint32](t, 32), of, logs...) })
			t.Run("64", func(t *testing.T) { additiveLike(t, ofGF2[uint64](t, 64), of, logs...) })
			t.Run("128", func(t *testing.T) { additiveLike(t, binary.GHASH(), of, logs...) })
			t.Run("256", func(t *testing.T) { additiveLike(t, ofGF2[[4]uint64](t, 256), of, wide...) })
			t.Run("numbers", func(t *testing.T) { additiveLike(t, ofGF2[binary.Number](t, 64), of, logs[2:4]...) })
		})
	}
}

// A plan's tables are small, and it is refused by what it takes: no more than its vectors, which are of whole blocks.
// Factors are of 32 bits over the field's own subspace, and of all bits with a shift.
func TestAdditivePlans(t *testing.T) {
	emulator.Need(t)
	g, err := Field(ofGF2[uint64](t, 64))
	require.NoError(t, err)
	p, err := fft.NewPlan(g, 1<<13, fft.WithCoefficients(fft.LCH))
	require.NoError(t, err)
	r := p.Report()
	require.Equal(t, field.Fused, r.Algorithm)
	require.Equal(t, fft.LCH, r.Coefficients)
	require.Less(t, r.Tables, 1<<16)
	require.Contains(t, strings.Join(r.Passes, "; "), "factors of 32 bits")
	p, err = fft.NewPlan(g, 1<<13, fft.WithCoefficients(fft.LCH), fft.WithCoset[uint64](1<<63))
	require.NoError(t, err)
	require.Contains(t, strings.Join(p.Report().Passes, "; "), "factors of 64 bits")
	_, err = fft.NewPlan(g, 1<<13, fft.WithCoefficients(fft.LCH), fft.WithMemoryLimit(1<<10))
	require.ErrorIs(t, err, fft.ErrMemory)
	_, err = fft.NewPlan(g, 1<<13, fft.WithCoefficients(fft.LCH), fft.WithMemoryLimit(1<<20))
	require.NoError(t, err)
	_, err = fft.NewPlan(g, 4, fft.WithCoefficients(fft.LCH), fft.WithSubspace[uint64](3, 3))
	require.ErrorIs(t, err, fft.ErrSpec)
}
