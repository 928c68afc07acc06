package fourstep

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// overlap is a rank's rows in chunks, and the exchange in as many steps beside them: step i moves chunk i of what any
// two ranks exchange, from parts to the places in rows, or back. Chunks of rows run in the vector to exchange through,
// as those of the output are still to be sent; at the end the two vectors exchange what they have.
type overlap struct {
	*staged
	stages engine.ChunkedStages
	chunks int
	swap   engine.Swapper
}

// overlapped is the chunks of a rank's rows, or nil where the exchange stays whole.
func (s *staged) overlapped(p *engine.Problem) (*overlap, error) {
	of, ok := p.F.(engine.StagedChunks)
	swap, can := p.F.(engine.Swapper)
	if !ok || !can || s.Chunks == nil {
		return nil, nil
	}
	chunks := min(s.Chunks(s.f.Bytes(s.n1*s.width)), s.rows)
	if chunks < 2 {
		return nil, nil
	}
	stages, err := of.ChunkedStages(p, s.Rank, s.Size, chunks)
	if err != nil {
		return nil, err
	}
	s.Stages = stages
	return &overlap{s, stages, chunks, swap}, nil
}

// bind makes the phases in place of the exchange and the rows.
func (o *overlap) bind(c *engine.Call, tmp engine.View) (forward, inverse engine.Phase) {
	rows := o.rows / o.chunks
	down, up := Chunks{Received: rows}, Chunks{Sent: rows}
	for i := range o.chunks {
		down.Order = append(down.Order, i)
	}
	up.Order = slices.Clone(down.Order)
	slices.Reverse(up.Order)
	forward = engine.Phase{Steps: 1, Do: func(int, int) {
		o.ExchangeSteps(&c.Watch, tmp, c.Out, down, nil, func(chunk int) error {
			return o.stages.Chunk(c.Context(), tmp, chunk, false)
		})
		o.swapped(c, tmp)
	}}
	var before func(chunk int) error
	if o.stages.ChunksBack() {
		before = func(chunk int) error { return o.stages.Chunk(c.Context(), c.Out, chunk, true) }
	}
	inverse = engine.Phase{Steps: 1, Do: func(int, int) {
		o.ExchangeSteps(&c.Watch, tmp, c.Out, up, before, nil)
		o.swapped(c, tmp)
	}}
	return forward, inverse
}

// swapped leaves in the output what has come to tmp.
func (o *overlap) swapped(c *engine.Call, tmp engine.View) {
	if c.Err() == nil && !o.swap.Swap(c.Out, tmp) {
		o.f.Copy(c.Out, tmp, bulks.Copy{Rows: 1, Width: tmp.N})
	}
}
