package front

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/codelet"
)

// element is a pointer to one, *E. Points are compiled once for all elements, and compute with these: a plan takes few.
type element = any

// arithmetic is a field by such elements, and with loops of the few calls that have no bulk. Its type is known to typed
// alone.
type arithmetic interface {
	// New makes n elements, all of them 0, and At is one of a view.
	New(n int) bulks.View
	At(v bulks.View, i int) element

	Set(z, x element)
	Add(z, x, y element)
	Mul(z, x, y element)
	Inv(z, x element) error
	One(z element)
	Equal(x, y element) bool

	// Powers sets w to the powers of x, from x^0 on.
	Powers(w bulks.View, x element)
	// Sum is that of engine.Exponents.
	Sum(z, x, w bulks.View, j int, t bulks.View)
	// Codelet is the code of n points for a root and its inverse, whose powers are given.
	Codelet(n int, powers [2]bulks.View) engine.Codelet
	// RootOfUnity and Convolution are those of the Roots of a cyclic domain, where it has such.
	RootOfUnity(z element, n uint64) error
	Convolution(n int, s field.Spec) (*convolution, error)
}

// typed is the arithmetic of f: all that points have for each type of elements.
type typed[E any] struct {
	f     field.Field[E]
	roots field.Rooted[E] // or nil
}

func (t *typed[E]) New(n int) bulks.View                  { return bulks.ViewOf(make([]E, n)) }
func (t *typed[E]) At(v bulks.View, i int) element        { return &bulks.SliceOf[E](v)[i] }
func (t *typed[E]) Set(z, x element)                      { t.f.Set(z.(*E), x.(*E)) }
func (t *typed[E]) Add(z, x, y element)                   { t.f.Add(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Mul(z, x, y element)                   { t.f.Mul(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Inv(z, x element) error                { return t.f.Inv(z.(*E), x.(*E)) }
func (t *typed[E]) One(z element)                         { t.f.One(z.(*E)) }
func (t *typed[E]) Equal(x, y element) bool               { return t.f.Equal(x.(*E), y.(*E)) }
func (t *typed[E]) RootOfUnity(z element, n uint64) error { return t.roots.RootOfUnity(z.(*E), n) }

func (t *typed[E]) Powers(w bulks.View, x element) {
	a, by := bulks.SliceOf[E](w), x.(*E)
	t.f.One(&a[0])
	for i := 1; i < len(a); i++ {
		t.f.Mul(&a[i], &a[i-1], by)
	}
}

func (t *typed[E]) Sum(z, x, w bulks.View, j int, temp bulks.View) {
	f, a, c, d := t.f, bulks.SliceOf[E](x), bulks.SliceOf[E](w), &bulks.SliceOf[E](temp)[0]
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

func (t *typed[E]) Codelet(n int, powers [2]bulks.View) engine.Codelet {
	return codelet.New(t.f, n, [2][]E{bulks.SliceOf[E](powers[0]), bulks.SliceOf[E](powers[1])})
}

func (t *typed[E]) Convolution(n int, s field.Spec) (*convolution, error) {
	c, err := t.roots.(field.Convolver[E]).Convolution(n, false, s)
	if err != nil {
		return nil, err
	}
	r, _ := c.(reversing)
	return &convolution{ProductsOf(c), r}, nil
}

// NewDomain returns d as schemes name it, for vectors of b.
func NewDomain[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E]) (engine.Domain, error) {
	a := &typed[E]{f: f}
	of := elements{arithmetic: a, f: f, b: b, host: &bulks.Slices[E]{Field: f}}
	switch d := d.(type) {
	case field.Cyclic[E]:
		a.roots = d.Roots
		_, convolves := d.Roots.(field.Convolver[E])
		p := &cyclic{elements: of, n: d.N, root: &d.Root, shift: &d.Shift, rooted: d.Roots != nil, convolves: convolves}
		return p.domain()
	case field.Affine[E]:
		p := &affine{elements: of, basis: bulks.ViewOf(d.Basis), shift: &d.Shift}
		return p.domain(d.Len())
	}
	return engine.Domain{}, kindError(d)
}
