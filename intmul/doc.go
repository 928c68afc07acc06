// Package intmul multiplies and divides huge integers of math/big at the speed of fast Fourier transforms.
//
// # What this package computes
//
// [Mul] and [Sqr] stand where z.Mul(x, y) stood, for integers of any length and sign:
//
//	intmul.Mul(z, x, y) // z = x·y
//
// An [Arithmetic] does the same on several goroutines, within a limit of memory, and until a context ends. Short
// integers are left to math/big, so that no size is slower.
//
// # How
//
// A number is a polynomial in 2^b: its digits are cut out of its words. Two of them are multiplied modulo np primes,
// by transforms of length L modulo each, and the coefficients of the product are put together by the Chinese remainder
// theorem and added up with their carries. Coefficients are sums of at most ⌈N/b⌉ products of digits, where N is the
// length of the shorter operand, and so they are exact where
//
//	⌈N/b⌉·(2^b − 1)² < p₁·p₂·…·p_np,
//
// which is met where all digits are 2^b − 1, so that no lower bound follows from the lengths. L has room for all digits
// of the product. It is 2^k, or 3·2^k where two transforms modulo x^(2L/3) + 1 and x^(L/3) + 1 serve; np is 2 to 9, b
// follows from np and L, and the choice is the one that costs least.
//
// Where one operand is much longer it is cut into blocks, and the other is transformed once.
package intmul
