// Exact products of integers too long for a block, by transforms in passes modulo three primes: what comes before and
// after the passes of fixed.cuh. n integers have m words of 32 bits each, lowest words first, which are the coefficients
// of polynomials; a transform has 2^lg points, 2m at least and 2^13 at least. Vectors of the points of all integers
// modulo the first, the second and the third prime are each words apart.
//
//	midpass_first_LAYERS, midpass_first_LAYERS_long
//	    x, y, z, table, table, table, u32 m, u32 stride, u64 each, u64 apart, u32 factors
//	    The first pass of the transforms of x, and of y where there are two factors, whose points are apart words behind
//	    those of x. Layers and stride are those of the pass, and tables those of the primes. A block of 2^(layers+2)
//	    threads for each tile, each prime and each factor, in turn.
//	midpass_join, midpass_join_long    x, z, u64 each, u32 lg, u32 out, u32 blocks, u32 *states
//	    The out low words of Σ c_j·2^32j, for coefficients c_j with canonical residues x, where each block of 2^11 words of
//	    an integer has no carry from those below. Blocks of 256 threads, so many for an integer; 4368 bytes of shared
//	    memory.
//	midpass_sum  z, x, y, u32 m, u32 blocks, u32 op, u32 *states
//	    x + y, x − y and −x, for op of 0, 1 and 2, in the same way. z may be x or y.
//	midpass_carry  z, states, u64 n, u32 out, u32 blocks
//	    Puts those carries in. A thread has a block.
//
// The primes are those of midfft.cu, for up to 2^23 points, and others for up to 2^26. A coefficient is below
// 2^(lg−1)·(2^32 − 1)^2: 2^86 of a product of primes above 2^89, and 2^89 of one above 2^90.
//
// The sum of three words of coefficients and a carry of 2 is at most 3(2^32 − 1) + 2, so that 2 is the largest carry. Of
// a carry c into a block, base leaves it where c is less than a threshold, and base + 1 where it is not; without a
// threshold, base leaves it. There is one, 2^32 less the lowest word, where all words above that are ones. The state of
// a block is base and threshold. One block behind another has a state again, whose threshold is that of the lower one, or
// none: what leaves the lower one may be the same side of the other's threshold whatever comes in. So the carry into a
// block is known from blocks below it down to one without a threshold.
#include "carries.cuh"
#include "fixed.cuh"

typedef Shoup<u32>::Multiplier Multiplier;

constexpr u32 power(u32 x, u32 n, u32 p) {
	u64 r = 1, s = x % p;
	for (; n > 0; n /= 2, s = s * s % p)
		if (n % 2 == 1)
			r = r * s % p;
	return (u32)r;
}
constexpr u32 inverted(u32 x, u32 p) { return power(x % p, p - 2, p); }
constexpr Multiplier multiplier(u32 w, u32 p) { return Multiplier{w, (u32)(((u64)w << 32) / p)}; }

// Primes are below 2^31, smaller ones first. wide is a word as a wide value.
struct Short {
	typedef Shoup<u32> Arithmetic;
	static DEVICE_METHOD u32 wide(const Arithmetic &f, u32, u32 w) { return f.below(w); }
	static constexpr u32 p[3] = {880803841, 897581057, 998244353}; // 105, 107 and 119 times 2^23, and 1
};
struct Long {
	typedef Strict Arithmetic;
	static DEVICE_METHOD u32 wide(const Arithmetic &f, u32 k, u32 w) {
		constexpr Multiplier a = multiplier(1, p[0]), b = multiplier(1, p[1]), c = multiplier(1, p[2]);
		return f.product(w, k == 0 ? a : k == 1 ? b : c);
	}
	static constexpr u32 p[3] = {469762049, 1811939329, 2013265921}; // 7, 27 and 30 times 2^26, and 1
};

// Wide is 96 bits.
struct Wide {
	u32 w[3];
};

// garner is the number below the product of the primes with residues x, y and z.
template <class P> DEVICE Wide garner(u32 x, u32 y, u32 z) {
	constexpr u32 p0 = P::p[0], p1 = P::p[1], p2 = P::p[2];
	constexpr Multiplier of01 = multiplier(inverted(p0, p1), p1), of02 = multiplier(inverted(p0, p2), p2),
	                     of12 = multiplier(inverted(p1, p2), p2);
	constexpr u64 both = (u64)p0 * p1;
	Strict b{Modulus<u32>{p1, 0, 0}}, c{Modulus<u32>{p2, 0, 0}};
	u32 d = b.product(b.m.sub(y, x), of01); // x < p0 < p1
	u32 e = c.product(c.m.sub(c.product(c.m.sub(z, x), of02), d), of12);
	u64 low = (u64)p0 * d + x, first = low + (u64)(u32)both * e;
	u64 rest = (u64)(u32)(both >> 32) * e + (first >> 32) + ((u64)(first < low) << 32);
	return Wide{{(u32)first, (u32)rest, (u32)(rest >> 32)}};
}

