// Package pin runs the tasks of plans on operating-system threads that are tied to CPUs.
//
// It serves measurements only. A kernel may stack two runnable threads on one CPU while another idles, and a
// figure then says more about the kernel's scheduler than about the code. Linux pins; elsewhere the workers are
// threads of their own and the system places them.
package pin

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Runner is a field.Runner with a fixed number of workers: the goroutine that calls Run, which [Runner.Do] pins,
// and helpers. Run is safe for concurrent use. A Runner must be closed after use.
//
// A transform of 2^16 words takes some 10 µs of each of 16 workers, in several calls of Run. So a call writes one word
// for all helpers, which poll it, and no line of cache for each of them.
type Runner struct {
	cpus    []int // of each worker; the first is the caller's
	helpers []*helper
	spin    time.Duration
	running sync.Mutex // held by the call of Run that has the helpers
	quit    atomic.Bool
	f       func(i int)
	first   []state // of the tasks 0, 1, …, one for each worker

	_    line
	call atomic.Uint64 // a callOf, set when the rest is
	_    line
	next atomic.Uint64 // low half: the first of the other tasks that has not begun; high half: the low one of the call
	_    line
	left atomic.Int64 // tasks that have not ended
	_    line
	done gate // opened by the last of them
}

// line keeps what is before and behind it in lines of cache apart, which processors fetch in pairs.
type line [120]byte

// callOf is the number of a call of Run and its tasks.
type callOf uint64

const (
	taskBits  = 24
	mostTasks = 1<<taskBits - 1
)

func (c callOf) number() uint64 { return uint64(c) >> taskBits }
func (c callOf) tasks() int     { return int(c & mostTasks) }

// state is the number of the last call in which a task has begun.
type state struct {
	atomic.Uint64
	_ line
}

// helper is a worker with a thread of its own.
type helper struct {
	asleep atomic.Bool // it waits for wake, which whoever sets this to false sends
	wake   chan struct{}
}

// spinTime is how long an idle worker polls before it sleeps: longer than what lies between two fork-joins of
// one transform, because a sleeping thread takes up to 90 µs to wake.
const spinTime = 500 * time.Microsecond

// New returns a Runner with that many workers, each on a CPU of its own and on a core of its own as far as there
// are enough. With more workers than CPUs some share one.
func New(workers int) (*Runner, error) {
	if workers < 1 {
		return nil, fmt.Errorf("pin: %d workers, want at least 1", workers)
	}
	cpus, err := usableCPUs()
	if err != nil {
		return nil, fmt.Errorf("pin: CPUs of this process: %w", err)
	}
	spin := spinTime
	if workers > min(len(cpus), runtime.GOMAXPROCS(0)) {
		spin = 0 // a worker that polls would keep another from running
	}
	return start(workers, cpus, spin)
}

func start(workers int, cpus []int, spin time.Duration) (*Runner, error) {
	r := &Runner{done: newGate(), spin: spin, first: make([]state, workers)}
	for i := range workers {
		r.cpus = append(r.cpus, cpus[i%len(cpus)])
	}
	started := make(chan error)
	for i, cpu := range r.cpus[1:] {
		h := &helper{wake: make(chan struct{}, 1)}
		r.helpers = append(r.helpers, h)
		go r.serve(h, 1+i, cpu, started)
	}
	var err error
	for range r.helpers {
		if e := <-started; e != nil {
			err = e
		}
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("pin: %w", err)
	}
	return r, nil
}

// CPUs returns the CPU of each worker; they repeat when there are more workers than CPUs.
func (r *Runner) CPUs() []int { return append([]int(nil), r.cpus...) }

// Close ends the helpers. No call of Run may be under way.
func (r *Runner) Close() {
	r.quit.Store(true)
	r.begin(len(r.helpers) + 1)
	r.helpers = nil
}

// Do runs f on the first worker's CPU, as the caller of Run, and restores the thread afterwards.
func (r *Runner) Do(f func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	restore, err := pinThread(r.cpus[0])
	if err != nil {
		return fmt.Errorf("pin: %w", err)
	}
	defer restore()
	f()
	return nil
}

// Run runs f(0), …, f(tasks−1) and returns when all are done. A call from inside a task, or while another call
// has the helpers, runs its tasks one after the other.
func (r *Runner) Run(tasks int, f func(i int)) {
	if len(r.helpers) == 0 || tasks < 2 || tasks > mostTasks || !r.running.TryLock() {
		for i := range tasks {
			f(i)
		}
		return
	}
	r.f = f
	r.left.Store(int64(tasks))
	r.work(0, r.begin(tasks))
	r.done.wait(r.spin)
	r.running.Unlock()
}

// begin begins a call, and wakes the helpers that have a task of their own.
func (r *Runner) begin(tasks int) callOf {
	number := callOf(r.call.Load()).number() + 1
	if tasks > len(r.first) { // before the call: who still sees the last one begins none of this
		r.next.Store(number<<32 | uint64(len(r.first)))
	}
	call := number<<taskBits | uint64(tasks)
	r.call.Store(call)
	for _, h := range r.helpers[:min(len(r.helpers), tasks-1)] {
		if h.asleep.Load() && h.asleep.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
	return callOf(call)
}

// work does tasks of a call until all have begun. The first one is the worker's own, the same in every call, as its
// cache may have what that needs; the last ones are those of workers that wake late, for whom nobody waits.
func (r *Runner) work(own int, c callOf) {
	call, tasks := c.number(), c.tasks()
	first := r.first[:min(tasks, len(r.first))]
	begin := func(i int) bool {
		last := first[i].Load() // a look takes no line from who has begun
		return last < call && first[i].CompareAndSwap(last, call)
	}
	if own < len(first) && begin(own) {
		r.run(own)
	}
	for tasks > len(first) {
		next := r.next.Load()
		i := int(uint32(next))
		if next>>32 != uint64(uint32(call)) || i >= tasks {
			break
		}
		if r.next.CompareAndSwap(next, next+1) {
			r.run(i)
		}
	}
	for i := range first {
		if begin(i) {
			r.run(i)
		}
	}
}

// run does a task that the caller has begun: until it ends, the call does not, and f stays.
func (r *Runner) run(i int) {
	r.f(i)
	if r.left.Add(-1) == 0 {
		r.done.open()
	}
}

func (r *Runner) serve(h *helper, own, cpu int, started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with this goroutine, its CPU with it
	_, err := pinThread(cpu)
	started <- err
	for last := callOf(0); ; {
		last = r.wait(h, own, last)
		if r.quit.Load() {
			return
		}
		r.work(own, last)
	}
}

// wait returns the next call after last with a task of the helper's own: it polls at first, and sleeps later.
func (r *Runner) wait(h *helper, own int, last callOf) callOf {
	if c, ok := r.poll(own, last); ok {
		return c
	}
	h.asleep.Store(true)
	if c := callOf(r.call.Load()); c != last && own < c.tasks() && h.asleep.CompareAndSwap(true, false) {
		return c // it began before it could see that the helper sleeps
	}
	<-h.wake
	return callOf(r.call.Load())
}

// poll waits for such a call while it may poll. The clock costs more than a look at the call, so it is read once in
// pollsPerTime looks.
func (r *Runner) poll(own int, last callOf) (callOf, bool) {
	for start := time.Now(); ; {
		for range pollsPerTime {
			if c := callOf(r.call.Load()); c != last && own < c.tasks() {
				return c, true
			}
		}
		if time.Since(start) >= r.spin {
			return 0, false
		}
	}
}
