// Package mixedradix is transforms of N = N1·N2 points as base cases, which work in place on rows that are in cache: by
// parts of about one length, or by all odd prime factors first. It is for packages of this module, and does not check
// what it gets.
package mixedradix

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// New makes the case of a length of several prime factors: of a power of two, or of others.
func New(b *cases.Build, d engine.Domain) (cases.Case, error) {
	if d.N&(d.N-1) == 0 {
		return newSplit(b, d)
	}
	n1 := b.C.MixedFactor(d.N)
	if n1 == 1 {
		return newOddFirst(b, d)
	}
	p, err := newInPlace(b, d, n1)
	c := &mixed{inPlace: p, f: b.F, scratch: b.Whole}
	if err != nil {
		return c, err
	}
	if p.N2&(p.N2-1) == 0 {
		c.order = engine.CaseOrder(p.N2)
	} else {
		c.into, _ = p.Inner.(rowsInto)
	}
	if d.N <= mostPlaces {
		c.places, c.back = make([]int32, d.N), make([]int32, d.N)
		for i := range d.N {
			at := i%p.N1*p.N2 + i/p.N1
			c.places[i], c.back[at] = int32(at), int32(i)
		}
	}
	return c, nil
}

// mixed is the six-step inside a cache, with values sorted into natural order: a reversal of digits would not be its
// own inverse, which copies by the schemes ask of bit reversals. A transpose between the cases brings those of the
// inner one side by side, in long rows, whose values stand in natural order but for that of the rows.
type mixed struct {
	inPlace
	f            bulks.Bulk
	into         rowsInto // the inner case, where it may be one
	order        []int32  // in which the inner case has its values; nil: the natural one
	places, back []int32  // of a transpose of rows: one copy of them all, where they are few; and of its inverse
	scratch      *cases.Scratch
}

// mostPlaces bounds the rows that a transpose lists.
const mostPlaces = 1 << 10

// rowsInto is a case whose results may go elsewhere, which spares a copy: dst does not overlap src, which is used up.
// Values are wide. Where a method is false nothing is done.
type rowsInto interface {
	ForwardInto(w *engine.Watch, dst, src engine.View, width int) bool
	InverseInto(w *engine.Watch, dst, src engine.View, width int) bool
}

func (c *mixed) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.first(w, v, width)
	n := c.N1 * c.N2 * width
	s := c.scratch.Get(w, n)
	if s == nil {
		return
	}
	x, row := s.V.Slice(0, n), c.N1*width
	c.transpose(x, v, width)
	if c.into == nil || !c.into.ForwardInto(w, v, x, row) {
		c.Inner.Forward(w, x, row, canonical)
		c.f.Copy(v, x, c.rows(width))
	} else if canonical {
		c.f.Reduce(v)
	}
	c.scratch.Put(s)
}

// first is the outer case and the twiddle factors.
func (c *mixed) first(w *engine.Watch, v engine.View, width int) {
	c.Outer.Forward(w, v, c.N2*width, false)
	c.multiply(c.twiddles, v, width)
}

// ForwardInto is that of rowsInto.
func (c *mixed) ForwardInto(w *engine.Watch, dst, src engine.View, width int) bool {
	if c.order != nil {
		return false
	}
	c.first(w, src, width)
	c.transpose(dst, src, width)
	c.Inner.Forward(w, dst, c.N1*width, false)
	return true
}

// InverseInto is that of rowsInto.
func (c *mixed) InverseInto(w *engine.Watch, dst, src engine.View, width int) bool {
	if c.order != nil {
		return false
	}
	c.Inner.Inverse(w, src, c.N1*width, nil, false)
	c.untranspose(dst, src, width)
	c.multiply(c.inverseTwiddles, dst, width)
	c.Outer.Inverse(w, dst, c.N2*width, nil, false)
	return true
}

func (c *mixed) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	n := c.N1 * c.N2 * width
	s := c.scratch.Get(w, n)
	if s == nil {
		return
	}
	x, row := s.V.Slice(0, n), c.N1*width
	wide := c.into != nil && c.into.InverseInto(w, x, v, row)
	if !wide {
		c.f.Copy(x, v, c.rows(width))
		c.Inner.Inverse(w, x, row, nil, false)
	}
	c.untranspose(v, x, width)
	c.scratch.Put(s)
	if wide { // products are narrow
		c.f.Reduce(v.Slice(0, c.ones*width))
	}
	c.multiply(c.inverseTwiddles, v, width)
	c.Outer.Inverse(w, v, c.N2*width, by, canonical)
}

// rows moves the rows of the inner case between their order and the natural one, each other's inverse.
func (c *mixed) rows(width int) bulks.Copy {
	row := c.N1 * width
	if c.order == nil {
		return bulks.Copy{Rows: 1, Width: c.N2 * row}
	}
	return bulks.Copy{Rows: c.N2, Width: row, Dst: row, Src: row, RowPerm: c.order}
}

// transpose takes the N1 × N2 matrix of runs of width elements to its transpose, untranspose back.
func (c *mixed) transpose(dst, src engine.View, width int) {
	transpose(c.f, dst, src, c.N1, c.N2, width, c.places)
}

func (c *mixed) untranspose(dst, src engine.View, width int) {
	transpose(c.f, dst, src, c.N2, c.N1, width, c.back)
}

// transpose takes a matrix of rows × columns runs of width elements to its transpose, by a list of all runs unless it
// is nil.
func transpose(f bulks.Bulk, dst, src engine.View, rows, columns, width int, places []int32) {
	n := rows * columns * width
	switch {
	case width == 1:
		f.Copy(dst, src, bulks.Copy{Rows: columns, Width: rows, Dst: rows, Src: columns, Transpose: true})
	case places != nil:
		f.Copy(dst, src, bulks.Copy{Rows: len(places), Width: width, Dst: width, Src: width, RowPerm: places})
	default:
		for i := range rows {
			row := src.Slice(i*columns*width, (i+1)*columns*width)
			f.Copy(dst.Slice(i*width, n), row, bulks.Copy{Rows: columns, Width: width, Dst: rows * width, Src: width})
		}
	}
}

func (c *mixed) Passes(width int) []string {
	return slices.Concat(c.Outer.Passes(c.N2*width), []string{"twiddles"}, c.Inner.Passes(c.N1*width),
		[]string{"transpose, in natural order"})
}

func (c *mixed) Bytes() int { return c.inPlace.Bytes() + 4*(len(c.order)+2*len(c.places)) }

// Scratch is its own, and that of the case that takes more: they do not share vectors.
func (c *mixed) Scratch(width int) int {
	return c.f.Bytes(c.N1*c.N2*width) + max(c.Outer.Scratch(c.N2*width), c.Inner.Scratch(c.N1*width))
}
