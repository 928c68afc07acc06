package front

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine"
)

// Blocks takes the multipliers of the top from those of the whole, and those of the block from a domain of its own: the
// first m − k vectors of the basis, and the shift with the vectors that the bits of b name.
func (p *affine[E]) Blocks(k, b int) (top, block engine.Domain, err error) {
	f, low := p.f, len(p.c)-k
	first := &affine[E]{elements: p.elements, c: p.c[low:], g: p.g[low:], s: p.s[low:]}
	own := &affine[E]{elements: p.elements, d: field.Affine[E]{Basis: p.d.Basis[:low]}}
	f.Set(&own.d.Shift, &p.d.Shift)
	for j := range k {
		if b>>j&1 == 1 {
			f.Add(&own.d.Shift, &own.d.Shift, &p.d.Basis[low+j])
		}
	}
	top = engine.Domain{N: 1 << k, Points: first, Subspace: first}
	block = engine.Domain{N: 1 << low, Points: own, Subspace: own}
	return top, block, own.Check()
}
