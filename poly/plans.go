package poly

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/internal/memory"
)

// kind is what a plan is for.
type kind int

const (
	products   kind = iota // modulo x^n − 1, values in the order that is cheapest
	negacyclic             // modulo x^n + 1, likewise
	kinds
)

// plans makes plans on demand.
type plans struct {
	elements   *elements
	opts       []fft.Option
	products   field.Products                                  // as asked for
	transforms [kinds][bits.UintSize]atomic.Pointer[transform] // by log2 of the length
	mu         sync.Mutex                                      // of values
	single     bool                                            // there is one product, after which nothing is kept
	values     map[int]*values                                 // by the number of points, at most mostValues

	// longest is the greatest power of two that is the order of a root, 0 where the field gives no roots.
	longest func() int
	// halves is a vector of 1/2, empty in characteristic 2.
	halves func() bulks.View
}

// mostValues is how many plans of values are kept: there is one for each number of points, and not powers of two alone.
const mostValues = 64

// transform is a plan with vectors for products, made when first asked for.
type transform struct {
	of         *plans
	n          int
	negacyclic bool
	made       once
	plan       *front.Products
	works      sync.Pool // *work, of short vectors
	longWorks  memory.Shelf[*work]
}

// values is a plan in natural order, made when first asked for.
type values struct {
	made once
	plan plan
}

// once runs a function until it ended otherwise than by the end of a context, and remembers its error. Who waits for
// another's run waits under a context as well.
type once struct {
	turn chan struct{} // of capacity 1
	done atomic.Bool
	err  error
}

func newOnce() once { return once{turn: make(chan struct{}, 1)} }

func (o *once) do(ctx context.Context, f func() error) error {
	if o.done.Load() {
		return o.err
	}
	select {
	case o.turn <- struct{}{}:
	case <-ctx.Done():
		return stopped(ctx)
	}
	defer func() { <-o.turn }()
	if o.done.Load() {
		return o.err
	}
	err := f()
	if err != nil && ctx.Err() != nil {
		return err
	}
	o.err = err
	o.done.Store(true)
	return err
}

// succeeded reports whether a run ended without an error.
func (o *once) succeeded() bool { return o.done.Load() && o.err == nil }

func newPlans(e *elements, opts []fft.Option) *plans {
	p := &plans{elements: e, opts: slices.Clone(opts), products: fft.ProductsOf(opts...), values: make(map[int]*values)}
	p.longest = sync.OnceValue(func() int {
		k := sort.Search(bits.UintSize-1, func(k int) bool { return !e.hasRoot(1 << k) })
		return int(uint(1) << k / 2)
	})
	p.halves = sync.OnceValue(func() bulks.View { return e.halves(256) })
	return p
}

// options are those of a plan: rings check operands themselves.
func (p *plans) options() []fft.Option {
	return append(slices.Clip(p.opts), fft.WithBatch(fft.Batch{}), fft.WithoutRangeCheck())
}

// get returns the transform of length n, a power of two.
func (p *plans) get(ctx context.Context, k kind, n int) (*transform, error) {
	t := p.transform(k, n)
	return t, t.made.do(ctx, func() (err error) {
		opts := p.options()
		if k == negacyclic {
			opts = append(opts, fft.WithNegacyclic())
		}
		t.plan, err = p.elements.convolution(ctx, n, opts)
		if errors.Is(err, field.ErrScheme) { // a scheme asked for takes the lengths that it serves
			t.plan, err = p.elements.convolution(ctx, n, append(opts, fft.WithAlgorithm(fft.Auto)))
		}
		if errors.Is(err, field.ErrNoRoot) {
			what, order := "a transform", uint64(n)
			if k == negacyclic {
				what, order = "a negacyclic transform", 2*order
			}
			err = p.noRoot(fmt.Sprintf("%s of length %d", what, n), order)
		}
		return err
	})
}

// transform returns the one of length n, which may have to be made.
func (p *plans) transform(k kind, n int) *transform {
	place := &p.transforms[k][bits.Len(uint(n))-1]
	if t := place.Load(); t != nil {
		return t
	}
	t := &transform{of: p, n: n, negacyclic: k == negacyclic, made: newOnce()}
	if !place.CompareAndSwap(nil, t) {
		t = place.Load()
	}
	return t
}

// natural returns the plan of n values in natural order.
func (p *plans) natural(ctx context.Context, n int) (plan, error) {
	p.mu.Lock()
	t := p.values[n]
	if t == nil {
		for other := range p.values {
			if len(p.values) < mostValues {
				break
			}
			delete(p.values, other)
		}
		t = &values{made: newOnce()}
		p.values[n] = t
	}
	p.mu.Unlock()
	err := t.made.do(ctx, func() (err error) {
		if n > 1 && n&(n-1) == 0 && p.elements.subspaces { // where the plan would not be over roots of unity
			return p.noRoot(fmt.Sprintf("a transform of length %d", n), uint64(n))
		}
		t.plan, err = p.elements.plan(ctx, n, p.options())
		if errors.Is(err, field.ErrScheme) {
			t.plan, err = p.elements.plan(ctx, n, append(p.options(), fft.WithAlgorithm(fft.Auto)))
		}
		if errors.Is(err, field.ErrNoRoot) {
			err = p.noRoot(fmt.Sprintf("a transform of length %d", n), uint64(n))
		}
		return err
	})
	if err != nil { // the plan may be in the making by another
		return plan{}, err
	}
	return t.plan, nil
}

// kept says which plans are remembered, for people.
func (p *plans) kept() string {
	var list []string
	for k, what := range []string{products: "modulo x^n - 1", negacyclic: "modulo x^n + 1"} {
		for i := range p.transforms[k] {
			if t := p.transforms[k][i].Load(); t != nil && t.made.succeeded() {
				list = append(list, fmt.Sprintf("%s for n = %d", what, t.n))
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range slices.Sorted(maps.Keys(p.values)) {
		if p.values[n].made.succeeded() {
			list = append(list, fmt.Sprintf("%d values", n))
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (p *plans) noRoot(what string, order uint64) error {
	if p.longest() == 0 {
		return fmt.Errorf("poly: %w: %s needs order %d, and %T gives no roots", field.ErrNoRoot, what, order,
			p.elements.f)
	}
	if order&(order-1) != 0 {
		return fmt.Errorf("poly: %w: %s needs order %d", field.ErrNoRoot, what, order)
	}
	return fmt.Errorf("poly: %w: %s needs order %d, and the field has powers of two up to %d", field.ErrNoRoot, what,
		order, p.longest())
}
