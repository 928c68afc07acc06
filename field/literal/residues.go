package literal

import (
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// Residues is a field of which literal ones take roots and encoding. Those of this module's packages are.
type Residues[E any] interface {
	field.Rooted[E]
	field.Info
	field.Codec[E]
	field.Sampler[E]
}

// residues is Residues without its type of elements.
type residues interface {
	Characteristic() *big.Int
	size() int
	root(n uint64) (*big.Int, error)
	random(r *rand.Rand) *big.Int
	bytes(b []byte) (*big.Int, error)
	text(s []byte) (*big.Int, error)
	number(x *big.Int) (*big.Int, error)
}

type typed[E any] struct{ Residues[E] }

func (t typed[E]) size() int { return t.Size() }

func (t typed[E]) root(n uint64) (*big.Int, error) {
	return t.element(func(z *E) error { return t.RootOfUnity(z, n) })
}

func (t typed[E]) random(r *rand.Rand) *big.Int {
	var z E
	t.Random(&z, r)
	return t.Big(nil, &z)
}

func (t typed[E]) bytes(b []byte) (*big.Int, error) {
	return t.element(func(z *E) error { return t.SetBytes(z, b) })
}

func (t typed[E]) text(s []byte) (*big.Int, error) {
	return t.element(func(z *E) error { return t.SetText(z, s) })
}

func (t typed[E]) number(x *big.Int) (*big.Int, error) {
	return t.element(func(z *E) error { return t.SetBig(z, x) })
}

// element returns the element that set sets.
func (t typed[E]) element(set func(z *E) error) (*big.Int, error) {
	var z E
	if err := set(&z); err != nil {
		return nil, err
	}
	return t.Big(nil, &z), nil
}
