// Package residues multiplies through several primes. It chooses primes of a word for a bound, converts between numbers
// and their residues modulo each, and transforms residues. Numbers come in packed, as math/big has them, or as digits
// cut out of a stream of bits; they go out modulo another number, as integers, or added up with their carries. Package
// crt stands on it, and products over fields of primes do. Residues modulo prime i are a row of their own, one word for
// each number.
package residues
