package fft

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/explain"
	"github.com/galfft/fft/schemes"
)

// NewConvolution plans products of polynomials modulo x^n − 1, or modulo x^n + 1 with [WithNegacyclic], in vectors in
// working form. It is the plan of length n, in the order that is cheapest, where f has the roots of unity for that;
// where it has not, or where f says that this costs less (field.Convolver), and n is a power of two, it is what f
// offers in their place: over the integers, through several primes. [WithProducts] takes one of both.
// Report tells which was taken, and why. WithOrder has no effect, and over other primes WithProgress and WithoutPlanner
// have none either. Where a product takes fewer passes than the methods of a Convolution, the result is a
// field.Multiplier.
//
// Errors are those of [NewPlanContext]; ErrNoRoot stands where f offers nothing in place of roots, as for powers of two
// over binary fields, and ErrSpec where CRTProducts were asked for and f offers none, or a root or a coset is given
// beside them, and with WithSubspace and LCH coefficients.
func NewConvolution[E any](ctx context.Context, f field.Field[E], n int, opts ...Option) (Convolution[E], error) {
	if ctx == nil {
		return nil, errContext
	}
	if err := field.Check(f); err != nil {
		return nil, err
	}
	c := collect(opts)
	c.spec.Order = Scheme
	convolver, convolves := f.(field.Convolver[E])
	way, reason, err := products(f, convolves, n, c, func(order uint64) bool { return field.HasRoot(f, order) })
	if err != nil {
		return nil, err
	}
	var of field.Convolution[E]
	if c.tune(); way == NativeProducts {
		of, err = native(ctx, f, n, c)
	} else {
		c.spec.Context = ctx
		of, err = convolver.Convolution(n, c.negacyclic, c.spec)
	}
	if err != nil {
		return nil, err
	}
	made := &multiplier[E]{chosen: chosen[E]{chosenVectors: chosenOf(of, way, reason, c.spec.Tuning), c: of}}
	made.moves, _ = of.(interface {
		LoadContext(ctx context.Context, v Vec, a []E) error
		StoreContext(ctx context.Context, a []E, v Vec) error
	})
	if multiplies(of) {
		made.m, _ = of.(field.Multiplier[E])
	}
	if made.m == nil {
		return &made.chosen, nil
	}
	return made, nil
}

// native is the transform over roots of unity: products over a subspace would be modulo its polynomial.
func native[E any](ctx context.Context, f field.Field[E], n int, c *config) (field.Convolution[E], error) {
	d, err := cyclic(ctx, f, n, c)
	if err != nil {
		return nil, err
	}
	c.spec.Context = ctx
	return schemes.New(f, d, c.spec)
}

// multiplies reports whether a field.Multiplier is one: transforms say so.
func multiplies(c any) bool {
	m, ok := c.(interface{ Multiplies() bool })
	return !ok || m.Multiplies()
}

// products chooses between transforms over f and its convolutions, which it may have, and says why. rooted reports
// whether it has roots of unity of an order.
func products(f any, convolves bool, n int, c *config, rooted func(order uint64) bool) (way Products, reason string,
	err error) {
	own := c.root != nil || c.shift != nil // which other primes know nothing of
	order := uint64(n)
	if c.negacyclic {
		order *= 2
	}
	switch {
	case c.basis != nil || c.spec.Coefficients != Monomial:
		return 0, "", errNotCyclic
	case c.products > CRTProducts:
		return 0, "", fmt.Errorf("fft: %w: products %v, want auto, native or crt", ErrSpec, c.products)
	case c.products == CRTProducts && !convolves:
		return 0, "", fmt.Errorf("fft: %w: products crt, and %T has no convolutions through other primes", ErrSpec, f)
	case c.products == CRTProducts && own:
		return 0, "", fmt.Errorf("fft: %w: products crt with a root or a coset, which only transforms have", ErrSpec)
	case c.products != AutoProducts:
		return c.products, "asked for", nil
	case own:
		return NativeProducts, "a root or a coset was given", nil
	case !convolves || n < 1 || n&(n-1) != 0:
		return NativeProducts, "there is no other way for this field and length", nil
	case !rooted(order):
		return CRTProducts, fmt.Sprintf("the field has no roots of order %d", order), nil
	}
	cost := f.(interface{ ConvolutionCost(n int) float64 }).ConvolutionCost(n)
	reason = fmt.Sprintf("other primes take about %.2f of the time of transforms over the field", cost)
	if cost < 1 {
		return CRTProducts, reason, nil
	}
	return NativeProducts, reason, nil
}

