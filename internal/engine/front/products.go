package front

import (
	"context"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Products is a field.Convolution of views: what multiplies is compiled once for all elements.
type Products struct {
	vectors
	load  func(ctx context.Context, v field.Vec, x bulks.View) error
	store func(ctx context.Context, x bulks.View, v field.Vec) error
	whole func(ctx context.Context, dst bulks.View, from int, a, b bulks.View, x, y field.Vec) error
}

// vectors is the part of a field.Convolution that does not depend on elements.
type vectors interface {
	NewVec() (field.Vec, error)
	ForwardVec(ctx context.Context, v field.Vec) error
	InverseVec(ctx context.Context, v field.Vec) error
	MulVec(z, x, y field.Vec) error
	Report() field.Report
}

// stopping is what a convolution has that stops where a context ends.
type stopping[E any] interface {
	LoadContext(ctx context.Context, v field.Vec, a []E) error
	StoreContext(ctx context.Context, a []E, v field.Vec) error
}

// ProductsOf returns c for views of slices of its elements. Calls stop where a context ends, if c can.
func ProductsOf[E any](c field.Convolution[E]) *Products {
	p := &Products{vectors: c}
	s, stops := c.(stopping[E])
	p.load = func(ctx context.Context, v field.Vec, x bulks.View) error {
		if a := bulks.SliceOf[E](x); stops {
			return s.LoadContext(ctx, v, a)
		} else {
			return c.Load(v, a)
		}
	}
	p.store = func(ctx context.Context, x bulks.View, v field.Vec) error {
		if a := bulks.SliceOf[E](x); stops {
			return s.StoreContext(ctx, a, v)
		} else {
			return c.Store(a, v)
		}
	}
	if m, ok := c.(field.Multiplier[E]); ok {
		p.whole = func(ctx context.Context, dst bulks.View, from int, a, b bulks.View, x, y field.Vec) error {
			var second []E
			if b.N > 0 {
				second = bulks.SliceOf[E](b)
			}
			return m.Multiply(ctx, bulks.SliceOf[E](dst), from, bulks.SliceOf[E](a), second, x, y)
		}
	}
	return p
}

// Load, Store and MulVec are those of the convolution.
func (p *Products) Load(ctx context.Context, v field.Vec, x bulks.View) error {
	return p.load(ctx, v, x)
}

func (p *Products) Store(ctx context.Context, x bulks.View, v field.Vec) error {
	return p.store(ctx, x, v)
}

func (p *Products) MulVec(ctx context.Context, z, x, y field.Vec) error {
	if s, ok := p.vectors.(interface {
		MulVecContext(ctx context.Context, z, x, y field.Vec) error
	}); ok {
		return s.MulVecContext(ctx, z, x, y)
	}
	return p.vectors.MulVec(z, x, y)
}

// Multiplies reports whether the convolution is a field.Multiplier.
func (p *Products) Multiplies() bool { return p.whole != nil }

// Multiply is that of a field.Multiplier, for a convolution that is one.
func (p *Products) Multiply(ctx context.Context, dst bulks.View, from int, a, b bulks.View, x, y field.Vec) error {
	return p.whole(ctx, dst, from, a, b, x, y)
}
