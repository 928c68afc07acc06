package fourstep

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// overlap is a rank's rows in chunks, and the exchange in as many steps beside them: step i moves chunk i of what any
// two ranks exchange. Chunk i of a rank's rows takes the place of Size chunks that go to one rank, so that in the
// forward transform it waits until they have left.
type overlap struct {
	*staged
	stages engine.ChunkedStages
	chunks int
	ready  [][]int // by steps, the chunks that have come then and have their place
}

// overlapped is the chunks of a rank's rows, or nil where the exchange stays whole.
func (s *staged) overlapped(p *engine.Problem) (*overlap, error) {
	of, ok := p.F.(engine.StagedChunks)
	if !ok || s.Chunks == nil {
		return nil, nil
	}
	chunks := min(s.Chunks(s.f.Bytes(s.n1*s.width)), s.rows)
	if chunks < 2*s.Size { // else nothing has its place before the last step
		return nil, nil
	}
	stages, err := of.ChunkedStages(p, s.Rank, s.Size, chunks)
	if err != nil {
		return nil, err
	}
	s.Stages = stages
	return &overlap{s, stages, chunks, readied(s.Size, chunks)}, nil
}

// readied lists chunks by the step behind which they are ready.
func readied(size, chunks int) [][]int {
	list := make([][]int, chunks)
	for c := range chunks {
		at := max(c, c*size%chunks+size-1)
		list[at] = append(list[at], c)
	}
	return list
}

// order is that of the steps.
func (o *overlap) order(inverse bool) []int {
	var list []int
	for i := range o.chunks {
		list = append(list, i)
	}
	if inverse {
		slices.Reverse(list)
	}
	return list
}

// bind makes the phases in place of the exchange and the rows.
func (o *overlap) bind(c *engine.Call, tmp engine.View) (forward, inverse engine.Phase) {
	down, up := o.order(false), o.order(true)
	forward = engine.Phase{Steps: 1, Do: func(int, int) {
		o.ExchangeSteps(&c.Watch, tmp, c.Out, down, nil, func(step int) error {
			for _, chunk := range o.ready[step] {
				o.unpack(c.Out, tmp, chunk)
				if err := o.stages.Chunk(c.Context(), c.Out, chunk, false); err != nil {
					return err
				}
			}
			return nil
		})
	}}
	inverse = engine.Phase{Steps: 1, Do: func(int, int) {
		o.ExchangeSteps(&c.Watch, c.Out, tmp, up, func(step int) error {
			for _, chunk := range slices.Backward(o.ready[step]) {
				if err := o.stages.Chunk(c.Context(), c.Out, chunk, true); err != nil {
					return err
				}
				o.pack(tmp, c.Out, chunk)
			}
			return nil
		}, nil)
	}}
	return forward, inverse
}

// places are where chunk rows of each rank are, in parts of ranks and in rows.
func (o *overlap) places(chunk int, do func(part, row int)) {
	for r := range o.Size {
		do(r*o.block+chunk*o.block/o.chunks, chunk*o.block*o.Size/o.chunks+r*o.width)
	}
}

func (o *overlap) unpack(dst, src engine.View, chunk int) {
	o.places(chunk, func(part, row int) {
		o.f.Copy(dst.Slice(row, dst.N), src.Slice(part, part+o.block/o.chunks),
			bulks.Copy{Rows: o.rows / o.chunks, Width: o.width, Dst: o.n2, Src: o.width})
	})
}

func (o *overlap) pack(dst, src engine.View, chunk int) {
	o.places(chunk, func(part, row int) {
		o.f.Copy(dst.Slice(part, part+o.block/o.chunks), src.Slice(row, src.N),
			bulks.Copy{Rows: o.rows / o.chunks, Width: o.width, Dst: o.width, Src: o.n2})
	})
}
