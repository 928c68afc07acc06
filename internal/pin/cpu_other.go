//go:build !linux

package pin

import "runtime"

// usableCPUs numbers the CPUs; they are names only, because nothing can be pinned here.
func usableCPUs() ([]int, error) {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus, nil
}

func pinThread(int) (restore func(), err error) { return func() {}, nil }
