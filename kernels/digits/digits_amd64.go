//go:build amd64 && !purego

package digits

import "github.com/galfft/fft/internal/cpu"

var (
	setAVX512 = Set{Form: "AVX-512", Add: addAVX512, Sub: subAVX512, Cross: crossAVX512, Shift: shiftAVX512,
		Gather: gatherTile, Scatter: scatterTile,
		AddPacked: [4]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int){addPacked1, addPacked2, addPacked4, addPacked8},
		SubPacked: [4]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int){subPacked1, subPacked2, subPacked4, subPacked8}}
	setIFMA = func() Set {
		s := setAVX512
		s.Form, s.Mul, s.MulBy = "AVX-512 IFMA", mulIFMA, mulByIFMA
		return s
	}()
	setAVX2 = Set{Form: "AVX2", Add: addAVX2, Sub: subAVX2, Cross: crossAVX2, Shift: shiftAVX2}
)

// Active returns the kernels of the active tier, and nil where there are none.
func Active() *Set {
	switch t := cpu.Active(); {
	case t >= cpu.IFMA:
		return &setIFMA
	case t >= cpu.AVX512:
		return &setAVX512
	case t >= cpu.AVX2:
		return &setAVX2
	}
	return nil
}
