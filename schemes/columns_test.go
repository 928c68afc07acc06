package schemes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/schemes"
)

// Batches by columns have the values of rows, for all numbers of columns: side by side, gathered, and what is left
// over.
func TestColumns(t *testing.T) {
	eachTier(t, func(t *testing.T, _ cpu.Tier) {
		columnsLikeRows(t, smallprime.P30())
		columnsLikeRows(t, smallprime.BabyBear())
		columnsLikeRows(t, smallprime.P32())
		columnsLikeRows(t, smallprime.P50())
		columnsLikeRows(t, smallprime.Goldilocks())
	})
}

func columnsLikeRows[E comparable](t *testing.T, f interface {
	field.Rooted[E]
	field.Sampler[E]
}) {
	r := rand.New(rand.NewPCG(3, 4))
	counts := []int{1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 20, 31, 33, 40}
	for _, n := range []int{32, 1 << 15} { // columns of the longer one leave the second-level cache
		for _, count := range counts {
			if n > 32 && count != 3 && count != 17 {
				continue
			}
			stride := count + r.IntN(3)
			spec := field.Spec{Order: field.Order(r.IntN(2)), Workers: 1 + r.IntN(2), Grain: 1}
			d, err := field.NewCyclic[E](f, n)
			require.NoError(t, err)
			one, err := schemes.New[E](f, d, spec)
			require.NoError(t, err)
			spec.Batch = field.Batch{Count: count, Stride: stride, Columns: true}
			batch, err := schemes.New[E](f, d, spec)
			require.NoError(t, err)
			x := make([]E, (n-1)*stride+count)
			for i := range x {
				f.Random(&x[i], r)
			}
			want, y, column := append([]E{}, x...), append([]E{}, x...), make([]E, n)
			for j := range count {
				for i := range column {
					column[i] = x[i*stride+j]
				}
				require.NoError(t, one.Forward(t.Context(), column, column))
				for i := range column {
					want[i*stride+j] = column[i]
				}
			}
			require.NoError(t, batch.Forward(t.Context(), y, y))
			require.True(t, equal(want, y), "%d columns of %d, stride %d, %v", count, n, stride, spec.Order)
			require.NoError(t, batch.Inverse(t.Context(), y, y))
			require.True(t, equal(x, y), "%d columns of %d, stride %d, %v, and back", count, n, stride, spec.Order)
		}
	}
}

func equal[E comparable](x, y []E) bool {
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return len(x) == len(y)
}
