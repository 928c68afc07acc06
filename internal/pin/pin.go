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
type Runner struct {
	cpus    []int // of each worker; the first is the caller's
	helpers []*helper
	spin    time.Duration

	running sync.Mutex // held by the call of Run that has the helpers
	f       func(i int)
	tasks   int64
	next    atomic.Int64 // the next task that no worker has for its own
	active  atomic.Int64 // helpers that work
	done    gate         // opened by the last of them
}

// helper is a worker with a thread of its own.
type helper struct {
	work gate
	quit bool // written before work opens
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
		h.quit = true
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
	r.f, r.tasks = f, int64(tasks)
	r.next.Store(int64(len(helpers)) + 1)
	r.active.Store(int64(len(helpers)))
	for _, h := range helpers {
		h.work.open()
	}
	r.work(0)
	r.done.wait(r.spin)
	r.f = nil
	r.running.Unlock()
}

// work does the worker's own task, the same in every run, as its cache may have what that needs, and then others until
// none is left.
func (r *Runner) work(own int) {
	for i := int64(own); i < r.tasks; i = r.next.Add(1) - 1 {
		r.f(int(i))
	}
}

func (r *Runner) serve(h *helper, own, cpu int, started chan<- error) {
	runtime.LockOSThread() // never unlocked: the thread ends with this goroutine, its CPU with it
	_, err := pinThread(cpu)
	started <- err
	for {
		h.work.wait(r.spin)
		if h.quit {
			return
		}
		r.work(own)
		if r.active.Add(-1) == 0 {
			r.done.open()
		}
	}
}
