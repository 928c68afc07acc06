package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/engine/choice"
)

// Blocks have at most as many threads as asked for, and results are the same bits.
func TestThreads(t *testing.T) {
	emulator.Need(t)
	limited[uint64](t, smallprime.Goldilocks(), 11, 13)
	limited(t, smallprime.BabyBear(), 11, 14)
	limited(t, gfpf.P2(), 8) // with carries, by pairs of steps
	limited(t, gfpf.P3(), 5, 9)
	limited(t, gfpf.P5(), 7)
	limited(t, gfpf.P7(), 8) // with carries
}

func limited[E comparable](t *testing.T, f field.Rooted[E], logs ...int) {
	d := alone(t)
	g, err := Field(f, On(d))
	require.NoError(t, err)
	require.Zero(t, g.Threads())
	r := rand.New(rand.NewPCG(1, 2))
	for _, log := range logs {
		x := make([]E, 1<<log)
		for i := range x {
			any(f).(field.Sampler[E]).Random(&x[i], r)
		}
		want, got := make([]E, len(x)), make([]E, len(x))
		require.NoError(t, must(fft.NewPlan(g, len(x))).Forward(want, x))
		for threads := 32; threads <= 1024; threads *= 2 {
			h, err := Field(f, On(d), Threads(threads))
			require.NoError(t, err)
			require.Equal(t, threads, h.Threads())
			for _, p := range launched(t, h, log) {
				least := 64 // columns of a tile
				if _, ok := h.b.(*words); ok {
					least = 1 << (leastTile - eachThread)
				}
				require.LessOrEqual(t, p, max(threads, least), "%s, 2^%d points", h.Name(), log)
			}
			p := must(fft.NewPlan(h, len(x)))
			require.NoError(t, p.Forward(got, x))
			require.True(t, slices.Equal(want, got), "%s, %d threads", h.Name(), threads)
			require.NoError(t, p.Inverse(got, got))
			require.True(t, slices.Equal(x, got), "%s, %d threads, inverse", h.Name(), threads)
		}
	}
	for _, bad := range []int{-1, 1, 16, 48, 2048} {
		_, err := Field(f, On(d), Threads(bad))
		require.ErrorIs(t, err, field.ErrSpec, fmt.Sprint(bad))
	}
}

// launched are the threads of the blocks of a transform's passes.
func launched[E any](t *testing.T, g *DeviceField[E], log int) (list []int) {
	switch w := wholeOf(t, g, log).(type) {
	case *wordTransform:
		for _, p := range w.passes {
			list = append(list, 1<<(p.size-eachThread))
		}
	case *digitTransform:
		for _, dir := range w.directions {
			for _, q := range dir.Passes {
				l := dir.Shape.Launch(choice.DigitPass{Layers: int(q.Rows), Second: int(q.Steps)}, 1<<log)
				list = append(list, l.Threads)
			}
		}
	}
	require.NotEmpty(t, list)
	return list
}

// BenchmarkThreads prints times of forward transforms of vectors on the device, bit-reversed, by the most threads of a
// block.
func BenchmarkThreads(b *testing.B) {
	realDevice(b)
	byThreads(b, smallprime.Goldilocks(), 16, 20, 24)
	byThreads(b, smallprime.BabyBear(), 16, 20, 24)
	byThreads(b, gfpf.P2(), 16, 20)
	byThreads(b, gfpf.P3(), 16, 20)
	byThreads(b, gfpf.P4(), 15, 20)
	byThreads(b, gfpf.P5(), 16)
	byThreads(b, gfpf.P7(), 12)
}

func byThreads[E any](b *testing.B, f field.Rooted[E], logs ...int) {
	for _, log := range logs {
		for _, threads := range []int{0, 32, 64, 128, 256, 512, 1024} {
			g, err := Field(f, Threads(threads))
			require.NoError(b, err)
			t, v := wholeOf(b, g, log), randomVector(b, g, 1<<log)
			ms := measured(b, g.d.room(), func() error { return t.Run(b.Context(), v, field.BitReversed, false) })
			fmt.Printf("%s 2^%d, at most %d threads: %.4f ms\n", g.Name(), log, threads, ms)
			require.NoError(b, g.b.Release(v))
		}
	}
}
