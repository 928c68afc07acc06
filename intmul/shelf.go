package intmul

import (
	"runtime"
	"sync"
)

// shelf keeps rooms that nobody uses for later products, until some garbage collections have passed over them. A
// sync.Pool would do so for each processor by itself: a goroutine that has moved to another one makes a room once more,
// and rooms may take most of the memory.
type shelf struct {
	mu    sync.Mutex
	rooms []idle
	armed bool // a sentinel waits for the next collection
}

// idle is a room and how many collections have passed since it was put back.
type idle struct {
	r   *room
	age int
}

// oldest is the number of collections after which a room is left to the collector.
const oldest = 2

// sentinel is garbage from the start, so that its finalizer tells of a collection.
type sentinel struct{ s *shelf }

// get returns the room that was put back last, or an empty one.
func (s *shelf) get() *room {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.rooms) - 1
	if last < 0 {
		return new(room)
	}
	r := s.rooms[last].r
	s.rooms[last] = idle{}
	s.rooms = s.rooms[:last]
	return r
}

// put takes a room back.
func (s *shelf) put(r *room) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rooms = append(s.rooms, idle{r: r})
	s.arm()
}

// arm sets a sentinel where there is none.
func (s *shelf) arm() {
	if !s.armed {
		s.armed = true
		runtime.SetFinalizer(&sentinel{s}, func(x *sentinel) { x.s.collected() })
	}
}

// collected is called after a collection.
func (s *shelf) collected() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.age()
	if s.armed = false; len(s.rooms) > 0 {
		s.arm()
	}
}

// age lets rooms go that have been idle for long.
func (s *shelf) age() {
	kept := s.rooms[:0]
	for _, i := range s.rooms {
		if i.age++; i.age < oldest {
			kept = append(kept, i)
		}
	}
	clear(s.rooms[len(kept):])
	s.rooms = kept
}
