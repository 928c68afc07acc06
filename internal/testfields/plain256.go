package testfields

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
)

// Plain256 is the prime field of [Word256] with a working form of its own, Montgomery's. An element is four
// little-endian words that hold x itself, below q.
type Plain256 struct{ encoding[[4]uint64] }

// NewPlain256 returns the field.
func NewPlain256() *Plain256 {
	return &Plain256{encoding[[4]uint64]{
		name: "plain256",
		p:    modulus256(),
		put:  wordsOfBig,
		get:  func(z *big.Int, x *[4]uint64) { bigOfWords(z, x) },
	}}
}

func (f *Plain256) Set(z, x *[4]uint64)        { *z = *x }
func (f *Plain256) Add(z, x, y *[4]uint64)     { addWords(z, x, y) }
func (f *Plain256) Sub(z, x, y *[4]uint64)     { subWords(z, x, y) }
func (f *Plain256) Neg(z, x *[4]uint64)        { subWords(z, &[4]uint64{}, x) }
func (f *Plain256) One(z *[4]uint64)           { *z = [4]uint64{1} }
func (f *Plain256) Equal(x, y *[4]uint64) bool { return *x == *y }

// Mul takes two Montgomery products, the second by 2^512, because elements are plain.
func (f *Plain256) Mul(z, x, y *[4]uint64) {
	var t [4]uint64
	mulMont(&t, x, y)
	mulMont(z, &t, &mont2)
}

func (f *Plain256) Inv(z, x *[4]uint64) error {
	if *x == ([4]uint64{}) {
		return fmt.Errorf("testfields: %w: 0", field.ErrNotInvertible)
	}
	invWords(z, x)
	return nil
}

// invWords sets z = 1/x for x ≠ 0.
func invWords(z, x *[4]uint64) {
	mulMont(z, x, &mont2)
	invMont(z, z)
	mulMont(z, z, &[4]uint64{1})
}

// RootOfUnity sets z to a root of order n, for every n that divides q − 1.
func (f *Plain256) RootOfUnity(z *[4]uint64, n uint64) error {
	w, err := rootOfUnity(f.p, n)
	if err != nil {
		return err
	}
	f.put(z, w)
	return nil
}

// Plan makes transforms on Montgomery residues.
func (f *Plain256) Plan(d field.Domain[[4]uint64], s field.Spec) (field.Transform[[4]uint64], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	return schemes.Build(f, f.Bulk(), d, s)
}

// Bulk returns the vectors of Montgomery residues, which are slices, but not those of the elements.
func (f *Plain256) Bulk() bulks.Bulk {
	return &residues{bulks.Plain[[4]uint64]{Slices: bulks.Slices[[4]uint64]{Field: NewWord256()}}}
}

type residues struct{ bulks.Plain[[4]uint64] }

func (*residues) Traits() bulks.Traits {
	return bulks.Traits{Butterfly: 30, Form: "Montgomery residues of 256 bits"}
}

func (*residues) Pack(v, a bulks.View) { times(v, a, &mont2) }

func (*residues) Unpack(a, v bulks.View) { times(a, v, &[4]uint64{1}) }

// times sets z to the Montgomery products of x and c.
func times(to, from bulks.View, c *[4]uint64) {
	z, x := bulks.SliceOf[[4]uint64](to), bulks.SliceOf[[4]uint64](from)
	for i := range z {
		mulMont(&z[i], &x[i], c)
	}
}
