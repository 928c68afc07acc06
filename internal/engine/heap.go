package engine

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// The layers of a transform are a remainder tree: the root takes a polynomial modulo the one that is 0 at all points,
// and each block of a layer takes it modulo the polynomials of two halves of its points. Over a cyclic domain the root
// is x^N − s^N, block b of depth d is x^h − z with h = N/2^d, and a layer splits every x^(2h) − z² into x^h − z and
// x^h + z, with z = s^h·w_N^(h·rev(b)). Over an affine domain block b of depth d is a coset of the first m − d vectors
// of the basis, and a layer splits it at the vector that follows them last. Either takes one multiplier for each block.

// Heap returns the multipliers of the layers of d, N a power of two, or those of the inverse, canonical. The multiplier
// of the root stands at place first, 0 or 1, and those of the children of the block at i at 2i and 2i+1.
//
// Without a shift those of a cyclic domain depend on the block alone, so that all depths use a prefix of one table of
// N/2 factors, and first is 0. With a shift, and over an affine domain, block b of depth d has its own at 2^d + b, in a
// table of N, in which place 0 has any value.
func (d Domain) Heap(p *Problem, inverse bool) (w View, first int, err error) {
	switch {
	case d.Subspace != nil: // layers there undo each other by the same multipliers
		w, err = d.Tree()
		return w, 1, err
	case inverse:
		d = d.Inverse()
	}
	if !d.Shifted() {
		w, err = RevPowers(p, d.Exponents, Factor{Root: d.Root}, max(1, d.N/2))
		return w, 0, err
	}
	w, err = d.cosetHeap(p)
	return w, 1, err
}

// cosetHeap has powers of the root that all depths share, times the depth's own power of the shift.
func (d Domain) cosetHeap(p *Problem) (View, error) {
	n := max(2, d.N)
	by := []Factor{{}}
	for h := 1; h < n/2; h *= 2 {
		by = append(by, Factor{Root: d.Root * int64(n/(4*h))})
	}
	shifts := len(by)
	for depth := 1; depth < d.N; depth *= 2 {
		h := int64(d.N / (2 * depth))
		by = append(by, Factor{Root: d.Turn * h, Shift: d.Shift * h})
	}
	g, err := NewGrower(p, d.Exponents, 2*n, by) // the tree, then the powers
	if err != nil {
		return View{}, err
	}
	if err := g.Multiply(n, 0, 1, 0); err != nil {
		return View{}, err
	}
	for i := range shifts - 1 {
		if err := g.Multiply(n+1<<i, n, 1<<i, 1+i); err != nil {
			return View{}, err
		}
	}
	for i := range len(by) - shifts {
		if err := g.Multiply(1<<i, n, 1<<i, shifts+i); err != nil {
			return View{}, err
		}
	}
	return g.Vector().Slice(0, n), nil
}

// Top is the domain of the columns of so many rows, a power of two, into which a cyclic domain's coefficients are cut:
// layers over it are the first ones over d. Block is that of the layers behind them on block i of as many.
func (d Domain) Top(rows int) Domain {
	by := int64(d.N / rows)
	d.N, d.Root, d.Shift = rows, d.Root*by, d.Shift*by
	return d
}

// Block is described with Top.
func (d Domain) Block(i, blocks int) Domain {
	d.Turn = d.Root * int64(bulks.Rev(i, bits.Len(uint(blocks))-1))
	d.N, d.Root = d.N/blocks, d.Root*int64(blocks)
	return d
}

// Shared reports whether the heaps of all such domains of one length, parts of one transform, are the same.
func (d Domain) Shared() bool { return d.Subspace == nil && !d.Shifted() }

// Cheapest is the order in which one case leaves the values: bit-reversed after layers over a cyclic domain, natural
// over an affine one and after transforms of other lengths.
func (d Domain) Cheapest() field.Order {
	if d.Subspace != nil || d.N&(d.N-1) != 0 {
		return field.Natural
	}
	return field.BitReversed
}

// Gain is the table of 1/N, by which inverse transforms end, and nil over an affine domain, whose layers undo each
// other.
func (d Domain) Gain(p *Problem) (bulks.Table, error) {
	if d.Subspace != nil {
		return nil, nil
	}
	n, err := d.Factors(Factor{Over: d.N})
	if err != nil {
		return nil, err
	}
	return p.F.Table(n, bulks.Alone)
}
