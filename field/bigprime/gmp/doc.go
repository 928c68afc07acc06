// Package gmp has the fields of package field/bigprime with the arithmetic of GMP, the GNU multiple precision library:
// the same elements and the same results, for comparison, and for large primes on processors without vectors of 52-bit
// products.
//
// It takes libgmp from the system (package libgmp-dev in Debian), cgo, and the build tag gmp:
//
//	CGO_ENABLED=1 go build -tags gmp ./...
//
// In any other build constructors return ErrUnavailable, and nothing needs GMP or a C compiler.
//
// Each pass over a vector is a call of C, or several where it would take more than about 100 µs, and each call is a
// loop over functions of GMP's low level (mpn). A product by a multiplier of a table is one of P. Montgomery's:
// mpn_mul_n, then a multiple of p that clears the low half, a word at a time by mpn_addmul_1. From 96 words on, and for
// products of two elements, it is mpn_mul_n and mpn_tdiv_qr.
package gmp