// first is a strided pass of layers 0, … on words that are cut into coefficients. The upper half of the points is 0, so
// that layer 0 is a copy.
template <class P, u32 layers>
DEVICE void first(const u32 *x, const u32 *y, u32 *z, const Multiplier *t0, const Multiplier *t1, const Multiplier *t2,
                  u32 m, u32 stride, u64 each_, u64 apart, u32 factors) {
	typedef typename P::Arithmetic A;
	typedef Shape<layers, 5, layers + 5> S;
	typedef Fixed<A, S> Pass;
	u32 part = block() % (3 * factors), tile = block() / (3 * factors), k = part % 3, across = stride - S::columns;
	A f{Modulus<u32>{P::p[k], 0, 0}};
	u64 integer = tile >> across;
	u32 column = (tile & ((1u << across) - 1)) << S::columns;
	z += k * each_ + (part < 3 ? 0 : apart) + (integer << (layers + stride)) + column;
	x = (part < 3 ? x : y) + integer * m;
	Pass v = {f, z, k == 0 ? t0 : k == 1 ? t1 : t2, shared<u32>(), stride, 0, 0, 1, {}, nullptr, nullptr, 0};
	constexpr u32 a = S::stage(0), position = S::columns + layers - a, groups = each >> a, half = 1u << (a - 1);
	u32 w[groups][2 * half];
#pragma unroll
	for (u32 g = 0; g < groups; g++) {
		u32 i = Pass::template index<a, position>(g);
		u32 at = column + (i >> S::columns << stride) + (i & ((1u << S::columns) - 1));
#pragma unroll
		for (u32 j = 0; j < half; j++) {
			u32 from = at + (j << (position - S::columns + stride));
			w[g][j] = from < m ? P::wide(f, k, x[from]) : 0;
		}
	}
#pragma unroll
	for (u32 g = 0; g < groups; g++) {
		u32 i = Pass::template index<a, position>(g);
#pragma unroll
		for (u32 j = 0; j < half; j++)
			w[g][half + j] = w[g][j];
		layers_forward<A, a - 1>(f, v.table, w[g], 0);
		layers_forward<A, a - 1>(f, v.table, w[g] + half, 1);
#pragma unroll
		for (u32 j = 0; j < 2 * half; j++)
			v.shared[padded<u32>(i) + padded<u32>(j << position)] = w[g][j];
	}
	barrier();
	v.template forward<a>();
}

constexpr u32 piece = 8 * 256; // words of a block

// finish puts carries through the words of a block, where rest leaves those of a thread, and writes words of an integer
// from first on, and the state. s is 64 words of shared memory, and one more for each thread, and another.
DEVICE void finish(u32 *z, u32 (&w)[8], u32 rest, u32 first, u32 out, u32 *s, u32 *states) {
	u32 *below = s + 64;
	barrier();
	below[thread() + 1] = rest;
	barrier();
	u32 base = carried(w, thread() == 0 ? 0 : below[thread()], s), ones = thread() == 0 ? 0xffffffffu : w[0];
#pragma unroll
	for (u32 e = 1; e < 8; e++)
		ones &= w[e];
	bool all = ballot(ones == 0xffffffffu) == 0xffffffffu;
	if ((thread() & 31) == 0)
		s[32 + thread() / 32] = all;
	store(z, w, first, out);
	barrier();
	if (thread() != 0)
		return;
	for (u32 i = 0; i < threads() / 32; i++)
		all = all && s[32 + i] != 0;
	u32 threshold = all ? 0 - w[0] : 0;
	states[block()] = (base + below[threads()]) | (threshold < 4 ? threshold << 2 : 0);
}

