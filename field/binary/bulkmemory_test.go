package binary

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Transforms in the slices of the caller take little memory beside them: tables of Cantor's subspaces are constants,
// and there is no vector of scratch.
func TestMemory(t *testing.T) {
	f := must(New[uint64](64))
	for _, k := range []int{6, 16, 29} {
		d, err := field.NewAffine(f, 1<<k)
		require.NoError(t, err)
		plan, err := schemes.Build(f, newBulk(f), d, field.Spec{MemoryLimit: 8<<k + 1<<20})
		require.NoError(t, err)
		r := plan.Report()
		require.Less(t, r.Tables+r.Scratch, 1<<20, "2^%d", k)
	}
}
