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

	running sync.Mutex    // held by the call of Run that has the helpers
	call    atomic.Uint64 // number of that call, set when what follows is
	f       func(i int)
	tasks   atomic.Int64
	first   []state       // of the tasks 0, 1, …, one for each worker
	next    atomic.Uint64 // low half: the first of the other tasks that has not begun; high half: of the call

	left atomic.Int64 // tasks that have not ended
	done gate         // opened by the last of them
}

// state is 2c for a task of call c that has not begun, and 2c + 1 for one that has. It has a cache line of its own.
type state struct {
	atomic.Uint64
	_ [56]byte
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
	r := &Runner{done: newGate(), spin: spin, first: make([]state, workers)}
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
	call := r.call.Load() + 1
	r.f = f
	r.left.Store(int64(tasks))
	r.next.Store(call<<32 | uint64(len(r.first))) // before tasks: who still sees the last call begins none of this one
	r.tasks.Store(int64(tasks))
	for i := range r.first {
		begun := uint64(0)
		if i >= tasks {
			begun = 1
		}
		r.first[i].Store(2*call + begun)
	}
	r.call.Store(call)
	for _, h := range helpers {
		h.work.open()
	}
	r.work(0)
	r.done.wait(r.spin)
	r.running.Unlock()
}

// work does tasks of the call under way until all have begun. The first one is the worker's own, the same in every
// call, as its cache may have what that needs; the last ones are those of workers that wake late, for whom nobody
// waits.
func (r *Runner) work(own int) {
	call := r.call.Load()
	begin := func(i int) bool { return r.first[i].CompareAndSwap(2*call, 2*call+1) }
	if begin(own) {
		r.run(own)
	}
	for {
		next := r.next.Load()
		i := int64(uint32(next))
		if next>>32 != uint64(uint32(call)) || i >= r.tasks.Load() {
			break
		}
		if r.next.CompareAndSwap(next, next+1) {
			r.run(int(i))
		}
	}
	for i := range r.first {
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
	for {
		h.work.wait(r.spin)
		if h.quit.Load() {
			return
		}
		r.work(own)
	}
}