template <class P> DEVICE void join(const u32 *x, u32 *z, u64 each, u32 lg, u32 out, u32 blocks, u32 *states) {
	u64 integer = block() / blocks;
	u32 first = block() % blocks * piece + 8 * thread(), *s = shared<u32>();
	x += (integer << lg) + first;
	u32 r[3][8];
#pragma unroll
	for (u32 k = 0; k < 3; k++) {
#pragma unroll
		for (u32 i = 0; i < 8; i += 4) {
			Four v = *(const Four *)(x + k * each + i);
#pragma unroll
			for (u32 j = 0; j < 4; j++)
				r[k][i + j] = v.w[j];
		}
	}
	// Of the two coefficients below, the upper one is c and the other b.
	u32 w[8], *c1 = s + 64, *c2 = c1 + threads() + 1, *b2 = c2 + threads() + 1;
	Wide b = {}, c = {};
	if (thread() == 0 && first != 0) {
		b = garner<P>(x[-2], x[each - 2], x[2 * each - 2]);
		c = garner<P>(x[-1], x[each - 1], x[2 * each - 1]);
	}
	if (thread() == 0) {
		c1[0] = c.w[1];
		c2[0] = c.w[2];
		b2[0] = b.w[2];
	}
	u64 sum = 0;
#pragma unroll
	for (u32 e = 0; e < 8; e++) {
		Wide v = garner<P>(r[0][e], r[1][e], r[2][e]);
		r[0][e] = v.w[0];
		r[1][e] = v.w[1];
		r[2][e] = v.w[2];
	}
	c1[thread() + 1] = r[1][7];
	c2[thread() + 1] = r[2][7];
	b2[thread() + 1] = r[2][6];
	barrier();
#pragma unroll
	for (u32 e = 0; e < 8; e++) {
		sum += r[0][e];
		sum += e >= 1 ? r[1][e - 1] : c1[thread()];
		sum += e >= 2 ? r[2][e - 2] : e == 1 ? c2[thread()] : b2[thread()];
		w[e] = (u32)sum;
		sum >>= 32;
	}
	finish(z + integer * out, w, (u32)sum, first, out, s, states);
}

#define FIRST(layers, suffix, P)                                                                                       \
	KERNEL(4 << layers, 256 >> layers)                                                                                 \
	void midpass_first_##layers##suffix(const u32 *x, const u32 *y, u32 *z, const Multiplier *t0,                      \
	                                    const Multiplier *t1, const Multiplier *t2, u32 m, u32 stride, u64 each,       \
	                                    u64 apart, u32 factors) {                                                      \
		first<P, layers>(x, y, z, t0, t1, t2, m, stride, each, apart, factors);                                        \
	}

FIRST(5, , Short)
FIRST(6, , Short)
FIRST(7, , Short)
FIRST(8, , Short)
FIRST(7, _long, Long)
FIRST(8, _long, Long)

#define SET(suffix, P)                                                                                                 \
	KERNEL(256)                                                                                                        \
	void midpass_join##suffix(const u32 *x, u32 *z, u64 each, u32 lg, u32 out, u32 blocks, u32 *states) {              \
		join<P>(x, z, each, lg, out, blocks, states);                                                                  \
	}

SET(, Short)
SET(_long, Long)

KERNEL(256) void midpass_sum(u32 *z, const u32 *x, const u32 *y, u32 m, u32 blocks, u32 op, u32 *states) {
	u64 at = block() / blocks * (u64)m;
	u32 own = block() % blocks, first = own * piece + 8 * thread(), w[8];
	u32 turned = op == 1 || op == 2 ? 0xffffffffu : 0;
	x += at + first;
	y = op == 2 ? x : y + at + first;
	u64 sum = turned & (first == 0);
#pragma unroll
	for (u32 i = 0; i < 8; i += 4) {
		Four a = {{0, 0, 0, 0}}, b = {{0, 0, 0, 0}};
		if (m % 4 == 0 && first + i < m) {
			a = *(const Four *)(x + i);
			b = *(const Four *)(y + i);
		} else {
#pragma unroll
			for (u32 j = 0; j < 4; j++) {
				a.w[j] = first + i + j < m ? x[i + j] : 0;
				b.w[j] = first + i + j < m ? y[i + j] : 0;
			}
		}
#pragma unroll
		for (u32 j = 0; j < 4; j++) {
			sum += (op == 2 ? 0 : a.w[j]);
			sum += b.w[j] ^ turned;
			w[i + j] = (u32)sum;
			sum >>= 32;
		}
	}
	finish(z + at, w, (u32)sum, first, m, shared<u32>(), states);
}

KERNEL(256) void midpass_carry(u32 *z, const u32 *states, u64 n, u32 out, u32 blocks) {
	u64 integer = index() / blocks;
	u32 own = (u32)(index() % blocks), first = own * piece;
	if (integer >= n || own == 0)
		return;
	states += integer * blocks;
	u32 base = states[--own] & 3, threshold = states[own] >> 2;
	for (; own > 0 && threshold != 0; own--) {
		u32 below = states[own - 1], least = below & 3;
		base += least >= threshold;
		threshold = least + 1 == threshold ? below >> 2 : 0;
	}
	z += integer * out + first;
	for (u32 i = 0, words = min(out - first, piece); base != 0 && i < words; i++) {
		u64 sum = (u64)z[i] + base;
		z[i] = (u32)sum;
		base = (u32)(sum >> 32);
	}
}
