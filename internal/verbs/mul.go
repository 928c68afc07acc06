package verbs

import (
	"context"

	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/poly"
)

func (h hidden[E]) Mul(ctx context.Context, a, b vecfile.Source, opt Options) (Values, error) {
	codec, err := h.known.codec()
	if err != nil {
		return nil, err
	}
	x, err := vecfile.Read(codec, a)
	if err != nil {
		return nil, err
	}
	y, err := vecfile.Read(codec, b)
	if err != nil {
		return nil, err
	}
	ring, err := poly.New(h.known.field(), opt.plan()...)
	if err != nil {
		return nil, err
	}
	z, err := ring.Mul(ctx, x, y)
	if err != nil {
		return nil, err
	}
	return values[E]{codec, z}, nil
}
