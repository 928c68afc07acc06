// Package product is a transform of N = N1·N2 points from two smaller ones, with twiddle factors between them: what the
// schemes that split share. A scheme adds how the matrix moves.
package product

import (
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// Product is the two smaller transforms, and how the domain splits, for both directions.
type Product struct {
	N1, N2         int
	Outer, Inner   cases.Case // of length N1 and N2
	Split, Inverse engine.Split
}

// Cut is a product by N1 without its cases.
func Cut(d engine.Domain, n1 int) (p Product) {
	p.Split, p.Inverse = engine.SplitDomain(d, n1), engine.SplitDomain(d.Inverse(), n1)
	p.N1, p.N2 = n1, p.Split.N2
	return p
}

// New is Cut with the cases.
func New(b *cases.Build, d engine.Domain, n1 int) (p Product, err error) {
	p = Cut(d, n1)
	if p.Outer, err = b.New(p.Split.Outer); err != nil {
		return p, err
	}
	p.Inner, err = b.New(p.Split.Inner)
	return p, err
}

// Sizes lists the base cases of both.
func (p *Product) Sizes() []int { return append(p.Outer.Sizes(), p.Inner.Sizes()...) }

// Bytes is the memory of their tables.
func (p *Product) Bytes() int { return p.Outer.Bytes() + p.Inner.Bytes() }
