package verbs

import (
	"context"
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/vecfile"
)

// Transform is what Run computes.
type Transform struct {
	Op    string // one of TransformOps
	Shift string // of op coset: a decimal element, not 0
}

// TransformOps are the operations of Run: the values at the powers of the root, the polynomial with such values,
// and the values at those powers times a shift.
var TransformOps = []string{"forward", "inverse", "coset"}

func (h hidden[E]) Run(ctx context.Context, t Transform, src vecfile.Source, opt Options) (Values, error) {
	codec, err := h.known.codec()
	if err != nil {
		return nil, err
	}
	var more []fft.Option
	if t.Op == "coset" {
		var shift, inverse E
		if err := codec.SetText(&shift, []byte(t.Shift)); err != nil {
			return nil, fmt.Errorf("galfft: %w: shift %q: %w", field.ErrSpec, t.Shift, err)
		}
		if err := h.known.Inv(&inverse, &shift); err != nil {
			return nil, fmt.Errorf("galfft: %w: shift %s: %w", field.ErrSpec, t.Shift, err)
		}
		more = append(more, fft.WithCoset(shift))
	}
	x, err := vecfile.Read(codec, src)
	if err != nil {
		return nil, err
	}
	p, err := fft.NewPlan(h.known.field(), len(x), opt.plan(more...)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name, err)
	}
	if t.Op == "inverse" {
		err = p.InverseContext(ctx, x, x)
	} else {
		err = p.ForwardContext(ctx, x, x)
	}
	if err != nil {
		return nil, err
	}
	return values[E]{codec, x}, nil
}
