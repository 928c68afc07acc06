package testfields

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// Word256 is a 255-bit prime field, the scalar field of BLS12-381, with element methods and roots alone. An
// element is four little-endian words that hold x·2^256 mod q, below q: Montgomery form is its encoding in
// memory, and the canonical bytes are those of x.
type Word256 struct{ encoding[[4]uint64] }

// NewWord256 returns the field.
func NewWord256() *Word256 {
	return &Word256{encoding[[4]uint64]{
		name: "word256",
		p:    modulus256(),
		put: func(z *[4]uint64, x *big.Int) {
			wordsOfBig(z, x)
			mulMont(z, z, &mont2)
		},
		get: func(z *big.Int, x *[4]uint64) {
			var t [4]uint64
			mulMont(&t, x, &[4]uint64{1})
			bigOfWords(z, &t)
		},
	}}
}

func (f *Word256) Set(z, x *[4]uint64)        { *z = *x }
func (f *Word256) Add(z, x, y *[4]uint64)     { addWords(z, x, y) }
func (f *Word256) Sub(z, x, y *[4]uint64)     { subWords(z, x, y) }
func (f *Word256) Neg(z, x *[4]uint64)        { subWords(z, &[4]uint64{}, x) }
func (f *Word256) Mul(z, x, y *[4]uint64)     { mulMont(z, x, y) }
func (f *Word256) One(z *[4]uint64)           { *z = mont1 }
func (f *Word256) Equal(x, y *[4]uint64) bool { return *x == *y }

func (f *Word256) Inv(z, x *[4]uint64) error {
	if *x == ([4]uint64{}) {
		return fmt.Errorf("testfields: %w: 0", field.ErrNotInvertible)
	}
	invMont(z, x)
	return nil
}

// RootOfUnity sets z to a root of order n, for every n that divides q − 1.
func (f *Word256) RootOfUnity(z *[4]uint64, n uint64) error {
	w, err := rootOfUnity(f.p, n)
	if err != nil {
		return err
	}
	f.put(z, w)
	return nil
}
