package fieldtest

import "math/rand/v2"

// Config tells the suites what a field does not tell by itself. The zero value serves most fields.
type Config[E any] struct {
	// Random sets z to a random element. The default is the field's Sampler; without one, elements are
	// built from One and Edge by Add and Mul with random bits.
	Random func(z *E, r *rand.Rand)
	// Edge lists further edge values, beside 0, 1, −1, 2, 1/2 and what the field's Codec has next to
	// limits of words: values where the arithmetic carries, folds or branches, generators of an extension.
	Edge []E
	// Seed makes random cases repeatable; 0 is a fixed default. A failure prints it.
	Seed uint64
	// RootOrders lists orders of which the field must grant roots. Beside them the suite asks for every
	// power of two and for many other orders, and takes roots and refusals as they come. Each order of a
	// root is factored by trial division.
	RootOrders []uint64
}

const defaultSeed = 20240229

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
