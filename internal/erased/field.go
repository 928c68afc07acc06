package erased

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Methods with the name of one in packages field and fft are that one; those of a vecfile.Codec are among them.

// Coded, Drawn and Subspaces report whether the field is a field.Codec, a field.Sampler, a field.Subspaces.
func (f *Field) Coded() bool     { return f.coded }
func (f *Field) Drawn() bool     { return f.drawn }
func (f *Field) Subspaces() bool { return f.subspaces }

// Bytes is what an element takes in a slice.
func (f *Field) Bytes() int { return f.size }

// Make returns n elements, all of them 0.
func (f *Field) Make(n int) bulks.View {
	v, _ := f.slices.Make(n) // of slices there is no error
	return v
}

// Zero returns a new element.
func (f *Field) Zero() Element { return f.at(f.Make(1), 0) }

// At is element i of x.
func (f *Field) At(x bulks.View, i int) Element { return f.at(x, i) }

// Copy sets z to x, of one length, by Set, because elements may hold pointers.
func (f *Field) Copy(z, x bulks.View) { f.Move(z, x, bulks.Copy{Rows: 1, Width: x.N}) }

// Move is Copy for rows, as a bulk does it.
func (f *Field) Move(z, x bulks.View, c bulks.Copy) { f.slices.Copy(z, x, c) }

func (f *Field) Set(z, x Element)                      { _ = f.do(set, z, x, nil, 0) }
func (f *Field) Add(z, x, y Element)                   { _ = f.do(add, z, x, y, 0) }
func (f *Field) Sub(z, x, y Element)                   { _ = f.do(sub, z, x, y, 0) }
func (f *Field) Mul(z, x, y Element)                   { _ = f.do(mul, z, x, y, 0) }
func (f *Field) Inv(z, x Element) error                { return f.do(inv, z, x, nil, 0) }
func (f *Field) One(z Element)                         { _ = f.do(one, z, nil, nil, 0) }
func (f *Field) Equal(x, y Element) bool               { return f.do(equal, x, y, nil, 0) == nil }
func (f *Field) RootOfUnity(z Element, n uint64) error { return f.do(root, z, nil, nil, n) }
func (f *Field) Random(z Element, r *rand.Rand)        { f.random(z, r) }

// Pow sets z to the power n of x; z may be x.
func (f *Field) Pow(z, x Element, n uint64) {
	r := f.Zero()
	f.One(r)
	for i := bits.Len64(n) - 1; i >= 0; i-- {
		f.Mul(r, r, r)
		if n>>i&1 == 1 {
			f.Mul(r, r, x)
		}
	}
	f.Set(z, r)
}

// ShiftRoot returns the root of field.Shifter and its order, 0 where the field has no cheap shifts.
func (f *Field) ShiftRoot() (g Element, order uint64) {
	g = f.Zero()
	s, ok := f.of.(interface{ ShiftOrder() uint64 })
	if !ok {
		return g, 0
	}
	f.One(g)
	_ = f.do(shift, g, g, nil, 1)
	return g, s.ShiftOrder()
}

// Size is that of the field's Codec, and TextBase that of its text.
func (f *Field) Size() int     { return f.of.(interface{ Size() int }).Size() }
func (f *Field) TextBase() int { return field.TextBaseOf(f.of) }

func (f *Field) PutBytes(b []byte, x Element) { _, _ = f.code(putBytes, b, x) }

func (f *Field) SetBytes(z Element, b []byte) error {
	_, err := f.code(setBytes, b, z)
	return err
}

func (f *Field) SetText(z Element, s []byte) error {
	_, err := f.code(setText, s, z)
	return err
}

// AppendText is for messages too, which need no Codec.
func (f *Field) AppendText(b []byte, x Element) []byte {
	if !f.coded {
		return fmt.Append(b, value(x))
	}
	b, _ = f.code(appendText, b, x)
	return b
}

// value is the element itself.
func value(x Element) any { return reflect.ValueOf(x).Elem().Interface() }

// Key is an element for comparisons between processes: its text, or what its memory holds; nil where that are pointers.
func (f *Field) Key(x Element) any {
	switch {
	case f.coded:
		return string(f.AppendText(nil, x))
	case f.pointers:
		return nil
	}
	return value(x)
}

// Horner sets z to a + z·xⁿ, for a polynomial a of n coefficients.
func (f *Field) Horner(z Element, a bulks.View, x Element) { f.horner(z, a, x) }

// Elementwise returns the function that sets z to x + y, x − y or x·y, for the operations add, sub and mul, or, for
// shift, to x times powers of the root.
func (f *Field) Elementwise(op string, z, x, y bulks.View, powers []uint64) func() {
	if op == "shift" {
		return func() { f.shifts(z, x, powers) }
	}
	o := map[string]Row{"add": AddRow, "sub": SubRow, "mul": MulRow}[op]
	return func() { f.rows(o, z, x, y) }
}

// NewVec makes a vector of a field that has some of its own, as on a device. LoadVec and StoreVec copy to and from it.
func (f *Field) NewVec(n int) (field.Vec, error) {
	d, ok := f.of.(interface {
		NewVec(n int) (field.Vec, error)
	})
	if !ok {
		return nil, errVectors
	}
	return d.NewVec(n)
}

func (f *Field) LoadVec(v field.Vec, x bulks.View) error  { return f.move(load, v, x) }
func (f *Field) StoreVec(z bulks.View, v field.Vec) error { return f.move(store, v, z) }

// Over returns these elements with the plans and the vectors of another field of them, as one on a device.
func (f *Field) Over(other any) *Field {
	g := f.over(other)
	g.coded, g.drawn, g.code, g.random = f.coded, f.drawn, f.code, f.random
	return g
}

// Coset and Subspace are fft.WithCoset and fft.WithSubspace.
func (f *Field) Coset(shift Element) fft.Option       { return f.option(shift, bulks.View{}) }
func (f *Field) Subspace(basis bulks.View) fft.Option { return f.option(nil, basis) }

// Cyclic returns the root and the shift of a cyclic domain, and Affine the basis and the shift of an affine one: fresh
// copies.
func (f *Field) Cyclic(d *Domain) (root, shift Element) {
	return f.copied(d.root), f.copied(d.shift)
}

func (f *Field) Affine(d *Domain) (basis bulks.View, shift Element) {
	basis = f.Make(d.basis.N)
	f.Copy(basis, d.basis)
	return basis, f.copied(d.shift)
}

func (f *Field) copied(x Element) Element {
	z := f.Zero()
	f.Set(z, x)
	return z
}
