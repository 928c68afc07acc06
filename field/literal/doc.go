// Package literal has prime fields as the papers ran big ones: each element points to an integer of a library, and each
// operation on elements is one or two of that library's. They are for comparison with fields whose vectors lie in one
// piece.
//
// [Big] has integers of math/big. NCW, in builds with cgo and the tag gmp, has those of GMP through the package
// github.com/ncw/gmp, with one call of C for each operation on integers.
package literal
