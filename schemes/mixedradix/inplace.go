package mixedradix

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/product"
)

// inPlace is a product as a base case, whose twiddle factors stand by rows. The first ones, of row 0, are 1 but over a
// coset.
type inPlace struct {
	product.Product
	twiddles, inverseTwiddles bulks.Table
	ones                      int
}

func newInPlace(b *cases.Build, d engine.Domain, n1 int) (p inPlace, err error) {
	if p.Product, err = product.New(b, d, n1); err != nil {
		return p, err
	}
	return p, p.makeTwiddles(b, d)
}

// newLevel is newInPlace by the longest odd case, without the inner case, and without twiddle factors where the
// points of inner cases have them.
func newLevel(b *cases.Build, d engine.Domain) (p inPlace, err error) {
	p.Product = product.Cut(d, b.C.OddFactor(d.N))
	if p.Outer, err = b.New(p.Split.Outer); err != nil || p.cosets(b) {
		return p, err
	}
	return p, p.makeTwiddles(b, d)
}

// cosets reports whether the inner cases are layers, whose multipliers may be those of any coset.
func (p *inPlace) cosets(b *cases.Build) bool {
	return p.N2&(p.N2-1) == 0 && b.C.Case(p.N2) == choice.Layers
}

func (p *inPlace) makeTwiddles(b *cases.Build, d engine.Domain) (err error) {
	if !d.Shifted() {
		p.ones = p.N2
	}
	n := float64(p.N1) * float64(p.N2)
	if err := b.Take(2*n, 2*n); err != nil {
		return err
	}
	if p.twiddles, err = table(b, &p.Split); err == nil {
		p.inverseTwiddles, err = table(b, &p.Inverse)
	}
	return err
}

// table makes the twiddle factors of a split, by rows.
func table(b *cases.Build, s *engine.Split) (bulks.Table, error) {
	z, err := s.Matrix(b.Problem, 0, 1, s.N2, 1)
	if err != nil {
		return nil, err
	}
	return b.F.Table(z, bulks.Alone)
}

// multiply multiplies rows of v by their twiddle factors t.
func (p *inPlace) multiply(t bulks.Table, v engine.View, width int) {
	t.Scale(v.Slice(p.ones*width, v.N), p.ones, p.N1*p.N2-p.ones, width, width)
}

// multiplyRow multiplies row i, which v is, by its twiddle factors t, if it has any.
func (p *inPlace) multiplyRow(t bulks.Table, v engine.View, i, width int) {
	if t != nil && i*p.N2 >= p.ones {
		t.Scale(v, i*p.N2, p.N2, width, width)
	}
}

func (p *inPlace) Bytes() int { return p.Product.Bytes() + p.factors() }

// factors is the memory of the twiddle factors.
func (p *inPlace) factors() int {
	if p.twiddles == nil {
		return 0
	}
	return p.twiddles.Bytes() + p.inverseTwiddles.Bytes()
}
