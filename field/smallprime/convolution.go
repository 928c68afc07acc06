package smallprime

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/residues"
)

// Convolution prepares products modulo x^n − 1 or x^n + 1 for every power of two n, whatever roots of unity f has:
// modulo primes of a word whose product is above the coefficients of the product over the integers, the absolute values
// of which are at most n·(p−1)², and from these by the Chinese remainder theorem modulo p.
//
// Of the parameters, Order, Batch, Progress and NoPlanner have no effect. With several workers, tasks are parts of a
// transform where it is long, and primes elsewhere.
func (f *Field64) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[uint64], error) {
	return convolution(&f.prime, residues.Form[uint64]{}, n, negacyclic, s)
}

// Convolution is that of [Field64].
func (f *Field32) Convolution(n int, negacyclic bool, s field.Spec) (field.Convolution[uint32], error) {
	form := residues.Form[uint32]{Pack: moveWords[uint64, uint32], Unpack: moveWords[uint32, uint64]}
	return convolution(&f.prime, form, n, negacyclic, s)
}

// convolution is no method of prime, which is compiled with all its methods wherever a field is used.
func convolution[W word](f *prime[W], form residues.Form[W], n int, negacyclic bool, s field.Spec) (
	field.Convolution[W], error) {
	if f.m.p == 0 {
		return nil, f.unfit()
	}
	form.P, form.Words, form.Elements, form.Invalid = f.Order(), 1, 1, f.FirstInvalid
	c, err := residues.NewPacked(form, n, negacyclic, s, helperField)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ConvolutionCost is 3 for every n: 2 to 5 by BenchmarkThrough of package poly.
func (f *prime[W]) ConvolutionCost(int) float64 { return 3 }

// helperField is the field of a prime for products.
func helperField(q uint64) (residues.Field, error) { return newField64(q), nil }

// moveWords sets z to x, whose words fit.
func moveWords[Z, X word](z []Z, x []X) {
	x = x[:len(z)]
	for i := range z {
		z[i] = Z(x[i])
	}
}
