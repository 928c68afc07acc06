// Package par runs the tasks of a plan, and shares steps among them.
package par

import "sync"

// Runner is field.Runner.
type Runner interface {
	Run(tasks int, f func(i int))
}

// Fork is the default Runner: it forks a goroutine for every task but the first, and the caller runs tasks that
// no goroutine has begun. So a call does not wait for processors that are busy or slow to wake. It allocates nothing
// once warm.
var Fork forker

type forker struct{}

// fork is the state of one Run; it is pooled, so that the closure one is made once. Goroutines that begin when their
// Run is over serve the next one.
type fork struct {
	running sync.WaitGroup // tasks that have not ended
	mu      sync.Mutex     // of what follows
	forked  int            // goroutines that will ask for a task yet
	next    int            // task
	tasks   int
	f       func(int)
	one     func()
}

var forks = sync.Pool{New: func() any {
	s := new(fork)
	s.one = func() {
		ended := false
		defer func() {
			if !ended { // f exits
				s.mu.Lock()
				s.forked--
				s.mu.Unlock()
			}
		}()
		s.work(1)
		ended = true
	}
	return s
}}

// work runs tasks until none is left, in one or in none of the goroutines that were forked.
func (s *fork) work(forked int) {
	for {
		s.mu.Lock()
		i, f := s.next, s.f
		if i >= s.tasks {
			s.forked -= forked
			s.mu.Unlock()
			return
		}
		s.next++
		s.mu.Unlock()
		s.task(i, f)
	}
}

func (s *fork) task(i int, f func(int)) {
	defer s.running.Done() // also when f exits
	f(i)
}

// begin sets what is to be run, and returns how many goroutines are missing.
func (s *fork) begin(tasks int, f func(i int)) int {
	s.running.Add(tasks)
	s.mu.Lock()
	defer s.mu.Unlock()
	missing := max(0, tasks-1-s.forked)
	s.forked += missing
	s.next, s.tasks, s.f = 0, tasks, f
	return missing
}

// end waits for all tasks.
func (s *fork) end() {
	s.running.Wait()
	s.mu.Lock()
	s.next, s.tasks, s.f = 0, 0, nil
	s.mu.Unlock()
	forks.Put(s)
}

// Run runs f(0), …, f(tasks−1) and returns when all are done.
func (forker) Run(tasks int, f func(i int)) {
	if tasks < 1 {
		return
	}
	if tasks == 1 {
		f(0)
		return
	}
	s := forks.Get().(*fork)
	defer s.end() // also when f panics: no task outlives the call
	for range s.begin(tasks, f) {
		go s.one()
	}
	s.work(0)
}

// Share returns the part of n steps that task i of tasks has: contiguous, and even up to one step.
func Share(i, tasks, n int) (from, to int) {
	q, r := n/tasks, n%tasks
	from = i*q + min(i, r)
	to = from + q
	if i < r {
		to++
	}
	return from, to
}

// leastTask is the time in nanoseconds from which on a task pays. A phase of two pinned workers that poll takes some
// 2 µs more than half of its work (docs/adr/0019). Goroutines may take 90 µs to wake, but the caller does not wait for
// them: what they have not begun it does itself.
const leastTask = 10e3

// MaxTasks is the most tasks of a loop, whatever number of workers somebody asks for: more than the processors of any
// machine, and few enough for their memory not to count.
const MaxTasks = 1 << 12

// Tasks is the number of tasks for n elements, each of which takes so many nanoseconds: as many as there are workers,
// at most MaxTasks, but none for less than grain elements; where that is 0, for less work than pays.
func Tasks(workers, grain, n int, ns float64) int {
	if workers < 2 {
		return 1
	}
	workers = min(workers, MaxTasks)
	if grain == 0 {
		grain = int(leastTask/ns) + 1
	}
	return max(1, min(workers, n/grain))
}
