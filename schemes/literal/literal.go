// Package literal has the three schemes as the thesis "A Generic Implementation of FFTs for the BPAS Library" (C. Costello,
// 2020) prints them, with its errors corrected: procedures 9 (six-step), 10 (merged six-step) and 11 (four-step). They are for
// comparisons, element by element over any field; packages sixstep and fourstep have what is used.
//
// N = 2^n is split by 2 on the outer levels down to base cases of b = 2, …, 64 points:
//
//	pre-shuffle     even and odd elements apart, l = log2(N/b) times
//	base cases      N/b of them, straight-line code
//	l levels        blocks of m = 2b, 4b, …, N elements: the second half times 1, w, w², … (w of order m), then DFT_2 of
//	                elements m/2 apart
//
// A level of the explicit six-step has four loops: twiddles, a shuffle that brings the pairs together, DFT_2, and a sort back.
// The merged six-step has one loop into scratch and copies back; the four-step has one loop in place. There is a full product
// for each factor but those of exponent 0: l·N/2 − (2^l − 1), and (log2(b)/2 − 1)·b + 1 for each base case.
package literal

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/literal"
)

// Preshuffle sets dst to src in the order of the pre-shuffle for base cases of b points, in the closed form, one pass:
// dst[rev_l(s mod 2^l)·b + ⌊s/2^l⌋] = src[s]. Both have 2^l·b elements (field.ErrLength), in memory apart.
func Preshuffle[E any](f field.Field[E], dst, src []E, b int) error {
	return literal.Preshuffle(f, dst, src, b)
}

// Transpose sets dst to the transpose of src, a matrix of rows·columns elements (field.ErrLength): dst[j·rows+i] = src[i·columns+j].
// They are apart in memory.
func Transpose[E any](f field.Field[E], dst, src []E, rows, columns int, how field.Transpose) error {
	return literal.Transpose(f, dst, src, rows, columns, how)
}
