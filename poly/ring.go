package poly

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Ring computes with polynomials over one field. It is immutable but for the plans that it makes on demand and
// remembers, and safe for concurrent use: a plan in the making holds up nobody but those who need it. It has at most
// one plan for each power of two and kind of product, and plans for at most 64 numbers of values; [Ring.Explain] lists
// them.
//
// Rings come from New: nil and the zero Ring have no field, and what returns an error returns field.ErrSpec for them.
type Ring[E any] struct {
	_    [0]*E // no conversion to the ring of other elements
	ring ring
}

// New returns the ring of polynomials over f, whose elements are coefficients. The options go to every plan that
// the ring makes: workers, runner, scheme and so on, for each transform by itself. Order, batch, root, coset and
// negacyclic are the ring's own to choose, and giving them is field.ErrSpec, as is a bad parameter of a plan and a
// nil field.
//
// f needs no roots (field.Rooted) as long as products are small: see [Ring.WithSchoolbook].
func New[E any](f field.Field[E], opts ...fft.Option) (*Ring[E], error) {
	r, err := newRingOf(f, opts)
	if err != nil {
		return nil, err
	}
	return &Ring[E]{ring: r}, nil
}

// WithSchoolbook returns a ring that shares r's field and plans, and multiplies by the schoolbook where the
// shorter operand has at most n coefficients; n ≤ 0 is never. Results do not depend on it. New chooses n by
// measurements, those of this machine where there are some (fft.WithTuning). Nil stays nil.
func (r *Ring[E]) WithSchoolbook(n int) *Ring[E] {
	if r == nil {
		return nil
	}
	return &Ring[E]{ring: r.ring.withSchoolbook(n)}
}

func (r *ring) withSchoolbook(n int) ring {
	c := *r
	c.schoolbook, c.source = max(0, n), ""
	return c
}

// core returns the ring of views; nil for nil.
func (r *Ring[E]) core() *ring {
	if r == nil {
		return nil
	}
	return &r.ring
}

// ring is a Ring of views.
type ring struct {
	elements   *elements
	plans      *plans
	sums       *sync.Pool // *sum
	schoolbook int
	source     string // of the crossover, where it was measured on this machine
	joint      int    // weight of a joint of truncated products
	checked    bool   // operands are checked to be canonical
}

// newRing returns the ring over e; atOne is the option of a root that is 1.
func newRing(e *elements, atOne fft.Option, opts []fft.Option) (r ring, err error) {
	if r.checked, err = checkOptions(e, atOne, opts); err != nil {
		return r, err
	}
	switch p := fft.ProductsOf(opts...); {
	case p > field.CRTProducts:
		return r, fmt.Errorf("poly: %w: products %v, want auto, native or crt", field.ErrSpec, p)
	case p == field.CRTProducts && !e.through:
		return r, fmt.Errorf("poly: %w: products crt, and %T has no convolutions through other primes", field.ErrSpec, e.f)
	}
	e.share(opts)
	r.elements = e
	r.plans = newPlans(e, opts)
	r.sums = &sync.Pool{New: func() any { return &sum{elements: e, t: e.make(1)} }}
	r.schoolbook, r.joint = weights(e, r.plans.products)
	r.tune(fft.TuningOf(opts...))
	return r, nil
}

// check is an ErrSpec for rings without a field.
func (r *ring) check() error {
	if r == nil || r.plans == nil {
		return fmt.Errorf("poly: %w: a ring that is nil or zero, want one of New", field.ErrSpec)
	}
	return nil
}

// checkOptions finds options that a ring must not be given, by plans of length 1: they are the same as those
// of any length in everything but size. It tells whether plans check their operands.
func checkOptions(e *elements, atOne fft.Option, opts []fft.Option) (checked bool, err error) {
	if len(opts) == 0 {
		return e.checks, nil // a product of its own needs no plans but its own
	}
	probe := func(o fft.Option) (plan, error) {
		ctx, opts := context.Background(), slices.Concat(opts, []fft.Option{o, fft.WithoutPlanner()})
		p, err := e.plan(ctx, 1, opts)
		if errors.Is(err, field.ErrScheme) { // which longer transforms may take
			p, err = e.plan(ctx, 1, append(opts, fft.WithAlgorithm(fft.Auto)))
		}
		if err != nil {
			return plan{}, fmt.Errorf("poly: options of a ring, which sets order, batch, root, coset and negacyclic "+
				"itself: %w", err)
		}
		return p, nil
	}
	if slices.ContainsFunc(opts, func(o fft.Option) bool { return o == nil }) {
		return false, fmt.Errorf("poly: %w: option nil", field.ErrSpec)
	}
	if _, err := probe(fft.WithNegacyclic()); errors.Is(err, field.ErrSpec) { // excludes WithRoot and WithCoset
		return false, err
	}
	p, err := probe(atOne) // excludes WithNegacyclic
	if err != nil {
		return false, err
	}
	if p.Order() != fft.Natural || p.Size() != 1 {
		return false, fmt.Errorf("poly: %w: order %v and %d transforms in a slice, want a ring's own order and batch",
			field.ErrSpec, p.Order(), p.Size())
	}
	return p.Report().Checked, nil
}

// operand checks that the elements of an operand are canonical, which all methods do before anything else is done with
// it.
func (r *ring) operand(name string, a bulks.View) error {
	if !r.checked {
		return nil
	}
	if i := r.elements.firstInvalid(a); i >= 0 {
		return &field.RangeError{What: name, Index: i}
	}
	return nil
}

// operands is operand for two of them.
func (r *ring) operands(a, b bulks.View) error {
	if err := r.operand("a", a); err != nil || same(a, b) {
		return err
	}
	return r.operand("b", b)
}
