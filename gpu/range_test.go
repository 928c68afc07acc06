package gpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// counting is a field that counts how often the host looks for elements that are not canonical.
type counting[E any] struct {
	host[E]
	looks *atomic.Int64
}

func (c counting[E]) FirstInvalid(x []E) int {
	c.looks.Add(1)
	return c.host.FirstInvalid(x)
}

// Slices are checked on the device, with the error of the host, which looks only where there is one. Nothing is written
// then.
func TestRange(t *testing.T) {
	t.Run("goldilocks", func(t *testing.T) { ranges(t, smallprime.Goldilocks(), goldilocks, ^uint64(0)) })
	t.Run("p62", func(t *testing.T) { ranges(t, smallprime.P62(), smallprime.P62().Modulus(), 1<<63) })
	t.Run("babybear", func(t *testing.T) { ranges(t, smallprime.BabyBear(), smallprime.BabyBear().Modulus(), ^uint32(0)) })
}

func ranges[E uint32 | uint64](t *testing.T, f field.Rooted[E], bad ...E) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	var looks atomic.Int64
	g.host = counting[E]{g.host, &looks}
	require.True(t, g.b.(*words).Seeks(1<<18))
	g.b.(*words).seekFrom = 1
	const n = 64
	r := rand.New(rand.NewPCG(1, 2))
	for _, batch := range []fft.Batch{{}, fft.Rows(40, 0), fft.Rows(5, n+3), fft.Columns(40, 0), fft.Columns(5, 9)} {
		p, err := fft.NewPlan[E](g, n, fft.WithBatch(batch))
		require.NoError(t, err)
		here, err := fft.NewPlan(f, n, fft.WithBatch(batch))
		require.NoError(t, err)
		src, want, got := random(f, p.Size(), 3), make([]E, p.Size()), make([]E, p.Size())
		for range 10 {
			looks.Store(0)
			require.NoError(t, errors.Join(here.Forward(want, src), p.Forward(got, src)))
			require.True(t, slices.Equal(want, got), batch)
			require.Zero(t, looks.Load(), batch)

			wrong := slices.Clone(src)
			for range 1 + r.IntN(3) { // in gaps, too
				wrong[r.IntN(len(wrong))] = bad[r.IntN(len(bad))]
			}
			before, clean := slices.Clone(got), slices.Clone(wrong)
			expected := here.Forward(want, wrong)
			for _, dst := range [][]E{got, wrong} { // out of place, in place
				err := p.Forward(dst, wrong)
				if expected == nil {
					require.NoError(t, err)
					copy(wrong, clean)
					copy(got, before)
					continue
				}
				require.EqualError(t, err, expected.Error())
				require.ErrorIs(t, err, field.ErrRange)
			}
			require.Equal(t, before, got, batch)
			require.Equal(t, clean, wrong, batch)
		}
	}
}
