package front

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// elements is a field with vectors of it, and what the points of all kinds have.
type elements struct {
	*arithmetic
	f    any // the field
	b    bulks.Bulk
	host bulks.Bulk
}

func (p *elements) Host() bulks.Bulk { return p.host }

func (p *elements) Type() string {
	name := fmt.Sprintf("%T", p.f)
	if i, ok := p.f.(field.Info); ok { // of one type may be fields whose elements differ in length
		name += fmt.Sprintf(", %d bits", i.Order().BitLen())
	}
	return name
}

// element makes one that is 0.
func (p *elements) element() element { return p.At(p.New(1), 0) }

// one makes one that is 1.
func (p *elements) one() element {
	x := p.element()
	p.One(x)
	return x
}

func (p *elements) isZero(x element) bool { return p.Equal(x, p.element()) }

func (p *elements) isOne(x element) bool { return p.Equal(x, p.one()) }

// canonical is field.Canonical.
func (p *elements) canonical(x element) bool {
	t := p.element()
	p.Mul(t, x, p.one())
	return p.Equal(t, x)
}

// pow sets z to x^e, for e ≥ 0. z is not x.
func (p *elements) pow(z, x element, e int64) {
	p.One(z)
	for i := bits.Len64(uint64(e)) - 1; i >= 0; i-- {
		p.Mul(z, z, z)
		if e>>i&1 == 1 {
			p.Mul(z, z, x)
		}
	}
}

// pack returns elements in working form.
func (p *elements) pack(a engine.View) (engine.View, error) {
	v, err := p.b.Make(a.N)
	if err == nil {
		p.b.Pack(v, a)
	}
	return v, err
}

// checked is d, or an error where the passes of vectors are for another kind of domain.
func (p *elements) checked(d engine.Domain) (engine.Domain, error) {
	if p.b.Traits().Affine != (d.Subspace != nil) {
		return d, errPasses
	}
	return d, nil
}

func kindError(d any) error {
	return fmt.Errorf("fft: %w: a domain of type %T, want field.Cyclic or field.Affine", field.ErrSpec, d)
}

var errPasses = fmt.Errorf("fft: %w: vectors whose passes are for another kind of domain", field.ErrSpec)

// cyclic is the root and the shift of a cyclic domain, for vectors of b.
type cyclic struct {
	elements
	n                 int
	root, shift       element
	rooted, convolves bool                          // there are Roots, and they have convolutions
	inverses          struct{ root, shift element } // set by Check
}

// cyclic is the n points of a root and a shift as schemes name them.
func (p elements) cyclic(n int, root, shift element, rooted, convolves bool) (engine.Domain, error) {
	c := &cyclic{elements: p, n: n, root: root, shift: shift, rooted: rooted, convolves: convolves}
	return c.domain()
}

func (p *cyclic) domain() (engine.Domain, error) {
	return p.checked(engine.Domain{N: p.n, Points: p, Cyclic: engine.Cyclic{Root: 1, Shift: 1, Exponents: p}})
}

func (p *cyclic) Check() error {
	if !p.canonical(p.root) || !p.canonical(p.shift) {
		return errRange
	}
	t := p.element()
	isOne := func(e int) bool {
		p.pow(t, p.root, int64(e))
		return p.isOne(t)
	}
	ok := isOne(p.n)
	for m, q := p.n, 2; m > 1 && ok; q++ {
		if q*q > m {
			q = m
		}
		if m%q == 0 {
			ok = !isOne(p.n / q)
			for m%q == 0 {
				m /= q
			}
		}
	}
	if !ok {
		return orderError(p.n)
	}
	p.inverses.root, p.inverses.shift = p.element(), p.element()
	if err := p.Inv(p.inverses.shift, p.shift); err != nil {
		return shiftError(err)
	}
	return p.Inv(p.inverses.root, p.root)
}

var errRange = fmt.Errorf("fft: %w: root or shift of the domain is not a canonical element", field.ErrRange)

func orderError(n int) error {
	return fmt.Errorf("fft: %w: the root of the domain does not have order %d", field.ErrNoRoot, n)
}

func shiftError(err error) error { return fmt.Errorf("fft: the shift of a coset: %w", err) }

// set sets z to a factor.
func (p *cyclic) set(z element, c engine.Factor) error {
	p.One(z)
	t := p.element()
	for _, x := range []struct {
		of, inverse element
		e           int64
	}{{p.root, p.inverses.root, c.Root % int64(p.n)}, {p.shift, p.inverses.shift, c.Shift}} {
		if x.e < 0 {
			x.of, x.e = x.inverse, -x.e
		}
		if x.e != 0 {
			p.pow(t, x.of, x.e)
			p.Mul(z, z, t)
		}
	}
	if c.Over > 1 {
		p.times(t, c.Over)
		if err := p.Inv(t, t); err != nil {
			return err
		}
		p.Mul(z, z, t)
	}
	return nil
}

// times sets z to the n-fold sum of 1, for n ≥ 1.
func (p *cyclic) times(z element, n int) {
	one := p.one()
	p.Set(z, one)
	for i := bits.Len(uint(n)) - 2; i >= 0; i-- {
		p.Add(z, z, z)
		if n>>i&1 == 1 {
			p.Add(z, z, one)
		}
	}
}

func (p *cyclic) Elements(list ...engine.Factor) (engine.View, error) {
	a := p.New(len(list))
	for i := range list {
		if err := p.set(p.At(a, i), list[i]); err != nil {
			return engine.View{}, err
		}
	}
	return a, nil
}

func (p *cyclic) Factors(list ...engine.Factor) (engine.View, error) {
	a, err := p.Elements(list...)
	if err != nil {
		return a, err
	}
	return p.pack(a)
}

func (p *cyclic) IsOne(c engine.Factor) bool {
	x := p.element()
	return p.set(x, c) == nil && p.isOne(x)
}

func (p *cyclic) Roots(n int) (engine.Domain, error) {
	if !p.rooted {
		return engine.Domain{}, field.ErrNoRoot
	}
	q := &cyclic{elements: p.elements, n: n, root: p.element(), shift: p.one(), rooted: true, convolves: p.convolves}
	if err := p.arithmetic.root(q.root, uint64(n)); err != nil {
		return engine.Domain{}, err
	}
	u, err := q.domain()
	u.Shift = 0
	return u, cmp.Or(err, q.Check())
}

func (p *cyclic) Sum(z, x, w bulks.View, j int, t bulks.View) { p.sum(z, x, w, j, t) }

func (p *cyclic) Convolves() bool { return p.convolves }

func (p *cyclic) Convolution(n int, s field.Spec) (engine.Convolution, error) {
	c, err := p.convolution(n, s)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (p *cyclic) Codelet(d engine.Domain) (engine.Codelet, error) {
	var powers [2]engine.View
	w := p.element()
	for i, root := range [2]int64{d.Root, -d.Root} {
		if err := p.set(w, engine.Factor{Root: root}); err != nil {
			return nil, err
		}
		powers[i] = p.New(d.N)
		p.powers(powers[i], w)
	}
	return p.codelet(d.N, powers), nil
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
