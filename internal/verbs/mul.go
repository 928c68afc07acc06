package verbs

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/rings"
	"github.com/galfft/fft/internal/vecfile"
)

// Modulus is the polynomial x^N − 1, or x^N + 1; none where N is 0.
type Modulus struct {
	N          int
	Negacyclic bool // x^N + 1
}

// mulVectors is the number of vectors that a product of vectors takes: both in working form, of twice the length and up
// to the next power of two, with tables of such lengths.
const mulVectors = 8

func (h *hidden) Mul(ctx context.Context, a, b vecfile.Source, m Modulus, opt Options) (Values, error) {
	if err := h.needCodec(); err != nil {
		return nil, err
	}
	a.Most = h.most(mulVectors)
	x, err := vecfile.Read(h.f, a)
	if err != nil {
		return nil, err
	}
	b.Most = max(1, a.Most-x.N)
	y, err := vecfile.Read(h.f, b)
	if err != nil {
		return nil, err
	}
	p, err := h.place(opt.Backend, productLen(x.N, y.N, m))
	if err != nil {
		return nil, err
	}
	ring, err := p.ring(p.Field.Field(), opt.plan()...)
	if err != nil {
		return nil, err
	}
	z, err := times(ctx, ring, x, y, m)
	if err != nil {
		return nil, err
	}
	if opt.Note != nil {
		if r, err := ring.Products(ctx, x.N, y.N); err == nil && r.Products == field.CRTProducts {
			opt.Note(fmt.Sprintf("products %v: %s", r.Products, r.ProductsReason))
		}
	}
	return &values{h.f, z}, nil
}

// times returns x·y, or its remainder.
func times(ctx context.Context, r rings.Ring, x, y bulks.View, m Modulus) (bulks.View, error) {
	switch {
	case m.N == 0:
		return r.Mul(ctx, x, y)
	case m.Negacyclic:
		return r.Negacyclic(ctx, x, y, m.N)
	}
	return r.Cyclic(ctx, x, y, m.N)
}
