//go:build arm64 && !purego

package digits

import "github.com/galfft/fft/internal/cpu"

var setNEON = Set{Form: "NEON", Add: addNEON, Sub: subNEON, Cross: crossNEON, Shift: shiftNEON}

// Active returns the kernels of the active tier, and nil where there are none.
func Active() *Set {
	if cpu.Active() == cpu.NEON {
		return &setNEON
	}
	return nil
}
