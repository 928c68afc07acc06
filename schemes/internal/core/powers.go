package core

import (
	"math/big"

	"github.com/galfft/fft/field"
)

// Powers returns w^0 … w^(n−1).
func Powers[E any](f field.Field[E], w *E, n int) []E {
	p := make([]E, n)
	for i := range p {
		if i == 0 {
			f.One(&p[0])
		} else {
			f.Mul(&p[i], &p[i-1], w)
		}
	}
	return p
}

// Pow returns w^e for e ≥ 0.
func Pow[E any](f field.Field[E], w *E, e int) (z E) {
	field.Pow(f, &z, w, big.NewInt(int64(e)))
	return z
}

// IsOne reports whether x = 1.
func IsOne[E any](f field.Field[E], x *E) bool {
	var one E
	f.One(&one)
	return f.Equal(x, &one)
}

// Int returns the n-fold sum of 1, for n ≥ 0.
func Int[E any](f field.Field[E], n int) (z E) {
	var one E
	f.One(&one)
	for i := 62; i >= 0; i-- {
		f.Add(&z, &z, &z)
		if n>>i&1 == 1 {
			f.Add(&z, &z, &one)
		}
	}
	return z
}

// Inverse returns 1/x.
func Inverse[E any](f field.Field[E], x *E) (z E, err error) {
	err = f.Inv(&z, x)
	return z, err
}

// InvertDomain returns the domain of inverse root and inverse shift.
func InvertDomain[E any](f field.Field[E], d field.Domain[E]) (i field.Domain[E], err error) {
	i.N = d.N
	if i.Root, err = Inverse(f, &d.Root); err == nil {
		i.Shift, err = Inverse(f, &d.Shift)
	}
	return i, err
}

// Revs is the bit reversal of the indices below n, a power of two.
func Revs(n int) []int32 {
	r := make([]int32, n)
	for i := 1; i < n; i++ {
		r[i] = r[i/2]/2 | int32(i&1)*int32(n/2)
	}
	return r
}
