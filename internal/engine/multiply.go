package engine

import (
	"context"
	"sync"

	"github.com/galfft/fft/field"
)

// Multiplier is a Transform with field.Multiplier's Multiply, of views; square says that a and b are one.
type Multiplier interface {
	Multiply(ctx context.Context, dst View, from int, a, b View, square bool, x, y field.Vec) error
}

// ProductScheme is a scheme that goes from factors to their product in passes of its own.
type ProductScheme interface {
	// Multiplies reports whether it does.
	Multiplies() bool
	// BindProduct makes the scratch of one call and its phases, as closures over p.
	BindProduct(p *Product) ([]Phase, error)
}

// Product is the state of one running product.
type Product struct {
	Call         // whose vectors are not used
	Dst  View    // coefficients of the product
	From int     // of the first of them
	A, B View    // the factors
	X, Y View    // vectors; Y is X for a square
	Way  Factors // what Y is
}

// Factors says where the values of the second factor come from.
type Factors int

const (
	Two    Factors = iota // from B
	One                   // they are in Y
	Square                // they are those of the first
)

// multiplying is a transform with a way to products.
type multiplying struct {
	*transform
	scheme   ProductScheme
	products sync.Pool // *running
}

// running is a pooled product.
type running struct {
	Product
	run direction
}

// withProducts adds the way to products that the scheme of t has, where the elements of slices are vectors.
func withProducts(t *transform) Transform {
	if s, ok := t.scheme.(ProductScheme); ok && t.inPlace && t.device == nil && s.Multiplies() {
		return &multiplying{transform: t, scheme: s}
	}
	return t
}

func (t *multiplying) get() (*running, error) {
	if p, ok := t.products.Get().(*running); ok {
		return p, nil
	}
	p := new(running)
	p.Tasks, p.progress = t.tasks, t.progress
	phases, err := t.scheme.BindProduct(&p.Product)
	p.run = p.bind(phases, t.runner)
	return p, err
}

func (t *multiplying) Multiply(ctx context.Context, dst View, from int, a, b View, square bool, x, y field.Vec) error {
	if err := checkContext(ctx); err != nil {
		return err
	}
	v, err := t.vec(x)
	if err != nil {
		return err
	}
	w, way := v, Square
	if !square {
		if way = Two; b.N == 0 {
			way = One
		}
		if w, err = t.vec(y); err != nil {
			return err
		}
	}
	if err := t.checkProduct(dst, from, a, b); err != nil {
		return err
	}
	p, err := t.get()
	if err != nil {
		return err
	}
	p.Dst, p.From, p.A, p.B, p.X, p.Y, p.Way = dst, from, a, b, v.v, w.v, way
	err = p.phases(ctx, &p.run, t.runner)
	v.wide = true
	if way == Two {
		w.wide = true
	}
	p.Dst, p.A, p.B, p.X, p.Y = View{}, View{}, View{}, View{}, View{} // keep no vector of the caller's alive
	t.products.Put(p)
	return err
}

// checkProduct is a LengthError of an operand that does not fit.
func (t *multiplying) checkProduct(dst View, from int, a, b View) error {
	switch {
	case a.N > t.n:
		return CheckLen("a", a.N, t.n)
	case b.N > t.n:
		return CheckLen("b", b.N, t.n)
	case from < 0 || from > t.n || dst.N > t.n-from:
		return CheckLen("dst", dst.N, t.n-from)
	}
	return nil
}
