package front

import "github.com/galfft/fft/internal/engine"

// Blocks takes the multipliers of the top from those of the whole, and those of the block from a domain of its own: the
// first m − k vectors of the basis, and the shift with the vectors that the bits of b name.
func (p *affine) Blocks(k, b int) (top, block engine.Domain, err error) {
	m := p.c.N
	low := m - k
	first := &affine{elements: p.elements, c: p.c.Slice(low, m), g: p.g[low:], s: p.s.Slice(low, m)}
	own := &affine{elements: p.elements, basis: p.basis.Slice(0, low), shift: p.element()}
	p.Set(own.shift, p.shift)
	for j := range k {
		if b>>j&1 == 1 {
			p.Add(own.shift, own.shift, p.At(p.basis, low+j))
		}
	}
	top = engine.Domain{N: 1 << k, Points: first, Subspace: first}
	block = engine.Domain{N: 1 << low, Points: own, Subspace: own}
	return top, block, own.Check()
}
