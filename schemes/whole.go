package schemes

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/front"
)

// Whole is a transform that a back end brings whole, in place of passes for schemes: a device with fused kernels, a
// library of someone else's. It is safe for concurrent use on disjoint vectors.
type Whole interface {
	// Cheapest is the order, natural or bit-reversed, in which values come at no extra cost.
	Cheapest() field.Order
	// Run transforms, in place, each of the vectors of N elements that stand one after the other in v: all of a batch
	// at once. Forward takes wide values from natural order to o, inverse narrow ones back, the factor 1/N included;
	// o is natural, bit-reversed or Cheapest. Both leave wide values. It stops where ctx ends, and then v is
	// unspecified. With a bulk that is a bulks.Device it may return early.
	Run(ctx context.Context, v bulks.View, o field.Order, inverse bool) error
	// Report fills in Algorithm, Passes and Split, the bytes of Tables, those of Scratch beside v, and what is Ignored.
	Report(r *field.Report)
}

// BuildWhole makes the transform of f over d as s asks, by the Whole that build returns for it, on vectors of the bulk
// b of f. It checks operands and contexts, lays out batches, moves elements, keeps vectors and fills in the report. A
// batch of slices for which b.Make, or a first Pack, is field.ErrMemory goes in groups of transforms that fit, two
// groups at once with several workers; progress then counts groups. A field's Plan method calls it where s asks for no
// scheme by name.
func BuildWhole[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E], s field.Spec,
	build func(d *Points) (Whole, error)) (field.Transform[E], error) {
	if build == nil {
		return nil, fmt.Errorf("schemes: %w: nothing builds the transform", field.ErrSpec)
	}
	return front.New(f, b, d, s, func(b bulks.Bulk, d engine.Domain, s field.Spec) (engine.Transform, field.Batch,
		error) {
		if d.Exponents == nil && d.Subspace == nil {
			return nil, s.Batch, errWhole
		}
		return engine.NewWhole(b, d, s, func(p *engine.Problem) (engine.Whole, error) { return build(&Points{p}) })
	})
}

var errWhole = fmt.Errorf("schemes: %w: whole transforms are of cyclic and of affine domains", field.ErrSpec)

// Points is the domain that a [Whole] is made for, and the way to its tables: a cyclic one, point j at s·w^j for its
// root w and its shift s, or an affine one, which alone has Generators. It is for the time of the making alone. A zero
// value is nobody's: methods panic.
type Points struct{ p *engine.Problem }

// PointsOf is the domain of a problem, for packages of this module: it does not check p.
func PointsOf(p *engine.Problem) *Points { return &Points{p} }

// Factor names the element w^Root·s^Shift/Over of a domain with root w and shift s; Over 0 counts as 1. Exponents may
// be negative.
type Factor struct {
	Root, Shift int64
	Over        int
}

// Generators returns a vector of the bulk with what the multipliers of an affine domain of 2^m points are sums of,
// canonical: that of block b of layer l, of 2^l blocks, is the sum of element l(l+1)/2 and of those j + 1 places
// behind it for the bits j < l of b that are set, and the layer takes (x, y) to (x + ty, x + ty + y).
func (d *Points) Generators() (bulks.View, error) { return d.made(d.p.D.Generators()) }

// Scales returns a vector of the bulk with the powers 0 … n − 1 of c_k^(2^squares), or of its inverse, canonical, where
// c_k = W_k(b_k) is what coefficients of polynomials in W_k of an affine domain are scaled by to those in W_k/c_k: see
// [field.LCH], k from 0 on. It also reports whether c_k is 1; then only the first one is there.
func (d *Points) Scales(k, squares, n int, inverse bool) (v bulks.View, one bool, err error) {
	v, one, err = d.p.D.Subspace.Powers(k, squares, n, inverse)
	v, err = d.made(v, err)
	return v, one, err
}

// Len is N, the number of points.
func (d *Points) Len() int { return d.p.D.N }

// Shifted reports whether s is not 1.
func (d *Points) Shifted() bool { return d.p.D.Shifted() }

// Elements returns a vector of the bulk with the named elements, canonical. The error is field.ErrNotInvertible where
// one is divided by a multiple of the characteristic.
func (d *Points) Elements(list ...Factor) (bulks.View, error) {
	named := make([]engine.Factor, len(list))
	for i, f := range list {
		named[i] = engine.Factor(f)
	}
	return d.made(d.p.D.Factors(named...))
}

// Powers returns a vector of the bulk with c^0 … c^(n−1), canonical, for a c that is not divided. It grows by products
// of vectors, and stops with the context of the spec.
func (d *Points) Powers(c Factor, n int) (bulks.View, error) {
	return d.made(engine.Powers(d.p, d.p.D.Exponents, engine.Factor(c), n))
}

// made waits for a vector, as what made it may have failed.
func (d *Points) made(v bulks.View, err error) (bulks.View, error) {
	if w, ok := d.p.F.(bulks.Device); ok && err == nil {
		err = w.Wait(d.Context(), v)
	}
	return v, err
}

// Context is the one that ends the making, for what waits meanwhile.
func (d *Points) Context() context.Context { return d.p.M.Context() }

// Take counts bytes that a table takes, before it is made: field.ErrMemory where the limit of the spec is less.
func (d *Points) Take(bytes int) error { return d.p.M.Add(bytes) }
