package tune

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
)

// The crossover is where both take as long, between the lengths that were measured, and beyond all where the device is
// always slower.
func TestDeviceCrossover(t *testing.T) {
	var clock time.Time
	takes := func(fixed, each time.Duration) planner {
		return func(_ context.Context, n int, _ ...fft.Option) (subject, error) {
			return subject{run: func(ctx context.Context) error {
				clock = clock.Add(fixed + time.Duration(n)*each)
				return ctx.Err()
			}}, nil
		}
	}
	o := Options{Lengths: []int{1 << 12, 1 << 6, 1 << 9}}
	for _, c := range []struct {
		there planner
		batch int
		from  int
	}{
		{takes(10*time.Microsecond, 10*time.Nanosecond), 1, 1 << 9},
		{takes(10*time.Microsecond, 10*time.Nanosecond), 3, 3 << 9},
		{takes(0, 50*time.Nanosecond), 1, 1 << 6},
		{takes(0, time.Second), 1, 1 << 13},
	} {
		o.Batch = c.batch
		s := subjects{now: func() time.Time { return clock }, plan: takes(0, 100*time.Nanosecond), name: "F"}
		table, err := measureDevice(context.Background(), o, "D", s, c.there, 0)
		require.NoError(t, err)
		got, ok := table.TunedDevice("F", "D")
		require.True(t, ok)
		require.Equal(t, c.from, got.From)
		_, ok = table.TunedDevice("F", "another")
		require.False(t, ok)
		require.Len(t, table.Lines(), 1)
		require.Contains(t, table.Lines()[0], `device field="F" device="D" tier=`+cpu.Active().String())
	}
}

func TestMeasureDevice(t *testing.T) {
	f := smallprime.P62()
	o := Options{Lengths: []int{4, 8}, Effort: Estimate, TimeLimit: time.Nanosecond}
	table, err := MeasureDevice[uint64](context.Background(), f, f, "itself", o)
	require.NoError(t, err)
	got, ok := table.TunedDevice(field.TuningName(f), "itself")
	require.True(t, ok, "the time limit leaves what is through")
	require.Contains(t, []int{4, 8}, got.From)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = MeasureDevice[uint64](ctx, f, f, "itself", o)
	require.ErrorIs(t, err, context.Canceled)
	_, err = MeasureDevice[uint64](context.Background(), f, f, "itself", Options{Products: true})
	require.ErrorIs(t, err, field.ErrSpec, "no lengths")
	_, err = MeasureDevice[uint64](context.Background(), f, f, "itself", Options{Lengths: []int{5}})
	require.Error(t, err)
	var none context.Context
	_, err = MeasureDevice[uint64](none, f, f, "itself", o)
	require.ErrorIs(t, err, field.ErrSpec)
}

// The threads are those of the least time over all lengths, and the device's own where others gain less than the noise.
func TestThreads(t *testing.T) {
	var clock time.Time
	ended, made := 0, 0
	takes := func(each func(threads, n int) time.Duration) func(threads int) (planner, error) {
		return func(threads int) (planner, error) {
			return func(_ context.Context, n int, _ ...fft.Option) (subject, error) {
				made++
				return subject{run: func(ctx context.Context) error {
					clock = clock.Add(each(threads, n) * time.Microsecond)
					return ctx.Err()
				}, close: func() error { ended++; return nil }}, nil
			}, nil
		}
	}
	o := Options{Lengths: []int{1 << 8, 1 << 10}}
	now := func() time.Time { return clock }
	for _, c := range []struct {
		each func(threads, n int) time.Duration
		want int
	}{
		{func(int, int) time.Duration { return 100 }, 0},
		{func(threads, _ int) time.Duration { return time.Duration(100 - threads/512) }, 0},
		{func(threads, _ int) time.Duration { return time.Duration(100 + (threads-128)*(threads-128)/100) }, 128},
		{func(threads, n int) time.Duration { // one length gains what the other loses
			if threads == 64 && n == 1<<8 {
				return 50
			}
			if threads == 64 {
				return 200
			}
			return 100
		}, 0},
	} {
		got, err := measureThreads(t.Context(), o, now, takes(c.each))
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	require.Equal(t, made, ended)

	bad := errors.New("bad")
	_, err := measureThreads(t.Context(), o, now, func(threads int) (planner, error) {
		if threads == 0 {
			return takes(func(int, int) time.Duration { return 1 })(0)
		}
		return nil, bad
	})
	require.ErrorIs(t, err, bad)

	f := smallprime.P62()
	on := func(int) (field.Field[uint64], error) { return f, nil }
	o = Options{Lengths: []int{4, 8}, Effort: Estimate, TimeLimit: time.Nanosecond}
	_, err = MeasureThreads(t.Context(), on, o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = MeasureThreads(ctx, on, o)
	require.ErrorIs(t, err, context.Canceled)
}
