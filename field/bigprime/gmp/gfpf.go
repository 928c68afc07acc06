package gmp

import "github.com/galfft/fft/field/gfpf"

// GFPF returns f with products by GMP: each is a Kronecker substitution, with a product of integers of 3k words by
// mpn_mul_n. Sums, shifts and results are those of f. It is for comparison, as products of package gfpf take less time:
// see docs/gfpf.md. The error is that of f's Check, or ErrUnavailable in a build without GMP.
func GFPF[E gfpf.Digits](f *gfpf.Field[E]) (*gfpf.Field[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	mul, err := integers()
	if err != nil {
		return nil, err
	}
	return f.Kronecker(Prefix+f.Name(), mul)
}
