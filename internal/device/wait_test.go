package device

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/galfft/fft/internal/device/driver"
	"github.com/stretchr/testify/require"
)

const forever = "3600000000" // µs that a piece of work takes, until the variable changes

// slow makes every piece of work on the emulated device last so many µs, those under way too. A test that ends lets
// them end.
func slow(t *testing.T, us string) { t.Setenv("EMULATE_DELAY", us) }

// filled makes a vector of n words of one byte, which lasts.
func filled(t *testing.T, d *Device, n int, with byte) *Memory {
	m, err := d.Make(8 * n)
	require.NoError(t, err)
	m.Did(d.stream.Fill(driver.Pointer(m.At), with, 8*n))
	return m
}

// soon is a context that ends while a wait is asleep, before which a wait asks for Done.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	return leaving{ctx, cancel}
}

type leaving struct {
	context.Context
	cancel func()
}

func (l leaving) Done() <-chan struct{} {
	l.cancel()
	return l.Context.Done()
}

// A wait for a vector does not wait for what others have put on the device.
func TestWaitForOne(t *testing.T) {
	d := spare(t)
	one := filled(t, d, 8, 1)
	slow(t, forever)
	other := filled(t, d, 8, 2)
	require.NoError(t, d.Wait(t.Context(), one))
	require.ErrorIs(t, d.Wait(soon(t), other), context.Canceled)
	require.ErrorIs(t, d.Wait(soon(t), nil), context.Canceled, "for all")
	slow(t, "0")
	require.NoError(t, errors.Join(d.Wait(t.Context(), other), d.Wait(t.Context(), nil)))
}

// A context ends a wait, before it sleeps and when it does. The work goes on.
func TestWaitEnds(t *testing.T) {
	d := spare(t)
	slow(t, forever)
	m := filled(t, d, 8, 7)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, d.Wait(over, m), context.Canceled)
	require.ErrorIs(t, d.Wait(soon(t), m), context.Canceled)
	slow(t, "0")
	require.NoError(t, d.Wait(t.Context(), m))
	got := make([]uint64, 8)
	require.NoError(t, out(m, 0, got))
	require.Equal(t, slices.Repeat([]uint64{0x0707070707070707}, 8), got)
	require.NoError(t, d.Wait(over, m), "what is reached is reached")
	m.Note(driver.ErrModule)
	slow(t, forever)
	m.Did(d.stream.Fill(driver.Pointer(m.At), 1, 8))
	require.ErrorIs(t, d.Wait(over, m), driver.ErrModule, "a failure is said")
}

// Memory that work uses is its own until it is over, whoever has left a wait: vectors, pinned memory, what grows. No
// goroutine stays.
func TestWaitLeft(t *testing.T) {
	d := spare(t)
	before := runtime.NumGoroutine()
	const n = (directBytes + mostPart) / 8
	words := func(with uint64) []uint64 {
		x := make([]uint64, n)
		for i := range x {
			x[i] = with<<32 + uint64(i)
		}
		return x
	}
	a, err := d.Make(8 * n)
	require.NoError(t, err)
	b, err := d.Make(8 * n)
	require.NoError(t, err)
	require.NoError(t, d.common.Scratch(8, func(uint64) error { return nil }))
	slow(t, forever)
	x := words(1)
	a.Did(in(a, 0, x))
	clear(x)
	for range 3 {
		require.ErrorIs(t, d.Wait(soon(t), a), context.Canceled)
	}
	done := make(chan error)
	go func() { // into the same pinned memory
		err := in(b, 0, words(2))
		b.Did(err)
		done <- err
	}()
	go func() {
		done <- d.common.Scratch(64, func(at uint64) error { return d.stream.Fill(driver.Pointer(at), 3, 64) })
	}()
	c := filled(t, d, 8, 4)
	go func() { done <- c.Release() }()
	select {
	case err := <-done:
		require.Fail(t, "somebody did not wait", "%v", err)
	case <-time.After(20 * time.Millisecond):
	}
	slow(t, "0")
	for range 3 {
		require.NoError(t, <-done)
	}
	y := make([]uint64, n)
	for i, m := range []*Memory{a, b} {
		require.NoError(t, d.Wait(t.Context(), m))
		require.NoError(t, out(m, 0, y))
		require.True(t, slices.Equal(words(uint64(i+1)), y), i)
	}
	for runtime.NumGoroutine() > before {
		time.Sleep(time.Millisecond)
	}
}

