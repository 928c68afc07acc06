// Package erased hides the type of a field's elements. Go compiles generic code for each type anew, and all methods of
// each generic type that it meets: here a few functions know the type, and whoever calls them is compiled once.
package erased

import (
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/memory"
)

// Element is a pointer to an element, of the type that the field has for them.
type Element = any

// Field is a field whose type of elements is hidden. Vectors are views of slices.
type Field struct {
	Plans
	slices bulks.Bulk
	size   int
	kinds
	typed
}

// kinds says what a field has.
type kinds struct {
	coded, drawn, subspaces bool
	pointers                bool // in elements
}

// typed is what knows the type of elements. One function for several operations is smaller than one for each.
type typed struct {
	at      func(x bulks.View, i int) Element
	do      func(o operation, z, x, y Element, n uint64) error
	code    func(o operation, b []byte, x Element) ([]byte, error)
	random  func(z Element, r *rand.Rand)
	horner  func(z Element, a bulks.View, x Element)
	vectors func(o operation, z, x, y bulks.View, powers []uint64) func()
	move    func(o operation, v field.Vec, x bulks.View) error // vectors of the field, as on a device
	over    func(f any) *Field
	option  func(shift Element, basis bulks.View) fft.Option
}

type operation uint8

const (
	set operation = iota
	add
	sub
	mul
	inv
	one
	equal
	root
	shift
	setBytes
	setText
	putBytes
	appendText
	load
	store
	forward
	inverse
)

// Of hides the type of the elements of f. Where f is no field, as field.Check says, only what makes plans may be
// called: it returns that error.
func Of[E any](f field.Field[E]) *Field {
	// For each method of an interface the compiler makes functions for each type. These are what is used of a Codec and
	// a Sampler, which nothing else names; the other contracts come with transforms in any case.
	codec, coded := f.(interface {
		PutBytes(b []byte, x *E)
		SetBytes(z *E, b []byte) error
		AppendText(b []byte, x *E) []byte
		SetText(z *E, s []byte) error
	})
	sampler, drawn := f.(interface{ Random(z *E, r *rand.Rand) })
	shifter, _ := f.(field.Shifter[E])
	_, subspaces := f.(field.Subspaces[E])
	t := &Field{Plans: PlansOf(f), slices: &bulks.Slices[E]{Field: f}, size: int(unsafe.Sizeof(*new(E))),
		kinds: kinds{coded, drawn, subspaces, memory.HoldsPointers[E]()}}
	t.at = func(x bulks.View, i int) Element { return &slice[E](x)[i] }
	t.do = func(o operation, z, x, y Element, n uint64) error {
		to, _ := z.(*E)
		a, _ := x.(*E)
		b, _ := y.(*E)
		switch o {
		case set:
			f.Set(to, a)
		case add:
			f.Add(to, a, b)
		case sub:
			f.Sub(to, a, b)
		case mul:
			f.Mul(to, a, b)
		case inv:
			return f.Inv(to, a)
		case one:
			f.One(to)
		case equal:
			if !f.Equal(to, a) {
				return errUnequal
			}
		case root:
			return f.(field.Rooted[E]).RootOfUnity(to, n)
		case shift:
			shifter.Shift(to, a, n)
		}
		return nil
	}
	t.code = func(o operation, b []byte, x Element) ([]byte, error) {
		switch e := x.(*E); o {
		case putBytes:
			codec.PutBytes(b, e)
		case setBytes:
			return nil, codec.SetBytes(e, b)
		case appendText:
			return codec.AppendText(b, e), nil
		case setText:
			return nil, codec.SetText(e, b)
		}
		return nil, nil
	}
	t.random = func(z Element, r *rand.Rand) { sampler.Random(z.(*E), r) }
	t.horner = func(z Element, a bulks.View, x Element) {
		v, at, by := z.(*E), slice[E](a), x.(*E)
		for i := len(at) - 1; i >= 0; i-- {
			f.Mul(v, v, by)
			f.Add(v, v, &at[i])
		}
	}
	t.vectors = func(o operation, z, x, y bulks.View, powers []uint64) func() {
		v, whole := f.(field.Vectors[E])
		to, a, b := slice[E](z), slice[E](x), slice[E](y)
		return func() {
			switch {
			case o == add && whole:
				v.AddVec(to, a, b)
			case o == sub && whole:
				v.SubVec(to, a, b)
			case o == mul && whole:
				v.MulVec(to, a, b)
			default:
				for i := range to {
					switch o {
					case add:
						f.Add(&to[i], &a[i], &b[i])
					case sub:
						f.Sub(&to[i], &a[i], &b[i])
					case mul:
						f.Mul(&to[i], &a[i], &b[i])
					case shift:
						shifter.Shift(&to[i], &a[i], powers[i])
					}
				}
			}
		}
	}
	t.move = func(o operation, v field.Vec, x bulks.View) error {
		m, ok := f.(interface { // of gpu.DeviceField, which would be compiled for each type here
			LoadVec(v field.Vec, a []E) error
			StoreVec(a []E, v field.Vec) error
		})
		switch {
		case !ok:
			return errVectors
		case o == load:
			return m.LoadVec(v, slice[E](x))
		}
		return m.StoreVec(slice[E](x), v)
	}
	t.over = func(f any) *Field { return Of(f.(field.Field[E])) }
	t.option = func(shift Element, basis bulks.View) fft.Option {
		if shift != nil {
			return fft.WithCoset(*shift.(*E))
		}
		return fft.WithSubspace(slice[E](basis)...)
	}
	return t
}

// slice is a call of its own: a copy of SliceOf in each function is most of their code.
//
//go:noinline
func slice[E any](v bulks.View) []E { return bulks.SliceOf[E](v) }

var (
	errUnequal = fmt.Errorf("erased: elements are not equal")
	errVectors = fmt.Errorf("erased: %w: the field has no vectors of its own", field.ErrSpec)
)
