package pin

import (
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func affinity(t *testing.T) unix.CPUSet {
	t.Helper()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Error(err)
	}
	return set
}

// Each worker's thread may use its CPU and no other, and Do gives the thread back as it was.
func TestAffinity(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := affinity(t)
	r := newRunner(t, min(2, before.Count()))
	cpus := r.CPUs()
	if sorted := slices.Compact(slices.Sorted(slices.Values(cpus))); len(sorted) != len(cpus) {
		t.Errorf("workers share CPUs: %v", cpus)
	}
	err := r.Do(func() {
		got := make([]unix.CPUSet, len(cpus))
		meet := make(chan struct{}, len(cpus))
		r.Run(len(cpus), func(i int) {
			got[i] = affinity(t)
			for meet <- struct{}{}; len(meet) < len(cpus); { // so that every worker takes one task
				runtime.Gosched()
			}
		})
		var all []int
		for _, set := range got {
			if set.Count() != 1 {
				t.Errorf("a worker may use %d CPUs, want 1", set.Count())
			}
			all = append(all, slices.IndexFunc(cpus, set.IsSet))
		}
		slices.Sort(all)
		for i, j := range all {
			if i != j {
				t.Errorf("workers %v used the CPUs %v, want each once", cpus, all)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if affinity(t) != before {
		t.Error("the thread of Do stays pinned")
	}
}

// The caller takes the task of a helper that does not wake.
func TestLateHelper(t *testing.T) {
	cpus, err := usableCPUs()
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{cpus: cpus[:1], helpers: make([]*helper, 1), first: make([]state, 2), done: newGate(), spin: spinTime}
	r.helpers[0] = new(helper) // which nobody serves
	var by [2]int
	if err := r.Do(func() { r.Run(2, func(i int) { by[i] = unix.Gettid() }) }); err != nil {
		t.Fatal(err)
	}
	if by[0] != by[1] {
		t.Errorf("tasks ran on threads %d and %d", by[0], by[1])
	}
}
