package verbs

import (
	"context"

	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/poly"
)

// Modulus is the polynomial x^N − 1, or x^N + 1; none where N is 0.
type Modulus struct {
	N          int
	Negacyclic bool // x^N + 1
}

// mulVectors is the number of vectors that a product of vectors takes: both in working form, of twice the length and up
// to the next power of two, with tables of such lengths.
const mulVectors = 8

func (h *hidden[E]) Mul(ctx context.Context, a, b vecfile.Source, m Modulus, opt Options) (Values, error) {
	codec, err := h.known.codec()
	if err != nil {
		return nil, err
	}
	a.Most = h.known.most(mulVectors)
	x, err := vecfile.Read(codec, a)
	if err != nil {
		return nil, err
	}
	b.Most = max(1, a.Most-len(x))
	y, err := vecfile.Read(codec, b)
	if err != nil {
		return nil, err
	}
	ring, err := poly.New(h.known.field(), opt.plan()...)
	if err != nil {
		return nil, err
	}
	var z []E
	switch {
	case m.N == 0:
		z, err = ring.Mul(ctx, x, y)
	case m.Negacyclic:
		z, err = ring.Negacyclic(ctx, x, y, m.N)
	default:
		z, err = ring.Cyclic(ctx, x, y, m.N)
	}
	if err != nil {
		return nil, err
	}
	return &values[E]{codec, z}, nil
}
