// Package cases is what base cases have in common: their interface, how they are made of each other, and their scratch.
package cases

import (
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Case is a transform of length N on rows, in place. It is immutable and safe for concurrent use.
type Case interface {
	// Forward maps N rows of width elements from natural order to that of engine.CaseOrder: bit-reversed for a power of
	// two, natural for others. Wide to wide, or to the canonical representation. Where w stops it the rows are
	// unspecified.
	Forward(w *engine.Watch, v engine.View, width int, canonical bool)
	// Inverse is N times its inverse, then the product by the one multiplier of by, which
	// may be nil. Narrow to narrow, or to the canonical representation.
	Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool)
	// Passes says what Forward does on rows of width elements, in order.
	Passes(width int) []string
	// Sizes lists the lengths of the base cases that run, outermost first; their product is N.
	Sizes() []int
	// Bytes is the memory of the tables, and Scratch that which one call on rows of width elements takes.
	Bytes() int
	Scratch(width int) int
}

// Halved is a case made of two, for N1·N2 points, which workers can share: one on the columns of an N1 × N2 matrix, and
// then one on each of its rows. An element of the matrix is width elements that touch. Forward is Columns for all
// columns, and then Row for all rows.
type Halved interface {
	Halves() (n1, n2 int)
	// HalfPasses are the passes of Columns and of Row.
	HalfPasses(width int) (columns, rows []string)
	// Columns takes N1 elements of a column.
	Columns(w *engine.Watch, v engine.View, width int)
	// Row takes row i, with its twiddle factors.
	Row(w *engine.Watch, v engine.View, i, width int, canonical bool)
	// RowInverse and ColumnsInverse undo them, but for a factor N2 and N1.
	RowInverse(w *engine.Watch, v engine.View, i, width int)
	ColumnsInverse(w *engine.Watch, v engine.View, width int)
}

// Cheapest is the order of a case of length n.
func Cheapest(n int) field.Order {
	if n&(n-1) != 0 {
		return field.Natural
	}
	return field.BitReversed
}

// Build makes the cases of one plan, which are made of each other.
type Build struct {
	*engine.Problem
	// New makes the case of a domain, by what serves it. Cyclic cases of one length share their tables.
	New func(d engine.Domain) (Case, error)
	// Apart is New for domains of another root, which share no tables with those of the plan.
	Apart   func(d engine.Domain) (Case, error)
	Scratch *Scratch
	// Whole is scratch of cases that hold a vector of all their elements while other cases run. These would take it for
	// a shorter one, and then make another that is long enough.
	Whole *Scratch
}

// Scratch is vectors for calls, each of the greatest length that one asked for.
type Scratch struct {
	pool sync.Pool // *Room
	make func(n int) (engine.View, error)
}

// Room is one of them.
type Room struct{ V engine.View }

// NewScratch returns that of a bulk.
func NewScratch(f bulks.Bulk) *Scratch {
	s := &Scratch{make: f.Make}
	s.pool.New = func() any { return new(Room) }
	return s
}

// Get returns a vector of at least n elements, or nil where w has taken the error.
func (s *Scratch) Get(w *engine.Watch, n int) *Room {
	r := s.pool.Get().(*Room)
	if r.V.N < n {
		v, err := s.make(n)
		if w.Failed(err) {
			return nil
		}
		r.V = v
	}
	return r
}

// Put gives it back.
func (s *Scratch) Put(r *Room) { s.pool.Put(r) }
