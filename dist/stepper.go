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
	// ExchangeSteps is Exchange by steps: step i exchanges chunk c.Order[i] of all parts. What before has begun on the
	// vectors is done before that chunk is sent, and what after begins on them comes behind the chunk's arrival, and
	// may run beside later steps. Either may be nil; their errors are the rank's. Without after, what is begun later
	// comes behind all steps.
	ExchangeSteps(ctx context.Context, b bulks.Bulk, recv, send bulks.View, c Chunks,
		before, after func(chunk int) error) error
}

// Chunks is how parts of an exchange go in steps.
type Chunks struct {
	// Order lists chunks, of equal length, of each part. There are len(Order) of them.
	Order []int
	// Sent and Received are the rows of a chunk where they lie apart in that vector: row j of chunk i of part f is then
	// row ((i·rows + j)·Size + f) of the vector, so that those of all ranks stand side by side. Where they are 0, parts
	// have their chunks one after the other. Two that are not 0 are equal.
	Sent, Received int
}

// Rows is in how many pieces a chunk goes.
func (c Chunks) Rows() int { return max(c.Sent, c.Received, 1) }
