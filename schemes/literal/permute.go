package literal

import (
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Preshuffle sets dst to src in the order of the pre-shuffle for base cases of b points, in the closed form, one pass:
// dst[rev_l(s mod 2^l)·b + ⌊s/2^l⌋] = src[s]. Both have 2^l·b elements (field.ErrLength), in memory apart.
func Preshuffle[E any](f field.Field[E], dst, src []E, b int) error {
	if err := field.Check(f); err != nil {
		return err
	}
	if n := len(src); b < 1 || n%b != 0 || n == 0 || n/b&(n/b-1) != 0 || len(dst) != n {
		return fmt.Errorf("fft: %w: pre-shuffle of %d elements to %d with base %d, want as many, a power of two times the base", field.ErrLength, n, len(dst), b)
	}
	preshuffle(f, dst, src, b, 0, len(src))
	return nil
}

// preshuffle moves elements from to end−1 of src.
func preshuffle[E any](f field.Field[E], dst, src []E, b, from, end int) {
	l := bits.Len(uint(len(src)/b)) - 1
	for s := from; s < end; s++ {
		f.Set(&dst[bulks.Rev(s&(1<<l-1), l)*b+s>>l], &src[s])
	}
}

// Transpose sets dst to the transpose of src, a matrix of rows·columns elements (field.ErrLength): dst[j·rows+i] =
// src[i·columns+j]. They are apart in memory.
func Transpose[E any](f field.Field[E], dst, src []E, rows, columns int, how Transposition) error {
	if err := field.Check(f); err != nil {
		return err
	}
	if rows < 0 || columns < 0 || len(src) != len(dst) || (columns == 0 || len(src)/columns != rows ||
		len(src)%columns != 0) && len(src) > 0 {
		return fmt.Errorf("fft: %w: transpose of %d elements to %d, want %d × %d", field.ErrLength, len(src), len(dst),
			rows, columns)
	}
	transpose(f, dst, src, rows, columns, how)
	return nil
}

func transpose[E any](f field.Field[E], dst, src []E, rows, columns int, how Transposition) {
	switch how {
	case BlockedTranspose:
		blocked(f, dst, src, rows, columns)
	case RecursiveTranspose:
		recursive(f, dst, rows, src, columns, rows, columns)
	default:
		for i := range rows {
			transposeRow(f, dst, src, i, rows, columns)
		}
	}
}

func transposeRow[E any](f field.Field[E], dst, src []E, i, rows, columns int) {
	src = src[i*columns:][:columns]
	for j := range src {
		f.Set(&dst[j*rows+i], &src[j])
	}
}

const block = 16 // of blocked transposes; recursive ones end at 2·block elements

func blocked[E any](f field.Field[E], dst, src []E, rows, columns int) {
	for i := 0; i < rows; i += block {
		for j := 0; j < columns; j += block {
			for r := i; r < min(rows, i+block); r++ {
				for c := j; c < min(columns, j+block); c++ {
					f.Set(&dst[c*rows+r], &src[r*columns+c])
				}
			}
		}
	}
}

// recursive is the cache-oblivious transpose of a matrix of the given row strides (M. Frigo et al., Cache-Oblivious
// Algorithms, 1999).
func recursive[E any](f field.Field[E], dst []E, strideDst int, src []E, strideSrc, rows, columns int) {
	switch {
	case rows*columns <= 2*block:
		for i := range rows {
			for j := range columns {
				f.Set(&dst[j*strideDst+i], &src[i*strideSrc+j])
			}
		}
	case rows >= columns:
		h := rows / 2
		recursive(f, dst, strideDst, src, strideSrc, h, columns)
		recursive(f, dst[h:], strideDst, src[h*strideSrc:], strideSrc, rows-h, columns)
	default:
		h := columns / 2
		recursive(f, dst, strideDst, src, strideSrc, rows, h)
		recursive(f, dst[h*strideDst:], strideDst, src[h:], strideSrc, rows, columns-h)
	}
}

func copyTo[E any](f field.Field[E], dst, src []E) {
	for i := range dst {
		f.Set(&dst[i], &src[i])
	}
}

// preshuffle appends the pre-shuffle: l times each block is sorted into its even and its odd elements, or all of it in
// one pass from scratch.
func (t *call[E]) preshuffle() {
	l := t.levels
	switch t.o.Preshuffle {
	case ClosedForm:
		t.loop(t.n, grain8, func(from, end, _ int) { preshuffle(t.f, t.out(), t.y, t.b, from, end) })
	case Iterative:
		for level := range l {
			t.permute(1<<level, t.n>>level/2, 2)
		}
	case Recursive:
		// As many levels as give each task a block, then a block for each call.
		top := min(l, bits.Len(uint(t.c.Tasks-1)))
		for level := range top {
			t.permute(1<<level, t.n>>level/2, 2)
		}
		m := t.n >> top
		t.list = append(t.list, phaseOf(1<<top, func(k int) { t.sort(t.out()[k*m:][:m], t.y[k*m:][:m]) }))
	}
}

func phaseOf(steps int, do func(k int)) engine.Phase {
	return engine.Phase{Steps: steps, Do: func(step, _ int) { do(step) }}
}

// sort is the recursive pre-shuffle of a block.
func (t *call[E]) sort(x, y []E) {
	if len(x) == t.b {
		return
	}
	h := len(x) / 2
	transpose(t.f, y, x, h, 2, t.o.Transpose)
	copyTo(t.f, x, y)
	t.sort(x[:h], y[:h])
	t.sort(x[h:], y[h:])
}

// permute appends the stride permutation of each of count blocks, as matrices of rows × columns elements that are
// transposed into scratch and copied back: L_2 for two columns, and the shuffle for two rows. Plain transposes are
// parallel in their rows, of which the shuffle has two; the others by blocks.
func (t *call[E]) permute(count, rows, columns int) {
	m := rows * columns
	if t.o.Transpose == PlainTranspose {
		t.loop(count*rows, grain2, func(k, end, _ int) {
			for ; k < end; k++ {
				o := k / rows * m
				transposeRow(t.f, t.y[o:][:m], t.out()[o:][:m], k%rows, rows, columns)
			}
		})
	} else {
		t.list = append(t.list, phaseOf(count, func(k int) {
			transpose(t.f, t.y[k*m:][:m], t.out()[k*m:][:m], rows, columns, t.o.Transpose)
		}))
	}
	t.copyBack()
}
