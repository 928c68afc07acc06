package intmul

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A room that was put back is there for every goroutine, the last one first, and goes after some collections.
func TestShelf(t *testing.T) {
	s := &shelf{armed: true} // no collection counts
	first, second := s.get(), s.get()
	require.NotSame(t, first, second)
	s.put(first)
	s.put(second)
	got := make(chan *room)
	go func() { got <- s.get() }()
	require.Same(t, second, <-got)
	s.age()
	s.put(second)
	s.age()
	require.Len(t, s.rooms, 1)
	require.Same(t, second, s.get()) // the first one is gone
	require.Empty(t, s.rooms)

	s.armed = false
	s.put(first)
	for left := 1; left > 0; { // finalizers run some time after a collection
		runtime.GC()
		s.mu.Lock()
		left = len(s.rooms)
		s.mu.Unlock()
	}
	require.NotSame(t, first, s.get())
	s.mu.Lock()
	defer s.mu.Unlock()
	require.False(t, s.armed)
}
