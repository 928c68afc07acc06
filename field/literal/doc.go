// Package literal has fields as the papers print them, for comparison.
//
// Prime fields are as the papers ran big ones: each element points to an integer of a library, and each operation on
// elements is one or two of that library's, where vectors of packages bigprime and gfpf lie in one piece.
// [Big] has integers of math/big. NCW, in builds with cgo and the tag gmp, has those of GMP through the package
// github.com/ncw/gmp, with one call of C for each operation on integers.
//
// [Gapped] has products modulo polynomials with a gap, over any prime: extension fields as a thesis on binary ones
// multiplies in them.
package literal
