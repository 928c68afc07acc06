package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// bulkSuite holds what the checks of one Bulk share.
type bulkSuite struct {
	*suite
	b      bulks.Bulk
	passes bulks.Passes
}

func newBulkSuite[E any](f field.Field[E], b bulks.Bulk, cfg Config[E], scale int) *bulkSuite {
	t := b.Traits()
	s := &bulkSuite{newSuite(f, cfg, scale), b, t.Passes}
	s.affine = t.Affine
	return s
}

func (s *bulkSuite) checks() []check {
	list := []check{
		{"Make", s.make},
		{"Slice", s.slice},
		{"Memory", s.bytes},
		{"Pack", s.pack},
		{"InPlace", s.inPlace},
		{"Copy", s.copies},
		{"Turns", s.turns},
		{"Reorder", s.reorder},
		{"ReorderRows", s.reorderRows},
		{"VecMul", s.vecMul},
		{"Table", s.table},
		{"Passes", s.listed},
		{"Single", s.single},
		{"Scale", s.scales},
	}
	for _, name := range passNames {
		list = append(list, check{name, func(r *rand.Rand) error { return s.pass(r, name) }})
	}
	return append(list,
		check{"By", func(r *rand.Rand) error { return s.ending(r, false) }},
		check{"TailBy", func(r *rand.Rand) error { return s.ending(r, true) }},
		check{"Odd", s.odd},
		check{"Into", s.into},
		check{"ScaleInto", s.scaleInto},
		check{"Rings", s.rings},
		check{"Device", s.device},
		check{"Overlays", s.overlays},
		check{"AddRows", s.addRows},
		check{"Folds", s.folds},
		check{"FoldParts", s.foldParts},
		check{"ScaleFold", s.scaleFolds},
		check{"Spans", s.spans},
		check{"WideChain", func(r *rand.Rand) error { return s.chain(r, wideSteps) }},
		check{"NarrowChain", func(r *rand.Rand) error { return s.chain(r, narrowSteps) }},
		check{"MixedChain", func(r *rand.Rand) error { return s.chain(r, mixedSteps) }},
		check{"BulkConcurrency", s.concurrency},
	)
}

// vector is a view into a vector of the field, beside the elements that the whole should hold.
type vector struct {
	whole, view bulks.View
	want, part  elements // part is what of want the view should hold
}

// alloc makes a vector of n zeros. A bulk that cannot fails the check.
func (s *bulkSuite) alloc(n int) bulks.View {
	v, err := s.b.Make(n)
	if err != nil {
		panic(fmt.Errorf("make of %d elements: %w", n, err))
	}
	return v
}

// vector makes a view of n elements of the pool, inside a vector with up to 3 more on either side.
func (s *bulkSuite) vector(r *rand.Rand, p pool, n int) *vector {
	lo, hi := r.IntN(4), r.IntN(4)
	v := &vector{whole: s.alloc(lo + n + hi), want: p.fill(r, lo+n+hi)}
	s.b.Pack(v.whole, v.want.view())
	v.view, v.part = v.whole.Slice(lo, lo+n), v.want[lo:lo+n]
	return v
}

// holds reports the first place where v does not hold what it should, around the view too.
func (s *bulkSuite) holds(v *vector) error {
	got := s.f.Read(v.want, func(to bulks.View) { s.b.Unpack(to, v.whole) })
	if got == nil {
		return nil
	}
	if err := s.agree(v.want, got); err != nil {
		return fmt.Errorf("vector of %d: %w", len(v.want), err)
	}
	return nil
}

// multipliers returns n multipliers, of which the first is 1 at times, and their table.
func (s *bulkSuite) multipliers(r *rand.Rand, p pool, n int) (elements, bulks.Table, error) {
	w, _, t, err := s.multipliersOf(r, p, n)
	return w, t, err
}

// multipliersOf returns the vector that the table was made of as well.
func (s *bulkSuite) multipliersOf(r *rand.Rand, p pool, n int) (elements, bulks.View, bulks.Table, error) {
	w := p.fill(r, n)
	if n > 0 && r.IntN(2) == 0 {
		s.f.One(w[0])
	}
	v := s.alloc(n)
	s.b.Pack(v, w.view())
	s.b.Reduce(v)
	t, err := s.made(r, v)
	if err != nil {
		return nil, v, nil, fmt.Errorf("table of %d multipliers: %w", n, err)
	}
	return w, v, t, nil
}

// made is the table of v, made in two parts at times, the last one first.
func (s *bulkSuite) made(r *rand.Rand, v bulks.View) (bulks.Table, error) {
	if r.IntN(2) == 0 {
		return s.b.Table(v, bulks.Alone)
	}
	return s.b.Table(v, func(n int, do func(from, to int)) {
		cut := r.IntN(n + 1)
		do(cut, n)
		do(0, cut)
	})
}