// Close waits for waits that were left.
func TestWaitClose(t *testing.T) {
	d := spare(t)
	slow(t, forever)
	m := filled(t, d, 8, 4)
	slow(t, forever)
	require.ErrorIs(t, d.Wait(soon(t), m), context.Canceled)
	left := d.life.TryLock()
	if left {
		d.life.Unlock()
	}
	require.False(t, left, "who sleeps keeps the device open")
	slow(t, "30000")
	require.NoError(t, d.Close())
	require.ErrorIs(t, d.Wait(t.Context(), m), ErrClosed)
}

func TestWaitAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector a sync.Pool drops what it is given, at random")
	}
	d := spare(t)
	m := filled(t, d, 8, 4)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, us := range []string{"0", "200"} { // which sleeps
		slow(t, us)
		for _, ctx := range []context.Context{ctx, context.Background()} {
			require.Zero(t, testing.AllocsPerRun(20, func() {
				m.Did(d.stream.Fill(driver.Pointer(m.At), 1, 8))
				if err := d.Wait(ctx, m); err != nil {
					t.Error(err)
				}
			}), us)
		}
	}
}

// A wait asks for a short time, and then no more: the call that would be too many fails.
func TestWaitSleeps(t *testing.T) {
	d := spare(t)
	for _, ctx := range []context.Context{t.Context(), context.Background()} {
		slow(t, "300000")
		m := filled(t, d, 8, 4)
		failing(t, "cuEventQuery", 1000, 1)
		require.NoError(t, d.Wait(ctx, m))
		failing(t, "cuEventSynchronize", 1, 1)
		m.Did(d.stream.Fill(driver.Pointer(m.At), 1, 8))
		require.ErrorContains(t, d.Wait(ctx, m), "cuEventSynchronize", "it has slept")
		failing(t, "", 0, 0)
	}
}

// Results are right on a device that runs nothing before somebody waits for it.
func TestLate(t *testing.T) {
	for name, test := range map[string]func(*testing.T){"copies": TestCopies, "at once": TestCopiesAtOnce} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			slow(t, "20")
			test(t)
		})
	}
	d := spare(t)
	slow(t, "20")
	m := filled(t, d, 8, 9)
	var got uint64
	require.NoError(t, d.CopyOut(unsafe.Pointer(&got), m.At+8, 8))
	require.Equal(t, uint64(0x0909090909090909), got)
}

// Who sleeps does so on a stream of its own: events of vectors are those that cost the least.
func TestWaitSleepsApart(t *testing.T) {
	d := spare(t)
	m := filled(t, d, 8, 4)
	require.NoError(t, d.Wait(t.Context(), m))
	t.Setenv("EMULATE_FAIL", "cuStreamWaitEvent:1:1")
	m.Did(d.stream.Fill(driver.Pointer(m.At), 1, 8))
	require.NoError(t, d.Wait(t.Context(), m), "what is over is not slept for")
	slow(t, forever)
	m.Did(d.stream.Fill(driver.Pointer(m.At), 2, 8))
	require.ErrorContains(t, d.Wait(context.Background(), m), "cuStreamWaitEvent")
	t.Setenv("EMULATE_FAIL", "")

	// One that sleeps for long holds up no other.
	other, err := d.NewQueue()
	require.NoError(t, err)
	slept := make(chan error)
	go func() { slept <- d.Wait(context.Background(), m) }()
	for awake := true; awake; time.Sleep(time.Millisecond) {
		d.sleepers.mu.Lock()
		awake = len(d.sleepers.idle) == len(d.sleepers.all)
		d.sleepers.mu.Unlock()
	}
	require.NoError(t, other.Wait(t.Context()))
	slow(t, "0")
	require.NoError(t, <-slept)
	require.NoError(t, other.Close())
}

// A wait for a closed queue leaves no event that others would fail by.
func TestWaitForClosed(t *testing.T) {
	d := spare(t)
	q, err := d.NewQueue()
	require.NoError(t, err)
	require.NoError(t, q.Close())
	require.ErrorIs(t, q.Wait(t.Context()), driver.ErrClosed)
	empty, err := d.Make(0)
	require.NoError(t, err)
	require.NoError(t, d.Wait(t.Context(), empty))
}

// A queue owes nothing any more once others have its stream, which may record a graph.
func TestShownOwesNothing(t *testing.T) {
	d := spare(t)
	q, err := d.NewQueue()
	require.NoError(t, err)
	slow(t, "100000")
	m, err := q.Make(8)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, q.Wait(ctx), context.Canceled)
	failing(t, "cuEventRecord", 1, 801)
	q.Show()
	require.ErrorContains(t, q.Wait(t.Context()), "cuEventRecord", "it was Show's that failed")
	failing(t, "", 0, 0)
	require.NoError(t, errors.Join(q.Wait(t.Context()), m.Release(), q.Close()))
}
