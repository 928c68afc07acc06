package fieldtest

import (
	"bytes"
	"context"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// The suites know no type of elements, so that they are compiled once, and not for every type in every package of
// tests. The field under test is behind a door for each type, of short methods.
type (
	// element is a pointer to an element.
	element = any
	// elements are pointers to those of a slice, in order. Behind the last, up to the capacity, is one more pointer, so
	// that view has one where the length is 0.
	elements []element
)

// view is the slice's view.
func (v elements) view() bulks.View { return bulks.View{Buf: v[:1][0], N: len(v)} }

// door is the field under test.
type door interface {
	New() element
	Make(n int) elements
	Copy(v elements) elements       // by assignment
	Elements(v bulks.View) elements // of a slice
	Set(z, x element)               // by the field
	Assign(z, x element)            // by assignment
	Swap(x, y element)              // by assignment
	Memory(x element) []byte        // pointers and not what they point to
	Add(z, x, y element)
	Sub(z, x, y element)
	Neg(z, x element)
	Mul(z, x, y element)
	Inv(z, x element) error
	One(z element)
	Equal(x, y element) bool
	Pow(z, x element, e *big.Int)
	Cyclic(n int) (domain, error)
	Affine(z element, basis elements, j int) // point j of that domain

	// Loops of calls that are slow to go through a door for.

	Clone(v elements) elements           // by the field
	Pick(z, from elements, at []int)     // by the field, z[i] = from[at[i]]
	Bits(x, y element) bool              // equal, and of the same bits
	Differs(x, y elements, from int) int // the first place from there on where Bits is false, or −1
	// Read returns ones that read wrote over, and nil where their bits are those of want.
	Read(want elements, read func(v bulks.View)) elements
	Radix2(v, w elements, l layer, affine bool)
	Radix2T(v, w elements, l layer, affine bool)
}

// The optional interfaces of package field, by such elements.
type (
	codec interface {
		Size() int
		PutBytes(b []byte, x element)
		SetBytes(z element, b []byte) error
		AppendText(b []byte, x element) []byte
		SetText(z element, s []byte) error
		SetBig(z element, x *big.Int) error
		Big(z *big.Int, x element) *big.Int
	}
	rooted interface {
		RootOfUnity(z element, n uint64) error
	}
	contextRoots interface {
		RootOfUnityContext(ctx context.Context, z element, n uint64) error
	}
	sampler interface{ Random(z element, r *rand.Rand) }
	shifter interface {
		ShiftOrder() uint64
		Shift(z, x element, s uint64)
	}
	butterflies interface {
		Butterflies(x, y elements, w element)
		ButterfliesT(x, y elements, w element)
	}
	vectors interface {
		AddVec(z, x, y elements)
		SubVec(z, x, y elements)
		MulVec(z, x, y elements)
		MulAddVec(z, x, y elements)
	}
	rangeChecker interface{ FirstInvalid(x elements) int }
	subspaces    interface{ Subspace(b elements) error }
	planner      interface {
		Plan(d domain, s field.Spec) (transform, error)
	}
	convolver interface {
		Convolution(n int, negacyclic bool, s field.Spec) (convolution, error)
		ConvolutionCost(n int) float64
	}
)

// offers are those that the field has; the others are nil.
type offers struct {
	info         field.Info
	codec        codec
	rooted       rooted
	contextRoots contextRoots
	sampler      sampler
	shifter      shifter
	butterflies  butterflies
	vectors      vectors
	rangeChecker rangeChecker
	subspaces    subspaces
	planner      planner
	convolver    convolver
}

// domain is a field.Cyclic.
type domain interface {
	Len() int
	Shift() element // of the domain itself
	Point(z element, j int)
}

// transform is a field.Transform.
type transform interface {
	Forward(ctx context.Context, dst, src elements) error
	Inverse(ctx context.Context, dst, src elements) error
}

// convolution is a field.Convolution.
type convolution interface {
	untyped
	Load(v field.Vec, a elements) error
	Store(a elements, v field.Vec) error
	Multiplier() multiplier // nil where it is none
}

// untyped is what all convolutions have, of whatever elements.
type untyped interface {
	NewVec() (field.Vec, error)
	ForwardVec(ctx context.Context, v field.Vec) error
	InverseVec(ctx context.Context, v field.Vec) error
	MulVec(z, x, y field.Vec) error
}

// multiplier is a field.Multiplier.
type multiplier interface {
	Multiply(ctx context.Context, dst elements, from int, a, b elements, x, y field.Vec) error
}

// typed is the door of a type of elements. Its optional interfaces are nil where the field does not offer them.
type typed[E any] struct {
	f            field.Field[E]
	words        bool // elements are []uint64
	codec        field.Codec[E]
	rooted       field.Rooted[E]
	contextRoots field.ContextRoots[E]
	sampler      field.Sampler[E]
	shifter      field.Shifter[E]
	butterflies  field.Butterflies[E]
	vectors      field.Vectors[E]
	rangeChecker field.RangeChecker[E]
	subspaces    field.Subspaces[E]
	planner      field.Planner[E]
	convolver    field.Convolver[E]
}

func newDoor[E any](f field.Field[E]) (*typed[E], offers) {
	t, has := &typed[E]{f: f, words: wordsOf(reflect.TypeFor[E]())}, offers{}
	has.info, _ = f.(field.Info)
	if t.codec, _ = f.(field.Codec[E]); t.codec != nil {
		has.codec = t
	}
	if t.rooted, _ = f.(field.Rooted[E]); t.rooted != nil {
		has.rooted = t
	}
	if t.contextRoots, _ = f.(field.ContextRoots[E]); t.contextRoots != nil {
		has.contextRoots = t
	}
	if t.sampler, _ = f.(field.Sampler[E]); t.sampler != nil {
		has.sampler = t
	}
	if t.shifter, _ = f.(field.Shifter[E]); t.shifter != nil {
		has.shifter = t
	}
	if t.butterflies, _ = f.(field.Butterflies[E]); t.butterflies != nil {
		has.butterflies = t
	}
	if t.vectors, _ = f.(field.Vectors[E]); t.vectors != nil {
		has.vectors = t
	}
	if t.rangeChecker, _ = f.(field.RangeChecker[E]); t.rangeChecker != nil {
		has.rangeChecker = t
	}
	if t.subspaces, _ = f.(field.Subspaces[E]); t.subspaces != nil {
		has.subspaces = t
	}
	if t.planner, _ = f.(field.Planner[E]); t.planner != nil {
		has.planner = t
	}
	if t.convolver, _ = f.(field.Convolver[E]); t.convolver != nil {
		has.convolver = t
	}
	return t, has
}

// list returns pointers to the elements of a but the last, which stands behind them.
func list[E any](a []E) elements {
	v := make(elements, len(a))
	for i := range a {
		v[i] = &a[i]
	}
	return v[:len(a)-1]
}

// of is the slice of v, with its capacity: fields must not write behind its end.
func of[E any](v elements) []E {
	if v == nil {
		return nil
	}
	return unsafe.Slice(v[:1][0].(*E), cap(v)-1)[:len(v)]
}

func (t *typed[E]) New() element        { return new(E) }
func (t *typed[E]) Make(n int) elements { return list(make([]E, n+1)) }
func (t *typed[E]) Copy(v elements) elements {
	return list(append(append(make([]E, 0, len(v)+1), of[E](v)...), *new(E)))
}

func (t *typed[E]) Elements(v bulks.View) elements {
	a := bulks.SliceOf[E](v)
	z := make(elements, len(a), len(a)+1)
	for i := range a {
		z[i] = &a[i]
	}
	return append(z, v.Buf)[:len(a)] // there is nothing of the slice behind its end
}

func (t *typed[E]) Memory(x element) []byte { return memory(x.(*E)) }

func memory[E any](x *E) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)) }

