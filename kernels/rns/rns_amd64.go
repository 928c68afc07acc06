//go:build amd64 && !purego

package rns

import "github.com/galfft/fft/internal/cpu"

var (
	setIFMA = Set{Dot: dotIFMA, Limb: limbIFMA, Clear: clearIFMA, Quotient: quotientIFMA, Scale: scaleIFMA,
		Split: splitAVX512, Join: joinAVX512, Words: wordsAVX512, Cut: cutAVX2, Add: adds,
		Garner: [10]func(z *uint64, r *[]uint64, c *uint64, from int){2: garner2IFMA, garner3IFMA, garner4IFMA,
			garner5IFMA, garner6IFMA, garner7IFMA, garner8IFMA, garner9IFMA}}
	setAVX512 = Set{Dot: dotAVX512, Limb: limbAVX512, Clear: clearAVX512, Quotient: quotientAVX512, Scale: scaleAVX512,
		Split: splitAVX512, Join: joinAVX512, Words: wordsAVX512, Cut: cutAVX2, Add: adds, Pair: pairAVX2}
	setAVX2 = Set{Dot: dotAVX2, Limb: limbAVX2, Clear: clearAVX2, Quotient: quotientAVX2, Scale: scaleAVX2,
		Split: splitAVX2, Join: joinAVX2, Words: wordsAVX2, Cut: cutAVX2, Add: adds, Pair: pairAVX2}
)

// adds is those of Add where the processor has BMI2.
var adds = func() (list [9]func(sum, rows *uint64, n, bit, size, length int)) {
	if cpu.MULX() {
		list = [9]func(sum, rows *uint64, n, bit, size, length int){2: add2, add3, add4, add5, add6, add7, add8}
	}
	return list
}()

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
