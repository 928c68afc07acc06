package schemetest

import (
	"context"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
)

// The suite knows no type of elements, so that it is compiled once: an element is a pointer to it, and a vector is a
// view of a slice.
type (
	element = any
	vector  = bulks.View
)

// domain is a field.Domain by such elements.
type domain struct {
	kind        kind
	n           int // points of a cyclic domain
	root, shift element
	roots       bool // it has field.Cyclic.Roots
	basis       vector
}

type kind int

const (
	none kind = iota
	cyclic
	affine
)

// Len is the number of points.
func (d domain) Len() int {
	if d.kind == affine {
		return 1 << d.basis.N
	}
	return d.n
}

// door is the field under test, and loops of few calls that it is slow to go through a door for.
type door interface {
	New(n int) vector // zeros
	At(x vector, i int) element
	Set(z, x element)
	Add(z, x, y element)
	Sub(z, x, y element)
	Mul(z, x, y element)
	Inv(z, x element) error
	Equal(x, y element) bool
	HasRoot(n int) bool
	Random(z element, r *rand.Rand)

	Cyclic(n int) (domain, error)
	Negacyclic(n int) (domain, error)
	Point(d domain, j int) element
	Points(d domain) vector
	Plan(d domain, s field.Spec) (transform, error)

	Value(y element, x vector, z element) // x at z by Horner's rule
	Differs(x, y vector) int              // the first place, or −1
	Permute(y, x vector, p []int)         // y[i] = x[p[i]] by Set
	Assign(y, x vector)                   // y = x by assignment
}

// transform is a field.Transform by vectors.
type transform interface {
	Forward(ctx context.Context, dst, src vector) error
	Inverse(ctx context.Context, dst, src vector) error
	Load(v field.Vec, x vector) error
	Store(x vector, v field.Vec) error
	untyped
}

// untyped is what all transforms have, of whatever elements.
type untyped interface {
	Permutation() []int
	Report() field.Report
	NewVec() (field.Vec, error)
	ForwardVec(ctx context.Context, v field.Vec) error
	InverseVec(ctx context.Context, v field.Vec) error
	MulVec(z, x, y field.Vec) error
}

// typed is the door of a type of elements.
type typed[E any] struct {
	f      field.Rooted[E]
	make   func(d field.Domain[E], s field.Spec) (field.Transform[E], error)
	random func(z *E, r *rand.Rand)
}

func newDoor[E any](f field.Rooted[E], make func(d field.Domain[E], s field.Spec) (field.Transform[E], error),
	random func(z *E, r *rand.Rand)) door {
	t := &typed[E]{f, make, random}
	if t.make == nil {
		t.make = func(d field.Domain[E], s field.Spec) (field.Transform[E], error) { return schemes.New(f, d, s) }
	}
	if t.random == nil {
		if s, ok := f.(field.Sampler[E]); ok {
			t.random = s.Random
		} else {
			t.random = t.build
		}
	}
	return t
}

// build draws sums of powers of 1 + 1.
func (t *typed[E]) build(z *E, r *rand.Rand) {
	var one, zero E
	t.f.One(&one)
	t.f.Set(z, &zero)
	for range 64 {
		t.f.Add(z, z, z)
		if r.IntN(2) == 1 {
			t.f.Add(z, z, &one)
		}
	}
}

