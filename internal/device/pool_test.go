package device

import (
	"errors"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/galfft/fft/internal/device/driver"
	"github.com/stretchr/testify/require"
)

// What gives memory back waits for nobody, and the memory goes when nothing reads it any more, on any queue.
func TestReleaseBehindAll(t *testing.T) {
	d := spare(t)
	q, err := d.NewQueue()
	require.NoError(t, err)
	to, err := q.Make(8)
	require.NoError(t, err)
	from := filled(t, d, 1, 3)
	require.NoError(t, errors.Join(d.Wait(t.Context(), from), q.Wait(t.Context())))
	before, _, err := d.d.Free()
	require.NoError(t, err)
	slow(t, forever)
	require.NoError(t, q.stream.Copy(driver.Pointer(to.At), driver.Pointer(from.At), 8))
	require.NoError(t, from.Release())
	left, _, err := d.d.Free()
	require.NoError(t, err)
	require.Equal(t, before, left, "a queue reads it")
	slow(t, "0")
	require.NoError(t, d.freeing.Wait())
	left, _, err = d.d.Free()
	require.NoError(t, err)
	require.Equal(t, before+8, left)
	var got uint64
	require.NoError(t, q.CopyOut(unsafe.Pointer(&got), to.At, 8))
	require.Equal(t, uint64(0x0303030303030303), got)
	require.NoError(t, q.Close())
}

// Memory that is on its way back is waited for where there is no other.
func TestReleasedAgain(t *testing.T) {
	d := spare(t)
	t.Setenv("EMULATE_MEMORY", "1048576")
	q, err := d.NewQueue()
	require.NoError(t, err)
	word, err := q.Make(8)
	require.NoError(t, err)
	free, _, err := d.d.Free()
	require.NoError(t, err)
	most, err := d.Make(free - 64)
	require.NoError(t, err)
	require.NoError(t, errors.Join(d.Wait(t.Context(), most), q.Wait(t.Context())))
	slow(t, "1000")
	require.NoError(t, q.stream.Fill(driver.Pointer(word.At), 1, 8))
	require.NoError(t, most.Release())
	_, err = d.Make(free - 64)
	require.NoError(t, err)
	slow(t, "0")
	require.NoError(t, d.Close())
}

// A stream that records a graph is in the way of no release, and harmed by none. What it had before may read the
// memory.
func TestReleaseBesideCapture(t *testing.T) {
	d := spare(t)
	q, err := d.NewQueue()
	require.NoError(t, err)
	q.Show()
	to, err := q.Make(8)
	require.NoError(t, err)
	m := filled(t, d, 1, 5)
	require.NoError(t, errors.Join(d.Wait(t.Context(), m), q.Wait(t.Context())))
	before, _, err := d.d.Free()
	require.NoError(t, err)
	slow(t, "1000")
	for range 100 {
		require.NoError(t, q.stream.Copy(driver.Pointer(to.At), driver.Pointer(m.At), 8))
	}
	g, err := q.stream.Capture(func() error {
		freed := make(chan error)
		go func() { freed <- m.Release() }() // on another thread, as this one records
		return <-freed
	})
	require.NoError(t, err)
	slow(t, "0")
	require.NoError(t, errors.Join(g.Close(), d.freeing.Wait()))
	left, _, err := d.d.Free()
	require.NoError(t, err)
	require.Equal(t, before+8, left)
	require.NoError(t, q.Close())
}

// A place behind what queues have may not be had: then the device is waited for, and the failure said.
func TestReleaseFails(t *testing.T) {
	for _, function := range []string{"cuEventCreate", "cuEventRecord", "cuStreamWaitEvent"} {
		d := spare(t)
		before, _, err := d.d.Free()
		require.NoError(t, err)
		m, err := d.Make(8)
		require.NoError(t, err)
		require.NoError(t, d.Wait(t.Context(), m))
		failing(t, function, 1, 1)
		require.ErrorContains(t, m.Release(), function)
		failing(t, "", 0, 0)
		require.NoError(t, d.freeing.Wait())
		left, _, err := d.d.Free()
		require.NoError(t, err)
		require.Equal(t, before, left, function)
		require.NoError(t, d.Close())
	}
}

// A borrowed stream that nobody has closed may still read what goes with the device.
func TestCloseWaitsForBorrowed(t *testing.T) {
	d := spare(t)
	own, err := d.d.NewStream()
	require.NoError(t, err)
	_, err = d.Borrow(own.Handle())
	require.NoError(t, err)
	m := filled(t, d, 1, 5)
	require.NoError(t, d.Wait(t.Context(), m))
	slow(t, "1000")
	for range 100 {
		require.NoError(t, own.Fill(driver.Pointer(m.At), 1, 8)) // ends the process where it comes too late
	}
	require.NoError(t, d.Close())
	slow(t, "0")
}

// What nobody has comes back by one collection of garbage, and what a sync.Pool has kept by a second one.
func TestCollected(t *testing.T) {
	d := spare(t)
	t.Setenv("EMULATE_MEMORY", "1048576")
	free, _, err := d.d.Free()
	require.NoError(t, err)
	var pool sync.Pool
	collections := func() uint32 {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.NumForcedGC
	}
	for i, leave := range []func(m *Memory){func(*Memory) {}, func(m *Memory) { pool.Put(m) }} {
		m, err := d.Make(free - 64)
		require.NoError(t, err)
		require.NoError(t, d.Wait(t.Context(), m))
		leave(m)
		m = nil
		before := collections()
		m, err = d.Make(free - 64)
		require.NoError(t, err)
		require.LessOrEqual(t, collections()-before, uint32(i+1))
		require.NoError(t, m.Release())
	}
}
