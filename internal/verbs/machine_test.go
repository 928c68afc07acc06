package verbs

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/emulator"
)

// The machine copies and multiplies, with its work shared, and takes no parameter that says nothing there.
func TestMachine(t *testing.T) {
	for _, op := range MachineOps(CPU) {
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

// A device copies and multiplies too, and its results are looked at.
func TestMachineOfDevice(t *testing.T) {
	emulator.Need(t)
	bits := map[string]int{benchjson.Copy: 1000, benchjson.Multiply: 64, benchjson.MultiplyAdd32: 32,
		benchjson.MultiplyAdd64: 64}
	of := Case{N: 1000, Batch: 1, Reps: 2, Time: time.Microsecond, Options: Options{Workers: 1, Backend: GPU}}
	require.Len(t, MachineOps(GPU), len(bits))
	for _, op := range MachineOps(GPU) {
		of.Op = op
		m, err := Machine{}.Bench(t.Context(), of)
		require.NoError(t, err, op)
		require.Equal(t, bits[op], m.N, op)
		require.Len(t, m.Samples, 2)
		require.Positive(t, m.Samples.Min())
		require.NotNil(t, m.Device)
		require.True(t, m.Resident)
	}
	two := of
	two.Workers = 2
	_, err := Machine{}.Bench(t.Context(), two)
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorContains(t, err, "takes no workers on a device")
	here := of
	here.Backend = CPU
	_, err = Machine{}.Bench(t.Context(), here)
	require.ErrorIs(t, err, field.ErrSpec)
	long := of
	long.Op, long.N = benchjson.Copy, math.MaxInt
	_, err = Machine{}.Bench(t.Context(), long)
	require.ErrorIs(t, err, field.ErrMemory)
}
