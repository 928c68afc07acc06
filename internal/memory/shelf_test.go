package memory

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A room that was put back is there for every goroutine, the last one that fits first, and goes after some collections.
func TestShelf(t *testing.T) {
	type room struct{ n int }
	s := &Shelf[*room]{armed: true} // no collection counts
	get := func() *room {
		r, _ := s.Get(Any[*room])
		return r
	}
	require.Nil(t, get())
	first, second := &room{1}, &room{2}
	s.Put(first)
	s.Put(second)
	got := make(chan *room)
	go func() { got <- get() }()
	require.Same(t, second, <-got)
	s.Put(second)
	r, ok := s.Get(func(r *room) bool { return r.n == 1 })
	require.True(t, ok)
	require.Same(t, first, r)
	_, ok = s.Get(func(r *room) bool { return r.n == 1 })
	require.False(t, ok)
	require.Same(t, second, get())

	s.Put(first)
	s.age()
	s.Put(second)
	s.age()
	require.Len(t, s.rooms, 1)
	require.Same(t, second, get()) // the first one is gone
	require.Empty(t, s.rooms)

	for range mostRooms {
		s.Put(first)
	}
	s.Put(second)
	require.Len(t, s.rooms, mostRooms)
	require.Same(t, second, get())
	s.rooms = nil

	s.armed = false
	s.Put(first)
	for left := 1; left > 0; { // finalizers run some time after a collection
		runtime.GC()
		s.mu.Lock()
		left = len(s.rooms)
		s.mu.Unlock()
	}
	require.Nil(t, get())
	s.mu.Lock()
	defer s.mu.Unlock()
	require.False(t, s.armed)
}
