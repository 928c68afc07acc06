// Between elements of a prime field of one word and residues modulo one to three primes q₀, q₁, q₂ of 62 bits, for
// products of polynomials over the integers: see gpu/convolution.go. A thread takes an element. Residues are canonical,
// in planes of n words, one for each prime. Products are Montgomery's: of a prime m there is inverse = m⁻¹ mod 2^64, and
// constants are multiplied by 2^64 modulo m.
//
//	spread<bits>    residues, n, x, count, u32 primes, then q, inverse, 1 of each prime
//	    The residues of x for the first count of n elements, and zeros behind them.
//	join<bits>      x, residues, n, count, u32 primes, q₀, then q, inverse of q₁ and of q₂, 1/q₀ mod q₁, 1/q₀ mod q₂,
//	                1/q₁ mod q₂, then p, inverse, and 1, q₀, q₀q₁ and the product Q of all primes mod p
//	    The integers with these residues, of absolute values below Q/4, modulo p, for the first count of n. Their digits
//	    in mixed radix are v₀ + v₁·q₀ + v₂·q₀q₁ (H. L. Garner, 1959), and the last digit tells which are negative.
#include "word.cuh"

// times is xc for c that was multiplied by 2^64 modulo m, canonical; x is any word.
DEVICE u64 times(u64 x, u64 c, u64 m, u64 inverse) { return Modulus<u64>{m, inverse, 0}.reduced(x, c); }

// digit is (r − v)c mod q, for canonical r and a v below 2q.
DEVICE u64 digit(u64 r, u64 v, u64 c, u64 q, u64 inverse) {
	return times(Modulus<u64>{q, inverse, 0}.sub(r, min(v, v - q)), c, q, inverse);
}

template <class W>
DEVICE void spread(u64 *residues, u64 n, const W *x, u64 count, u32 primes, const u64 (&q)[3], const u64 (&inverse)[3],
                   const u64 (&one)[3]) {
	u64 i = index();
	if (i >= n)
		return;
	u64 v = i < count ? x[i] : 0;
#pragma unroll
	for (u32 j = 0; j < 3; j++)
		if (j < primes)
			residues[j * n + i] = times(v, one[j], q[j], inverse[j]);
}

#define RESIDUES(bits, Word)                                                                                           \
	KERNEL(256)                                                                                                        \
	void spread##bits(u64 *residues, u64 n, const Word *x, u64 count, u32 primes, u64 q0, u64 inverse0, u64 one0,      \
	                  u64 q1, u64 inverse1, u64 one1, u64 q2, u64 inverse2, u64 one2) {                                \
		spread<Word>(residues, n, x, count, primes, {q0, q1, q2}, {inverse0, inverse1, inverse2}, {one0, one1, one2}); \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void join##bits(Word *x, const u64 *residues, u64 n, u64 count, u32 primes, u64 q0, u64 q1,                        \
	                u64 inverse1, u64 q2, u64 inverse2, u64 c01, u64 c02, u64 c12, u64 p, u64 inverse, u64 one,        \
	                u64 first, u64 second, u64 all) {                                                                  \
		u64 i = index();                                                                                               \
		if (i >= count)                                                                                                \
			return;                                                                                                    \
		const Modulus<u64> m{p, inverse, 0};                                                                           \
		u64 v = residues[i], last = v, q = q0, z = m.reduced(v, one);                                                  \
		if (primes > 1) {                                                                                              \
			last = digit(residues[n + i], v, c01, q1, inverse1);                                                       \
			q = q1;                                                                                                    \
			z = m.add(z, m.reduced(last, first));                                                                      \
		}                                                                                                              \
		if (primes > 2) {                                                                                              \
			u64 t = digit(residues[2 * n + i], v, c02, q2, inverse2);                                                  \
			last = digit(t, last, c12, q2, inverse2);                                                                  \
			q = q2;                                                                                                    \
			z = m.add(z, m.reduced(last, second));                                                                     \
		}                                                                                                              \
		x[i] = (Word)(last > q >> 1 ? m.sub(z, all) : z);                                                              \
	}

RESIDUES(64, u64)
RESIDUES(32, u32)
