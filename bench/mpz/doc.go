// Package mpz is the three schemes of the thesis as its C program has them, split by 2, with the operations of its
// figure 7.4 on integers of GMP, for comparison with the fields of this library in one process:
//
//	go test -C bench -tags gmp ./mpz -bench .
//
// It takes cgo, libgmp, and the build tag gmp; without them it is empty.
package mpz
