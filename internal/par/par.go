// Package par runs the tasks of a plan.
package par

import "sync"

// Fork is the default field.Runner: it forks a goroutine for every task but the first, which the caller runs
// itself. It allocates nothing once warm.
var Fork forker

type forker struct{}

// fork is the state of one Run; it is pooled, so that the closure one is made once.
type fork struct {
	mu   sync.Mutex
	wg   sync.WaitGroup
	next int
	f    func(int)
	one  func()
}

var forks = sync.Pool{New: func() any {
	s := new(fork)
	s.one = func() {
		s.mu.Lock()
		i := s.next
		s.next++
		s.mu.Unlock()
		defer s.wg.Done() // also when f exits
		s.f(i)
	}
	return s
}}

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
	s.f, s.next = f, 1
	s.wg.Add(tasks - 1)
	defer func() { // also when f panics: no task outlives the call
		s.wg.Wait()
		s.f = nil
		forks.Put(s)
	}()
	for range tasks - 1 {
		go s.one()
	}
	f(0)
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
