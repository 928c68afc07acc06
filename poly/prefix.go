package poly

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"sync"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Prefix is truncated transforms over an affine domain: of a polynomial of n coefficients it computes the values at the
// first points alone. It is immutable and safe for concurrent use. It comes from NewPrefix: nil and the zero Prefix are
// none, with 0 values.
type Prefix[E any] struct {
	f         field.Field[E]
	elements  *elements
	n, values int
	unchecked bool
	terms     []term[E] // of what vanishes on the points; nil: coefficients are LCH ones
	highs     []E       // with these, the value of the basis polynomial 2^k on the points, for each bit k of a block
	plan      *fft.Plan[E]
	rooms     sync.Pool // *[]E
}

// term is a power of x with its factor, as many times as runs ask for; nil: the factor is 1.
type term[E any] struct {
	power  int
	factor []E
}

// run is how many elements are multiplied by one factor at a time.
const run = 1 << 8

// NewPrefix plans the first so many values of polynomials of n coefficients. Options are those of fft.NewPlan for n
// points of an affine domain, the field's own subspace or another one: value j is element j of what Forward of that
// plan computes in natural order. Both n and values are powers of two, values at most n.
//
// Coefficients of powers are reduced modulo the polynomial that vanishes on the first points, and LCH coefficients are
// added up in blocks, of which only the first is read where there is no shift. A transform of as many points as there
// are values follows. The options of workers hold for that transform; the caller's goroutine reduces.
//
// Errors: field.ErrLength where values is not such a power of two, field.ErrSpec where the domain is cyclic, vectors
// depend on each other, or options have a batch or an order that is not natural, and those of fft.NewPlan.
func NewPrefix[E any](f field.Field[E], n, values int, opts ...fft.Option) (*Prefix[E], error) {
	e, err := newElements("a prefix", f)
	if err != nil {
		return nil, err
	}
	domain, s, err := fft.Parameters(context.Background(), f, n, opts...)
	if err != nil {
		return nil, fmt.Errorf("poly: a prefix: %w", err)
	}
	d, ok := domain.(field.Affine[E])
	switch {
	case !ok:
		return nil, fmt.Errorf("poly: %w: a prefix over a cyclic domain, want an affine one", field.ErrSpec)
	case s.Batch != field.Batch{} || s.Order != field.Natural:
		return nil, fmt.Errorf("poly: %w: a prefix with a batch or in %v order, want one transform in natural order",
			field.ErrSpec, s.Order)
	case values < 1 || values > n || values&(values-1) != 0:
		return nil, fmt.Errorf("poly: %w: %d values of %d, want a power of two up to that", field.ErrLength, values, n)
	}
	p := &Prefix[E]{f: f, elements: e, n: n, values: values, unchecked: s.Unchecked}
	if err := p.prepare(d, s.Coefficients); err != nil {
		return nil, err
	}
	short := append(slices.Clip(opts), fft.WithSubspace(d.Basis[:log2(values)]...))
	if p.plan, err = fft.NewPlan(f, values, short...); err != nil {
		return nil, fmt.Errorf("poly: values of a prefix: %w", err)
	}
	return p, nil
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// prepare makes the constants. With W_0 = x and W_(k+1) = W_k² + W_k(b_k)·W_k, W_k vanishes on the span of the first k
// vectors b. Its terms are powers x^(2^i).
func (p *Prefix[E]) prepare(d field.Affine[E], c field.Coefficients) error {
	f, few := p.f, log2(p.values)
	w := make([]E, 1, len(d.Basis)+1) // the factor of x^(2^i) at i
	f.One(&w[0])
	shifted := !isZero(f, &d.Shift)
	for k := range d.Basis {
		if !field.Canonical(f, &d.Basis[k]) {
			return fmt.Errorf("poly: %w: vector %d of a prefix", field.ErrRange, k)
		}
		var c0, t E
		evaluate(f, &c0, w, &d.Basis[k])
		if isZero(f, &c0) {
			return fmt.Errorf("poly: %w: vector %d of a prefix depends on those before it", field.ErrSpec, k)
		}
		if k == few && c == field.Monomial {
			p.reduce(w, &d.Shift, shifted)
		}
		if k >= few && c == field.LCH && shifted {
			var high E
			evaluate(f, &high, w, &d.Shift)
			if err := f.Inv(&t, &c0); err != nil {
				return err
			}
			f.Mul(&high, &high, &t)
			p.highs = append(p.highs, high)
		}
		w = append(w, *new(E))
		for i := len(w) - 1; i >= 0; i-- {
			f.Mul(&t, &w[i], &c0)
			w[i] = *new(E)
			if i > 0 {
				f.Mul(&w[i], &w[i-1], &w[i-1])
			}
			f.Add(&w[i], &w[i], &t)
		}
	}
	return nil
}

// reduce has the terms of w + w(shift) but the first.
func (p *Prefix[E]) reduce(w []E, shift *E, shifted bool) {
	p.terms = []term[E]{}
	add := func(power int, c *E) {
		if isZero(p.f, c) {
			return
		}
		t := term[E]{power: power}
		var one E
		if p.f.One(&one); !p.f.Equal(c, &one) {
			t.factor = slices.Repeat([]E{*c}, min(run, p.values))
		}
		p.terms = append(p.terms, t)
	}
	for i := range len(w) - 1 {
		add(1<<i, &w[i])
	}
	if shifted {
		var c E
		evaluate(p.f, &c, w, shift)
		add(0, &c)
	}
}

// evaluate sets z to the value at x of the polynomial with the factors w of the powers x^(2^i).
func evaluate[E any](f field.Field[E], z *E, w []E, x *E) {
	var sum, power, t E
	f.Set(&power, x)
	for i := range w {
		f.Mul(&t, &w[i], &power)
		f.Add(&sum, &sum, &t)
		f.Mul(&power, &power, &power)
	}
	f.Set(z, &sum)
}

func isZero[E any](f field.Field[E], x *E) bool {
	var zero E
	return f.Equal(x, &zero)
}

// Values is how many values there are.
func (p *Prefix[E]) Values() int {
	if p == nil {
		return 0
	}
	return p.values
}

// Forward sets dst, of Values elements, to the first values of the polynomial src, of n coefficients. dst is apart from
// src, which is left intact. It allocates nothing once warm.
//
// Errors: field.ErrLength, field.ErrOverlap, field.ErrRange where a coefficient is not canonical, found before anything
// is written, field.ErrSpec where p is none or ctx nil, and the context's, after which dst is unspecified.
func (p *Prefix[E]) Forward(ctx context.Context, dst, src []E) error {
	switch {
	case p.Values() == 0:
		return fmt.Errorf("poly: %w: a prefix that is nil or zero, want one of NewPrefix", field.ErrSpec)
	case ctx == nil:
		return fmt.Errorf("poly: %w: the context is nil", field.ErrSpec)
	case len(src) != p.n:
		return &field.LengthError{What: "src", Want: p.n, Got: len(src)}
	}
	if err := checkLen(len(dst), p.values); err != nil {
		return err
	}
	x := bulks.ViewOf(src)
	if err := p.elements.apart(bulks.ViewOf(dst), x); err != nil {
		return err
	}
	if i := -1; !p.unchecked {
		if i = p.elements.operations.firstInvalid(x); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	}
	if p.terms == nil {
		p.blocks(ctx, dst, src)
	} else {
		p.remainder(ctx, dst, src)
	}
	return p.plan.ForwardContext(ctx, dst, dst)
}

// blocks adds up the blocks of LCH coefficients, each times its basis polynomial, until ctx ends.
func (p *Prefix[E]) blocks(ctx context.Context, dst, src []E) {
	copy(dst, src)
	if len(p.highs) == 0 {
		return
	}
	r := p.room()
	defer p.rooms.Put(r)
	t, factor := (*r)[:min(run, p.values)], (*r)[run:][:min(run, p.values)]
	for b := 1; b < p.n/p.values && ctx.Err() == nil; b++ {
		c := &factor[0]
		p.f.One(c)
		for k := range p.highs {
			if b>>k&1 == 1 {
				p.f.Mul(c, c, &p.highs[k])
			}
		}
		for i := range factor {
			factor[i] = *c
		}
		p.addMul(ctx, dst, src[b*p.values:][:p.values], factor, t)
	}
}

// remainder sets dst to src modulo what vanishes on the points: to what is left of the coefficients from the top down
// it takes a block more at a time, until ctx ends.
func (p *Prefix[E]) remainder(ctx context.Context, dst, src []E) {
	h, half := p.values, max(1, p.values/2)
	r := p.room()
	defer p.rooms.Put(r)
	t, x := (*r)[:min(run, h)], (*r)[2*run:]
	copy(x[h:], src[p.n-h:])
	for at := p.n - 2*h; at >= 0 && ctx.Err() == nil; at -= h {
		copy(x, src[at:at+h])
		for from := 2*h - half; from >= h; from -= half { // no sum reaches the half that it comes from
			for i := range p.terms {
				to := from - h + p.terms[i].power
				p.addMul(ctx, x[to:to+half], x[from:from+half], p.terms[i].factor, t)
			}
		}
		copy(x[h:], x[:h])
	}
	copy(dst, x[h:])
}

// addMul adds x times the factor to z, a run at a time by way of t, until ctx ends.
func (p *Prefix[E]) addMul(ctx context.Context, z, x, factor, t []E) {
	if factor == nil {
		field.AddVec(p.f, z, z, x)
		return
	}
	for i := 0; i < len(z) && ctx.Err() == nil; i += len(t) {
		n := min(len(t), len(z)-i)
		field.MulVec(p.f, t[:n], x[i:i+n], factor[:n])
		field.AddVec(p.f, z[i:i+n], z[i:i+n], t[:n])
	}
}

// room is two runs and two blocks.
func (p *Prefix[E]) room() *[]E {
	if r, ok := p.rooms.Get().(*[]E); ok {
		return r
	}
	r := make([]E, 2*run+2*p.values)
	return &r
}

// Explain writes, for people, how p reduces coefficients, and what the plan of its values is. Errors are the writer's,
// and field.ErrSpec where p is none or w nil.
func (p *Prefix[E]) Explain(w io.Writer) error {
	if p.Values() == 0 || w == nil {
		return fmt.Errorf("poly: %w: a prefix or a writer that is nil", field.ErrSpec)
	}
	how := "the first block of LCH coefficients"
	switch {
	case p.terms != nil:
		how = fmt.Sprintf("remainders modulo a polynomial of %d terms", len(p.terms)+1)
	case len(p.highs) > 0:
		how = fmt.Sprintf("sums of %d blocks of LCH coefficients", p.n/p.values)
	}
	if _, err := fmt.Fprintf(w, "prefix   %d values of %d: %s\n", p.values, p.n, how); err != nil {
		return err
	}
	return p.plan.Explain(w)
}
