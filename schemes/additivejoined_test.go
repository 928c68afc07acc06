package schemes_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/schemes"
)

// testJoined compares transforms whose change of basis has layers in its walks with those that caches hold whole.
func testJoined[E interface {
	comparable
	binary.Elements
}](t *testing.T, f *binary.Field[E], cache int, logs ...int) {
	ctx := context.Background()
	for _, m := range logs {
		for name, d := range subspaces(t, f, m) {
			for _, order := range []field.Order{field.Natural, field.BitReversed, field.Scheme} {
				t.Run(fmt.Sprint(f.Name(), "/", name, "/", m, "/", order), func(t *testing.T) {
					whole, err := schemes.New(f, d, field.Spec{Order: order, Cache: 1 << 20})
					require.NoError(t, err)
					p, err := schemes.New(f, d, field.Spec{Order: order, Cache: cache, Workers: 1})
					require.NoError(t, err)
					x := random(f, 1<<m)
					want, got := make([]E, len(x)), make([]E, len(x))
					require.NoError(t, whole.Forward(ctx, want, x))
					require.NoError(t, p.Forward(ctx, got, x))
					require.True(t, slices.Equal(want, got), "forward")
					back := make([]E, len(x))
					require.NoError(t, p.Inverse(ctx, back, want))
					require.True(t, slices.Equal(x, back), "inverse")
					require.NoError(t, p.Inverse(ctx, got, got))
					require.True(t, slices.Equal(x, got), "inverse in place")
					require.NoError(t, p.Forward(ctx, got, got))
					require.True(t, slices.Equal(want, got), "forward in place")
				})
			}
		}
	}
}

func TestJoined(t *testing.T) {
	f64, err := binary.New[uint64](64)
	require.NoError(t, err)
	f32, err := binary.New[uint32](32)
	require.NoError(t, err)
	tower, err := binary.NewTower[[2]uint64](128)
	require.NoError(t, err)
	testJoined(t, f64, 1, 12, 17)
	testJoined(t, f64, 1<<10, 13, 14, 15)
	testJoined(t, f32, 1<<9, 13)
	testJoined(t, tower, 1, 11)
	testJoined(t, binary.GHASH(), 1, 12, 16)
	testHeads(t, f64, field.Spec{Cache: 1 << 10, Workers: 1}, false, 14)
}
