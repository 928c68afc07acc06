package driver

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// always has a Poll ask until its event is reached.
func always() (bool, error) { return true, nil }

// A wait for the last work of a stream records no event, and a second one asks nothing.
func TestOwedIsNotRecorded(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 1)
	e, err := b.NewEvent()
	require.NoError(t, err)
	reaches := func() {
		reached, err := e.Poll(always)
		require.NoError(t, err)
		require.True(t, reached)
	}
	reaches() // no place
	require.NoError(t, errors.Join(b.set(p, 1, 1), e.Owe(b.stream)))
	t.Setenv("EMULATE_FAIL", "cuEventRecord:1:801")
	reaches()
	require.NoError(t, errors.Join(b.stream.Fill(p, 0, 8), e.Owe(b.stream),
		b.stream.CopyIn(p, unsafe.Pointer(&p), 8, e), e.Owe(b.stream)))
	reaches()
	t.Setenv("EMULATE_FAIL", "cuStreamWriteValue32:1:801")
	reaches()

	// Where the stream cannot write, the event is recorded.
	require.NoError(t, e.Owe(b.stream))
	reaches()
	require.NoError(t, e.Owe(b.stream))
	t.Setenv("EMULATE_FAIL", "cuEventRecord:1:801")
	reaches()
	e.word = nil
	require.NoError(t, e.Owe(b.stream))
	_, err = e.Poll(always)
	requireFails(t, err, "cuEventRecord")
	reaches()
}

// An owed event is no place behind what comes later.
func TestOwedIsRecordedBeforeMoreWork(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 8)
	host, err := b.Pinned(8)
	require.NoError(t, err)
	clear(host)
	word := unsafe.Pointer(&host[0])
	other, err := b.NewEvent()
	require.NoError(t, err)
	g, err := b.stream.Capture(func() error { return b.set(p, 5, 1) })
	require.NoError(t, err)
	for name, more := range map[string]func() error{
		"copy in":  func() error { return b.stream.CopyIn(p, word, 8, nil) },
		"copy out": func() error { return b.stream.CopyOut(word, p, 8, nil) },
		"copy":     func() error { return b.stream.Copy(p, p+8, 8) },
		"fill":     func() error { return b.stream.Fill(p, 0, 8) },
		"kernel":   func() error { return b.set(p, 1, 1) },
		"graph":    func() error { return g.Launch(b.stream, nil) },
		"another":  func() error { return errors.Join(b.set(p, 1, 1), other.Owe(b.stream)) },
		"its own":  func() error { return errors.Join(g.Launch(b.stream, other), other.Owe(b.stream)) },
	} {
		t.Run(name, func(t *testing.T) {
			e, err := b.NewEvent()
			require.NoError(t, err)
			require.NoError(t, errors.Join(b.stream.Wait(), b.set(p, 1, 1)))
			t.Setenv("EMULATE_DELAY", "2000")
			require.NoError(t, errors.Join(b.stream.Fill(p+16, 1, 8), e.Owe(b.stream), more(),
				b.stream.CopyOut(word, p+16, 8, nil)))
			require.NoError(t, e.Wait())
			require.Zero(t, host[0], "what came later has run")
			require.NoError(t, b.stream.Wait())
			require.Equal(t, byte(1), host[0])
			host[0] = 0
			require.NoError(t, e.Close())
		})
	}
}

// An event that is recorded elsewhere is owed no more, and who gives up finds it at its place.
func TestOwedElsewhere(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 8)
	other, err := b.NewStream()
	require.NoError(t, err)
	e, err := b.NewEvent()
	require.NoError(t, err)
	t.Setenv("EMULATE_DELAY", "20000")
	require.NoError(t, errors.Join(b.stream.Fill(p, 1, 8), e.Owe(b.stream)))
	reached, err := e.Poll(never)
	require.NoError(t, err)
	require.False(t, reached)
	require.NoError(t, errors.Join(other.Fill(p+8, 1, 8), e.Owe(other)))
	require.Nil(t, b.stream.owed.Load())
	require.NoError(t, b.stream.Fill(p, 1, 8))
	require.Same(t, other, e.stream.Load(), "the first stream has recorded it")
	require.NoError(t, e.Wait())
	reached, err = e.Poll(never)
	require.NoError(t, err)
	require.True(t, reached)
	require.NoError(t, b.stream.Wait())
}

// Events that no stream was to write for leave their words to others: one is made for each exchange of a group.
func TestWordsAreReused(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	for range 10 * pieceBytes / lineBytes {
		e, err := b.NewEvent()
		require.NoError(t, err)
		require.NoError(t, errors.Join(e.Record(b.stream), e.Close(), e.Close()))
	}
	require.Equal(t, 1, len(b.words.pieces))
	require.Equal(t, 1, len(b.words.idle))

	e, err := b.NewEvent()
	require.NoError(t, err)
	p := b.alloc(t, 1)
	require.NoError(t, errors.Join(b.set(p, 1, 1), e.Owe(b.stream)))
	reached, err := e.Poll(always)
	require.NoError(t, err)
	require.True(t, reached)
	require.NoError(t, e.Close())
	require.Empty(t, b.words.idle, "a write may come late")
}

// A closed stream owes nothing, so that the event is good for others.
func TestClosedOwesNothing(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	s, err := b.NewStream()
	require.NoError(t, err)
	e, err := b.NewEvent()
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.ErrorIs(t, e.Owe(s), ErrClosed)
	reached, err := e.Poll(never)
	require.NoError(t, err)
	require.True(t, reached, "it has no place")
}

// What a stream owes is recorded before it records a graph, and not in that.
func TestOwedBeforeCapture(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 1)
	e, err := b.NewEvent()
	require.NoError(t, err)
	require.NoError(t, errors.Join(b.set(p, 1, 1), e.Owe(b.stream)))
	g, err := b.stream.Capture(func() error {
		require.Nil(t, b.stream.owed.Load())
		return b.set(p, 2, 1)
	})
	require.NoError(t, err)
	require.NoError(t, e.Wait())
	require.NoError(t, g.Close())
}
