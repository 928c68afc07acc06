package binary_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/schemes"
)

// Batches by columns have the values of their columns, on every tier: where columns stand, which those of a power of
// two below 64 do with coefficients for layers, and where they are gathered.
func TestColumns(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		t.Run(tier.String(), func(t *testing.T) {
			columnsLikeRows(t, binary.AES())
			columnsLikeRows(t, binary.Leopard16())
			f32, err := binary.New[uint32](32)
			require.NoError(t, err)
			columnsLikeRows(t, f32)
			f64, err := binary.New[uint64](64)
			require.NoError(t, err)
			columnsLikeRows(t, f64)
			tower, err := binary.NewTower[[2]uint64](128)
			require.NoError(t, err)
			columnsLikeRows(t, tower)
			columnsLikeRows(t, binary.GHASH())
		})
		undo()
	}
}

// columnsLikeRows draws batches: shifts and heads in subfields of all sizes have kernels for each.
func columnsLikeRows[E binary.Elements](t *testing.T, f *binary.Field[E]) {
	r := rand.New(rand.NewPCG(31, uint64(f.Degree())))
	for _, count := range []int{2, 4, 8, 16, 32, 3, 16, 64, 8, 32, 16, 2, 13, 31, 45, 77} {
		log := min(f.Degree(), 1+r.IntN(10))
		s := field.Spec{Workers: 1 << r.IntN(7), Grain: 1, Coefficients: field.LCH, Cache: r.IntN(2) << 10}
		if r.IntN(4) == 0 {
			s.Coefficients = field.Monomial
		}
		if r.IntN(4) == 0 {
			s.Order = field.BitReversed
		}
		stride := count
		if r.IntN(4) == 0 {
			stride++
		}
		likeRows(t, f, r, log, count, stride, s)
	}
}

func likeRows[E binary.Elements](t *testing.T, f *binary.Field[E], r *rand.Rand, log, count, stride int, s field.Spec) {
	n := 1 << log
	d, err := field.NewAffine(f, n)
	require.NoError(t, err)
	if r.IntN(2) == 0 && log < f.Degree() {
		beside := make([]E, log+1+r.IntN(f.Degree()-log))
		require.NoError(t, f.Subspace(beside))
		d.Shift = beside[len(beside)-1]
	}
	if r.IntN(4) == 0 {
		slices.Reverse(d.Basis)
	}
	one, err := schemes.New(f, d, s)
	require.NoError(t, err)
	s.Batch = field.Batch{Count: count, Stride: stride, Columns: true}
	batch, err := schemes.New(f, d, s)
	require.NoError(t, err)
	x := make([]E, (n-1)*stride+count)
	head := n >> r.IntN(log+1)
	for i := range head*stride - stride + count {
		f.Random(&x[i], r)
	}
	want, column := append([]E{}, x...), make([]E, n)
	for j := range count {
		for i := range column {
			column[i] = x[i*stride+j]
		}
		require.NoError(t, one.Forward(t.Context(), column, column))
		for i := range column {
			want[i*stride+j] = column[i]
		}
	}
	name := fmt.Sprintf("%s, %d columns of %d, stride %d, head %d, %v, %v", f.Name(), count, n, stride, head, s.Order,
		s.Coefficients)
	y, z := append([]E{}, x...), append([]E{}, x...)
	require.NoError(t, batch.Forward(t.Context(), y, y))
	require.True(t, equal(f, want, y), name)
	require.NoError(t, batch.Forward(t.Context(), z, x))
	require.True(t, equal(f, want, z), name+", to another slice")
	require.NoError(t, batch.Inverse(t.Context(), y, z))
	require.True(t, equal(f, x, y), name+", and back")
	require.NoError(t, batch.Inverse(t.Context(), z, z))
	require.True(t, equal(f, x, z), name+", and back in place")
}

func equal[E binary.Elements](f *binary.Field[E], x, y []E) bool {
	for i := range x {
		if !f.Equal(&x[i], &y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

// Columns that stand take no copy of themselves.
func TestColumnsStand(t *testing.T) {
	f, err := binary.New[uint32](32)
	require.NoError(t, err)
	d, err := field.NewAffine(f, 1<<12)
	require.NoError(t, err)
	s := field.Spec{Workers: 1, Coefficients: field.LCH, Batch: field.Batch{Count: 16, Stride: 16, Columns: true}}
	stand, err := schemes.New(f, d, s)
	require.NoError(t, err)
	s.Batch.Stride++
	gathered, err := schemes.New(f, d, s)
	require.NoError(t, err)
	require.GreaterOrEqual(t, gathered.Report().Scratch, 8*4<<12)
	if cpu.Active() != cpu.Generic {
		require.Less(t, stand.Report().Scratch, 1<<16)
	}
}

// Many workers cut steps finer than tiles, where elements are packed and unpacked around all steps.
func TestFineSteps(t *testing.T) {
	f := binary.Leopard16()
	x, want, z := make([]uint16, 1<<14), make([]uint16, 1<<14), make([]uint16, 1<<14)
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		for log := 8; log <= 14; log++ {
			d, err := field.NewAffine(f, 1<<log)
			require.NoError(t, err)
			n := d.Len()
			r := rand.New(rand.NewPCG(7, uint64(log)))
			for i := range n {
				x[i] = uint16(r.Uint32())
			}
			one, err := schemes.New(f, d, field.Spec{Workers: 1, Coefficients: field.LCH})
			require.NoError(t, err)
			require.NoError(t, one.Forward(t.Context(), want[:n], x[:n]))
			for _, cache := range []int{0, 1 << 10} {
				for _, workers := range []int{2, 4, 8, 32, 64} {
					s := field.Spec{Workers: workers, Grain: 1, Coefficients: field.LCH, Cache: cache}
					p, err := schemes.New(f, d, s)
					require.NoError(t, err)
					copy(z, x[:n])
					require.NoError(t, p.Forward(t.Context(), z[:n], z[:n]))
					require.True(t, slices.Equal(want[:n], z[:n]), "%v, 2^%d, %d workers, cache %d", tier, log, workers, cache)
					require.NoError(t, p.Inverse(t.Context(), z[:n], z[:n]))
					require.True(t, slices.Equal(x[:n], z[:n]), "%v, 2^%d, %d workers, cache %d", tier, log, workers, cache)
				}
			}
		}
		undo()
	}
}
