package front

import (
	"cmp"
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/codelet"
)

// elements is a field with vectors of it, and what the points of all kinds have.
type elements[E any] struct {
	f field.Field[E]
	b bulks.Bulk
}

func (p *elements[E]) Host() bulks.Bulk { return &bulks.Slices[E]{Field: p.f} }

func (p *elements[E]) Type() string {
	name := fmt.Sprintf("%T", p.f)
	if i, ok := p.f.(field.Info); ok { // of one type may be fields whose elements differ in length
		name += fmt.Sprintf(", %d bits", i.Order().BitLen())
	}
	return name
}

func (p *elements[E]) isZero(x *E) bool {
	var zero E
	return p.f.Equal(x, &zero)
}

// pack returns elements in working form.
func (p *elements[E]) pack(a []E) (engine.View, error) {
	v, err := p.b.Make(len(a))
	if err == nil {
		p.b.Pack(v, bulks.ViewOf(a))
	}
	return v, err
}

// NewDomain returns d as schemes name it, for vectors of b.
func NewDomain[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E]) (engine.Domain, error) {
	of := elements[E]{f, b}
	c := engine.Domain{}
	switch d := d.(type) {
	case field.Cyclic[E]:
		p := &cyclic[E]{elements: of, d: d}
		c = engine.Domain{N: d.N, Points: p, Cyclic: engine.Cyclic{Root: 1, Shift: 1, Exponents: p}}
	case field.Affine[E]:
		p := &affine[E]{elements: of, d: d}
		c = engine.Domain{N: d.Len(), Points: p, Subspace: p}
	default:
		return c, kindError(d)
	}
	if b.Traits().Affine != (c.Subspace != nil) {
		return c, errPasses
	}
	return c, nil
}

func kindError(d any) error {
	return fmt.Errorf("fft: %w: a domain of type %T, want field.Cyclic or field.Affine", field.ErrSpec, d)
}

var errPasses = fmt.Errorf("fft: %w: vectors whose passes are for another kind of domain", field.ErrSpec)

// cyclic is the root and the shift of a cyclic domain of f, for vectors of b.
type cyclic[E any] struct {
	elements[E]
	d        field.Cyclic[E]
	inverses struct{ root, shift E } // set by Check
}

func (p *cyclic[E]) Check() error {
	f, d := p.f, &p.d
	var one, t E
	f.One(&one)
	for _, x := range []*E{&d.Root, &d.Shift} {
		if !field.Canonical(f, x) {
			return errRange
		}
	}
	isOne := func(e int) bool {
		field.Pow(f, &t, &d.Root, big.NewInt(int64(e)))
		return f.Equal(&t, &one)
	}
	ok := isOne(d.N)
	for m, q := d.N, 2; m > 1 && ok; q++ {
		if q*q > m {
			q = m
		}
		if m%q == 0 {
			ok = !isOne(d.N / q)
			for m%q == 0 {
				m /= q
			}
		}
	}
	if !ok {
		return orderError(d.N)
	}
	if err := f.Inv(&p.inverses.shift, &d.Shift); err != nil {
		return shiftError(err)
	}
	return f.Inv(&p.inverses.root, &d.Root)
}

var errRange = fmt.Errorf("fft: %w: root or shift of the domain is not a canonical element", field.ErrRange)

func orderError(n int) error {
	return fmt.Errorf("fft: %w: the root of the domain does not have order %d", field.ErrNoRoot, n)
}

func shiftError(err error) error { return fmt.Errorf("fft: the shift of a coset: %w", err) }

// set sets z to a factor.
func (p *cyclic[E]) set(z *E, c engine.Factor) error {
	f := p.f
	f.One(z)
	var t E
	for _, x := range []struct {
		of, inverse *E
		e           int64
	}{{&p.d.Root, &p.inverses.root, c.Root % int64(p.d.N)}, {&p.d.Shift, &p.inverses.shift, c.Shift}} {
		if x.e < 0 {
			x.of, x.e = x.inverse, -x.e
		}
		if x.e != 0 {
			field.Pow(f, &t, x.of, big.NewInt(x.e))
			f.Mul(z, z, &t)
		}
	}
	if c.Over > 1 {
		n := times(f, c.Over)
		if err := f.Inv(&n, &n); err != nil {
			return err
		}
		f.Mul(z, z, &n)
	}
	return nil
}

// times returns the n-fold sum of 1, for n ≥ 0.
func times[E any](f field.Field[E], n int) (z E) {
	var one E
	f.One(&one)
	for i := 62; i >= 0; i-- {
		f.Add(&z, &z, &z)
		if n>>i&1 == 1 {
			f.Add(&z, &z, &one)
		}
	}
	return z
}

func (p *cyclic[E]) Elements(list ...engine.Factor) (engine.View, error) {
	a := make([]E, len(list))
	for i := range list {
		if err := p.set(&a[i], list[i]); err != nil {
			return engine.View{}, err
		}
	}
	return bulks.ViewOf(a), nil
}

