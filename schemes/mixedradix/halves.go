package mixedradix

import (
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

var _ cases.Halved = (*split)(nil)

func (c *split) Halves() (n1, n2 int) { return c.N1, c.N2 }

func (c *split) HalfPasses(width int) (columns, rows []string) {
	return c.Outer.Passes(width), append([]string{"twiddles"}, c.Inner.Passes(width)...)
}

func (c *split) Columns(w *engine.Watch, v engine.View, width int) {
	c.Outer.Forward(w, v, width, false)
}

func (c *split) Row(w *engine.Watch, v engine.View, i, width int, canonical bool) {
	c.multiplyRow(c.twiddles, v, i, width)
	c.Inner.Forward(w, v, width, canonical)
}

func (c *split) RowInverse(w *engine.Watch, v engine.View, i, width int) {
	c.Inner.Inverse(w, v, width, nil, false)
	c.multiplyRow(c.inverseTwiddles, v, i, width)
}

func (c *split) ColumnsInverse(w *engine.Watch, v engine.View, width int) {
	c.Outer.Inverse(w, v, width, nil, false)
}
