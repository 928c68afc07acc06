package verbs

import (
	"context"

	"github.com/galfft/fft/tune"
)

// tuneVectors is the number of vectors that tuning holds at once: the input, and what three plans have for scratch and
// tables.
const tuneVectors = 7

func (h *hidden) Tune(ctx context.Context, o tune.Options) (*tune.Table, error) {
	for _, n := range o.Lengths {
		if err := h.fit(tuneVectors, max(1, o.Batch), n); err != nil {
			return nil, err
		}
	}
	return h.f.Tune(ctx, o)
}
