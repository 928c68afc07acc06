package literal

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// preshuffle appends the pre-shuffle: l times each block is sorted into its even and its odd elements. In closed form, source s goes
// to rev_l(s mod 2^l)·b + ⌊s/2^l⌋, one pass from scratch.
func (t *call[E]) preshuffle() {
	l := t.levels
	switch t.l.Preshuffle {
	case field.ClosedForm:
		t.loop(t.n, grain8, func(s, _ int) {
			t.f.Set(&t.c.Out[field.Rev(s&(1<<l-1), l)*t.b+s>>l], &t.y[s])
		})
	case field.Iterative:
		for level := range l {
			t.permute(1<<level, t.n>>level/2, 2)
		}
	case field.Recursive:
		// As many levels as give each task a block, then a block for each call.
		top := min(l, bits.Len(uint(t.c.Tasks-1)))
		for level := range top {
			t.permute(1<<level, t.n>>level/2, 2)
		}
		m := t.n >> top
		t.list = append(t.list, phaseOf(1<<top, func(k int) { t.sort(t.c.Out[k*m:][:m], t.y[k*m:][:m]) }))
	}
}

func phaseOf(steps int, do func(k int)) core.Phase {
	return core.Phase{Steps: steps, Do: func(step, _ int) { do(step) }}
}

// sort is the recursive pre-shuffle of a block.
func (t *call[E]) sort(x, y []E) {
	if len(x) == t.b {
		return
	}
	h := len(x) / 2
	t.stride(x, y, h, 2)
	t.sort(x[:h], y[:h])
	t.sort(x[h:], y[h:])
}

// permute appends the stride permutation of each of count blocks, as matrices of rows × columns elements that are transposed into scratch and
// copied back: L_2 for two columns, and the shuffle for two rows. Plain transposes are parallel in all their turns, the others by
// blocks.
func (t *call[E]) permute(count, rows, columns int) {
	m := rows * columns
	if t.l.Transpose == field.PlainTranspose {
		t.loop(t.n, grain2, func(k, _ int) {
			o, i := k/m*m, k%m
			t.f.Set(&t.y[o+i%columns*rows+i/columns], &t.c.Out[k])
		})
		t.copyBack()
		return
	}
	t.list = append(t.list, phaseOf(count, func(k int) { t.stride(t.c.Out[k*m:][:m], t.y[k*m:][:m], rows, columns) }))
}

// stride transposes x by way of y.
func (t *call[E]) stride(x, y []E, rows, columns int) {
	switch t.l.Transpose {
	case field.BlockedTranspose:
		t.blocked(y, x, rows, columns)
	case field.RecursiveTranspose:
		t.recursive(y, rows, x, columns, rows, columns)
	default:
		for i := range rows {
			for j := range columns {
				t.f.Set(&y[j*rows+i], &x[i*columns+j])
			}
		}
	}
	for i := range x {
		t.f.Set(&x[i], &y[i])
	}
}

const block = 16 // of blocked transposes; recursive ones end at 2·block elements

func (t *call[E]) blocked(y, x []E, rows, columns int) {
	for i := 0; i < rows; i += block {
		for j := 0; j < columns; j += block {
			for r := i; r < min(rows, i+block); r++ {
				for c := j; c < min(columns, j+block); c++ {
					t.f.Set(&y[c*rows+r], &x[r*columns+c])
				}
			}
		}
	}
}

// recursive is the cache-oblivious transpose of a matrix of the given row strides (M. Frigo et al., Cache-Oblivious Algorithms, 1999).
func (t *call[E]) recursive(y []E, strideY int, x []E, strideX, rows, columns int) {
	switch {
	case rows*columns <= 2*block:
		for i := range rows {
			for j := range columns {
				t.f.Set(&y[j*strideY+i], &x[i*strideX+j])
			}
		}
	case rows >= columns:
		h := rows / 2
		t.recursive(y, strideY, x, strideX, h, columns)
		t.recursive(y[h:], strideY, x[h*strideX:], strideX, rows-h, columns)
	default:
		h := columns / 2
		t.recursive(y, strideY, x, strideX, rows, h)
		t.recursive(y[h*strideY:], strideY, x[h:], strideX, rows, columns-h)
	}
}
