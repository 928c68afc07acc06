package front

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// affine is the basis and the shift of an affine domain, for vectors of b.
type affine struct {
	elements
	basis engine.View
	shift element
	// Set by Check: c_k, W_k of vector k+1+j over c_k at [k][j], and W_k of the shift over c_k.
	c engine.View
	g []engine.View
	s engine.View
}

// affine is the n points of a basis and a shift as schemes name them.
func (p elements) affine(basis engine.View, shift element, n int) (engine.Domain, error) {
	a := &affine{elements: p, basis: basis, shift: shift}
	return a.checked(engine.Domain{N: n, Points: a, Subspace: a})
}

func (p *affine) Check() error {
	m, two := p.basis.N, p.one()
	p.Add(two, two, two)
	if !p.isZero(two) {
		return errCharacteristic
	}
	rest := p.New(m + 1) // W_k of the vectors from k on, and of the shift
	for i := range rest.N {
		x := p.shift
		if i < m {
			x = p.At(p.basis, i)
		}
		if !p.canonical(x) {
			return errBasisRange
		}
		p.Set(p.At(rest, i), x)
	}
	p.c, p.s, p.g = p.New(m), p.New(m), make([]engine.View, m)
	inverse, t := p.element(), p.element()
	for k := range m {
		c := p.At(p.c, k)
		p.Set(c, p.At(rest, 0))
		if p.isZero(c) {
			return dependent(k)
		}
		if err := p.Inv(inverse, c); err != nil {
			return err
		}
		rest = rest.Slice(1, rest.N)
		over := p.New(rest.N)
		for i := range rest.N {
			x, y := p.At(over, i), p.At(rest, i)
			p.Mul(x, y, inverse)
			p.Mul(t, x, x)
			p.Add(y, t, x)
		}
		p.Set(p.At(p.s, k), p.At(over, over.N-1))
		p.g[k] = over.Slice(0, over.N-1)
	}
	return nil
}

var (
	errCharacteristic = fmt.Errorf("fft: %w: an affine domain of a field whose characteristic is not 2", field.ErrSpec)
	errBasisRange     = fmt.Errorf("fft: %w: basis or shift of the domain has what is no canonical element", field.ErrRange)
)

func dependent(k int) error {
	return fmt.Errorf("fft: %w: vector %d of the basis of the domain depends on those before it", field.ErrSpec, k)
}

// Tree has at place 2^d + b the shift over c[k], k = m − 1 − d, and g[k][j] for the bits j of b.
func (p *affine) Tree() (engine.View, error) {
	m := p.c.N
	w := p.New(1 << m)
	for d := range m {
		k := m - 1 - d
		heap := w.Slice(1<<d, 2<<d)
		p.Set(p.At(heap, 0), p.At(p.s, k))
		for j := range p.g[k].N {
			n := 1 << j
			upper := heap.Slice(n, 2*n)
			p.host.Copy(upper, heap.Slice(0, n), bulks.Copy{Rows: 1, Width: n, Dst: n, Src: n})
			// A column of rows that are no elements apart: one element for all.
			p.host.Copy(upper, p.g[k].Slice(j, j+1), bulks.Copy{Rows: 1, Width: n, Dst: n, Transpose: true, Add: true})
		}
	}
	return p.pack(w)
}

// Generators has them in the order of depths: the shift, then the bits.
func (p *affine) Generators() (engine.View, error) {
	m := p.c.N
	list := p.New(m * (m + 1) / 2)
	at := 0
	add := func(x element) {
		p.Set(p.At(list, at), x)
		at++
	}
	for d := range m {
		k := m - 1 - d
		add(p.At(p.s, k))
		for j := range p.g[k].N {
			add(p.At(p.g[k], j))
		}
	}
	return p.pack(list)
}

func (p *affine) Powers(k, squares, n int, inverse bool) (engine.View, bool, error) {
	c := p.element() // as elements may be slices
	p.Set(c, p.At(p.c, k))
	if p.isOne(c) {
		n = 1 // the other powers are not asked for
	}
	w := p.New(n)
	if inverse {
		if err := p.Inv(c, c); err != nil {
			return engine.View{}, false, err
		}
	}
	for range squares {
		p.Mul(c, c, c)
	}
	p.powers(w, c)
	v, err := p.pack(w)
	return v, p.isOne(p.At(p.c, k)), err
}
