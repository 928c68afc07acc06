//go:build amd64 && !purego

package rns

import "github.com/galfft/fft/internal/cpu"

var setIFMA = Set{Dot: dotIFMA, Limb: limbIFMA, Clear: clearIFMA, Quotient: quotientIFMA, Scale: scaleIFMA,
	Split: splitIFMA, Join: joinIFMA}

// Active returns the kernels of the active tier, and nil where there are none.
func Active() *Set {
	if cpu.Active() >= cpu.IFMA {
		return &setIFMA
	}
	return nil
}
