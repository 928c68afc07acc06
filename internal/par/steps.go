package par

import (
	"math"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Steps shares the steps of one loop after another among tasks. A task has a contiguous share at first, the same in
// each loop of one length, so that it meets what it left in its cache; one that is through takes half of what is left
// to the task that has most. So no task waits for one that is slow, or that has not begun. It allocates nothing but for
// more tasks than it ever had.
type Steps struct {
	shares []steps
	tasks  int // of this loop
	unit   int // steps that are taken at a time
	n      int
	pace   func() // asked before each step; nil: nobody is
	end    atomic.Pointer[end]
}

// end is how the first task ended that did not return: by a panic, or by runtime.Goexit.
type end struct {
	exit  bool
	value any
}

// Bytes is the memory that sharing among tasks takes.
func Bytes(tasks int) int {
	if tasks < 2 {
		return 0
	}
	return tasks * int(unsafe.Sizeof(steps{}))
}

// Paced is a Runner that is asked before each step, in the goroutine that is to take it.
type Paced interface{ Pace() }

// steps is what one task has left: the number of its next unit, and in the high half that after its last. It has cache
// lines of its own, two because processors fetch pairs.
type steps struct {
	left uint64 // atomic but in Reset, where no task is under way: stores in order would wait for line after line
	_    [120]byte
}

// NewSteps returns the sharing of tasks that r runs.
func NewSteps(r Runner) *Steps {
	s := new(Steps)
	if p, ok := r.(Paced); ok {
		s.pace = p.Pace
	}
	return s
}

// Reset begins a loop of n steps. No task of the loop before may be under way.
func (s *Steps) Reset(tasks, n int) {
	if tasks > len(s.shares) {
		s.shares = make([]steps, tasks)
	}
	s.tasks, s.n, s.unit = tasks, n, 1
	for uint64(n)/uint64(s.unit) >= math.MaxUint32 {
		s.unit *= 2
	}
	units := (n + s.unit - 1) / s.unit
	for i := range tasks {
		from, to := Share(i, tasks, units)
		s.shares[i].left = pack(from, to)
	}
}

func pack(from, to int) uint64 { return uint64(to)<<32 | uint64(from) }

func unpack(v uint64) (from, to int) { return int(uint32(v)), int(v >> 32) }

// Next returns the steps from, …, to − 1, which the task is to take; where to is 0 none are left, or a task ended that
// did not return.
func (s *Steps) Next(task int) (from, to int) {
	if s.end.Load() != nil {
		return 0, 0
	}
	if s.pace != nil {
		s.pace()
	}
	own := &s.shares[task].left
	for v := atomic.LoadUint64(own); ; v = atomic.LoadUint64(own) {
		next, end := unpack(v)
		if next == end {
			return s.steal(task)
		}
		if atomic.CompareAndSwapUint64(own, v, pack(next+1, end)) {
			return s.at(next)
		}
	}
}

// steal takes the upper half of what is left to the task that has most, of which the first is for now.
func (s *Steps) steal(task int) (from, to int) {
	for {
		victim, most, of := -1, 0, uint64(0)
		for i := range s.tasks {
			v := atomic.LoadUint64(&s.shares[i].left)
			if next, end := unpack(v); end-next > most {
				victim, most, of = i, end-next, v
			}
		}
		if victim < 0 {
			return 0, 0
		}
		next, end := unpack(of)
		middle := next + most/2
		if atomic.CompareAndSwapUint64(&s.shares[victim].left, of, pack(next, middle)) {
			atomic.StoreUint64(&s.shares[task].left, pack(middle+1, end))
			return s.at(middle)
		}
	}
}

// Catch is deferred by tasks, and keeps how one ended that did not return. The others end at their next step.
func (s *Steps) Catch(returned *bool) {
	if *returned {
		return
	}
	v := recover() // nil where the goroutine exits: a panic has a value
	s.end.CompareAndSwap(nil, &end{v == nil, v})
}

// Rethrow ends the caller's goroutine as a task ended.
func (s *Steps) Rethrow() {
	e := s.end.Swap(nil)
	switch {
	case e == nil:
	case e.exit:
		runtime.Goexit()
	default:
		panic(e.value)
	}
}

func (s *Steps) at(unit int) (from, to int) { return unit * s.unit, min(s.n, (unit+1)*s.unit) }
