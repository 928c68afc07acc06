package binary

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/schemes"
)

// eachTier runs a test with all kernels that the processor has.
func eachTier(t *testing.T, test func(t *testing.T)) {
	done := map[*gf2.Set]bool{}
	once := func(t *testing.T) {
		if done[gf2.Active()] {
			t.Skip("others before have the same kernels")
		}
		done[gf2.Active()] = true
		test(t)
	}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		t.Run(tier.String(), once)
		undo()
	}
	defer cpu.WithoutGFNI()()
	t.Run("without GFNI", once)
}

// The bulk conforms at all levels, on every tier.
func TestBulk(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		bulkConforms(t, AES())
		bulkConforms(t, must(New[uint64](64)))
		if gf2.Active() != &gf2.Generic || testscale.Of(t) >= testscale.Full {
			bulkConforms(t, GHASH())
		}
	})
}

func bulkConforms[E Elements](t *testing.T, f *Field[E]) {
	t.Run(f.Name(), func(t *testing.T) { fieldtest.RunBulk(t, f, newBulk(f), fieldtest.Config[E]{}) })
}

// Transforms by kernels are those by element methods, of all lengths, over the field's own subspaces and any others,
// with any shift.
func TestPlanes(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		samePlan(t, must(NewTower[uint8](8)))
		samePlan(t, Leopard16())
		samePlan(t, must(New[uint32](32)))
		samePlan(t, must(New[uint64](64)))
		samePlan(t, GHASH())
	})
}

// Plans take kernels of assembly from 2^3 points on, where there are some; else polynomials take tables.
func TestPlan(t *testing.T) {
	f := must(New[uint64](64))
	eachTier(t, func(t *testing.T) {
		for k, long := range map[int]bool{2: false, 3: true, 5: true, 6: true, 11: true} {
			d, err := field.NewAffine(f, 1<<k)
			require.NoError(t, err)
			plan, err := f.Plan(d, field.Spec{})
			require.NoError(t, err)
			tables := strings.Contains(plan.Report().Form, "tables")
			require.Equal(t, long && gf2.Active() != &gf2.Generic, !tables, "2^%d", k)
		}
	})
	tower := must(NewTower[uint64](64)) // whose elements are no polynomials
	d, err := field.NewAffine(tower, 1<<2)
	require.NoError(t, err)
	plan, err := tower.Plan(d, field.Spec{})
	require.NoError(t, err)
	require.Nil(t, plan)
}

func samePlan[E Elements](t *testing.T, f *Field[E]) {
	t.Run(f.Name(), func(t *testing.T) {
		r := rand.New(rand.NewPCG(uint64(f.core.m), 5))
		most := 8 + 2*testscale.Of(t)
		if gf2.Active() != &gf2.Generic {
			most += 2
		}
		for k := range min(most, 16, f.core.m) + 1 {
			for _, own := range []bool{true, false} {
				d, err := field.NewAffine(f, 1<<k)
				require.NoError(t, err)
				if !own {
					randomize(f, &d, r)
				}
				checkPlan(t, f, newBulk(f), d, r, fmt.Sprintf("2^%d, own subspace %v", k, own))
			}
		}
	})
}

// randomize draws a basis, which is independent, and a shift.
func randomize[E Elements](f *Field[E], d *field.Affine[E], r *rand.Rand) {
	e := newEchelon(f.core.m)
	for i := range d.Basis {
		for {
			f.Random(&d.Basis[i], r)
			var t [1]uint64
			if e.insert(append([]uint64(nil), wordsIn(f, &d.Basis[i], &t)...)) {
				break
			}
		}
	}
	f.Random(&d.Shift, r)
}

func checkPlan[E Elements](t *testing.T, f *Field[E], b bulks.Bulk, d field.Affine[E], r *rand.Rand, what string) {
	t.Helper()
	n := d.Len()
	fast, err := schemes.Build(f, b, d, field.Spec{})
	require.NoError(t, err)
	slow, err := schemes.New(f, d, field.Spec{NoPlanner: true})
	require.NoError(t, err)
	require.NotEqual(t, slow.Report().Form, fast.Report().Form)
	x, y, z := make([]E, n), make([]E, n), make([]E, n)
	for i := range x {
		f.Random(&x[i], r)
	}
	require.NoError(t, slow.Forward(context.Background(), y, x))
	require.NoError(t, fast.Forward(context.Background(), z, x))
	require.Equal(t, y, z, what)
	require.NoError(t, fast.Inverse(context.Background(), y, z))
	require.Equal(t, x, y, what)
}

// Passes of any number of layers over any blocks and rows are those of their layers, whatever the levels of those: as
// sums, by kernels for one block or several, and cut where the last one has dearer constants.
func TestPasses(t *testing.T) {
	f, err := New[uint64](64)
	require.NoError(t, err)
	eachTier(t, func(t *testing.T) {
		const all, tile = 9, 64
		b := newBulk(f)
		r := rand.New(rand.NewPCG(31, 2))
		for range 40 {
			g, err := b.Make(all * (all + 1) / 2)
			require.NoError(t, err)
			dear := r.IntN(all + 1) // from this layer on constants are of a higher level
			low := r.IntN(3)
			for l, i := 0, 0; l < all; l++ {
				k := low
				if l >= dear {
					k++
				}
				for ; i < (l+1)*(l+2)/2; i++ {
					b.put(g, i, gf2.Element{r.Uint64() >> (64 - 8<<k)})
				}
			}
			table, err := b.Span(g, all)
			require.NoError(t, err)
			layers, first := 1+r.IntN(3), r.IntN(5)
			at := r.IntN(1 << first)
			rows := bulks.Rows{Blocks: 1 + r.IntN(1<<first-at), Half: 1 + r.IntN(2), Width: tile * (1 + r.IntN(2))}
			rows.Stride = rows.Width + tile*r.IntN(2)
			n := rows.Blocks << layers * rows.Half * rows.Stride
			x, err := b.Make(n)
			require.NoError(t, err)
			memory, _ := b.Memory(x)
			for i := range memory {
				memory[i] = byte(r.Uint32())
			}
			before := append([]byte(nil), memory...)
			pass := bulks.Pass{Off: 1<<first + at, Layers: int32(layers)}
			table.Pass(x, pass, rows)
			after := append([]byte(nil), memory...)
			copy(memory, before)
			for l := range layers {
				one := rows
				one.Blocks, one.Half = rows.Blocks<<l, rows.Half<<(layers-1-l)
				for i := range one.Blocks { // each alone
					size := 2 * one.Half * one.Stride
					alone := one
					alone.Blocks = 1
					table.Pass(x.Slice(i*size, (i+1)*size), bulks.Pass{Off: (1<<first+at)<<l + i, Layers: 1}, alone)
				}
			}
			require.Equal(t, memory, after, "%+v %+v", pass, rows)
			pass.How = bulks.Transposed
			table.Pass(x, pass, rows)
			require.Equal(t, before, memory, "%+v %+v", pass, rows)
		}
	})
}
