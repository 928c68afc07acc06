package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// concurrency runs passes of one table from several goroutines on views of one vector that share nothing, and
// chains of all methods side by side.
func (s *bulkSuite) concurrency(r *rand.Rand) error {
	p := s.pool(r)
	for range min(2*s.scale, 4) {
		if err := s.concurrentPasses(r, p); err != nil {
			return err
		}
	}
	seed := r.Uint64()
	return together(2, func(g int) error { return s.chain(newRand(seed+uint64(g)), mixedSteps) })
}

func (s *bulkSuite) concurrentPasses(r *rand.Rand, p pool) error {
	const tasks, n = 4, 256
	w, t, err := s.multipliers(r, p, tasks*n/2)
	if err != nil {
		return err
	}
	v := s.vector(r, p, tasks*n)
	err = together(tasks, func(g int) error {
		view, part := v.view.Slice(g*n, (g+1)*n), v.part[g*n:(g+1)*n]
		for range 4 {
			for _, pass := range s.kinds() {
				width := n >> pass.layers
				l := layer{g, bulks.Rows{Blocks: 1, Half: 1, Width: width, Stride: width}}
				switch {
				case width == 0:
					continue
				case pass.tail:
					l.Width, l.Stride = 1, 1
				}
				s.b.Reduce(view)
				pass.run(t, view, l)
				pass.def(pass.layers, part, w, l)
			}
			s.b.VecMul(view, view, view)
			for i := range part {
				s.f.Mul(part[i], part[i], part[i])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.holds(v); err != nil {
		return fmt.Errorf("disjoint views from %d goroutines: %w", tasks, err)
	}
	return nil
}
