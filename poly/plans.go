package poly

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// kind is what a plan is for.
type kind int

const (
	products   kind = iota // modulo x^n − 1, values in the order that is cheapest
	negacyclic             // modulo x^n + 1, likewise
	values                 // natural order
	kinds
)

// plans makes plans on demand.
type plans[E any] struct {
	elements[E]
	opts       []fft.Option
	transforms [kinds][bits.UintSize]transform[E] // by log2 of the length
	others     sync.Map                           // int to *transform[E]: values at numbers of points that are no powers of two

	// longest is the greatest power of two that is the order of a root, 0 where the field gives no roots.
	longest func() int
	// halves is a vector of 1/2, nil in characteristic 2.
	halves func() []E
}

// transform is a plan with vectors for products, made when first asked for.
type transform[E any] struct {
	once  sync.Once
	plan  *fft.Plan[E]
	err   error
	works sync.Pool
}

func newPlans[E any](e elements[E], opts []fft.Option) *plans[E] {
	return &plans[E]{elements: e, opts: slices.Clone(opts), longest: sync.OnceValue(func() int {
		n := 0
		if r, ok := e.f.(field.Roots[E]); ok {
			var w E
			for next := 1; next > 0 && r.RootOfUnity(&w, uint64(next)) == nil; next *= 2 {
				n = next
			}
		}
		return n
	}), halves: sync.OnceValue(func() []E {
		h := make([]E, 256)
		e.f.One(&h[0])
		e.f.Add(&h[0], &h[0], &h[0])
		if e.f.Inv(&h[0], &h[0]) != nil {
			return nil
		}
		for i := range h {
			e.f.Set(&h[i], &h[0])
		}
		return h
	})}
}

// get returns the transform of length n, a power of two but for values.
func (p *plans[E]) get(k kind, n int) (*transform[E], error) {
	t := &p.transforms[k][bits.Len(uint(n))-1]
	if n&(n-1) != 0 {
		other, _ := p.others.LoadOrStore(n, new(transform[E]))
		t = other.(*transform[E])
	}
	t.once.Do(func() {
		opts := slices.Clip(p.opts)
		switch k {
		case products:
			opts = append(opts, fft.WithOrder(fft.Scheme))
		case negacyclic:
			opts = append(opts, fft.WithOrder(fft.Scheme), fft.WithNegacyclic())
		}
		t.plan, t.err = fft.NewPlan(p.f, n, append(opts, fft.WithBatch(fft.Batch{}))...)
		if errors.Is(t.err, field.ErrNoRoot) {
			t.err = p.noRoot(k, n)
		}
		t.works.New = func() any {
			return &work[E]{p.elements, t, k == negacyclic, t.plan.NewVec(), t.plan.NewVec(), make([]E, n), p.halves()}
		}
	})
	return t, t.err
}

func (p *plans[E]) noRoot(k kind, n int) error {
	what, order := fmt.Sprintf("a transform of length %d", n), uint64(n)
	if k == negacyclic {
		what, order = fmt.Sprintf("a negacyclic transform of length %d", n), 2*order
	}
	if p.longest() == 0 {
		return fmt.Errorf("poly: %w: %s needs order %d, and %T gives no roots", field.ErrNoRoot, what, order, p.f)
	}
	if order&(order-1) != 0 {
		return fmt.Errorf("poly: %w: %s needs order %d", field.ErrNoRoot, what, order)
	}
	return fmt.Errorf("poly: %w: %s needs order %d, and the field has powers of two up to %d", field.ErrNoRoot, what, order, p.longest())
}