func (p *cyclic[E]) Factors(list ...engine.Factor) (engine.View, error) {
	a, err := p.Elements(list...)
	if err != nil {
		return a, err
	}
	return p.pack(bulks.SliceOf[E](a))
}

func (p *cyclic[E]) IsOne(c engine.Factor) bool {
	var x, one E
	p.f.One(&one)
	return p.set(&x, c) == nil && p.f.Equal(&x, &one)
}

func (p *cyclic[E]) Roots(n int) (engine.Domain, error) {
	if p.d.Roots == nil {
		return engine.Domain{}, field.ErrNoRoot
	}
	d := field.Cyclic[E]{N: n, Roots: p.d.Roots}
	p.f.One(&d.Shift)
	if err := d.Roots.RootOfUnity(&d.Root, uint64(n)); err != nil {
		return engine.Domain{}, err
	}
	u, err := NewDomain[E](p.f, p.b, d)
	u.Shift = 0
	return u, cmp.Or(err, u.Points.Check())
}

func (p *cyclic[E]) Convolves() bool {
	_, ok := p.d.Roots.(field.Convolver[E])
	return ok
}

func (p *cyclic[E]) Convolution(n int, s field.Spec) (engine.Convolution, error) {
	c, err := p.d.Roots.(field.Convolver[E]).Convolution(n, false, s)
	if err != nil {
		return nil, err
	}
	r, _ := c.(reversing)
	return &convolution{ProductsOf(c), r}, nil
}

// convolution is a field's own, in parts of prime lengths.
type convolution struct {
	*Products
	r reversing // or nil
}

// reversing is what a convolution has for products by the reverse of a factor.
type reversing interface {
	// Reverses reports whether there are such products, and coefficients from first on.
	Reverses(first int) bool
	// From returns the coefficients of x from first on, as they are at any time, for Store.
	From(x field.Vec, first int) (field.Vec, error)
	// MulReversed sets z to the products of x and the values of the reverse of y.
	MulReversed(ctx context.Context, z, x, y field.Vec) error
}

func (c *convolution) Reverses(first int) bool { return c.r != nil && c.r.Reverses(first) }

func (c *convolution) NewRoom(share, parts, factors int) (*engine.ConvolutionRoom, error) {
	r := new(engine.ConvolutionRoom)
	var err error
	if r.X, err = c.NewVec(); err != nil {
		return nil, err
	}
	if parts > 1 {
		if r.Y, err = c.NewVec(); err != nil {
			return nil, err
		}
	}
	if factors < parts {
		r.Last, err = c.r.From(r.X, share)
	}
	return r, err
}

func (c *convolution) Fixed(w *engine.Watch, h field.Vec, x engine.View) error {
	ctx := w.Context()
	if err := c.Load(ctx, h, x); err != nil {
		return err
	}
	return c.ForwardVec(ctx, h)
}

func (c *convolution) Parts(w *engine.Watch, x engine.View, share int, h []field.Vec, r *engine.ConvolutionRoom) error {
	ctx, v := w.Context(), r.X
	if err := c.Load(ctx, v, x); err != nil {
		return err
	}
	if err := c.ForwardVec(ctx, v); err != nil {
		return err
	}
	for from := 0; from < x.N; from += share {
		to := min(x.N, from+share)
		y := r.Y
		if to == x.N {
			y = v
		}
		result, by := y, h[0]
		mul := c.MulVec
		if i := from / share; i < len(h) {
			by = h[i]
		} else {
			mul, result = c.r.MulReversed, r.Last
		}
		if err := mul(ctx, y, v, by); err != nil {
			return err
		}
		if err := c.InverseVec(ctx, y); err != nil {
			return err
		}
		if err := c.Store(ctx, x.Slice(from, to), result); err != nil {
			return err
		}
	}
	return nil
}

func (p *cyclic[E]) Codelet(d engine.Domain) (engine.Codelet, error) {
	var powers [2][]E
	for i, root := range [2]int64{d.Root, -d.Root} {
		powers[i] = make([]E, d.N)
		var w E
		if err := p.set(&w, engine.Factor{Root: root}); err != nil {
			return nil, err
		}
		p.f.One(&powers[i][0])
		for e := 1; e < d.N; e++ {
			p.f.Mul(&powers[i][e], &powers[i][e-1], &w)
		}
	}
	return codelet.New(p.f, d.N, powers), nil
}

func (p *cyclic[E]) Sum(z, x, w engine.View, j int, t engine.View) {
	f, a, c, d := p.f, bulks.SliceOf[E](x), bulks.SliceOf[E](w), &bulks.SliceOf[E](t)[0]
	sum := &bulks.SliceOf[E](z)[j]
	f.Set(sum, &a[0])
	for i, e := 1, j; i < len(a); i++ {
		f.Mul(d, &a[i], &c[e])
		f.Add(sum, sum, d)
		if e += j; e >= len(a) {
			e -= len(a)
		}
	}
}
