package product

import (
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/choice"
	"github.com/galfft/fft/schemes/internal/core"
)

// NewMixed makes the case of a length of several prime factors, not all of them 2: by its largest one q, as DFT_q on
// rows, twiddle factors, and q cases of length N/q.
func NewMixed(b *cases.Build, d core.Domain) (cases.Case, error) {
	p, err := newInPlace(b, d, choice.LargestFactor(d.N))
	return &mixed{p, b.F, core.CaseOrder(p.N2), b.Scratch}, err
}

// mixed is the six-step inside a cache, with values sorted into natural order: a reversal of digits would not be its
// own inverse, which copies by the schemes ask of bit reversals. A transpose between the cases brings those of the
// inner one side by side, in long rows, whose values stand in natural order but for that of the rows. Where rows stay
// short, powers of two go before the transpose, block by block: they have passes for that.
type mixed struct {
	inPlace
	f       field.Bulk
	order   []int32 // in which the inner case has its values
	scratch *cases.Scratch
}

func (c *mixed) Forward(w *core.Watch, v core.View, width int, canonical bool) {
	c.Outer.Forward(w, v, c.N2*width, false)
	c.twiddles.Scale(v, 0, c.N1*c.N2, width, width)
	n := c.N1 * c.N2 * width
	s := c.scratch.Get(w, n)
	if s == nil {
		return
	}
	x := s.V.Slice(0, n)
	blocks := c.blocks(width)
	for i := range blocks {
		c.Inner.Forward(w, v.Slice(i*c.N2*width, (i+1)*c.N2*width), width, canonical)
	}
	if blocks > 0 && width == 1 { // a transpose can sort bit-reversed rows on the way
		c.f.Copy(x, v, field.Copy{Rows: c.N2, Width: c.N1, Dst: c.N1, Src: c.N2, Transpose: true, RowPerm: c.order})
		c.f.Copy(v, x, field.Copy{Rows: 1, Width: n})
	} else {
		c.transpose(x, v, c.N1, c.N2, width)
		if blocks == 0 {
			c.Inner.Forward(w, x, c.N1*width, canonical)
		}
		c.f.Copy(v, x, c.rows(width))
	}
	c.scratch.Put(s)
}

func (c *mixed) Inverse(w *core.Watch, v core.View, width int, by field.Table, canonical bool) {
	n := c.N1 * c.N2 * width
	s := c.scratch.Get(w, n)
	if s == nil {
		return
	}
	x := s.V.Slice(0, n)
	blocks := c.blocks(width)
	if blocks > 0 && width == 1 {
		c.f.Copy(x, v, field.Copy{Rows: c.N1, Width: c.N2, Dst: c.N2, Src: c.N1, Transpose: true, ColPerm: c.order})
		c.f.Copy(v, x, field.Copy{Rows: 1, Width: n})
	} else {
		c.f.Copy(x, v, c.rows(width))
		if blocks == 0 {
			c.Inner.Inverse(w, x, c.N1*width, nil, false)
		}
		c.transpose(v, x, c.N2, c.N1, width)
	}
	for i := range blocks {
		c.Inner.Inverse(w, v.Slice(i*c.N2*width, (i+1)*c.N2*width), width, nil, false)
	}
	c.scratch.Put(s)
	c.inverseTwiddles.Scale(v, 0, c.N1*c.N2, width, width)
	c.Outer.Inverse(w, v, c.N2*width, by, canonical)
}

// blocks is the number of inner cases that go one by one, or 0 where all go at once.
func (c *mixed) blocks(width int) int {
	const short = 64
	if two := c.N2 & -c.N2; c.N1*width < short && (two == c.N2 || two >= short) {
		return c.N1
	}
	return 0
}

// rows moves the rows of the inner case between their order and the natural one, each other's inverse.
func (c *mixed) rows(width int) field.Copy {
	row := c.N1 * width
	return field.Copy{Rows: c.N2, Width: row, Dst: row, Src: row, RowPerm: c.order}
}

// transpose takes a matrix of rows × columns runs of width elements to its transpose.
func (c *mixed) transpose(dst, src core.View, rows, columns, width int) {
	n := rows * columns * width
	if width == 1 {
		c.f.Copy(dst, src, field.Copy{Rows: columns, Width: rows, Dst: rows, Src: columns, Transpose: true})
		return
	}
	for i := range rows {
		row := src.Slice(i*columns*width, (i+1)*columns*width)
		c.f.Copy(dst.Slice(i*width, n), row, field.Copy{Rows: columns, Width: width, Dst: rows * width, Src: width})
	}
}

func (c *mixed) Passes(width int) []string {
	inner := width
	if c.blocks(width) == 0 {
		inner = c.N1 * width
	}
	return slices.Concat(c.Outer.Passes(c.N2*width), []string{"twiddles"}, c.Inner.Passes(inner),
		[]string{"transpose, in natural order"})
}

func (c *mixed) Bytes() int { return c.inPlace.Bytes() + 4*len(c.order) }

// Scratch is its own, held while the inner case runs.
func (c *mixed) Scratch(width int) int {
	inner := c.Inner.Scratch(width)
	if c.blocks(width) == 0 {
		inner = c.Inner.Scratch(c.N1 * width)
	}
	return max(c.Outer.Scratch(c.N2*width), c.f.Bytes(c.N1*c.N2*width)+inner)
}
