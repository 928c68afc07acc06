package pin

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/galfft/fft/field"
)

var _ field.Runner = (*Runner)(nil)

func newRunner(t *testing.T, workers int) *Runner {
	t.Helper()
	r, err := New(workers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// Every task runs once and is over when Run returns, for every number of workers and tasks, with helpers that
// poll and helpers that sleep.
func TestRun(t *testing.T) {
	cpus, err := usableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 3, 4, 9} {
		for _, spin := range []time.Duration{0, time.Microsecond, 50 * time.Microsecond} {
			r, err := start(workers, cpus, spin)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if len(r.CPUs()) != workers {
				t.Errorf("%d workers: %d CPUs", workers, len(r.CPUs()))
			}
			for tasks := range 12 {
				for range 50 {
					ran := make([]int, tasks)
					r.Run(tasks, func(i int) { ran[i]++ })
					for i, n := range ran {
						if n != 1 {
							t.Fatalf("%d workers, %d tasks: task %d ran %d times", workers, tasks, i, n)
						}
					}
				}
			}
		}
	}
}

// The tasks of one call run at the same time where there are CPUs for them.
func TestRunTogether(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two CPUs")
	}
	r := newRunner(t, 2)
	var met sync.WaitGroup
	met.Add(2)
	r.Run(2, func(int) { met.Done(); met.Wait() }) // hangs when the tasks follow each other
}

func TestRunConcurrentAndNested(t *testing.T) {
	r := newRunner(t, 3)
	var sum atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				r.Run(3, func(int) { r.Run(2, func(int) { sum.Add(1) }) })
			}
		})
	}
	wg.Wait()
	if sum.Load() != 4*200*3*2 {
		t.Errorf("got %d inner tasks, want %d", sum.Load(), 4*200*3*2)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	r := newRunner(t, 2)
	var sum atomic.Int64
	f := func(int) { sum.Add(1) }
	if n := testing.AllocsPerRun(100, func() { r.Run(4, f) }); n != 0 {
		t.Errorf("got %v allocations a call, want 0", n)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, n := range []int{0, -1} {
		if r, err := New(n); err == nil {
			r.Close()
			t.Errorf("%d workers: no error", n)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	r, err := New(2)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	if err := r.Do(func() {
		for b.Loop() {
			r.Run(2, func(int) {})
		}
	}); err != nil {
		b.Fatal(err)
	}
}
