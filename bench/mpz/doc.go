// Package mpz is the four-step transform of the thesis as its C program has it, with merged loops and the operations of
// its figure 7.4 on integers of GMP, for comparison with the fields of this library in one process:
//
//	go test -C bench -tags gmp ./mpz -bench .
//
// It takes cgo, libgmp, and the build tag gmp; without them it is empty.
package mpz
