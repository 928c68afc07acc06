// Package midint computes with batches of midsize integers: N unsigned integers of n bits each, for any n that is a
// multiple of 32.
//
// # What this package computes
//
// An [Engine] takes batches of one size to another batch, integer by integer:
//
//	Add      z = x + y mod 2ⁿ          MulLow   z = x·y mod 2ⁿ
//	Sub      z = x − y mod 2ⁿ          MulWide  z = x·y, of 2n bits
//	Neg      z = −x mod 2ⁿ             Sqr      z = x², of n bits mod 2ⁿ, or of 2n
//	SixAdd   z = 6x + 10y mod 2ⁿ       Convert  z = x, of other bits
//	Cmp      −1, 0 or 1, unsigned      MulMod   z = x·y mod m, for odd m
//	                                   Exp      z = x^y mod m
//
// A [Program] is a whole expression in one pass, which [Engine.Compile] makes. Nothing fails to fit but where a width
// is asked: Convert, SetInts and programs with a width of their own say so.
//
// # Layout
//
// A [Batch] is one slice of words of 32 bits, the lowest of an integer first, and the words of one integer side by
// side: word j of integer i is Words()[i·n/32 + j], with the value 2^(32·j).
//
// # How
//
// On the processor sums go by words of 64 bits. Products go by tiles of eight integers where package kernels/batch has
// kernels for them; elsewhere those of few words are by all their products. Longer ones are
// those of math/big, which takes Karatsuba's algorithm from 40 words on. SixAdd is six sums, each with carries of its
// own, as in arXiv:2405.14642: t = 2(x + y) + y, and 2t + t + y. Package literal has that paper's kernels as they are
// printed.
package midint
