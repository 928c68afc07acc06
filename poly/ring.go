package poly

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// Ring computes with polynomials over one field. It is immutable but for the plans that it makes on demand, one
// for each length, and safe for concurrent use: a plan in the making holds up nobody but those who need it.
//
// Rings come from New: nil and the zero Ring have no field, and what returns an error returns field.ErrSpec for them.
type Ring[E any] struct {
	elements   *elements[E]
	plans      *plans[E]
	sums       *sync.Pool // *sum[E]
	schoolbook int
	checked    bool // operands are checked to be canonical
}

// New returns the ring of polynomials over f, whose elements are coefficients. The options go to every plan that
// the ring makes: workers, runner, scheme and so on, for each transform by itself. Order, batch, root, coset and
// negacyclic are the ring's own to choose, and giving them is field.ErrSpec, as is a bad parameter of a plan and a
// nil field.
//
// f needs no roots (field.Roots) as long as products are small: see [Ring.WithSchoolbook].
func New[E any](f field.Field[E], opts ...fft.Option) (*Ring[E], error) {
	if err := field.Check(f); err != nil {
		return nil, fmt.Errorf("poly: a ring: %w", err)
	}
	checked, err := checkOptions(f, opts)
	if err != nil {
		return nil, err
	}
	e := newElements(f)
	return &Ring[E]{
		elements:   e,
		plans:      newPlans(e, opts),
		sums:       &sync.Pool{New: func() any { return &sum[E]{f: f} }},
		schoolbook: crossover(f),
		checked:    checked,
	}, nil
}

// check is an ErrSpec for rings without a field.
func (r *Ring[E]) check() error {
	if r == nil || r.plans == nil {
		return fmt.Errorf("poly: %w: a ring that is nil or zero, want one of New", field.ErrSpec)
	}
	return nil
}

// WithSchoolbook returns a ring that shares r's field and plans, and multiplies by the schoolbook where the
// shorter operand has at most n coefficients; n ≤ 0 is never. Results do not depend on it. New chooses n by
// measurements. Nil stays nil.
func (r *Ring[E]) WithSchoolbook(n int) *Ring[E] {
	if r == nil {
		return nil
	}
	c := *r
	c.schoolbook = max(0, n)
	return &c
}

// checkOptions finds options that a ring must not be given, by plans of length 1: they are the same as those
// of any length in everything but size. It tells whether plans check their operands.
func checkOptions[E any](f field.Field[E], opts []fft.Option) (checked bool, err error) {
	probe := func(o fft.Option) (*fft.Plan[E], error) {
		opts := slices.Concat(opts, []fft.Option{o, fft.WithoutPlanner()})
		p, err := fft.NewPlan(f, 1, opts...)
		if errors.Is(err, field.ErrScheme) { // which longer transforms may take
			p, err = fft.NewPlan(f, 1, append(opts, fft.WithAlgorithm(fft.Auto))...)
		}
		if err != nil {
			return nil, fmt.Errorf("poly: options of a ring, which sets order, batch, root, coset and negacyclic itself: %w", err)
		}
		return p, nil
	}
	if slices.ContainsFunc(opts, func(o fft.Option) bool { return o == nil }) {
		return false, fmt.Errorf("poly: %w: option nil", field.ErrSpec)
	}
	if _, err := probe(fft.WithNegacyclic()); errors.Is(err, field.ErrSpec) { // excludes WithRoot and WithCoset
		return false, err
	}
	var one E
	f.One(&one)
	p, err := probe(fft.WithRoot(one)) // excludes WithNegacyclic
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
func (r *Ring[E]) operand(name string, a []E) error {
	if !r.checked {
		return nil
	}
	return field.CheckRange(r.elements.f, name, a)
}

// operands is operand for two of them.
func (r *Ring[E]) operands(a, b []E) error {
	if err := r.operand("a", a); err != nil || same(a, b) {
		return err
	}
	return r.operand("b", b)
}
