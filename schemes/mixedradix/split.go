package mixedradix

import (
	"math/bits"
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// split is the four-step inside a cache: DFT_N1 on rows of N2·width elements, twiddle factors, and N1 times DFT_N2.
// Rows stay where they are, so that the result is in bit-reversed order like that of its parts.
type split struct{ inPlace }

// newSplit makes the case of d, a power of two, in parts of about one length.
func newSplit(b *cases.Build, d engine.Domain) (cases.Case, error) {
	k, base := bits.Len(uint(d.N))-1, bits.Len(uint(b.C.Base))-1
	parts := (k + base - 1) / base
	p, err := newInPlace(b, d, 1<<(k/parts))
	return &split{p}, err
}

func (c *split) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.Outer.Forward(w, v, c.N2*width, false)
	c.multiply(c.twiddles, v, width)
	for i := 0; i < c.N1 && !w.Stopped(); i++ {
		c.Inner.Forward(w, c.block(v, i, width), width, canonical)
	}
}

func (c *split) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	for i := 0; i < c.N1 && !w.Stopped(); i++ {
		c.Inner.Inverse(w, c.block(v, i, width), width, nil, false)
	}
	c.multiply(c.inverseTwiddles, v, width)
	c.Outer.Inverse(w, v, c.N2*width, by, canonical)
}

func (c *split) block(v engine.View, i, width int) engine.View {
	return v.Slice(i*c.N2*width, (i+1)*c.N2*width)
}

func (c *split) Passes(width int) []string {
	return slices.Concat(c.Outer.Passes(c.N2*width), []string{"twiddles"}, c.Inner.Passes(width))
}

func (c *split) Scratch(width int) int {
	return max(c.Outer.Scratch(c.N2*width), c.Inner.Scratch(width))
}
