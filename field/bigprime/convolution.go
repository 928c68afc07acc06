package bigprime

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/residues"
)

// Convolution prepares products modulo x^n − 1 or x^n + 1 for every power of two n, whatever roots of unity f has:
// modulo primes of a word whose product is above the coefficients of the product over the integers, the absolute values
// of which are at most n·(p−1)², and from these by the Chinese remainder theorem modulo p. The primes have 50 bits
// where these have kernels, and 62 elsewhere.
//
// Of the parameters, Order, Batch, Progress and NoPlanner have no effect. With several workers, tasks are parts of a
// transform where it is long, and primes elsewhere.
func (f *Field[E]) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	form := residues.Form[E]{P: f.prime.n, Words: f.prime.w, Elements: 1, Packed: packed[E], Invalid: f.FirstInvalid}
	c, err := residues.NewPacked(form, n, negacyclic, s, helperField)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Convolution is that of [Field].
func (f *Any) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[Number], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	w := f.prime.w
	c, err := residues.NewPacked(residues.Form[Number]{P: f.prime.n, Words: w, Elements: 1, Invalid: f.FirstInvalid,
		Pack: func(words []uint64, a []Number) {
			for i := range a {
				copy(words[i*w:], f.of(&a[i]))
			}
		},
		Unpack: func(a []Number, words []uint64) {
			for i := range a {
				copy(f.room(&a[i]), words[i*w:])
			}
		},
	}, n, negacyclic, s, helperField)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// helperField is the field of a prime for products.
func helperField(q uint64) (residues.Field, error) { return smallprime.New64(q) }
