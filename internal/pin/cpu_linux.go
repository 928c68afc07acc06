package pin

import (
	"fmt"
	"math/bits"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// usableCPUs lists the CPUs that the process may use, the first of each core before the second of any.
func usableCPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("sched_getaffinity: %w", err)
	}
	var first, second []int
	seen := map[string]bool{}
	for cpu := range len(set) * bits.UintSize {
		if !set.IsSet(cpu) {
			continue
		}
		core := coreOf(cpu)
		if core != "" && seen[core] {
			second = append(second, cpu)
			continue
		}
		seen[core] = true
		first = append(first, cpu)
	}
	return append(first, second...), nil
}

// coreOf names the core of a CPU by the CPUs on it; it is empty where the system does not tell.
func coreOf(cpu int) string {
	b, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// pinThread ties the calling thread to a CPU until restore.
func pinThread(cpu int) (restore func(), err error) {
	var before, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return nil, fmt.Errorf("sched_getaffinity: %w", err)
	}
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("sched_setaffinity to CPU %d: %w", cpu, err)
	}
	return func() { _ = unix.SchedSetaffinity(0, &before) }, nil
}
