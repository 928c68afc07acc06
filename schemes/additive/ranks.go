package additive

import (
	"math/bits"

	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// Ranks is the change of basis of a vector that is spread over a power of two of ranks, in equal parts. It goes by
// visits. In visits with even numbers a rank has elements that agree in bits low to low + log₂ Size − 1, which are its
// rank, and so rows of 2^low elements, Size rows apart; in the others it has a contiguous part. The last visit is an
// even one.
//
// Folds and scales of a level join bits that are beside each other, from the highest bit down, and may begin where the
// level before has gone one bit further. So a visit does as much of all levels as its bits let it, and of long vectors
// three do everything: the high bits of the first levels, all that is left of these, and the last levels.
type Ranks struct {
	basis  *Basis // of one rank's part, without stages of its own
	low    int
	visits []list
}

// NewRanks returns the change for a domain of N points. N is at least 2·Size²·2^low, and 2^low a multiple of the tile.
func NewRanks(b *cases.Build, d engine.Domain, size, low int) (*Ranks, error) {
	m, p := bits.Len(uint(d.N))-1, bits.Len(uint(size))-1
	c, l, err := begin(b, d)
	if err != nil {
		return nil, err
	}
	c.n = d.N / size
	r := &Ranks{basis: c, low: low}
	done := make([]int, m) // the lowest bit that a level has come to
	for k := range done {
		done[k] = m
	}
	for even := true; m > 0 && done[m-1] >= m; even = !even {
		s, floor, top := stage{row: 1 << (low + p)}, low+p, m
		if !even {
			s.row, floor, top = 0, 0, m-p-1
		}
		for k := range done {
			to := floor
			if k > 0 {
				to = max(to, done[k-1]+1)
			}
			if done[k] <= to || done[k] > top {
				continue
			}
			if err := l.add(&s, k, to, done[k]); err != nil {
				return nil, err
			}
			done[k] = to
		}
		r.visits = append(r.visits, s.list)
	}
	return r, nil
}

// Visits is their number.
func (r *Ranks) Visits() int { return len(r.visits) }

// Visit does visit i on this rank's part, or, back, undoes it. Where w stops it the part is unspecified.
func (r *Ranks) Visit(w *engine.Watch, v engine.View, i int, back bool) {
	width := 1
	if i%2 == 0 {
		width = 1 << r.low
	}
	r.basis.run(w, v, 0, r.visits[i], width, r.basis.blocks, back)
}

// Bytes is the memory of the tables, and Scratch that of one call.
func (r *Ranks) Bytes() int {
	n := r.basis.Bytes()
	for _, l := range r.visits {
		n += l.bytes()
	}
	return n
}

func (r *Ranks) Scratch() int { return r.basis.Scratch(1, 1) }
