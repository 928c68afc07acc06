package verbs

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/tuning"
	"github.com/galfft/fft/tune"
)

// Tests do not depend on a file of whoever runs them.
func init() { os.Setenv(tuning.Variable, tuning.Off) }

func TestTune(t *testing.T) {
	f := Of[uint64](smallprime.P62())
	table, err := f.Tune(context.Background(), CPU, tune.Options{Lengths: []int{2, 4}})
	require.NoError(t, err)
	require.Equal(t, 2, table.Len())
	_, err = f.Tune(context.Background(), CPU, tune.Options{Lengths: []int{2, math.MaxInt/2 + 1}})
	require.ErrorIs(t, err, field.ErrMemory)
}

// What is tuned for the device says from where on Auto takes it.
func TestTuneDevice(t *testing.T) {
	emulator.Need(t)
	f := Of(smallprime.P62())
	o := tune.Options{Lengths: []int{4, 8}, Effort: tune.Estimate}
	table, err := f.Tune(context.Background(), GPU, o)
	require.NoError(t, err)
	require.Len(t, table.Lines(), 1)
	both, err := f.Tune(context.Background(), Auto, o)
	require.NoError(t, err)
	require.Equal(t, 3, both.Len())
	_, err = Of(testfields.NewFermat()).Tune(context.Background(), GPU, o)
	require.ErrorIs(t, err, ErrBackend)

	list, err := gpu.Devices()
	require.NoError(t, err)
	user := tuning.New()
	key := tuning.DeviceKey{Field: field.TuningName(smallprime.P62()), Device: list[0].Name, Tier: cpu.Active()}
	user.AddDevice(tuning.DeviceLine{Key: key, Tuned: field.TunedDevice{From: 16, Threads: 256, Source: "file:9"}})
	f.(*hidden).tuned = func() *tuning.Loaded { return &tuning.Loaded{User: user} }
	for elements, device := range map[int]bool{15: false, 16: true} {
		p, err := f.(*hidden).place(Auto, elements)
		require.NoError(t, err)
		require.Equal(t, device, p.device != nil, "%d elements", elements)
		if device {
			require.Equal(t, 256, p.Field.Field().(*gpu.DeviceField[uint64]).Threads())
		}
	}
	var b strings.Builder
	require.NoError(t, f.Explain(context.Background(), &b, 16, Options{Backend: Auto}))
	require.Contains(t, b.String(), "\ndevice   from 16 elements on, blocks of at most 256 threads, tuned: file:9\n")
}
