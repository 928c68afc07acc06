package memory

import (
	"runtime"
	"slices"
	"sync"
)

// Shelf keeps rooms of type R that nobody uses for later calls, until some garbage collections have passed over them.
// A sync.Pool would do so for each processor by itself: a goroutine that has moved to another one makes a room once
// more, and rooms may take most of the memory. It is safe for concurrent use; the zero Shelf is empty.
type Shelf[R any] struct {
	mu    sync.Mutex
	rooms []idle[R]
	armed bool // a sentinel waits for the next collection
}

// idle is a room and how many collections have passed since it was put back.
type idle[R any] struct {
	r   R
	age int
}

// oldest is the number of collections after which a room is left to the collector.
const oldest = 2

// sentinel is garbage from the start, so that its finalizer tells of a collection.
type sentinel[R any] struct{ s *Shelf[R] }

// Get takes the room that fits and was put back last; it returns false where there is none.
func (s *Shelf[R]) Get(fits func(R) bool) (r R, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range slices.Backward(s.rooms) {
		if r := s.rooms[i].r; fits(r) {
			s.rooms = slices.Delete(s.rooms, i, i+1)
			return r, true
		}
	}
	return r, false
}

// Any fits all rooms.
func Any[R any](R) bool { return true }

// mostRooms is the most rooms that a shelf keeps.
const mostRooms = 64

// Put takes a room back, and gives up the one that has been there longest where there are many.
func (s *Shelf[R]) Put(r R) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rooms) == mostRooms {
		s.rooms = slices.Delete(s.rooms, 0, 1)
	}
	s.rooms = append(s.rooms, idle[R]{r: r})
	s.arm()
}

// arm sets a sentinel where there is none.
func (s *Shelf[R]) arm() {
	if !s.armed {
		s.armed = true
		runtime.SetFinalizer(&sentinel[R]{s}, func(x *sentinel[R]) { x.s.collected() })
	}
}

// collected is called after a collection.
func (s *Shelf[R]) collected() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.age()
	if s.armed = false; len(s.rooms) > 0 {
		s.arm()
	}
}

// age lets rooms go that have been idle for long.
func (s *Shelf[R]) age() {
	kept := s.rooms[:0]
	for _, i := range s.rooms {
		if i.age++; i.age < oldest {
			kept = append(kept, i)
		}
	}
	clear(s.rooms[len(kept):])
	s.rooms = kept
}