func (t *typed[E]) Swap(x, y element) {
	p, q := x.(*E), y.(*E)
	*p, *q = *q, *p
}

func (t *typed[E]) Clone(v elements) elements {
	a, b := of[E](v), make([]E, len(v)+1)
	for i := range a {
		t.f.Set(&b[i], &a[i])
	}
	return list(b)
}

func (t *typed[E]) Pick(z, from elements, at []int) {
	a := of[E](z)
	for i, j := range at {
		t.f.Set(&a[i], from[j].(*E))
	}
}

func (t *typed[E]) Bits(x, y element) bool { return t.bits(x.(*E), y.(*E)) }

func (t *typed[E]) bits(x, y *E) bool {
	if !t.f.Equal(x, y) {
		return false
	}
	return bytes.Equal(memory(x), memory(y)) || t.words && sameWords(unsafe.Pointer(x), unsafe.Pointer(y))
}

// wordsOf reports whether elements of a type are slices of words.
func wordsOf(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint64
}

// sameWords compares such elements, of which the bits are those that they point to.
func sameWords(x, y unsafe.Pointer) bool {
	a, b := *(*[]uint64)(x), *(*[]uint64)(y)
	return (a == nil) == (b == nil) && slices.Equal(a, b)
}

func (t *typed[E]) Differs(x, y elements, from int) int {
	a, b := of[E](x), of[E](y)
	for i := from; i < len(a); i++ {
		if !t.bits(&a[i], &b[i]) {
			return i
		}
	}
	return -1
}