func (t *typed[E]) New(n int) vector               { return bulks.ViewOf(make([]E, n)) }
func (t *typed[E]) At(x vector, i int) element     { return &bulks.SliceOf[E](x)[i] }
func (t *typed[E]) Set(z, x element)               { t.f.Set(z.(*E), x.(*E)) }
func (t *typed[E]) Add(z, x, y element)            { t.f.Add(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Sub(z, x, y element)            { t.f.Sub(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Mul(z, x, y element)            { t.f.Mul(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Inv(z, x element) error         { return t.f.Inv(z.(*E), x.(*E)) }
func (t *typed[E]) Equal(x, y element) bool        { return t.f.Equal(x.(*E), y.(*E)) }
func (t *typed[E]) Random(z element, r *rand.Rand) { t.random(z.(*E), r) }
func (t *typed[E]) HasRoot(n int) bool             { return t.f.RootOfUnity(new(E), uint64(n)) == nil }

func erased[E any](d field.Cyclic[E], err error) (domain, error) {
	return domain{kind: cyclic, n: d.N, root: &d.Root, shift: &d.Shift, roots: d.Roots != nil}, err
}

func (t *typed[E]) Cyclic(n int) (domain, error)     { return erased(field.NewCyclic[E](t.f, n)) }
func (t *typed[E]) Negacyclic(n int) (domain, error) { return erased(field.NewNegacyclic[E](t.f, n)) }

// domain is d by elements. Those that are nil are zeros.
func (t *typed[E]) domain(d domain) field.Domain[E] {
	at := func(x element) (z E) {
		if x != nil {
			z = *x.(*E)
		}
		return z
	}
	switch d.kind {
	case cyclic:
		c := field.Cyclic[E]{N: d.n, Root: at(d.root), Shift: at(d.shift)}
		if d.roots {
			c.Roots = t.f
		}
		return c
	case affine:
		return field.Affine[E]{Basis: sliceOf[E](d.basis), Shift: at(d.shift)}
	}
	return nil
}

func (t *typed[E]) Point(d domain, j int) element {
	z := new(E)
	t.domain(d).Point(t.f, z, j)
	return z
}

func (t *typed[E]) Points(d domain) vector {
	of, z := t.domain(d), make([]E, d.Len())
	for j := range z {
		of.Point(t.f, &z[j], j)
	}
	return bulks.ViewOf(z)
}

func (t *typed[E]) Plan(d domain, s field.Spec) (transform, error) {
	p, err := t.make(t.domain(d), s)
	if p == nil {
		return nil, err
	}
	return &plan[E]{p, p}, err
}

func (t *typed[E]) Value(y element, x vector, z element) {
	v, at, list := y.(*E), z.(*E), bulks.SliceOf[E](x)
	t.f.Set(v, new(E))
	for i := len(list) - 1; i >= 0; i-- {
		t.f.Mul(v, v, at)
		t.f.Add(v, v, &list[i])
	}
}

func (t *typed[E]) Differs(x, y vector) int {
	a, b := sliceOf[E](x), sliceOf[E](y)
	for i := range a {
		if !t.f.Equal(&a[i], &b[i]) {
			return i
		}
	}
	return -1
}

func (t *typed[E]) Permute(y, x vector, p []int) {
	a, b := bulks.SliceOf[E](x), bulks.SliceOf[E](y)
	for i, j := range p {
		t.f.Set(&b[i], &a[j])
	}
}

func (t *typed[E]) Assign(y, x vector) { copy(bulks.SliceOf[E](y), bulks.SliceOf[E](x)) }

// sliceOf is that of package bulks, and nil for no view.
func sliceOf[E any](x vector) []E {
	if x.Buf == nil {
		return nil
	}
	return bulks.SliceOf[E](x)
}

// plan is a transform of a type of elements.
type plan[E any] struct {
	untyped
	t field.Transform[E]
}

func (p *plan[E]) Forward(ctx context.Context, dst, src vector) error {
	return p.t.Forward(ctx, sliceOf[E](dst), sliceOf[E](src))
}

func (p *plan[E]) Inverse(ctx context.Context, dst, src vector) error {
	return p.t.Inverse(ctx, sliceOf[E](dst), sliceOf[E](src))
}

func (p *plan[E]) Load(v field.Vec, x vector) error  { return p.t.Load(v, sliceOf[E](x)) }
func (p *plan[E]) Store(x vector, v field.Vec) error { return p.t.Store(sliceOf[E](x), v) }
