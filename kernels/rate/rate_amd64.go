//go:build amd64 && !purego

package rate

import (
	"math"

	"github.com/galfft/fft/internal/cpu"
)

// Active returns the loop of the active tier, by the instruction that makes most bits of products at once.
func Active() Loop {
	switch t := cpu.Active(); {
	case t >= cpu.IFMA:
		return vector(52, 8, 1, func(sum uint64) float64 { return float64(sum) }, madd52IFMA)
	case t >= cpu.AVX512:
		return vector(53, 8, math.Float64bits(1), math.Float64frombits, fmaAVX512)
	case t >= cpu.AVX2:
		return vector(53, 4, math.Float64bits(1), math.Float64frombits, fmaAVX2)
	}
	return Words()
}

// chains is the sums that each instruction adds to in turn.
const chains = 12

// vector is a loop whose instructions make one half of as many products as there are lanes.
func vector(bits, lanes int, one uint64, number func(uint64) float64, run func(z, x *uint64, steps int)) Loop {
	const steps = 1 << 11
	return Loop{bits, steps * chains * lanes / 2, func() bool {
		var z, x [8]uint64
		for i := range x {
			x[i] = one
		}
		run(&z[0], &x[0], steps)
		right := true
		for _, s := range z[:lanes] {
			right = right && number(s) == steps*chains
		}
		return right
	}}
}
