package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// simulator is a field.Runner that stands for as many workers as a call has tasks, on one processor. Each task has a
// clock of its own, and runs while its clock is the least: until its next step begins, where the steps of a call are
// shared out as they are taken, and to its end otherwise. So a run takes as long as the clock of its last task says,
// with what tasks after the first need to wake. What goes on outside of runs is one worker's.
//
// A simulation says how far the sharing goes. Workers that share caches and memory take longer.
type simulator struct {
	wake  time.Duration // until a task other than the first begins
	mark  time.Duration // since when the time that goes on is not accounted for
	runs  []phase       // of this call
	tasks []*simulated  // of the run under way; nil: none is
	now   *simulated    // the one that runs
	end   chan struct{} // of the run
}

// simulated is a task.
type simulated struct {
	clock time.Duration
	busy  time.Duration
	turn  chan struct{}
	over  bool
}

// phase is one run, or what lies between two.
type phase struct {
	tasks, steps  int
	sum, makespan time.Duration // of the work of all tasks, and of the run
	longest       time.Duration // step
}

// Run runs the tasks of one phase. A call from inside a task runs one after the other.
func (s *simulator) Run(tasks int, f func(i int)) {
	if s.tasks != nil || tasks == 1 {
		for i := range tasks {
			f(i)
		}
		return
	}
	s.serial()
	s.runs = append(s.runs, phase{tasks: tasks})
	s.end = make(chan struct{})
	for i := range tasks {
		t := &simulated{turn: make(chan struct{})}
		if i > 0 {
			t.clock = s.wake
		}
		s.tasks = append(s.tasks, t)
		go func() {
			<-t.turn
			s.mark = processTime()
			f(i)
			s.account()
			t.over = true
			s.next()
		}()
	}
	s.mark = processTime()
	s.next()
	<-s.end
	r := s.last()
	for _, t := range s.tasks {
		r.sum += t.busy
		if t.busy > 0 {
			r.makespan = max(r.makespan, t.clock)
		}
	}
	s.tasks, s.mark = nil, processTime()
}

// Pace is asked before each step.
func (s *simulator) Pace() {
	t := s.now
	if t == nil {
		return
	}
	s.account()
	s.next()
	<-t.turn
	s.mark = processTime()
}

// account adds what has gone by to the clock of the task that runs.
func (s *simulator) account() {
	d := max(0, processTime()-s.mark-clockTime)
	s.now.clock += d
	s.now.busy += d
	r := s.last()
	r.steps++
	r.longest = max(r.longest, d)
}

func (s *simulator) last() *phase { return &s.runs[len(s.runs)-1] }

// next gives the turn to the task with the least clock.
func (s *simulator) next() {
	s.now = nil
	for _, t := range s.tasks {
		if !t.over && (s.now == nil || t.clock < s.now.clock) {
			s.now = t
		}
	}
	if s.now == nil {
		close(s.end)
		return
	}
	turn := s.now.turn
	s.mark = processTime()
	go func() { turn <- struct{}{} }()
}

// serial accounts for what lies between runs.
func (s *simulator) serial() {
	if d := processTime() - s.mark; d > 0 {
		s.runs = append(s.runs, phase{tasks: 1, sum: d, makespan: d, longest: d})
	}
}

// clockTime is what a look at the clock takes.
var clockTime = func() time.Duration {
	const looks = 1000
	start := processTime()
	for range looks {
		processTime()
	}
	return (processTime() - start) / looks
}()

// call simulates one call.
func (s *simulator) call(f func() error) (runs []phase, makespan time.Duration, err error) {
	s.runs, s.mark = nil, processTime()
	err = f()
	s.serial()
	for _, r := range s.runs {
		makespan += r.makespan
	}
	return s.runs, makespan, err
}

// simulate prints what more workers bring at most, by the times of steps on one. With steps it lists the phases.
func simulate(w io.Writer, cases []coreCase, workers []int, wake, budget time.Duration, steps bool) error {
	runtime.GOMAXPROCS(1)
	fmt.Fprintf(w, "%-32s %10s", "speed-up, simulated", "one, ms")
	for _, n := range workers {
		fmt.Fprintf(w, " %6d", n)
	}
	fmt.Fprintln(w)
	for _, c := range cases {
		if err := c.simulate(w, workers, wake, budget, steps); err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		runtime.GC()
	}
	return nil
}

func (c *coreCase) simulate(w io.Writer, workers []int, wake, budget time.Duration, steps bool) error {
	plans := make([]*corePlan, len(workers)+1)
	sims := make([]*simulator, len(plans))
	least := make([]time.Duration, len(plans))
	runs := make([][]phase, len(plans))
	for i, n := range append([]int{1}, workers...) {
		sims[i] = &simulator{wake: wake}
		var err error
		if plans[i], err = c.plan(n, sims[i]); err != nil {
			return err
		}
	}
	for round, start := 0, time.Now(); round < 3 || time.Since(start) < budget; round++ {
		for i, p := range plans {
			if p.reset != nil {
				p.reset()
			}
			r, t, err := sims[i].call(func() error { return p.call(context.Background()) })
			if err != nil {
				return err
			}
			if round == 0 || t < least[i] {
				least[i], runs[i] = t, slices.Clone(r)
			}
		}
	}
	fmt.Fprintf(w, "%-32s %10.3f", c.name(), ms(least[0]))
	for _, t := range least[1:] {
		fmt.Fprintf(w, " %6.2f", float64(least[0])/float64(t))
	}
	fmt.Fprintln(w)
	for i, list := range runs[1:] {
		if !steps {
			break
		}
		fmt.Fprintf(w, "  %d workers\n", workers[i])
		for _, r := range list {
			if r.makespan < least[i+1]/500 {
				continue
			}
			if r.tasks == 1 {
				fmt.Fprintf(w, "    one worker %26.3f ms\n", ms(r.sum))
				continue
			}
			fmt.Fprintf(w, "    %3d tasks, %5d steps, %9.3f ms in all, %8.3f the longest, %8.3f together: %5.2f\n",
				r.tasks, r.steps, ms(r.sum), ms(r.longest), ms(r.makespan), float64(r.sum)/float64(r.makespan))
		}
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
