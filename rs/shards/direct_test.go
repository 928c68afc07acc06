//go:build linux && (amd64 || arm64)

package shards

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/rs"
)

// around is a disk that syncs nothing and counts what is written around the cache.
func around(n *atomic.Int64) Option {
	return func(c *config) {
		c.disk = &disk{sync: func(*os.File) error { return nil }, written: func(_, result int64) int64 {
			n.Add(1)
			return result
		}}
	}
}

// cached has all written in the ordinary way.
func cached(c *config) { c.cached = true }

// alone has one processor until the test ends.
func alone(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// possible skips a test where the system does not write around its cache.
func possible(t *testing.T) {
	t.Helper()
	var n atomic.Int64
	dir := filepath.Join(t.TempDir(), "set")
	require.NoError(t, Encode(ctx, bytes.NewReader(content(1<<18)), dir, 2, 1, around(&n)))
	if n.Load() == 0 {
		t.Skip("nothing goes around the cache of this system")
	}
}

// What is written around the cache, on all processors and on one. The tests wait for the disk most of their time: they
// do so beside each other.
func TestAround(t *testing.T) {
	possible(t)
	every := func(t *testing.T) {
		for _, c := range []struct {
			name string
			run  func(t *testing.T)
		}{{"bytes", testAround}, {"fails", testAroundFails}, {"short", testAroundShort}, {"stops", testAroundStops}} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t)
			})
		}
	}
	t.Run("all", every)
	t.Run("one", func(t *testing.T) {
		alone(t)
		every(t)
	})
}

// Files have the same bytes, whichever way they are written, from files and from streams of any length.
func testAround(t *testing.T) {
	const stripe = 3 * mostBlock
	for _, n := range []int{stripe - 1, stripe, 2*stripe - 5, 5*stripe + 12345, 17 * stripe} {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		require.NoError(t, os.WriteFile(path, content(n), 0o640))
		for _, workers := range []int{1, 3} {
			for _, code := range []rs.Code{rs.Vandermonde, rs.Leopard16} {
				var made atomic.Int64
				opts := []Option{WithCode(code), WithWorkers(workers), around(&made)}
				want := filepath.Join(dir, "want")
				require.NoError(t, EncodeFile(ctx, path, want, 3, 2, append(opts, cached)...))
				require.Zero(t, made.Load())
				got := filepath.Join(dir, "got")
				require.NoError(t, EncodeFile(ctx, path, got, 3, 2, opts...))
				require.Equal(t, n >= stripe, made.Load() > 0, n)
				require.Equal(t, snapshot(t, want), snapshot(t, got), n)
				require.NoError(t, os.RemoveAll(want))
				require.NoError(t, os.RemoveAll(got))

				require.NoError(t, Encode(ctx, bytes.NewReader(content(n)), got, 3, 2, opts...))
				require.Equal(t, Intact, check(t, open(t, got)).State)
				require.Equal(t, content(n), copied(t, open(t, got)))
				require.NoError(t, os.RemoveAll(got))
			}
		}
	}
}

// There are all shards or no directory, whatever fails.
func testAroundFails(t *testing.T) {
	parent := t.TempDir()
	path, dir := filepath.Join(parent, "file"), filepath.Join(parent, "set")
	require.NoError(t, os.WriteFile(path, content(5*mostBlock), 0o600))
	var made atomic.Int64
	faults(t, func(fail Option) error {
		return EncodeFile(ctx, path, dir, 2, 1, around(&made), fail)
	}, func(killed bool, err error) {
		if _, missing := os.Stat(dir); missing == nil {
			require.Equal(t, Intact, check(t, open(t, dir)).State)
		} else {
			require.Error(t, err)
		}
		if !killed {
			require.Empty(t, asides(t, parent))
		}
		fresh(t, parent, dir)
	})
	require.Positive(t, made.Load())
}

// What a system refuses to write around its cache, or writes in part, is written in the ordinary way, and where that
// fails too, as on a full disk, there is no directory.
func testAroundShort(t *testing.T) {
	parent, text := t.TempDir(), content(7*2*mostBlock+100)
	want := snapshot(t, encoded(t, text, 2, 1, WithMemoryLimit(defaultMemory), cached))
	dir := filepath.Join(parent, "set")
	for _, short := range []func(int64) int64{
		func(n int64) int64 { return n / 2 },
		func(n int64) int64 { return n / page / 2 * page },
		func(n int64) int64 { return 0 },
		func(n int64) int64 { return -int64(syscall.EINVAL) },
		func(n int64) int64 { return -int64(syscall.ENOSPC) },
	} {
		for _, every := range []int64{1, 3} {
			var n atomic.Int64
			damaged := func(c *config) {
				c.disk = &disk{sync: func(*os.File) error { return nil }, written: func(_, result int64) int64 {
					if n.Add(1)%every == 0 && result > 0 {
						result = short(result)
					}
					return result
				}}
			}
			require.NoError(t, Encode(ctx, bytes.NewReader(text), dir, 2, 1, damaged))
			require.Equal(t, want, snapshot(t, dir))
			require.NoError(t, os.RemoveAll(dir))

			full := func(c *config) {
				c.disk.fail = func(op string) error {
					if op == "write" && n.Load() >= every {
						return syscall.ENOSPC
					}
					return nil
				}
			}
			n.Store(0)
			err := Encode(ctx, bytes.NewReader(text), dir, 2, 1, damaged, full)
			require.ErrorIs(t, err, ErrWrite)
			require.ErrorIs(t, err, syscall.ENOSPC)
			require.NoDirExists(t, dir)
			require.Empty(t, asides(t, parent))
		}
	}
}

