package fieldtest

import "github.com/galfft/fft/field/bulks"

// The passes by their definitions, with the element methods. Elements outside a pass are left alone.

func (s *suite) radix2(v, w elements, l layer)  { s.f.Radix2(v, w, l, s.affine) }
func (s *suite) radix2T(v, w elements, l layer) { s.f.Radix2T(v, w, l, s.affine) }

// pairs visits the places of elements that meet in a layer, and that of their multiplier.
func (l layer) pairs(do func(a, b, m int)) {
	for b := range l.Blocks {
		for j := range l.Half {
			for i := range l.Width {
				at := (2*l.Half*b+j)*l.Stride + i
				do(at, at+l.Half*l.Stride, l.Off+b)
			}
		}
	}
}

// layers is the pass of so many layers of radix 2 inside blocks of 2^layers·Half rows, first to last.
func (s *suite) layers(layers int, v, w elements, l layer) {
	for d := range layers {
		s.radix2(v, w, level(l, d, layers))
	}
}

// layer is the rows of a pass and the place of their multiplier.
type layer struct {
	Off int
	bulks.Rows
}

// newLayer folds rows that touch.
func newLayer(off, blocks, half, width, stride int) layer {
	return layer{off, bulks.NewRows(blocks, half, width, stride)}
}

// pass has t do so many layers as p says.
func (l layer) pass(t bulks.Table, v bulks.View, layers int, p bulks.Pass) {
	p.Off, p.Layers = l.Off, int32(layers)
	t.Pass(v, p, l.Rows)
}

// level is layer d of a pass.
func level(l layer, d, layers int) layer {
	l.Off, l.Blocks, l.Half = l.Off<<d, l.Blocks<<d, l.Half<<(layers-1-d)
	return l
}

// layersT is the transpose of layers: their transposes, last to first.
func (s *suite) layersT(layers int, v, w elements, l layer) {
	for d := layers - 1; d >= 0; d-- {
		s.radix2T(v, w, level(l, d, layers))
	}
}

func (s *suite) scaleRows(v, w elements, off, rows, width, stride int) {
	for i := range rows {
		for j := range width {
			s.f.Mul(v[i*stride+j], v[i*stride+j], w[off+i])
		}
	}
}

func (s *suite) move(dst, src elements, c bulks.Copy) {
	for i := range c.Rows {
		for j := range c.Width {
			p, q := i, j
			if c.RowPerm != nil {
				p = int(c.RowPerm[i])
			}
			if c.ColPerm != nil {
				q = int(c.ColPerm[j])
			}
			at := p*c.Src + q
			if c.Transpose {
				at = q*c.Src + p
			}
			s.f.Set(dst[i*c.Dst+j], src[at])
		}
	}
}

// reverse applies the bit-reversal permutation to v, whose length is a power of two.
func (s *suite) reverse(v elements) { s.reverseRows(v, 1) }

// reverseRows does so with rows of width elements.
func (s *suite) reverseRows(v elements, width int) {
	n := len(v) / width
	for i := range n {
		j := 0
		for bit := 1; bit < n; bit *= 2 {
			j = 2*j + i/bit%2
		}
		for k := range width {
			if i < j { // once for both
				s.f.Swap(v[i*width+k], v[j*width+k])
			}
		}
	}
}
