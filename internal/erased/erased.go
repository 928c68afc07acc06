// Package erased hides the type of a field's elements. Go compiles generic code for each type anew, and all methods of
// each generic type that it meets: here a few functions know the type, and whoever calls them is compiled once.
package erased

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/pointer"
)

// Element is a pointer to an element, of the type that the field has for them.
type Element = any

// Field is a field whose type of elements is hidden. Vectors are views of slices.
type Field struct {
	Plans
	slices bulks.Bulk
	rows   func(o Row, z, x, y bulks.View)
	size   int
	kinds
	computed
	move   func(o operation, v field.Vec, x bulks.View) error // vectors of the field, as on a device
	over   func(f any) *Field
	option func(shift Element, basis bulks.View) fft.Option
}

// kinds says what a field has.
type kinds struct {
	coded, drawn, subspaces bool
	pointers                bool // in elements
}

// computed is what computes by methods of elements.
type computed struct {
	at     func(x bulks.View, i int) Element
	do     func(o operation, z, x, y Element, n uint64) error
	code   func(o operation, b []byte, x Element) ([]byte, error)
	random func(z Element, r *rand.Rand)
	horner func(z Element, a bulks.View, x Element)
	shifts func(z, x bulks.View, powers []uint64)
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
	_, subspaces := f.(interface{ Subspace(b []E) error })
	t := &Field{Plans: PlansOf(f), slices: bulks.NewSlices(f, false), rows: RowsOf(f), over: over[E], option: option[E]}
	computing(t, f, pointer.Of[E]())
	t.subspaces = subspaces
	t.move = func(o operation, v field.Vec, x bulks.View) error {
		m, ok := f.(interface { // of gpu.DeviceField, which would be compiled for each type here
			LoadVec(v field.Vec, a []E) error
			StoreVec(a []E, v field.Vec) error
		})
		switch {
		case !ok:
			return errVectors
		case o == load:
			return m.LoadVec(v, bulks.SliceOf[E](x))
		}
		return m.StoreVec(bulks.SliceOf[E](x), v)
	}
	return t
}

func over[E any](f any) *Field { return Of(f.(field.Field[E])) }

func option[E any](shift Element, basis bulks.View) fft.Option {
	if shift != nil {
		return fft.WithCoset(*shift.(*E))
	}
	return fft.WithSubspace(bulks.SliceOf[E](basis)...)
}

// computing sets what computes by the methods of f, whose elements P points to.
func computing[P any](z *Field, f pointer.Field[P], t pointer.Type[P]) {
	// For each method of an interface the compiler makes functions for each type. These are what is used of a Codec and
	// a Sampler, which nothing else names; the other contracts come with transforms in any case.
	codec, coded := f.(interface {
		PutBytes(b []byte, x P)
		SetBytes(z P, b []byte) error
		AppendText(b []byte, x P) []byte
		SetText(z P, s []byte) error
	})
	sampler, drawn := f.(interface{ Random(z P, r *rand.Rand) })
	shifter, _ := f.(pointer.Shifter[P])
	at := func(x bulks.View, i int) P { return pointer.At(x.Buf.(P), (x.Off+i)*t.Size) }
	z.size, z.kinds = t.Size, kinds{coded: coded, drawn: drawn, pointers: !t.Plain}
	z.at = func(x bulks.View, i int) Element { return at(x.Slice(i, i+1), 0) }
	z.do = func(o operation, z, x, y Element, n uint64) error {
		to, _ := z.(P)
		a, _ := x.(P)
		b, _ := y.(P)
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
			return f.(interface{ RootOfUnity(z P, n uint64) error }).RootOfUnity(to, n)
		case shift:
			shifter.Shift(to, a, n)
		}
		return nil
	}
	z.code = func(o operation, b []byte, x Element) ([]byte, error) {
		switch e := x.(P); o {
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
	z.random = func(z Element, r *rand.Rand) { sampler.Random(z.(P), r) }
	z.horner = func(z Element, a bulks.View, x Element) {
		v, by := z.(P), x.(P)
		for i := a.N - 1; i >= 0; i-- {
			f.Mul(v, v, by)
			f.Add(v, v, at(a, i))
		}
	}
	z.shifts = func(z, x bulks.View, powers []uint64) {
		x = x.Slice(0, z.N)
		for i := range z.N {
			shifter.Shift(at(z, i), at(x, i), powers[i])
		}
	}
}

var (
	errUnequal = fmt.Errorf("erased: elements are not equal")
	errVectors = fmt.Errorf("erased: %w: the field has no vectors of its own", field.ErrSpec)
)