var errNotCyclic = fmt.Errorf("fft: %w: a convolution with WithSubspace or LCH coefficients, want coefficients of powers "+
	"of x, for products modulo x^n − 1 or x^n + 1", ErrSpec)

// chosen is a convolution whose report says why it was taken.
type chosen[E any] struct {
	chosenVectors
	c     field.Convolution[E]
	moves interface { // c, or nil, if it stops where a context ends
		LoadContext(ctx context.Context, v Vec, a []E) error
		StoreContext(ctx context.Context, a []E, v Vec) error
	}
}

// chosenVectors is the part of it that is compiled once for all elements.
type chosenVectors struct {
	of       vectors
	products Products
	reason   string
	tuning   field.Tuning // that transforms asked
	// multiply is MulVec, which stops where a context ends, if it takes long.
	multiply func(ctx context.Context, z, x, y Vec) error
}

type vectors interface {
	NewVec() (Vec, error)
	ForwardVec(ctx context.Context, v Vec) error
	InverseVec(ctx context.Context, v Vec) error
	MulVec(z, x, y Vec) error
	Report() Report
}

func chosenOf(of vectors, way Products, reason string, t field.Tuning) chosenVectors {
	multiply := func(_ context.Context, z, x, y Vec) error { return of.MulVec(z, x, y) }
	if s, ok := of.(interface {
		MulVecContext(ctx context.Context, z, x, y Vec) error
	}); ok {
		multiply = s.MulVecContext
	}
	return chosenVectors{of, way, reason, t, multiply}
}

func (c *chosen[E]) Load(v Vec, a []E) error  { return c.c.Load(v, a) }
func (c *chosen[E]) Store(a []E, v Vec) error { return c.c.Store(a, v) }

// LoadContext is Load, which stops where ctx ends, if it takes long.
func (c *chosen[E]) LoadContext(ctx context.Context, v Vec, a []E) error {
	if c.moves == nil {
		return c.c.Load(v, a)
	}
	return c.moves.LoadContext(ctx, v, a)
}

// StoreContext is Store, which stops where ctx ends, if it takes long.
func (c *chosen[E]) StoreContext(ctx context.Context, a []E, v Vec) error {
	if c.moves == nil {
		return c.c.Store(a, v)
	}
	return c.moves.StoreContext(ctx, a, v)
}

func (c *chosenVectors) NewVec() (Vec, error)                        { return c.of.NewVec() }
func (c *chosenVectors) ForwardVec(ctx context.Context, v Vec) error { return c.of.ForwardVec(ctx, v) }
func (c *chosenVectors) InverseVec(ctx context.Context, v Vec) error { return c.of.InverseVec(ctx, v) }
func (c *chosenVectors) MulVec(z, x, y Vec) error                    { return c.of.MulVec(z, x, y) }

// MulVecContext is MulVec, which stops where ctx ends, if it takes long.
func (c *chosenVectors) MulVecContext(ctx context.Context, z, x, y Vec) error {
	return c.multiply(ctx, z, x, y)
}

func (c *chosenVectors) Report() Report {
	r := c.of.Report()
	r.Products, r.ProductsReason = c.products, c.reason
	if c.products == NativeProducts {
		explain.Ignored(&r, c.tuning)
	}
	return r
}

// multiplier is one that is a field.Multiplier.
type multiplier[E any] struct {
	chosen[E]
	m field.Multiplier[E]
}

func (p *multiplier[E]) Multiply(ctx context.Context, dst []E, from int, a, b []E, x, y Vec) error {
	return p.m.Multiply(ctx, dst, from, a, b, x, y)
}
