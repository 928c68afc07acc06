package literal

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// Field is Z/p for a prime p = K·2^N + 1, by the double-width products and divisions of the paper. Elements are below
// p. Its zero value, and one whose P is no such prime, are nobody's field: results are then without meaning.
type Field[W Word] struct {
	P, K W
	N    uint
	G    W // of order 2^N
}

// PrimeField32 is that of p = 3·2^30 + 1, with digits of 15 bits.
func PrimeField32() Field[uint32] { return Field[uint32]{3<<30 + 1, 3, 30, 13} }

// PrimeField64 is that of p = 29·2^57 + 1, with digits of 31 bits.
func PrimeField64() Field[uint64] { return Field[uint64]{29<<57 + 1, 29, 57, 21} }

// Norm is x mod p; the zero Field has 0.
func (f Field[W]) Norm(x W) W {
	if f.P == 0 {
		return 0
	}
	return x % f.P
}

// Add is a + b.
func (f Field[W]) Add(a, b W) W {
	if s := a + b; s >= a && s < f.P {
		return s
	}
	return a + b - f.P
}

// Sub is a − b.
func (f Field[W]) Sub(a, b W) W {
	if a >= b {
		return a - b
	}
	return a - b + f.P
}

// Neg is −a.
func (f Field[W]) Neg(a W) W { return f.Sub(0, a) }

// Mul is a·b; the zero Field has 0.
func (f Field[W]) Mul(a, b W) W {
	if f.P == 0 {
		return 0
	}
	high, low := product(a, b)
	if wordBits[W]() == 32 {
		return W((uint64(high)<<32 | uint64(low)) % uint64(f.P))
	}
	return W(bits.Rem64(uint64(high), uint64(low), uint64(f.P)))
}

// Pow is a^e, 1 for e = 0.
func (f Field[W]) Pow(a W, e uint64) W {
	r := f.Norm(1)
	for ; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = f.Mul(r, a)
		}
		a = f.Mul(a, a)
	}
	return r
}

// Inv is 1/a, by Euclid's algorithm; where there is none it is field.ErrNotInvertible.
func (f Field[W]) Inv(a W) (W, error) {
	x, y := f.P, a
	var s, t W = 0, f.Norm(1) // s·a = x and t·a = y modulo p
	for y != 0 {
		q := x / y
		x, y = y, x%y
		s, t = t, f.Sub(s, f.Mul(f.Norm(q), t))
	}
	if x != 1 {
		return 0, fmt.Errorf("literal: %w: %d modulo %d", field.ErrNotInvertible, a, f.P)
	}
	return s, nil
}

// Div is a/b; where there is none it is field.ErrNotInvertible.
func (f Field[W]) Div(a, b W) (W, error) {
	r, err := f.Inv(b)
	return f.Mul(a, r), err
}

// FindPrimes lists the fields of the first primes K·2^n + 1 with odd K that fit in a word, each with its least G, at
// most as many as are wanted. n is from 1 on and below the bits of a word, or there are none.
func FindPrimes[W Word](n uint, most int) (list []Field[W]) {
	if n == 0 || n >= uint(wordBits[W]()) {
		return nil
	}
	for k := W(1); k <= ^W(0)>>n && len(list) < most; k += 2 {
		f := Field[W]{P: k<<n + 1, K: k, N: n, G: 2}
		if !new(big.Int).SetUint64(uint64(f.P)).ProbablyPrime(0) {
			continue
		}
		for f.Pow(f.G, 1<<(n-1)) != f.P-1 {
			f.G++
		}
		list = append(list, f)
	}
	return list
}

// Roots is the powers of a root of unity of order m, and of its inverse, with 1/m. m is a power of two of at most 2^N,
// or the error is field.ErrNoRoot; tables that cannot fit are
// field.ErrMemory.
func (f Field[W]) Roots(m int) (powers, inverses []W, inverse W, err error) {
	log := bits.Len(uint(m)) - 1
	if m < 1 || m&(m-1) != 0 || uint(log) > f.N {
		return nil, nil, 0, fmt.Errorf("literal: %w: order %d, want a power of two up to 2^%d", field.ErrNoRoot, m, f.N)
	}
	if m > memory.Limit()/(2*wordBits[W]()/8) {
		return nil, nil, 0, fmt.Errorf("literal: %w: tables of %d roots", field.ErrMemory, m)
	}
	w := f.Pow(f.G, uint64(1)<<(f.N-uint(log)))
	back, err := f.Inv(w)
	if err != nil {
		return nil, nil, 0, err
	}
	if inverse, err = f.Inv(f.Norm(W(m))); err != nil {
		return nil, nil, 0, err
	}
	powers, inverses = make([]W, m), make([]W, m)
	var x, y W = 1, 1
	for i := range m {
		powers[i], inverses[i] = x, y
		x, y = f.Mul(x, w), f.Mul(y, back)
	}
	return powers, inverses, inverse, nil
}
