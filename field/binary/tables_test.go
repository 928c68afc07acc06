package binary

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes"
)

// Butterflies by tables are those by element methods: of rows of any length, and of blocks whose multipliers follow
// from the first ones or do not.
func TestTables(t *testing.T) {
	inTables[uint8](t, 2, 3, 7, 8)
	inTables[uint16](t, 9, 15, 16)
	inTables[uint32](t, 17, 31, 32)
	inTables[uint64](t, 33, 61, 64)
}

func inTables[E Elements](t *testing.T, degrees ...int) {
	for _, m := range degrees {
		f, err := New[E](m)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(31, uint64(m)))
		for range 40 * testscale.Of(t) {
			blocks, half := 1+r.IntN(80), 1<<r.IntN(6)
			v, w, sums := make([]E, 2*half*blocks), make([]E, blocks), make([]E, 8)
			for i := range v {
				f.Random(&v[i], r)
			}
			for i := range sums {
				f.Random(&sums[i], r)
			}
			for i := range w {
				w[i] = sums[7]
				for j := range sums[:7] {
					if i>>j&1 == 1 {
						f.Add(&w[i], &w[i], &sums[j])
					}
				}
				if r.IntN(200) == 0 {
					f.Random(&w[i], r)
				}
			}
			want := slices.Clone(v)
			for b := range blocks {
				for i := 2 * half * b; i < 2*half*b+half; i++ {
					var product E
					f.Mul(&product, &w[b], &want[i+half])
					f.Add(&want[i], &want[i], &product)
					f.Add(&want[i+half], &want[i+half], &want[i])
				}
			}
			by := rows[E]{f.core.of2}.sums()
			got := slices.Clone(v)
			by.Blocks(got, w, half, false)
			require.Equal(t, want, got, "%s, %d blocks of %d", f.Name(), blocks, 2*half)
			by.Blocks(got, w, half, true)
			require.Equal(t, v, got, "%s, %d blocks of %d, back", f.Name(), blocks, 2*half)
			n := 1 + r.IntN(half)
			by.Row(got[:n], got[half:half+n], &w[0], false)
			require.Equal(t, want[:n], got[:n])
			require.Equal(t, want[half:half+n], got[half:half+n])
			by.Row(got[:n], got[half:half+n], &w[0], true)
			require.Equal(t, v, got, "%s, rows of %d, back", f.Name(), n)
		}
	}
}

// Calls by tables for rows allocate nothing.
func TestTablesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what pools keep")
	}
	undo, err := cpu.Use(cpu.Generic)
	require.NoError(t, err)
	defer undo()
	f := Leopard16()
	d, err := field.NewAffine(f, 1<<9)
	require.NoError(t, err)
	p, err := schemes.New(f, d, field.Spec{Workers: 1, Coefficients: field.LCH})
	require.NoError(t, err)
	x := make([]uint16, d.Len())
	least := 100.0 // a collection may take what a call keeps for the next one
	for range 5 {
		least = min(least, testing.AllocsPerRun(10, func() {
			require.NoError(t, p.Forward(t.Context(), x, x))
			require.NoError(t, p.Inverse(t.Context(), x, x))
		}))
	}
	require.Zero(t, least)
}
