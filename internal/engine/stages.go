package engine

import (
	"context"

	"github.com/galfft/fft/field"
)

// Staged is a bulk that runs the stages of a rank's part of a transform itself, in place of passes for a scheme.
type Staged interface {
	// Split is N1 for a transform of n points on size ranks, both powers of two, size from 2 up: at least size², and at
	// most n/size. It reports whether there are such stages.
	Split(n, size int) (n1 int, ok bool)
	Stages(p *Problem, rank, size int) (Stages, error)
}

// StagedBlocks is Staged for affine domains and coefficients for LCH.
type StagedBlocks interface {
	// Blocks makes the stages of a rank and chooses N1, at least size; N/size² is at least 64. Rows and values are in
	// natural order.
	Blocks(p *Problem, rank, size int) (s Stages, n1 int, err error)
}

// Stages is a rank's two stages. Views are vectors of N/Size elements; calls may return early, as those of
// bulks.Device, and stop where ctx ends. A stage may leave anything in free, which is a vector of the bulk's own.
type Stages interface {
	// Columns takes N2/Size columns of the N1 × N2 matrix of coefficients to what Rows takes, rows in bit-reversed
	// order. Inverse undoes that, and over a cyclic domain multiplies by 1/N.
	Columns(ctx context.Context, v, free View, inverse bool) error
	// Rows takes N1/Size rows, in bit-reversed order of the whole, to values in that order.
	Rows(ctx context.Context, v, free View, inverse bool) error
	// Report adds to Split and Tables, and names the passes of both.
	Report(r *field.Report) (columns, rows string)
}

// StagedChunks is a bulk whose stages have rows in chunks.
type StagedChunks interface {
	// ChunkedStages is the Stages of as many chunks, a power of two up to N1/size.
	ChunkedStages(p *Problem, rank, size, chunks int) (ChunkedStages, error)
}

// Swapper is a bulk that exchanges what two vectors have, without moving it, where it can.
type Swapper interface {
	// Swap reports whether it has: else nothing is done.
	Swap(x, y View) bool
}

// ChunkedStages is Stages of which rows run in chunks that touch, of as many rows each.
type ChunkedStages interface {
	Stages
	// Chunk is Rows for one chunk; v is all rows.
	Chunk(ctx context.Context, v View, chunk int, inverse bool) error
	// ChunksBack reports whether there are chunks of the inverse. Else Rows runs before all steps.
	ChunksBack() bool
}
