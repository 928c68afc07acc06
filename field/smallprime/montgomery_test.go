package smallprime

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/cpu"
	"github.com/stretchr/testify/require"
)

var (
	_ full[uint64]          = (*MontgomeryField)(nil)
	_ field.Checker         = (*MontgomeryField)(nil)
	_ field.Vectors[uint64] = (*MontgomeryField)(nil)
)

// eachMontgomery runs test for some primes; on lower tiers for the largest one below 2^64, unless it has the kernels of
// a higher one.
func eachMontgomery(t *testing.T, primes []uint64, test func(t *testing.T, f *MontgomeryField)) {
	eachTier(t, func(t *testing.T) {
		const largest = 1<<64 - 59
		primes := primes
		if tiers := cpu.Present(); cpu.Active() != tiers[len(tiers)-1] {
			primes = []uint64{largest}
		}
		for _, p := range primes {
			if sameAbove(p) {
				continue
			}
			t.Run(fmt.Sprint(p), func(t *testing.T) {
				f, err := Montgomery(p)
				require.NoError(t, err)
				test(t, f)
			})
		}
	})
}

func TestMontgomeryConformance(t *testing.T) {
	eachMontgomery(t, []uint64{3, 97, 1<<64 - 59}, func(t *testing.T, f *MontgomeryField) {
		cfg := fieldtest.Config[uint64]{RootOrders: []uint64{1, 2}}
		if f.m.p == 97 { // methods of elements are those of Field64
			fieldtest.Run(t, f, cfg)
		}
		fieldtest.RunBulk(t, f, f.bulk(), cfg)
	})
}

// Vectors have what they say that they have, and VecMul takes one factor 2^64 away.
func TestMontgomeryForm(t *testing.T) {
	primes := []uint64{3, 5, 97, 1<<32 - 5, 1<<32 + 15, 1<<63 + 29, 1<<64 - 59, goldilocks}
	eachMontgomery(t, primes, func(t *testing.T, f *MontgomeryField) {
		b, r, p := f.bulk(), newRand(), f.m.p
		require.False(t, b.Traits().InPlace)
		for _, n := range []int{1, 7, 8, 40, 1<<10 + 3} {
			x, y := make([]uint64, n), make([]uint64, n)
			for i := range x {
				x[i], y[i] = edgy(r, p-1), edgy(r, p-1)
			}
			v, w, back := make([]uint64, n), make([]uint64, n), make([]uint64, n)
			b.Pack(bulks.ViewOf(v), bulks.ViewOf(x))
			b.Pack(bulks.ViewOf(w), bulks.ViewOf(y))
			word := -p % p // 2^64
			for i := range x {
				require.Equal(t, f.m.mul(x[i], word), v[i], "element %d of %d", i, n)
			}
			b.Unpack(bulks.ViewOf(back), bulks.ViewOf(v))
			require.Equal(t, x, back)
			b.VecMul(bulks.ViewOf(v), bulks.ViewOf(v), bulks.ViewOf(w))
			b.Unpack(bulks.ViewOf(back), bulks.ViewOf(v))
			for i := range x {
				require.Equal(t, f.m.mul(x[i], y[i]), back[i], "product %d of %d", i, n)
			}
		}
	})
}

// A multiplier of form 1 is 2^−64, and no product by it is left out.
func TestMontgomeryMultiplier(t *testing.T) {
	eachMontgomery(t, []uint64{97, 1<<64 - 59}, func(t *testing.T, f *MontgomeryField) {
		table, err := f.bulk().Table(bulks.ViewOf([]uint64{1}), bulks.Alone)
		require.NoError(t, err)
		v := make([]uint64, 16)
		for i := range v {
			v[i] = 5
		}
		rows := bulks.Rows{Blocks: 1, Half: 1, Width: 8, Stride: 8}
		table.Pass(bulks.ViewOf(v), bulks.Pass{Layers: 1}, rows)
		by := f.m.mul(5, f.m.inv(-f.m.p%f.m.p))
		require.Equal(t, []uint64{addMod(5, by, f.m.p), subMod(5, by, f.m.p)}, []uint64{v[0], v[8]})
	})
}

// Transforms have the bits of the Field64 of the same prime, forward and inverse, in every order.
func TestMontgomerySameBits(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		for _, p := range []uint64{97, babyBear, p50, p62, p63, p64, goldilocks} {
			f, err := Montgomery(p)
			require.NoError(t, err)
			for _, n := range []int{2, 32, 96, 1 << 10, 1 << 13} {
				if (p-1)%uint64(n) != 0 {
					continue
				}
				for _, order := range []field.Order{field.Natural, field.BitReversed} {
					sameBits(t, f, field64(t, p), n, field.Spec{Order: order})
				}
			}
		}
	})
}

func sameBits(t *testing.T, f *MontgomeryField, g *Field64, n int, s field.Spec) {
	d, err := field.NewCyclic[uint64](g, n)
	require.NoError(t, err)
	a, err := f.Plan(d, s)
	if s.Order == field.BitReversed && n&(n-1) != 0 {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	b, err := g.Plan(d, s)
	require.NoError(t, err)
	x, r := make([]uint64, n), newRand()
	for i := range x {
		x[i] = edgy(r, g.m.p-1)
	}
	got, want := make([]uint64, n), make([]uint64, n)
	ctx := context.Background()
	require.NoError(t, a.Forward(ctx, got, x))
	require.NoError(t, b.Forward(ctx, want, x))
	require.Equal(t, want, got, "forward, p = %d, n = %d, %v", g.m.p, n, s.Order)
	got = slices.Clone(want)
	require.NoError(t, a.Inverse(ctx, got, got))
	require.Equal(t, x, got, "inverse, p = %d, n = %d, %v", g.m.p, n, s.Order)
}

func TestMontgomeryNames(t *testing.T) {
	for p, want := range map[uint64]string{17: "mont:prime:17", babyBear: "mont:babybear", goldilocks: "mont:goldilocks"} {
		f, err := Montgomery(p)
		require.NoError(t, err)
		require.Equal(t, want, f.Name())
	}
	for _, p := range []uint64{0, 1, 2, 4, 9, 1<<64 - 1} {
		_, err := Montgomery(p)
		require.ErrorIs(t, err, field.ErrModulus)
	}
	require.ErrorIs(t, (*MontgomeryField)(nil).Check(), field.ErrSpec)
	require.ErrorIs(t, new(MontgomeryField).Check(), field.ErrSpec)
	_, err := new(MontgomeryField).Plan(field.Cyclic[uint64]{N: 2, Root: 1}, field.Spec{})
	require.ErrorIs(t, err, field.ErrSpec)
}
