package dist

import (
	"fmt"
	"io"

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
	case part != p.Len():
		return &field.LengthError{What: "the part", Want: p.Len(), Got: part}
	case p.end() > whole:
		return &field.LengthError{What: "the whole", Want: p.end(), Got: whole}
	}
	return nil
}

// Cut sets dst to a part of a whole vector, and Paste sets that part of the whole to src. Slices are of the lengths
// that the part says; the whole may be longer. They do not overlap.
func (p *Plan[E]) Cut(dst, whole []E, part Part) error {
	if p.none() {
		return errNone
	}
	if err := part.check(len(dst), len(whole)); err != nil {
		return err
	}
	for i := range dst {
		p.f.Set(&dst[i], &whole[part.Index(i)])
	}
	return nil
}

// Paste is the reverse of Cut.
func (p *Plan[E]) Paste(whole, src []E, part Part) error {
	if p.none() {
		return errNone
	}
	if err := part.check(len(src), len(whole)); err != nil {
		return err
	}
	for i := range src {
		p.f.Set(&whole[part.Index(i)], &src[i])
	}
	return nil
}

// Read sets dst to a part of a whole vector that r has from offset on, as the field's Codec encodes elements, one after
// the other. All ranks may read one file so, each its own part. The errors are those of r and of the Codec; after one
// dst is unspecified. A field without a Codec is ErrSpec.
func (p *Plan[E]) Read(dst []E, r io.ReaderAt, offset int64, part Part) error {
	if p.none() {
		return errNone
	}
	c, ok := p.f.(field.Codec[E])
	if !ok || r == nil {
		return fmt.Errorf("dist: %w: nothing to read elements of %T from, or with", field.ErrSpec, p.f)
	}
	if err := part.check(len(dst), part.end()); err != nil {
		return err
	}
	const most = 1 << 16 // bytes
	size := c.Size()
	buf := make([]byte, min(part.Width, max(1, most/size))*size)
	for i := 0; i < len(dst); {
		n := min(part.Width-i%part.Width, len(buf)/size)
		b := buf[:n*size]
		if got, err := r.ReadAt(b, offset+int64(part.Index(i))*int64(size)); got < len(b) {
			return fmt.Errorf("dist: elements from %d on: %w", part.Index(i), err)
		}
		for ; n > 0; n, i, b = n-1, i+1, b[size:] {
			if err := c.SetBytes(&dst[i], b[:size]); err != nil {
				return fmt.Errorf("dist: element %d: %w", part.Index(i), err)
			}
		}
	}
	return nil
}
