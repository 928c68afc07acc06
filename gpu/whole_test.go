package gpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// transformsLike compares transforms of 2^n points on a device with those of the field, bit by bit, in both orders and
// both directions, in one order over the group and in the other over a coset, in a batch too.
func transformsLike[E any](t *testing.T, f field.Rooted[E], edges []E, logs ...int) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	var shift E
	f.(field.Sampler[E]).Random(&shift, r)
	for _, n := range logs {
		count := 1 + r.IntN(3)
		x := make([]E, count<<n)
		for i := range x {
			if f.(field.Sampler[E]).Random(&x[i], r); r.IntN(3) == 0 {
				x[i] = edges[r.IntN(len(edges))]
			}
		}
		for _, o := range []fft.Order{fft.Natural, fft.BitReversed} {
			opts := []fft.Option{fft.WithOrder(o), fft.WithBatch(fft.Batch{Count: count})}
			name := fmt.Sprintf("2^%d x %d, %v", n, count, o)
			if coset := (n+int(o))%2 == 0; coset {
				opts, name = append(opts, fft.WithCoset(shift)), name+", coset"
			}
			here, err := fft.NewPlan(f, 1<<n, opts...)
			require.NoError(t, err, name)
			there, err := fft.NewPlan(g, 1<<n, opts...)
			require.NoError(t, err, name)
			want, got := make([]E, len(x)), make([]E, len(x))
			require.NoError(t, here.Forward(want, x), name)
			for range 3 { // the last ones as a graph
				require.NoError(t, there.Forward(got, x), name)
				require.True(t, slicesEqual(f, got, want), name)
			}
			for range 3 {
				require.NoError(t, there.Inverse(got, want), name)
				require.True(t, slicesEqual(f, got, x), "%s, inverse", name)
			}
		}
	}
}

func slicesEqual[E any](f field.Field[E], x, y []E) bool {
	for i := range x {
		if !f.Equal(&x[i], &y[i]) {
			return false
		}
	}
	return true
}

// All shapes of passes: one contiguous pass up to 2^12, then strided ones before it.
func TestWhole(t *testing.T) {
	logs, large := []int{1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, []int{17, 21}
	switch {
	case testing.Short() && !emulator.Emulates(): // with the kernels of long vectors, for sanitizers
		large, logs = nil, append(logs, 17, 20)
	case testing.Short():
		large = nil
	case !emulator.Emulates():
		logs = append(logs, 17, 18, 19, 20, 21, 22, 23, 24)
	}
	t.Run("goldilocks", func(t *testing.T) {
		p := uint64(0xffffffff00000001)
		transformsLike(t, smallprime.Goldilocks(), []uint64{0, 1, p - 1, 1<<32 - 1, 1 << 32, p - 1<<32},
			append(logs, large...)...)
	})
	word := func(f *smallprime.Field64) func(t *testing.T) {
		return func(t *testing.T) { transformsLike(t, f, []uint64{0, 1, f.Modulus() - 1}, logs...) }
	}
	t.Run("p62", word(smallprime.P62()))
	t.Run("p64", word(smallprime.P64()))
	half := func(p uint32) func(t *testing.T) {
		return func(t *testing.T) {
			f, err := smallprime.New32(p)
			require.NoError(t, err)
			transformsLike(t, f, []uint32{0, 1, p - 1}, logs...)
		}
	}
	t.Run("p30", half(smallprime.P30().Modulus()))
	t.Run("babybear", half(smallprime.BabyBear().Modulus()))
	t.Run("p32", half(3221225473))
}
