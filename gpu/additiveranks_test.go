package gpu

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/emulator"
)

// Ranks on a device have the values of one plan on the processor, bit for bit, over own subspaces, whose factors have
// 32 bits, and over any basis and shift. What is too short for stages runs on the processor.
func TestAdditiveRanks(t *testing.T) {
	emulator.Long(t)
	t.Run("32 bits", func(t *testing.T) { additiveRanks(t, binaryOf[uint32](t, 32), 5, 8, 13) })
	t.Run("64 bits", func(t *testing.T) { additiveRanks(t, binaryOf[uint64](t, 64), 8, 12, 15) })
	t.Run("128 bits", func(t *testing.T) { additiveRanks(t, binaryOf[[2]uint64](t, 128), 8, 11, 13) })
	t.Run("256 bits", func(t *testing.T) { additiveRanks(t, binaryOf[binary.Number](t, 256), 8, 12) })
}

func binaryOf[E binary.Elements](t *testing.T, m int) *binary.Field[E] {
	f, err := binary.New[E](m)
	require.NoError(t, err)
	return f
}

func additiveRanks[E binary.Elements](t *testing.T, f *binary.Field[E], logs ...int) {
	on, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(42, uint64(f.Degree())))
	for _, log := range logs {
		n := 1 << log
		x, want := make([]E, n), make([]E, n)
		for i := range x {
			f.Random(&x[i], r)
		}
		for own := range 2 {
			opts := []fft.Option{fft.WithCoefficients(fft.LCH)}
			basis, shift := independent(f, log, r)
			if own == 0 {
				opts = append(opts, fft.WithSubspace(basis...))
			}
			if r.IntN(2) == 0 {
				opts = append(opts, fft.WithCoset(shift))
			}
			p, err := fft.NewPlan(f, n, opts...)
			require.NoError(t, err)
			require.NoError(t, p.Forward(want, x))
			for size := 2; size <= 8 && size*size <= n; size *= 2 {
				blocks := dist.Blocks{Coefficients: r.IntN(2) == 0, Values: r.IntN(2) == 0}
				ends, err := dist.Local(size)
				require.NoError(t, err)
				require.NoError(t, dist.Run(ends, func(g dist.Group) error {
					return rankLike(t, g, on, n, n >= 64*size*size, blocks, opts, x, want)
				}), "2^%d, %d ranks, own %d, %+v", log, size, own, blocks)
			}
		}
	}
}
