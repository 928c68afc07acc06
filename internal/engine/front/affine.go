package front

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine"
)

// affine is the basis and the shift of an affine domain of f, for vectors of b.
type affine[E any] struct {
	elements[E]
	d field.Affine[E]
	// Set by Check: c_k, W_k of vector k+1+j over c_k at [k][j], and W_k of the shift over c_k.
	c []E
	g [][]E
	s []E
}

func (p *affine[E]) Check() error {
	f, m := p.f, len(p.d.Basis)
	var two E
	f.One(&two)
	f.Add(&two, &two, &two)
	if !p.isZero(&two) {
		return errCharacteristic
	}
	rest := make([]E, m+1) // W_k of the vectors from k on, and of the shift
	for i := range rest {
		x := &p.d.Shift
		if i < m {
			x = &p.d.Basis[i]
		}
		if !field.Canonical(f, x) {
			return errBasisRange
		}
		f.Set(&rest[i], x)
	}
	p.c, p.s, p.g = make([]E, m), make([]E, m), make([][]E, m)
	for k := range m {
		f.Set(&p.c[k], &rest[0])
		if p.isZero(&p.c[k]) {
			return dependent(k)
		}
		var inverse, t E
		if err := f.Inv(&inverse, &p.c[k]); err != nil {
			return err
		}
		rest = rest[1:]
		over := make([]E, len(rest))
		for i := range rest {
			f.Mul(&over[i], &rest[i], &inverse)
			f.Mul(&t, &over[i], &over[i])
			f.Add(&rest[i], &t, &over[i])
		}
		f.Set(&p.s[k], &over[len(over)-1])
		p.g[k] = over[:len(over)-1]
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
func (p *affine[E]) Tree() (engine.View, error) {
	m := len(p.c)
	w := make([]E, 1<<m)
	for d := range m {
		k := m - 1 - d
		heap := w[1<<d:][:1<<d]
		p.f.Set(&heap[0], &p.s[k])
		for j := range p.g[k] {
			for b := range 1 << j {
				p.f.Add(&heap[1<<j+b], &heap[b], &p.g[k][j])
			}
		}
	}
	return p.pack(w)
}

// Generators has them in the order of depths: the shift, then the bits.
func (p *affine[E]) Generators() (engine.View, error) {
	m := len(p.c)
	var list []E
	for d := range m {
		k := m - 1 - d
		list = append(append(list, p.s[k]), p.g[k]...)
	}
	return p.pack(list)
}

func (p *affine[E]) Powers(k, squares, n int, inverse bool) (engine.View, bool, error) {
	var one, c E
	p.f.One(&one)
	p.f.Set(&c, &p.c[k]) // as elements may be slices
	if p.f.Equal(&c, &one) {
		n = 1 // the other powers are not asked for
	}
	w := make([]E, n)
	if inverse {
		if err := p.f.Inv(&c, &c); err != nil {
			return engine.View{}, false, err
		}
	}
	for range squares {
		p.f.Mul(&c, &c, &c)
	}
	p.f.Set(&w[0], &one)
	for i := 1; i < n; i++ {
		p.f.Mul(&w[i], &w[i-1], &c)
	}
	v, err := p.pack(w)
	return v, p.f.Equal(&p.c[k], &one), err
}