func (t *typed[E]) Read(want elements, read func(v bulks.View)) elements {
	a, got := of[E](want), make([]E, len(want)+1)
	for i := range a {
		t.f.One(&got[i])
	}
	read(bulks.ViewOf(got[:len(a)]))
	for i := range a {
		if !t.bits(&a[i], &got[i]) {
			return list(got)
		}
	}
	return nil
}

func (t *typed[E]) Radix2(v, w elements, l layer, affine bool) {
	d := new(E)
	l.pairs(func(at, to, by int) {
		a, b, m := v[at].(*E), v[to].(*E), w[by].(*E)
		t.f.Mul(d, b, m)
		if affine {
			t.f.Add(a, a, d)
			t.f.Add(b, a, b)
			return
		}
		t.f.Sub(b, a, d)
		t.f.Add(a, a, d)
	})
}

func (t *typed[E]) Radix2T(v, w elements, l layer, affine bool) {
	d := new(E)
	l.pairs(func(at, to, by int) {
		a, b, m := v[at].(*E), v[to].(*E), w[by].(*E)
		if affine {
			t.f.Add(b, a, b)
			t.f.Mul(d, b, m)
			t.f.Add(a, a, d)
			return
		}
		t.f.Sub(d, a, b)
		t.f.Add(a, a, b)
		t.f.Mul(b, d, m)
	})
}

