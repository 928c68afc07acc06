package smallprime

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	kernels "github.com/galfft/fft/kernels/word"
	"github.com/galfft/fft/schemes"
)

// MontgomeryPrefix stands before the name of a prime in that of its MontgomeryField.
const MontgomeryPrefix = "mont:"

// MontgomeryField is the Field64 of a prime whose transforms work in Montgomery's form: elements are canonical residues
// x, as in any Field64, and working vectors have x·2^64 mod p. So a product of two vectors is one of Montgomery's, and
// a transform begins and ends with one for each element. It is there for comparison: results are those of the Field64,
// in more time. Nil and the zero MontgomeryField are no fields, as those of Field64.
type MontgomeryField struct{ Field64 }

// Montgomery returns the field of p with transforms in Montgomery's form. It fails with field.ErrModulus where p is not
// an odd prime.
func Montgomery(p uint64) (*MontgomeryField, error) {
	if err := checkPrime(p); err != nil {
		return nil, err
	}
	f := &MontgomeryField{*newField64(p)}
	f.name = MontgomeryPrefix + f.name
	return f, nil
}

// Check is a field.ErrSpec for nil and the zero MontgomeryField.
func (f *MontgomeryField) Check() error {
	if f == nil {
		return (*Field64)(nil).Check()
	}
	return f.Field64.Check()
}

// Plan makes the transform over d as s asks, on vectors in Montgomery's form.
func (f *MontgomeryField) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	return schemes.Build(f, f.bulk(), d, s)
}

// bulk returns the arithmetic for the modulus of f, with kernels for the active tier, and what schemes refuse for a
// field that is none.
func (f *MontgomeryField) bulk() bulks.Bulk {
	if f.Check() != nil {
		return &bulks.Slices[uint64]{Field: f}
	}
	return newMontgomeryBulk(&f.Field64)
}

// montgomeryBulk has vectors of x·2^64 mod p. Passes are linear, and all values canonical, so that passes, moves and
// reductions are those of mont64, which has them for every p.
type montgomeryBulk struct {
	bulks.Bulk
	ways bulks.Table // multipliers 2^64 and 2^−64, which have the forms 2^128 mod p and 1
}

func newMontgomeryBulk(f *Field64) *montgomeryBulk {
	const what form = "uint64, p < 2^64: Montgomery's form, values in [0, p)"
	m := newMont64(f.m.p)
	scalar := &mont64Bulk{bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: f}}, what, m, f.m}
	one, companion := m.pair(1)
	b, _ := vectors(&montgomeryWords{*scalar, one}, f.m.p, 6, kernels.Montgomery64())
	if v, ok := b.(*vectorBulk[uint64]); ok { // a product takes one factor 2^64 less
		v.m[3], v.m[4] = one, companion
	}
	square, _ := m.pair(one)
	ways, _ := b.Table(bulks.ViewOf([]uint64{square, 1}), bulks.Alone) // it has no errors
	return &montgomeryBulk{b, ways}
}

// Traits are those of words, of which slices of elements are no vectors, and columns beside each other no rows.
func (f *montgomeryBulk) Traits() bulks.Traits {
	t := f.Bulk.Traits()
	t.InPlace, t.Rows = false, 0
	return t
}

func (f *montgomeryBulk) Pack(v, a bulks.View) { f.times(v, a, 0) }

func (f *montgomeryBulk) Unpack(a, v bulks.View) { f.times(a, v, 1) }

// times sets to to the products of from and multiplier i.
func (f *montgomeryBulk) times(to, from bulks.View, i int) {
	const part = 1 << 10 // words that stay in the first-level cache between the copy and the products
	z, x := bulks.SliceOf[uint64](to), bulks.SliceOf[uint64](from)
	for at := 0; at < from.N; at += part {
		n := min(part, from.N-at)
		copy(z[at:at+n], x[at:at+n])
		f.ways.Scale(to.Slice(at, at+n), i, 1, n, n)
	}
}

// montgomeryWords is mont64Bulk for vectors in Montgomery's form.
type montgomeryWords struct {
	mont64Bulk
	one uint64 // 2^64 mod p
}

// Table keeps multipliers in the form that they come in, which is that of mont64.
func (f *montgomeryWords) Table(w bulks.View, share bulks.Share) (bulks.Table, error) {
	t := &mont64Table{f.m, newPairs[uint64](w.N)}
	share(w.N, func(from, to int) {
		v := bulks.SliceOf[uint64](w.Slice(from, to))
		for i, x := range v {
			t.w[from+i], t.q[from+i] = x, x*f.m.i
		}
		if from == 0 && len(v) > 0 {
			t.one = v[0] == f.one
		}
	})
	return t, nil
}

func (f *montgomeryWords) VecMul(to, by, other bulks.View) {
	m := f.m
	z, x, y := bulks.SliceOf[uint64](to), bulks.SliceOf[uint64](by), bulks.SliceOf[uint64](other)
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		w := y[i]
		z[i] = m.mul(x[i], w, w*m.i)
	}
}
