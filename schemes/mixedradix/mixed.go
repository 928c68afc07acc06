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
	c := &mixed{p, b.F, nil, b.Whole}
	if err == nil && p.N2&(p.N2-1) == 0 {
		c.order = engine.CaseOrder(p.N2)
	}
	return c, err
}

// mixed is the six-step inside a cache, with values sorted into natural order: a reversal of digits would not be its
// own inverse, which copies by the schemes ask of bit reversals. A transpose between the cases brings those of the
// inner one side by side, in long rows, whose values stand in natural order but for that of the rows.
type mixed struct {
	inPlace
	f       bulks.Bulk
	order   []int32 // in which the inner case has its values; nil: the natural one
	scratch *cases.Scratch
}

func (c *mixed) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.Outer.Forward(w, v, c.N2*width, false)
	c.multiply(c.twiddles, v, width)
	n := c.N1 * c.N2 * width
	s := c.scratch.Get(w, n)
	if s == nil {
		return
	}
	x := s.V.Slice(0, n)
	c.transpose(x, v, c.N1, c.N2, width)
	c.Inner.Forward(w, x, c.N1*width, canonical)
	c.f.Copy(v, x, c.rows(width))
	c.scratch.Put(s)
}

func (c *mixed) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	n := c.N1 * c.N2 * width
	s := c.scratch.Get(w, n)
	if s == nil {
		return
	}
	x := s.V.Slice(0, n)
	c.f.Copy(x, v, c.rows(width))
	c.Inner.Inverse(w, x, c.N1*width, nil, false)
	c.transpose(v, x, c.N2, c.N1, width)
	c.scratch.Put(s)
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

// transpose takes a matrix of rows × columns runs of width elements to its transpose.
func (c *mixed) transpose(dst, src engine.View, rows, columns, width int) {
	n := rows * columns * width
	if width == 1 {
		c.f.Copy(dst, src, bulks.Copy{Rows: columns, Width: rows, Dst: rows, Src: columns, Transpose: true})
		return
	}
	for i := range rows {
		row := src.Slice(i*columns*width, (i+1)*columns*width)
		c.f.Copy(dst.Slice(i*width, n), row, bulks.Copy{Rows: columns, Width: width, Dst: rows * width, Src: width})
	}
}

func (c *mixed) Passes(width int) []string {
	return slices.Concat(c.Outer.Passes(c.N2*width), []string{"twiddles"}, c.Inner.Passes(c.N1*width),
		[]string{"transpose, in natural order"})
}

func (c *mixed) Bytes() int { return c.inPlace.Bytes() + 4*len(c.order) }

// Scratch is its own, and that of the case that takes more: they do not share vectors.
func (c *mixed) Scratch(width int) int {
	return c.f.Bytes(c.N1*c.N2*width) + max(c.Outer.Scratch(c.N2*width), c.Inner.Scratch(c.N1*width))
}