func (t *typed[E]) Assign(z, x element)          { *z.(*E) = *x.(*E) }
func (t *typed[E]) Set(z, x element)             { t.f.Set(z.(*E), x.(*E)) }
func (t *typed[E]) Add(z, x, y element)          { t.f.Add(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Sub(z, x, y element)          { t.f.Sub(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Neg(z, x element)             { t.f.Neg(z.(*E), x.(*E)) }
func (t *typed[E]) Mul(z, x, y element)          { t.f.Mul(z.(*E), x.(*E), y.(*E)) }
func (t *typed[E]) Inv(z, x element) error       { return t.f.Inv(z.(*E), x.(*E)) }
func (t *typed[E]) One(z element)                { t.f.One(z.(*E)) }
func (t *typed[E]) Equal(x, y element) bool      { return t.f.Equal(x.(*E), y.(*E)) }
func (t *typed[E]) Pow(z, x element, e *big.Int) { field.Pow(t.f, z.(*E), x.(*E), e) }

func (t *typed[E]) Size() int                             { return t.codec.Size() }
func (t *typed[E]) PutBytes(b []byte, x element)          { t.codec.PutBytes(b, x.(*E)) }
func (t *typed[E]) SetBytes(z element, b []byte) error    { return t.codec.SetBytes(z.(*E), b) }
func (t *typed[E]) AppendText(b []byte, x element) []byte { return t.codec.AppendText(b, x.(*E)) }
func (t *typed[E]) SetText(z element, s []byte) error     { return t.codec.SetText(z.(*E), s) }
func (t *typed[E]) SetBig(z element, x *big.Int) error    { return t.codec.SetBig(z.(*E), x) }
func (t *typed[E]) Big(z *big.Int, x element) *big.Int    { return t.codec.Big(z, x.(*E)) }
func (t *typed[E]) RootOfUnity(z element, n uint64) error { return t.rooted.RootOfUnity(z.(*E), n) }
func (t *typed[E]) Random(z element, r *rand.Rand)        { t.sampler.Random(z.(*E), r) }
func (t *typed[E]) ShiftOrder() uint64                    { return t.shifter.ShiftOrder() }
func (t *typed[E]) Shift(z, x element, s uint64)          { t.shifter.Shift(z.(*E), x.(*E), s) }
func (t *typed[E]) AddVec(z, x, y elements)               { t.vectors.AddVec(of[E](z), of[E](x), of[E](y)) }
func (t *typed[E]) SubVec(z, x, y elements)               { t.vectors.SubVec(of[E](z), of[E](x), of[E](y)) }
func (t *typed[E]) MulVec(z, x, y elements)               { t.vectors.MulVec(of[E](z), of[E](x), of[E](y)) }
func (t *typed[E]) MulAddVec(z, x, y elements)            { t.vectors.MulAddVec(of[E](z), of[E](x), of[E](y)) }
func (t *typed[E]) FirstInvalid(x elements) int           { return t.rangeChecker.FirstInvalid(of[E](x)) }
func (t *typed[E]) Subspace(b elements) error             { return t.subspaces.Subspace(of[E](b)) }
func (t *typed[E]) ConvolutionCost(n int) float64         { return t.convolver.ConvolutionCost(n) }

func (t *typed[E]) RootOfUnityContext(ctx context.Context, z element, n uint64) error {
	return t.contextRoots.RootOfUnityContext(ctx, z.(*E), n)
}

func (t *typed[E]) Butterflies(x, y elements, w element) {
	t.butterflies.Butterflies(of[E](x), of[E](y), w.(*E))
}

func (t *typed[E]) ButterfliesT(x, y elements, w element) {
	t.butterflies.ButterfliesT(of[E](x), of[E](y), w.(*E))
}

func (t *typed[E]) Affine(z element, basis elements, j int) {
	field.Affine[E]{Basis: of[E](basis)}.Point(t.f, z.(*E), j)
}

// points is a cyclic domain.
type points[E any] struct {
	f field.Field[E]
	d field.Cyclic[E]
}

func (t *typed[E]) Cyclic(n int) (domain, error) {
	d, err := field.NewCyclic(t.f, n)
	return &points[E]{t.f, d}, err
}

func (p *points[E]) Len() int               { return p.d.Len() }
func (p *points[E]) Shift() element         { return &p.d.Shift }
func (p *points[E]) Point(z element, j int) { p.d.Point(p.f, z.(*E), j) }

// plan is a transform.
type plan[E any] struct{ t field.Transform[E] }

// Plan returns nil where the field does.
func (t *typed[E]) Plan(d domain, s field.Spec) (transform, error) {
	p, err := t.planner.Plan(d.(*points[E]).d, s)
	if p == nil {
		return nil, err
	}
	return plan[E]{p}, err
}

func (p plan[E]) Forward(ctx context.Context, dst, src elements) error {
	return p.t.Forward(ctx, of[E](dst), of[E](src))
}

func (p plan[E]) Inverse(ctx context.Context, dst, src elements) error {
	return p.t.Inverse(ctx, of[E](dst), of[E](src))
}

// convolved is a convolution and, where m is not nil, a multiplier.
type convolved[E any] struct {
	untyped
	c field.Convolution[E]
	m field.Multiplier[E]
}

func (t *typed[E]) Convolution(n int, negacyclic bool, s field.Spec) (convolution, error) {
	c, err := t.convolver.Convolution(n, negacyclic, s)
	m, _ := c.(field.Multiplier[E])
	return &convolved[E]{c, c, m}, err
}

func (p *convolved[E]) Load(v field.Vec, a elements) error  { return p.c.Load(v, of[E](a)) }
func (p *convolved[E]) Store(a elements, v field.Vec) error { return p.c.Store(of[E](a), v) }

func (p *convolved[E]) Multiplier() multiplier {
	if p.m == nil {
		return nil
	}
	return p
}

func (p *convolved[E]) Multiply(ctx context.Context, dst elements, from int, a, b elements, x, y field.Vec) error {
	return p.m.Multiply(ctx, of[E](dst), from, of[E](a), of[E](b), x, y)
}
