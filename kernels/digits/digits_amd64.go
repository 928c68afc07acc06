//go:build amd64 && !purego

package digits

import "github.com/galfft/fft/internal/cpu"

var (
	setAVX512 = Set{Form: "AVX-512", Add: addAVX512, Sub: subAVX512, Cross: crossAVX512, Shift: shiftAVX512}
	setIFMA   = Set{Form: "AVX-512 IFMA", Add: addAVX512, Sub: subAVX512, Cross: crossAVX512, Shift: shiftAVX512, Mul: mulIFMA, MulBy: mulByIFMA}
)

// Active returns the kernels of the active tier, and nil where there are none.
func Active() *Set {
	switch t := cpu.Active(); {
	case t >= cpu.IFMA:
		return &setIFMA
	case t >= cpu.AVX512:
		return &setAVX512
	}
	return nil
}
