package par

import "sync"

// Loops runs loops over the elements of vectors on workers, in parts. It is safe for concurrent use, and allocates
// nothing once warm.
type Loops[S any] struct {
	Workers, Grain int       // as in field.Spec
	Runner         Runner    // nil: Fork
	pool           sync.Pool // *Loop[S]
}

// Loop is one that runs, with the state of its call.
type Loop[S any] struct {
	State   S
	steps   *Steps
	task    func(task int)
	do      func(s *S, from, to int)
	n, part int
}

// perTask is how many parts a task has where a loop is cut for it: one that is through early takes from others.
const perTask = 4

// Get returns a loop, whose state is zero.
func (l *Loops[S]) Get() *Loop[S] {
	if p, ok := l.pool.Get().(*Loop[S]); ok {
		return p
	}
	p := new(Loop[S])
	if l.Workers < 2 {
		return p
	}
	p.steps = NewSteps(l.runner())
	p.task = func(task int) {
		returned := false
		defer p.steps.Catch(&returned)
		for i, end := p.steps.Next(task); end > 0; i, end = p.steps.Next(task) {
			p.do(&p.State, i*p.part, min(p.n, end*p.part))
		}
		returned = true
	}
	return p
}

// Put gives it back.
func (l *Loops[S]) Put(p *Loop[S]) {
	var zero S
	p.State, p.do = zero, nil
	l.pool.Put(p)
}

func (l *Loops[S]) runner() Runner {
	if l.Runner == nil {
		return Fork
	}
	return l.Runner
}

// Run runs a loop of n units of so many elements, each of which takes so many nanoseconds. Parts are multiples of least
// units, but for the last one.
func (l *Loops[S]) Run(p *Loop[S], n, elements int, ns float64, least int, do func(s *S, from, to int)) {
	if n == 0 {
		return
	}
	tasks := Tasks(l.Workers, l.Grain, n*elements, ns)
	if tasks == 1 {
		do(&p.State, 0, n)
		return
	}
	p.do, p.n = do, n
	// As many units as make perTask parts of each task, rounded up: one more would leave some tasks with a part more.
	p.part = ((n+perTask*tasks-1)/(perTask*tasks) + least - 1) / least * least
	parts := (n + p.part - 1) / p.part
	p.steps.Reset(min(tasks, parts), parts)
	l.runner().Run(min(tasks, parts), p.task)
	p.steps.Rethrow()
}
