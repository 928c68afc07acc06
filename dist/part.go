package dist

import (
	"fmt"
	"math"

	"github.com/galfft/fft/field"
)

// Blocks says which ends of a transform are contiguous parts of the whole in natural order, in place of columns and
// rows: rank r then has elements r·N/Size to (r+1)·N/Size − 1. Either costs one more exchange. Values in bit-reversed
// order are contiguous by themselves.
type Blocks struct{ Coefficients, Values bool }

// Part is the elements of a whole vector that a rank has: Rows runs of Width elements that start Stride apart, the
// first one at First.
type Part struct{ First, Rows, Width, Stride int }

// Len is the number of elements.
func (p Part) Len() int { return p.Rows * p.Width }

// Index is the place in the whole of element i of the part, 0 ≤ i < Len. It panics for a part without elements.
func (p Part) Index(i int) int { return p.First + i/p.Width*p.Stride + i%p.Width }

// end is where the part ends in the whole.
func (p Part) end() int {
	if p.Len() == 0 {
		return 0
	}
	return p.Index(p.Len()-1) + 1
}

func (p Part) check(part, whole int) error {
	switch {
	case p.First < 0 || p.Rows < 0 || p.Width < 0 || p.Stride < 0:
		return fmt.Errorf("dist: %w: part %+v, want no negative figure", field.ErrSpec, p)
	case p.Width > math.MaxInt-p.First, p.Width > 0 && p.Rows > math.MaxInt/p.Width,
		p.Rows > 1 && p.Stride > (math.MaxInt-p.First-p.Width)/(p.Rows-1):
		return fmt.Errorf("dist: %w: part %+v ends beyond every vector", field.ErrSpec, p)
	case part != p.Len():
		return &field.LengthError{What: "the part", Want: p.Len(), Got: part}
	case p.end() > whole:
		return &field.LengthError{What: "the whole", Want: p.end(), Got: whole}
	}
	return nil
}

// String is the part in words.
func (p Part) String() string {
	if p.Rows == 1 {
		return fmt.Sprintf("%d elements from %d on", p.Width, p.First)
	}
	return fmt.Sprintf("%d rows of %d elements, %d apart, from %d on", p.Rows, p.Width, p.Stride, p.First)
}