// The bytes that a write in part leaves out are those behind it.
func TestQueue(t *testing.T) {
	possible(t)
	f, err := (&disk{}).create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	f.fd = int(f.Fd())
	q, err := newQueue(3, 2*page)
	require.NoError(t, err)
	defer q.close()
	want := content(200 * page)
	rest := int64(0)
	f.d.written = func(at, result int64) int64 {
		rest++
		short := min(result, rest*512)
		_, err := f.File.WriteAt(make([]byte, result-short), at+short)
		require.NoError(t, err)
		return short
	}
	for at := 0; at < len(want); at += 2 * page {
		slot, room, err := q.take()
		require.NoError(t, err)
		copy(room, want[at:])
		require.NoError(t, q.write(slot, f, 2*page, int64(at)))
	}
	require.NoError(t, q.wait())
	got, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Equal(t, want, got)

	// A file that is closed takes nothing.
	f.d.written = nil
	require.NoError(t, f.Close())
	slot, _, err := q.take()
	require.NoError(t, err)
	require.NoError(t, q.write(slot, f, page, 0))
	require.Error(t, q.wait())
	for range 3 { // and the slots are free
		_, _, err := q.take()
		require.NoError(t, err)
	}
}

// Signals end waits for a slot, and nothing else.
func TestQueueSignals(t *testing.T) {
	possible(t)
	f, err := (&disk{}).create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer f.Close()
	f.fd = int(f.Fd())
	require.NoError(t, f.around(true))
	require.NoError(t, f.Truncate(400*64*page)) // who makes a file longer waits for the disk as it is submitted
	q, err := newQueue(1, 64*page)
	require.NoError(t, err)
	defer q.close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pid, thread, ended := uintptr(syscall.Getpid()), uintptr(syscall.Gettid()), make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			default:
				_, _, _ = syscall.Syscall(syscall.SYS_TGKILL, pid, thread, uintptr(syscall.SIGURG))
				time.Sleep(50 * time.Microsecond)
			}
		}
	}()
	defer close(ended)
	for at := range int64(400) {
		slot, _, err := q.take()
		require.NoError(t, err)
		require.NoError(t, q.write(slot, f, 64*page, at*64*page))
	}
	require.NoError(t, q.wait())
}

// A source that fails, a context that ends and a file that changes leave nothing.
func testAroundStops(t *testing.T) {
	parent := t.TempDir()
	path, dir := filepath.Join(parent, "file"), filepath.Join(parent, "set")
	broken := errors.New("broken")
	var made atomic.Int64
	const stripe = 2 * mostBlock
	source := io.MultiReader(bytes.NewReader(content(5*stripe+1)), failing{broken})
	err := Encode(ctx, source, dir, 2, 1, around(&made))
	require.ErrorIs(t, err, ErrRead)
	require.ErrorIs(t, err, broken)
	require.NoDirExists(t, dir)
	require.Empty(t, asides(t, parent))

	for _, by := range []int64{-3 * stripe, -stripe, -1, 1, stripe, 3 * stripe} {
		require.NoError(t, os.WriteFile(path, content(5*stripe), 0o600))
		changes := func(c *config) {
			c.disk.fail = func(op string) error {
				if op == "mkdir" {
					return os.Truncate(path, 5*stripe+by)
				}
				return nil
			}
		}
		err := EncodeFile(ctx, path, dir, 2, 1, around(&made), changes)
		require.ErrorIs(t, err, ErrRead)
		require.ErrorIs(t, err, errChanged)
		require.NoDirExists(t, dir)
		require.Empty(t, asides(t, parent))
	}

	require.NoError(t, os.WriteFile(path, content(9*stripe), 0o600))
	ending, stop := context.WithCancel(ctx)
	writes := 0
	stops := func(c *config) {
		c.disk.fail = func(op string) error {
			if op == "write" {
				writes++
				stop()
			}
			return nil
		}
	}
	err = EncodeFile(ending, path, dir, 2, 1, around(&made), stops)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, writes)
	require.NoDirExists(t, dir)
	require.Empty(t, asides(t, parent))

	writes, stop = 0, func() {}
	require.NoError(t, EncodeFile(ctx, path, dir, 2, 1, around(&made), stops))
	require.Equal(t, 3*(9+3), writes) // blocks, two headers of each file, and what is left of a page
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// What is written around the cache is part of the memory that a call may take.
func TestAroundMemory(t *testing.T) {
	some, none := 0, 0
	for _, memory := range []int{4 << 20, 16 << 20, 64 << 20, defaultMemory} {
		for data := 1; data < 4000; data += 1 + data/50 {
			c, err := configure([]Option{WithMemoryLimit(memory), WithFiles(1 << 13)})
			require.NoError(t, err)
			e := &encoder{config: c, h: header{data: data, parity: data/10 + 1, code: rs.Vandermonde}}
			if c.fit(&e.h) != nil {
				continue
			}
			switch n := e.slots(); {
			case n == 0 && e.h.block >= leastDirect:
				none++
			case n > 0:
				some++
				require.GreaterOrEqual(t, n, leastSlots)
				require.GreaterOrEqual(t, e.h.block, leastDirect)
				slots, pages := n*(e.h.block+page), 2*page*e.h.files()
				require.LessOrEqual(t, e.h.memory(1)+int64(slots+pages), int64(memory/4*3))
			}
		}
	}
	require.Positive(t, some)
	require.Positive(t, none)
}
