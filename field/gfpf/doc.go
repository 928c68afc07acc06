// Package gfpf has the generalized Fermat prime fields Z/(r^k + 1), where products by powers of r are moves.
//
// An element is an array of k = 2, 4, …, 128 digits in radix r < 2^64, digit 0 first, and one body of code serves
// all of them. [Any] has slices of digits for arrays, for a k that is known at run time alone. As r^k = −1, r is a root
// of unity of order 2k: a transform of K = 2k points takes additions and shifts of digits alone (M. Fürer, "Faster
// integer multiplication", STOC 2007; S. Covanov and E. Thomé, "Fast integer multiplication using generalized Fermat
// primes", Math. Comp. 88 (2019); D. Mohajerani, "Fast Fourier Transforms over Prime Fields of Large Characteristic",
// MSc thesis, University of Western Ontario, 2016).
//
// # Representation
//
// The element Σ xᵢ·rⁱ has digits 0 ≤ xᵢ < r, in one way. The element −1 = r^k alone has none such: its digits are
// 0 but for the last, which is r. Every operation takes elements in this form and leaves it.
//
// # Which prime
//
// The order of transforms is limited by the 2-adicity of p − 1 = r^k, k times that of r. Radices 2^w ± 2^u are
// sparse; there is no other gain from them here than a large 2-adicity u·k, since quotients by r are taken by the
// divider of the processor, or in kernels by reciprocals.
package gfpf
