package verbs

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/tune"
)

// Tests do not depend on a file of whoever runs them.
func init() { os.Setenv(tuning.Variable, tuning.Off) }

func TestTune(t *testing.T) {
	f := Of[uint64](smallprime.P62())
	table, err := f.Tune(context.Background(), tune.Options{Lengths: []int{2, 4}})
	require.NoError(t, err)
	require.Equal(t, 2, table.Len())
	_, err = f.Tune(context.Background(), tune.Options{Lengths: []int{2, math.MaxInt/2 + 1}})
	require.ErrorIs(t, err, field.ErrMemory)
}
