package engine

import (
	"cmp"
	"context"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Multiplier is a Transform with field.Multiplier's Multiply, of views; square says that a and b are one.
type Multiplier interface {
	Multiply(ctx context.Context, dst View, from int, a, b View, square bool, x, y field.Vec) error
}

// Convolver is a Multiplier whose vectors are slices.
type Convolver interface {
	Multiplier
	// Convolve sets x to the product of the polynomials whose a and b coefficients x and y begin with. Behind them
	// there may be anything. For b < 0, y has the values of the second one, and keeps them. square says that y is x.
	Convolve(ctx context.Context, x, y View, a, b int, square bool) error
}

// ProductScheme is a scheme that goes from factors to their product in passes of its own.
type ProductScheme interface {
	// Multiplies reports whether it does.
	Multiplies() bool
	// BindProduct makes the scratch of one call and its phases, as closures over p.
	BindProduct(p *Product) ([]Phase, error)
}

// Product is the state of one running product.
type Product struct {
	Call         // whose vectors are not used
	Dst  View    // coefficients of the product
	From int     // of the first of them
	A, B View    // the factors
	X, Y View    // vectors; Y is X for a square
	Way  Factors // what Y is
	// Spoil says that nobody needs the values that are in Y then.
	Spoil bool
}

// Factors says where the values of the second factor come from.
type Factors int

const (
	Two    Factors = iota // from B
	One                   // they are in Y
	Square                // they are those of the first
)

// multiplying is a transform with a way to products.
type multiplying struct {
	*transform
	scheme   ProductScheme
	products sync.Pool // *running
}

// running is a pooled product.
type running struct {
	Product
	run direction
}

// withProducts adds the way to products that the scheme of t has, where the elements of slices are vectors.
func withProducts(t *transform) Transform {
	if s, ok := t.scheme.(ProductScheme); ok && t.inPlace && t.device == nil && s.Multiplies() {
		return &multiplying{transform: t, scheme: s}
	}
	return t
}

func (t *multiplying) get() (*running, error) {
	if p, ok := t.products.Get().(*running); ok {
		return p, nil
	}
	p := new(running)
	p.Tasks, p.progress = t.tasks, t.progress
	phases, err := t.scheme.BindProduct(&p.Product)
	p.run = p.bind(phases, t.runner)
	return p, err
}

func (t *multiplying) Multiply(ctx context.Context, dst View, from int, a, b View, square bool, x, y field.Vec) error {
	v, w, way, err := t.factors(ctx, dst, from, a, b, square, x, y)
	if err != nil {
		return err
	}
	p, err := t.get()
	if err != nil {
		return err
	}
	p.Dst, p.From, p.A, p.B, p.X, p.Y, p.Way, p.Spoil = dst, from, a, b, v.v, w.v, way, false
	err = p.phases(ctx, &p.run, t.runner)
	v.wide = true
	if way == Two {
		w.wide = true
	}
	p.Dst, p.A, p.B, p.X, p.Y = View{}, View{}, View{}, View{}, View{} // keep no vector of the caller's alive
	t.products.Put(p)
	return err
}

func (t *multiplying) Convolve(ctx context.Context, x, y View, a, b int, square bool) error {
	if err := checkContext(ctx); err != nil {
		return err
	}
	switch {
	case x.N != t.n:
		return CheckLen("x", x.N, t.n)
	case y.N != t.n:
		return CheckLen("y", y.N, t.n)
	case a < 0 || a > t.n:
		return CheckLen("a", a, t.n)
	case b > t.n:
		return CheckLen("b", b, t.n)
	}
	p, err := t.get()
	if err != nil {
		return err
	}
	none := x.Slice(0, 0) // x is where the product is to be
	p.Dst, p.From, p.A, p.B, p.X, p.Y, p.Spoil = none, 0, x.Slice(0, a), none, x, y, true
	switch {
	case square:
		p.Way = Square
	case b < 0:
		p.Way = One
	default:
		p.B, p.Way = y.Slice(0, b), Two
	}
	err = p.phases(ctx, &p.run, t.runner)
	p.Dst, p.A, p.B, p.X, p.Y = View{}, View{}, View{}, View{}, View{}
	t.products.Put(p)
	return err
}

// factors checks the operands of a product, and finds its vectors.
func (t *transform) factors(ctx context.Context, dst View, from int, a, b View, square bool, x, y field.Vec) (v, w *vec,
	way Factors, err error) {
	if err = checkContext(ctx); err != nil {
		return nil, nil, 0, err
	}
	if v, err = t.vec(x); err != nil {
		return nil, nil, 0, err
	}
	w, way = v, Square
	if !square {
		if way = Two; b.N == 0 {
			way = One
		}
		if w, err = t.vec(y); err != nil {
			return nil, nil, 0, err
		}
	}
	return v, w, way, t.checkProduct(dst, from, a, b)
}

// checkProduct is a LengthError of an operand that does not fit.
func (t *transform) checkProduct(dst View, from int, a, b View) error {
	switch {
	case a.N > t.n:
		return CheckLen("a", a.N, t.n)
	case b.N > t.n:
		return CheckLen("b", b.N, t.n)
	case from < 0 || from > t.n || dst.N > t.n-from:
		return CheckLen("dst", dst.N, t.n-from)
	}
	return nil
}

// inverseMultiplier is a Whole whose inverse transforms begin with the products of two vectors, in a pass less than
// both take. InverseMul sets z, which may be one of them, as Run does in the cheapest order.
type inverseMultiplier interface {
	InverseMul(ctx context.Context, z, x, y View) error
}

// inverseMul sets z to the inverse transforms of the products of x and y, values in the cheapest order of w.
func inverseMul(ctx context.Context, f bulks.Bulk, w Whole, z *vec, x, y View) (err error) {
	if m, ok := w.(inverseMultiplier); ok {
		err = m.InverseMul(ctx, z.v, x, y)
	} else {
		f.VecMul(z.v, x, y)
		err = w.Run(ctx, z.v, w.Cheapest(), true)
	}
	z.wide = true
	if e := ctx.Err(); e != nil {
		return Stopped(e)
	}
	return err
}

// wholeProducts is a whole transform of a device with a way to products, which waits once: one factor is copied while
// the other is transformed.
type wholeProducts struct{ *whole }

func (t *wholeProducts) Multiply(ctx context.Context, dst View, from int, a, b View, square bool, x, y field.Vec) (
	err error) {
	v, w, way, err := t.one.factors(ctx, dst, from, a, b, square, x, y)
	if err != nil {
		return err
	}
	order := t.w.Cheapest()
	if err = t.one.load(ctx, v, a); err == nil {
		err = t.run(ctx, v, order, false)
	}
	if err == nil && way == Two {
		if err = t.one.load(ctx, w, b); err == nil {
			err = t.run(ctx, w, order, false)
		}
	}
	if err == nil {
		err = inverseMul(ctx, t.one.f, t.w, v, v.v, w.v)
	}
	if way == Two { // the product of another call may come to y
		if e := t.one.wait(ctx, w.v); err == nil {
			err = e
		}
	}
	if e := t.one.wait(ctx, v.v); err == nil { // unpack would wait to the end
		err = e
	}
	if err == nil {
		err = t.one.vectors.unpack(ctx, dst, v.v.Slice(from, from+dst.N))
		err = cmp.Or(err, t.one.wait(context.Background(), v.v))
	}
	return err
}
