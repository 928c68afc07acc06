package gpu

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// All lengths to 2^14 have the values of the processor, over random bases and shifts and over the field's own subspace.
func TestAdditiveLengths(t *testing.T) {
	emulator.Long(t)
	t.Run("32", func(t *testing.T) { additiveLengths(t, ofGF2[uint32](t, 32)) })
	t.Run("64", func(t *testing.T) { additiveLengths(t, ofGF2[uint64](t, 64)) })
	t.Run("128", func(t *testing.T) { additiveLengths(t, binary.GHASH()) })
	t.Run("256", func(t *testing.T) { additiveLengths(t, ofGF2[[4]uint64](t, 256)) })
}

// Of 2^20 points of 64 bits two passes of six layers follow each other.
func TestAdditiveDeep(t *testing.T) {
	emulator.Need(t)
	const n = 1 << 20
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	x, want, got := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i := range x {
		x[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	here := must(fft.NewPlan(f, n, fft.WithCoefficients(fft.LCH)))
	there := must(fft.NewPlan(g, n, fft.WithCoefficients(fft.LCH)))
	require.NoError(t, here.Forward(want, x))
	require.NoError(t, there.Forward(got, x))
	require.True(t, slices.Equal(want, got))
	require.NoError(t, there.Inverse(got, want))
	require.True(t, slices.Equal(x, got), "inverse")
}

func additiveLengths[E binary.Elements](t *testing.T, f *binary.Field[E]) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(15, uint64(f.Degree())))
	for n := 1; n <= 14; n++ {
		switch {
		case testing.Short() && !emulator.Emulates() && n != 11 && n != 13 && n != 14:
			continue // under a sanitizer: these have all kernels
		case f.Degree() > 128 && (n == 12 || n == 13) && emulator.Emulates() && testscale.Of(t) < testscale.Full:
			continue // the same passes as 2^14, and a third of the time
		}
		basis, shift := independent(f, n, r)
		x := make([]E, 1<<n)
		for i := range x {
			f.Random(&x[i], r)
		}
		for _, opts := range [][]fft.Option{
			{fft.WithSubspace(basis...), fft.WithCoset(shift)},
			{fft.WithSubspace(basis...), fft.WithCoset(shift), fft.WithCoefficients(fft.LCH)},
			{fft.WithCoset(shift)},
			nil,
		} {
			here, there := must(fft.NewPlan(f, 1<<n, opts...)), must(fft.NewPlan(g, 1<<n, opts...))
			want, got := make([]E, len(x)), make([]E, len(x))
			require.NoError(t, here.Forward(want, x))
			require.NoError(t, there.Forward(got, x))
			require.True(t, slicesEqual(f, got, want), "2^%d", n)
			require.NoError(t, there.Inverse(got, want))
			require.True(t, slicesEqual(f, got, x), "2^%d, inverse", n)
		}
	}
}

// A shift by the next vector of the field's basis behind those of 2^32 points makes factors of the last layer wide, as
// more than 2^32 points do: then that layer has a pass of its own.
func TestAdditiveWideLayer(t *testing.T) {
	emulator.Need(t)
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	own := make([]uint64, 33)
	require.NoError(t, f.Subspace(own))
	for _, n := range []int{12, 13, 14} {
		for _, of := range []fft.Coefficients{fft.LCH, fft.Monomial} {
			batch := fft.Batch{Count: 1 + n%3}
			opts := []fft.Option{fft.WithCoset(own[32] ^ own[7]), fft.WithCoefficients(of), fft.WithBatch(batch)}
			here, there := must(fft.NewPlan(f, 1<<n, opts...)), must(fft.NewPlan(g, 1<<n, opts...))
			passes := strings.Join(there.Report().Passes, "; ")
			require.Equal(t, n > 12, strings.Contains(passes, "factors of 32 bits; the last layer"), passes)
			x := splitMix(uint64(n), batch.Count<<n)
			want, got := make([]uint64, len(x)), make([]uint64, len(x))
			require.NoError(t, here.Forward(want, x))
			require.NoError(t, there.Forward(got, x))
			require.True(t, slices.Equal(got, want), "2^%d", n)
			require.NoError(t, there.Inverse(got, want))
			require.True(t, slices.Equal(got, x), "2^%d, inverse", n)
		}
	}
}

// The same points in another order have the same values: over another basis of a subspace, and with a shift by a vector
// of it. Values of the sum of two polynomials are the sums.
func TestAdditiveLaws(t *testing.T) {
	emulator.Need(t)
	const n = 10
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(17, 18))
	basis, shift := independent(f, n, r)
	x, z := splitMix(19, 1<<n), splitMix(20, 1<<n)
	for _, of := range []fft.Coefficients{fft.Monomial, fft.LCH} {
		values := func(basis []uint64, shift uint64, x []uint64) (map[uint64]uint64, []uint64) {
			p := must(fft.NewPlan(g, 1<<n, fft.WithSubspace(basis...), fft.WithCoset(shift), fft.WithCoefficients(of)))
			y, at := make([]uint64, 1<<n), map[uint64]uint64{}
			require.NoError(t, p.Forward(y, x))
			for j := range y {
				var point uint64
				p.Point(&point, j)
				at[point] = y[j]
			}
			require.Len(t, at, 1<<n)
			return at, y
		}
		want, y := values(basis, shift, x)
		moved, _ := values(basis, shift^basis[3]^basis[n-1], x)
		require.Equal(t, want, moved, "%v, shift", of)
		if of == fft.Monomial { // others have a basis that goes with that of the subspace
			other := slices.Clone(basis)
			for i := range other {
				for j := range i {
					if r.IntN(2) == 1 {
						other[i] ^= other[j]
					}
				}
			}
			r.Shuffle(n, func(i, j int) { other[i], other[j] = other[j], other[i] })
			same, _ := values(other, shift, x)
			require.Equal(t, want, same, "basis")
		}
		_, s := values(basis, shift, z)
		sum := slices.Clone(x)
		for i := range sum {
			sum[i] ^= z[i]
			s[i] ^= y[i]
		}
		_, both := values(basis, shift, sum)
		require.Equal(t, s, both, "%v, sums", of)
	}
}

// A basis whose vectors depend on each other is refused, wherever the one is that depends.
func TestAdditiveDependent(t *testing.T) {
	emulator.Need(t)
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	basis, _ := independent(f, 14, rand.New(rand.NewPCG(21, 22)))
	for i := range basis {
		b := slices.Clone(basis)
		b[i] = b[(i+1)%14] ^ b[(i+5)%14] ^ b[(i+9)%14]
		_, err := fft.NewPlan(g, 1<<14, fft.WithSubspace(b...))
		require.ErrorIs(t, err, fft.ErrSpec)
	}
}
