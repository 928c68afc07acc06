package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// bulkSuite holds what the checks of one Bulk share.
type bulkSuite[E, V any] struct {
	*suite[E]
	b field.Bulk[E, V]
}

func newBulkSuite[E, V any](b field.Bulk[E, V], cfg Config[E], scale int) *bulkSuite[E, V] {
	return &bulkSuite[E, V]{newSuite(b, cfg, scale), b}
}

func (s *bulkSuite[E, V]) checks() []check {
	list := []check{
		{"Make", s.make},
		{"Slice", s.slice},
		{"Pack", s.pack},
		{"Alias", s.alias},
		{"Copy", s.copies},
		{"Reorder", s.reorder},
		{"VecMul", s.vecMul},
		{"Table", s.table},
		{"Elementwise", s.elementwise},
		{"Scale", s.scales},
	}
	for _, name := range passNames {
		list = append(list, check{name, func(r *rand.Rand) error { return s.pass(r, name) }})
	}
	return append(list,
		check{"WideChain", func(r *rand.Rand) error { return s.chain(r, wideSteps) }},
		check{"NarrowChain", func(r *rand.Rand) error { return s.chain(r, narrowSteps) }},
		check{"MixedChain", func(r *rand.Rand) error { return s.chain(r, mixedSteps) }},
		check{"BulkConcurrency", s.concurrency},
	)
}

// vector is a view into a vector of the field, beside the elements that the whole should hold.
type vector[E, V any] struct {
	whole, view V
	want, part  []E // part is what of want the view should hold
}

// vector makes a view of n elements of the pool, inside a vector with up to 3 more on either side.
func (s *bulkSuite[E, V]) vector(r *rand.Rand, p pool[E], n int) *vector[E, V] {
	lo, hi := r.IntN(4), r.IntN(4)
	v := &vector[E, V]{whole: s.b.Make(lo + n + hi), want: p.fill(r, lo+n+hi)}
	s.b.Pack(v.whole, v.want)
	v.view, v.part = s.b.Slice(v.whole, lo, lo+n), v.want[lo:lo+n]
	return v
}

// holds reports the first place where v does not hold what it should, around the view too.
func (s *bulkSuite[E, V]) holds(v *vector[E, V]) error {
	got := make([]E, len(v.want))
	for i := range got {
		s.f.One(&got[i])
	}
	s.b.Unpack(got, v.whole)
	if err := s.agree(v.want, got); err != nil {
		return fmt.Errorf("vector of %d: %w", len(v.want), err)
	}
	return nil
}

// multipliers returns n multipliers, of which the first is 1 at times, and their table.
func (s *bulkSuite[E, V]) multipliers(r *rand.Rand, p pool[E], n int) ([]E, field.Table[V], error) {
	w := p.fill(r, n)
	if n > 0 && r.IntN(2) == 0 {
		s.f.One(&w[0])
	}
	t, err := s.b.Table(w)
	if err != nil {
		return nil, nil, fmt.Errorf("table of %d multipliers: %w", n, err)
	}
	return w, t, nil
}
