package smallprime

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Transforms that no workers share are one tail, and reports have its passes, unless somebody asks for a radix.
func TestLongTails(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		f := P50()
		b, ok := f.bulk().(*vectorBulk[uint64])
		if !ok {
			t.Skip("no kernels on this tier")
		}
		passes := b.Traits().Passes
		for log := 5; log <= 20; log++ {
			size := 1 << log
			list := passes.Tail(size, 1)
			for _, layers := range list[:len(list)-1] {
				require.LessOrEqual(t, layers, passes.Layers)
				size >>= layers
			}
			require.Equal(t, b.k.Tails[0].Size, 1<<list[len(list)-1])
			if log <= 16 { // longer transforms have the tail of 2^16
				require.Equal(t, b.k.Tails[0].Size, size)
			}
		}
		for _, c := range []struct{ n, radix, workers int }{
			{1 << 5, 0, 1}, {1 << 10, 0, 4}, {1 << 16, 0, 1}, {1 << 10, 2, 1},
		} {
			d, err := field.NewCyclic[uint64](f, c.n)
			require.NoError(t, err)
			s := field.Spec{Radix: c.radix, Workers: c.workers, Order: field.BitReversed, Grain: 1 << 10}
			p, err := f.Plan(d, s)
			require.NoError(t, err)
			var radices string
			size := c.n
			for list := passes.Tail(size, 1); len(list) > 1; list = passes.Tail(size, 1) {
				layers := list[0]
				if c.radix > 0 {
					layers = 1
				}
				radices += fmt.Sprint(" · ", 1<<layers)
				size >>= layers
			}
			var want []string
			if radices != "" {
				want = append(want, "radix"+radices[len(" ·"):])
			}
			require.Equal(t, append(want, fmt.Sprint("tail of ", size)), p.Report().Passes, "%+v", c)
		}
	})
}

// A tail into another vector leaves what one in place leaves, and its operand as it is.
func TestInto(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		into(t, P30())
		into(t, BabyBear())
		into(t, P50())
		into(t, P62())
		into(t, P63())
		into(t, Goldilocks())
	})
}

func into[E any](t *testing.T, f interface {
	field.Rooted[E]
	field.Sampler[E]
	field.Planner[E]
}) {
	r := rand.New(rand.NewPCG(1, 2))
	for log := 1; log <= 16; log++ {
		d, err := field.NewCyclic[E](f, 1<<log)
		require.NoError(t, err)
		for _, order := range []field.Order{field.BitReversed, field.Natural} {
			p, err := f.Plan(d, field.Spec{Workers: 1, Order: order})
			require.NoError(t, err)
			x := make([]E, 1<<log)
			for i := range x {
				f.Random(&x[i], r)
			}
			y, z := make([]E, len(x)), slices.Clone(x)
			require.NoError(t, p.Forward(t.Context(), y, x))
			require.Equal(t, z, x, log)
			require.NoError(t, p.Forward(t.Context(), z, z))
			require.Equal(t, z, y, log)
		}
	}
}
