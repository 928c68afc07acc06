package verbs

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
)

// The machine copies and multiplies, with its work shared, and takes no parameter that says nothing there.
func TestMachine(t *testing.T) {
	for _, op := range MachineOps() {
		for _, workers := range []int{1, 2, 3} {
			c := Case{Op: op, N: 1000, Batch: 1, Reps: 2, Time: time.Microsecond, Options: Options{Workers: workers}}
			m, err := Machine{}.Bench(t.Context(), c)
			require.NoError(t, err, op)
			require.Len(t, m.Samples, 2)
			require.Positive(t, m.Samples.Min())
			require.True(t, op == benchjson.Multiply || m.N == 1000)
		}
		c := Case{Op: op, Batch: 2, Time: 1, Options: Options{Workers: 1}}
		_, err := Machine{}.Bench(t.Context(), c)
		require.ErrorIs(t, err, field.ErrSpec)
		require.ErrorContains(t, err, "operation "+op+" takes no batch")
	}
	long := Case{Op: benchjson.Copy, N: math.MaxInt, Batch: 1, Time: 1, Options: Options{Workers: 1}}
	_, err := Machine{}.Bench(t.Context(), long)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = Machine{}.Bench(t.Context(), Case{Op: "add", Batch: 1, Time: 1, Options: Options{Workers: 1}})
	require.ErrorIs(t, err, field.ErrSpec)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Machine{}.Bench(ctx, Case{Op: benchjson.Multiply, Batch: 1, Time: 1, Options: Options{Workers: 1}})
	require.ErrorIs(t, err, context.Canceled)
}
