// Package binary has the fields GF(2^m) for all m from 2 to 2048, chosen at run time.
//
// An element is m bits: an integer below 2^m, in one word of 8 to 64 bits or in an array of words, the lowest first.
// Addition is XOR. In a polynomial basis bit i is the coefficient of x^i, and products are taken modulo an irreducible
// polynomial of degree m over GF(2), which itself is written as an integer of m + 1 bits. In a tower of quadratic
// extensions, for m = 8, 16, …, 128, the low half of an element is in the field below, and the high half is the factor
// of the generator. In all of them 1 is the integer 1. [NewIsomorphism] goes from one basis to another.
//
// Text of elements is hexadecimal, the highest bit first. Bytes are little-endian.
//
// Odd lengths that divide 2^m − 1 have roots of unity. Lengths 2^k, up to 2^m, have subspaces: [Field.Subspace] gives
// the first vectors of the field's own basis, for field.Affine.
//
// The basis of subspaces is that of D. Cantor, [On arithmetical algorithms over finite fields], J. Combin. Theory A 50
// (1989); the tower that of D. Wiedemann, [An iterated quadratic extension of GF(2)], Fibonacci Quart. 26 (1988).
//
// [On arithmetical algorithms over finite fields]: https://doi.org/10.1016/0097-3165(89)90020-4
// [An iterated quadratic extension of GF(2)]: https://www.fq.math.ca/Scanned/26-4/wiedemann.pdf
package binary
