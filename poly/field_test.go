package poly_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

// word is Z/p for a prime p below 2^32, by element methods alone. Its roots are powers of g, which has order
// 2^adicity.
type word struct {
	p, g    uint64
	adicity int
}

var (
	p17  = word{17, 3, 4}
	p97  = word{97, 19, 5}
	p257 = word{257, 3, 8}
	p998 = word{998244353, 15311432, 23}
)

func (f word) Set(z, x *uint64)        { *z = *x }
func (f word) Add(z, x, y *uint64)     { *z = (*x + *y) % f.p }
func (f word) Sub(z, x, y *uint64)     { *z = (*x + f.p - *y) % f.p }
func (f word) Neg(z, x *uint64)        { *z = (f.p - *x) % f.p }
func (f word) Mul(z, x, y *uint64)     { *z = *x * *y % f.p }
func (f word) One(z *uint64)           { *z = 1 }
func (f word) Equal(x, y *uint64) bool { return *x == *y }

func (f word) Inv(z, x *uint64) error {
	if *x == 0 {
		return field.ErrNotInvertible
	}
	field.PowUint(f, z, x, f.p-2)
	return nil
}

func (f word) RootOfUnity(z *uint64, n uint64) error {
	if n == 0 || 1<<f.adicity%n != 0 {
		return fmt.Errorf("word: %w: order %d", field.ErrNoRoot, n)
	}
	g := f.g
	field.PowUint(f, z, &g, 1<<f.adicity/n)
	return nil
}

func (f word) Random(z *uint64, r *rand.Rand) { *z = r.Uint64N(f.p) }

// rootlessPrimes are primes p for which p − 1 has few factors 2, and one, 12289, with 12 of them.
var rootlessPrimes = []uint64{3, 7, 12289, 1000000007, 1<<50 - 27, 1<<61 - 1, 1<<63 - 25, 18446744073709551557}

func prime64(p uint64) *smallprime.Field64 {
	f, err := smallprime.New64(p)
	if err != nil {
		panic(err)
	}
	return f
}

// rootless hides the roots of a field.
type rootless[E any] struct{ field.Field[E] }

func (f rootless[E]) Random(z *E, r *rand.Rand) { f.Field.(field.Sampler[E]).Random(z, r) }

func bigField() *testfields.BigInt {
	f, err := testfields.NewBigInt(big.NewInt(97))
	if err != nil {
		panic(err)
	}
	return f
}

// rng is seeded by numbers that say which case it is.
func rng(seed ...int) *rand.Rand {
	s := uint64(1)
	for _, x := range seed {
		s = s*1_000_003 + uint64(x)
	}
	return rand.New(rand.NewPCG(s, 2))
}

// random returns n random elements.
func random[E any](f field.Field[E], r *rand.Rand, n int) []E {
	a := make([]E, n)
	for i := range a {
		f.(field.Sampler[E]).Random(&a[i], r)
	}
	return a
}

// clone copies a deeply.
func clone[E any](f field.Field[E], a []E) []E {
	c := make([]E, len(a))
	for i := range a {
		f.Set(&c[i], &a[i])
	}
	return c
}

// equal reports whether a = b element by element.
func equal[E any](f field.Field[E], a, b []E) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !f.Equal(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// naive is a·b by the definition.
func naive[E any](f field.Field[E], a, b []E) []E {
	if len(a) == 0 || len(b) == 0 {
		return []E{}
	}
	c := make([]E, len(a)+len(b)-1)
	var t E
	for i := range a {
		for j := range b {
			f.Mul(&t, &a[i], &b[j])
			f.Add(&c[i+j], &c[i+j], &t)
		}
	}
	return c
}

// modulo is c modulo x^n − 1, or x^n + 1 where minus, by the definition.
func modulo[E any](f field.Field[E], c []E, n int, minus bool) []E {
	m := make([]E, n)
	for i := range c {
		if minus && i/n%2 == 1 {
			f.Sub(&m[i%n], &m[i%n], &c[i])
		} else {
			f.Add(&m[i%n], &m[i%n], &c[i])
		}
	}
	return m
}

// must is for rings that cannot fail.
func must[E any](r *poly.Ring[E], err error) *poly.Ring[E] {
	if err != nil {
		panic(err)
	}
	return r
}
