// Package pin runs the tasks of plans on operating-system threads that are tied to CPUs.
//
// It serves measurements only. A kernel may stack two runnable threads on one CPU while another idles, and a
// figure then says more about the kernel's scheduler than about the code. Linux pins; elsewhere the workers are
// threads of their own and the system places them.
package pin

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Runner is a field.Runner with a fixed number of workers: the goroutine that calls Run, which [Runner.Do] pins,
// and helpers. Run is safe for concurrent use. A Runner must be closed after use.
type Runner struct {
	cpus    []int // of each worker; the first is the caller's
	helpers []*helper
	spin    time.Duration

	running sync.Mutex // held by the call of Run that has the helpers
	mu      sync.Mutex // of what follows
	f       func(i int)
	begun   []bool // of each task

	left atomic.Int64 // tasks that have not ended
	done gate         // opened by the last of them
}

// helper is a worker with a thread of its own.
type helper struct {
	work gate
	quit atomic.Bool
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
	r := &Runner{done: newGate(), spin: spin}
	for i := range workers {
		r.cpus = append(r.cpus, cpus[i%len(cpus)])
	}
	started := make(chan error)
	for i, cpu := range r.cpus[1:] {
		h := &helper{work: newGate()}
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
	for _, h := range r.helpers {
		h.quit.Store(true)
		h.work.open()
	}
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
	helpers := r.helpers[:max(0, min(len(r.helpers), tasks-1))]
	if len(helpers) == 0 || !r.running.TryLock() {
		for i := range tasks {
			f(i)
		}
		return
	}
	r.left.Store(int64(tasks))
	r.set(tasks, f)
	for _, h := range helpers {
		h.work.open()
	}
	r.work(0)
	r.done.wait(r.spin)
	r.set(0, nil)
	r.running.Unlock()
}

// set sets what workers find to do.
func (r *Runner) set(tasks int, f func(i int)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.f, r.begun = f, slices.Grow(r.begun[:0], tasks)[:tasks]
	clear(r.begun)
}

// take returns a task that no worker has begun, and nil where there is none: the worker's own if it can, the same in
// every run, as its cache may have what that needs. Others take those of a worker that wakes late, for whom nobody
// waits.
func (r *Runner) take(own int) (f func(i int), task int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if task = own; own >= len(r.begun) || r.begun[own] {
		if task = slices.Index(r.begun, false); task < 0 {
			return nil, 0
		}
	}
	r.begun[task] = true
	return r.f, task
}

// work does tasks until none is left.
func (r *Runner) work(own int) {
	for {
		f, i := r.take(own)
		if f == nil {
			return
		}
		f(i)
		if r.left.Add(-1) == 0 {
			r.done.open()
		}
	}
}

func (r *Runner) serve(h *helper, own, cpu int, started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with this goroutine, its CPU with it
	_, err := pinThread(cpu)
	started <- err
	for {
		h.work.wait(r.spin)
		if h.quit.Load() {
			return
		}
		r.work(own)
	}
}
