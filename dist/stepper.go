package dist

import (
	"context"

	"github.com/galfft/fft/field/bulks"
)

// Stepper is what a [Group] may be that exchanges in steps, beside what runs on a device.
type Stepper interface {
	Group
	// Steps is in how many steps, a power of two, vectors of so many bytes are best exchanged: 1 is no gain. It is the
	// same on all ranks.
	Steps(bytes int) int
	// ExchangeSteps is Exchange by steps: each part has len(order) chunks of equal length, and step i exchanges chunk
	// order[i] of all. What before has begun on the vectors is done before that chunk is sent, and what after begins on
	// them comes behind the chunk's arrival, and may run beside later steps. Either may be nil; their errors are the
	// rank's. Without after, what is begun later comes behind all steps.
	ExchangeSteps(ctx context.Context, b bulks.Bulk, recv, send bulks.View, order []int,
		before, after func(chunk int) error) error
}
