// Package product is a transform of N = N1·N2 points from two smaller ones, with twiddle factors between them, in all
// its layouts:
//
//   - as schemes, [Explicit] and [Merged] six-step and [FourStep], which move the matrix through scratch and strips of
//     columns;
//   - as base cases, [NewSplit] and [NewMixed], which work in place on rows that are in cache.
package product

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/choice"
	"github.com/galfft/fft/schemes/internal/core"
)

// product is the two smaller transforms, and how the domain splits, for both directions.
type product struct {
	N1, N2         int
	Outer, Inner   cases.Case // of length N1 and N2
	split, inverse core.Split
}

// splitProduct is a product by N1 without its cases.
func splitProduct(d core.Domain, n1 int) (p product) {
	p.split, p.inverse = core.SplitDomain(d, n1), core.SplitDomain(d.Inverse(), n1)
	p.N1, p.N2 = n1, p.split.N2
	return p
}

func newProduct(b *cases.Build, d core.Domain, n1 int) (p product, err error) {
	p = splitProduct(d, n1)
	if p.Outer, err = b.New(p.split.Outer); err != nil {
		return p, err
	}
	p.Inner, err = b.New(p.split.Inner)
	return p, err
}

// Sizes lists the base cases of both.
func (p *product) Sizes() []int { return append(p.Outer.Sizes(), p.Inner.Sizes()...) }

// Bytes is the memory of their tables.
func (p *product) Bytes() int { return p.Outer.Bytes() + p.Inner.Bytes() }

// inPlace is a product as a base case, whose twiddle factors stand by rows. The first ones, of row 0, are 1 but over a
// coset.
type inPlace struct {
	product
	twiddles, inverseTwiddles field.Table
	ones                      int
}

func newInPlace(b *cases.Build, d core.Domain, n1 int) (p inPlace, err error) {
	if p.product, err = newProduct(b, d, n1); err != nil {
		return p, err
	}
	return p, p.makeTwiddles(b, d)
}

// newLevel is newInPlace by the largest prime factor, without the inner case.
func newLevel(b *cases.Build, d core.Domain) (p inPlace, err error) {
	p.product = splitProduct(d, choice.LargestFactor(d.N))
	if p.Outer, err = b.New(p.split.Outer); err != nil {
		return p, err
	}
	return p, p.makeTwiddles(b, d)
}

func (p *inPlace) makeTwiddles(b *cases.Build, d core.Domain) (err error) {
	if !d.Shifted() {
		p.ones = p.N2
	}
	n := float64(p.N1) * float64(p.N2)
	if err := b.Take(2*n, 2*n); err != nil {
		return err
	}
	if p.twiddles, err = table(b, &p.split); err == nil {
		p.inverseTwiddles, err = table(b, &p.inverse)
	}
	return err
}

// table makes the twiddle factors of a split, by rows.
func table(b *cases.Build, s *core.Split) (field.Table, error) {
	z, err := s.Matrix(b.Problem, 1, s.N2, 1)
	if err != nil {
		return nil, err
	}
	return b.F.Table(z)
}

// multiply multiplies rows of v by their twiddle factors t.
func (p *inPlace) multiply(t field.Table, v core.View, width int) {
	t.Scale(v.Slice(p.ones*width, v.N), p.ones, p.N1*p.N2-p.ones, width, width)
}

func (p *inPlace) Bytes() int {
	return p.product.Bytes() + p.twiddles.Bytes() + p.inverseTwiddles.Bytes()
}
