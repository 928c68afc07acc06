package smallprime

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// word is an element.
type word interface{ uint32 | uint64 }

// prime is what the two fields share: all but the arithmetic of elements.
type prime[W word] struct {
	m    modulus
	name string
	v    elements[W]
}

func newPrime[W word](p uint64) prime[W] { return prime[W]{m: newModulus(p), name: nameOf(p)} }

// checkPrime returns an ErrModulus where p is not an odd prime.
func checkPrime(p uint64) error {
	what := ""
	switch {
	case p < 2:
		what = "not a prime"
	case p%2 == 0:
		what = "even"
	case !factor.IsPrime(p):
		what = "composite"
	default:
		return nil
	}
	return fmt.Errorf("fft: %w: %d is %s, want an odd prime", field.ErrModulus, p, what)
}

// check is an ErrSpec for the zero field, which has no modulus, and where an element is nil.
func (f *prime[W]) check(z, x *W) error {
	if f.m.p != 0 && z != nil && x != nil {
		return nil
	}
	return f.unfit()
}

func (f *prime[W]) unfit() error {
	if f.m.p == 0 {
		return fmt.Errorf("fft: %w: the zero value of a field, want one that a constructor made", field.ErrSpec)
	}
	return fmt.Errorf("fft: %w: the element is nil", field.ErrSpec)
}

// nameOf returns the name of the field of p.
func nameOf(p uint64) string {
	for _, q := range Presets() {
		if q.Modulus == p {
			return q.Name
		}
	}
	return fmt.Sprintf("prime:%d", p)
}

// Modulus returns p.
func (f *prime[W]) Modulus() W { return W(f.m.p) }

// Name returns the name of the preset with this modulus, or "prime:" with the decimal modulus.
func (f *prime[W]) Name() string { return f.name }

// Characteristic returns p.
func (f *prime[W]) Characteristic() *big.Int { return new(big.Int).SetUint64(f.m.p) }

// Order returns p.
func (f *prime[W]) Order() *big.Int { return f.Characteristic() }

// FirstInvalid returns the least i for which x[i] ≥ p, and −1 where there is none.
func (f *prime[W]) FirstInvalid(x []W) int { return f.v.above(x, W(f.m.p-1)) }

// Random sets z to a uniform element. It panics where r is nil.
func (f *prime[W]) Random(z *W, r *rand.Rand) { *z = W(r.Uint64N(f.m.p)) }

// RootOfUnity sets z to the root of unity of order n that the package documents, in time of a few
// exponentiations and the factoring of n.
func (f *prime[W]) RootOfUnity(z *W, n uint64) error {
	if err := f.check(z, z); err != nil {
		return err
	}
	r, err := f.m.root(n)
	if err == nil {
		*z = W(r)
	}
	return err
}
