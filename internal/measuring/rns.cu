// Between elements of Z/(r^k + 1) and residues modulo s primes, for comparisons of small primes with one big prime. A
// thread takes an element. Elements are canonical, in planes of digits: see digitkernels.cuh. Residues are canonical,
// in planes of words, one for each prime. Primes are below 2^30 for words of 32 bits, and below 2^62 for those of 64.
// garner takes as few as have a product M > r^k + 1 for r = 2^63 + 2^34, k = 8, and r = 2^62 + 2^36, k = 16: 17 and 34
// of 30 bits, 9 and 17 of 62.
//
// Products are added up without carries where words have 32 bits: digits of r count there as three pieces of 22 bits.
//
//	project<bits>_<k>    residues, pitch, v, pitch, n, u32 s, constants
//	    The residues of the integers x₀ + x₁·r + …, r^k for −1.
//	garner<bits>_<k>     v, pitch, residues, pitch, n, constants, RADIX
//	    The x of [0, M) with these residues, modulo r^k + 1. Its digits in mixed radix are, with P_i = p₀…p_(i−1),
//	        d_i = (x_i − d₀P₀ − … − d_(i−1)P_(i−1))·P_i⁻¹ mod p_i,
//	    one reduction each, and x is the sum of all d_i·P_i, added up digit by digit of r.
//	mixed_<k>            v, pitch, residues, pitch, n, u32 *primes
//	    b₀ + b₁·p₀ + b₂·p₀p₁ + … of 2k residues b of 32 bits, as k words of 64 bits in planes: the "reverse mixed radix"
//	    of Benchmark 1 of D. Mohajerani's thesis, which takes residues for digits. It is not the integer with these
//	    residues.
//
// Blocks have 256 threads. project and garner keep the constants in shared memory. These are words of the size of the
// primes; with b bits of a word and every entry of a row for prime p multiplied by 2^b mod p,
//
//	primes      s rows: p, p⁻¹ mod 2^b, 2^b mod p, 2^2b mod p, these as they are
//	project     s rows, each of pieces·k: 2^(22m)·r^i mod p for piece m of digit i
//	garner      s rows, each of s rounded up to a multiple of 4: −P_j/P_i for j < i, and 1/P_i for j = i
//	            k rows, each of s: digit i of P_j mod r^k + 1. Of 32 bits an entry is four: three pieces and 0
#include "digitkernels.cuh"
#include "word.cuh"

// Quad is four constants, which one or two instructions read.
template <class T> struct alignas(4 * sizeof(T)) Quad {
	T w[4];
};

// Prime is one with which sums of products are reduced.
template <class T> struct Prime {
	T p, inverse, fold, twice;
};
template <class T> DEVICE Prime<T> prime(const Quad<T> *q) { return Prime<T>{q->w[0], q->w[1], q->w[2], q->w[3]}; }

// wide is x·y + z. The compiler would multiply words of 64 bits.
DEVICE u64 wide(u32 x, u32 y, u64 z) {
#ifdef EMULATE
	return (u64)x * y + z;
#else
	u64 r;
	asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(x), "r"(y), "l"(z));
	return r;
#endif
}

// Total is a sum of products of words; reduced is what it is divided by 2^b, modulo a prime.
template <class T> struct Total;

template <> struct Total<u32> {
	u64 sum = 0;
	DEVICE_METHOD void add(u32 x, u32 y) { sum = wide(x, y, sum); }
	// fold leaves less than 2^32·p.
	DEVICE_METHOD void fold(const Prime<u32> &m) { sum = wide((u32)(sum >> 32), m.fold, (u32)sum); }
	DEVICE_METHOD u32 reduced(const Prime<u32> &m) {
		fold(m);
		u32 h = (u32)(sum >> 32), t = high((u32)sum * m.inverse, m.p);
		return h >= t ? h - t : h - t + m.p;
	}
};

template <> struct Total<u64> {
	Sum sum = {};
	DEVICE_METHOD void add(u64 x, u64 y) { sum.add(x, y); }
	DEVICE_METHOD void fold(const Prime<u64> &) {}
	DEVICE_METHOD u64 reduced(const Prime<u64> &m) {
		Wide v = sum.value();
		Sum folded{};
		folded.set(Wide{{v.w[0], 0, 0}});
		folded.add(v.w[1], m.fold);
		folded.add(v.w[2], m.twice);
		v = folded.value(); // less than 2^64·p + 2^10·p
		u64 h = min(v.w[1], v.w[1] - m.p), t = high(v.w[0] * m.inverse, m.p);
		return h >= t ? h - t : h - t + m.p;
	}
};

// pieces is the words of a digit of r.
template <class T> constexpr u32 pieces() { return sizeof(T) == 4 ? 3 : 1; }

const u32 piece = 22;

DEVICE void split(u32 *z, u64 digit) {
	const u32 mask = (1u << piece) - 1;
	z[0] = (u32)digit & mask;
	z[1] = (u32)(digit >> piece) & mask;
	z[2] = (u32)(digit >> 2 * piece);
}
DEVICE void split(u64 *z, u64 digit) { z[0] = digit; }

// kept copies n constants to shared memory.
template <class T> DEVICE const Quad<T> *kept(const Quad<T> *constants, u32 n) {
	Quad<T> *s = shared<Quad<T>>();
	for (u32 i = thread(); i < n; i += threads())
		s[i] = constants[i];
	barrier();
	return s;
}

template <class T, u32 k>
DEVICE void project(T *residues, u64 residues_pitch, u64 *v, u64 pitch, u64 n, u32 s, const Quad<T> *constants) {
	constexpr u32 row = pieces<T>() * k;
	constants = kept(constants, s * (1 + row / 4));
	const Quad<T> *c = constants + s;
	u64 e = index();
	if (e >= n)
		return;
	T x[row];
#pragma unroll
	for (u32 i = 0; i < k; i++)
		split(x + pieces<T>() * i, v[i * pitch + e]);
#pragma unroll 1
	for (u32 j = 0; j < s; j++, c += row / 4) {
		Total<T> t;
#pragma unroll
		for (u32 i = 0; i < row; i += 4) {
			Quad<T> q = c[i / 4];
#pragma unroll
			for (u32 m = 0; m < 4; m++)
				t.add(x[i + m], q.w[m]);
		}
		residues[j * residues_pitch + e] = t.reduced(prime(constants + j));
	}
}

// Digit is a sum of products of digits in mixed radix by digits of r.
template <class T> struct Digit;

template <> struct Digit<u32> {
	typedef Quad<u32> Entry;
	u64 sum[3] = {};
	DEVICE_METHOD void add(u32 d, const Entry &e) {
#pragma unroll
		for (u32 m = 0; m < 3; m++)
			sum[m] = wide(d, e.w[m], sum[m]);
	}
	DEVICE_METHOD Wide value() const {
		return Wide{{sum[0], 0, 0}} + Wide{{sum[1] << piece, sum[1] >> (64 - piece), 0}} +
		       Wide{{sum[2] << 2 * piece, sum[2] >> (64 - 2 * piece), 0}};
	}
};

template <> struct Digit<u64> {
	typedef u64 Entry;
	Sum sum = {};
	DEVICE_METHOD void add(u64 d, u64 e) { sum.add(d, e); }
	DEVICE_METHOD Wide value() const { return sum.value(); }
};

template <class T, u32 k, u32 s>
DEVICE void garner(u64 *v, u64 pitch, const T *residues, u64 residues_pitch, u64 n, const Quad<T> *constants,
		   const Radix &m) {
	typedef typename Digit<T>::Entry Entry;
	constexpr u32 row = (s + 3) / 4, entries = (k * s * sizeof(Entry) + sizeof(Quad<T>) - 1) / sizeof(Quad<T>);
	constants = kept(constants, s + s * row + entries);
	u64 e = index();
	if (e >= n)
		return;
	T d[s];
#pragma unroll
	for (u32 i = 0; i < s; i++) {
		const Quad<T> *c = constants + s + i * row;
		const Prime<T> p = prime(constants + i);
		d[i] = residues[i * residues_pitch + e];
		Total<T> t;
#pragma unroll
		for (u32 j = 0; j <= i; j += 4) {
			Quad<T> q = c[j / 4];
#pragma unroll
			for (u32 l = 0; l < 4; l++)
				if (j + l <= i)
					t.add(d[j + l], q.w[l]);
			if (j % 8 == 4)
				t.fold(p);
		}
		d[i] = t.reduced(p);
	}
	const Entry *c = (const Entry *)(constants + s + s * row);
	Plane z{v + e, pitch};
	Wide q{};
	u64 z0 = 0, z1 = 0;
#pragma unroll 1
	for (u32 i = 0; i < k; i++, c += s) {
		Digit<T> sum;
#pragma unroll
		for (u32 j = 0; j < s; j++)
			sum.add(d[j], c[j]);
		q = sum.value() + q;
		u64 digit = divide(q, m);
		if (i == 0)
			z0 = digit;
		else if (i == 1)
			z1 = digit;
		else
			z[i] = digit;
	}
	finish<k>(z, z0, z1, q, m);
}

template <u32 k>
DEVICE void mixed(u64 *v, u64 pitch, const u32 *residues, u64 residues_pitch, u64 n, const u32 *primes) {
	u64 e = index();
	if (e >= n)
		return;
	u32 z[2 * k] = {};
#pragma unroll
	for (u32 i = 2 * k; i-- > 0;) {
		u64 carry = residues[i * residues_pitch + e];
		u32 p = primes[i];
#pragma unroll
		for (u32 w = 0; w < 2 * k - i; w++) {
			carry = wide(z[w], p, carry);
			z[w] = (u32)carry;
			carry >>= 32;
		}
	}
#pragma unroll
	for (u32 w = 0; w < k; w++)
		v[w * pitch + e] = z[2 * w] | (u64)z[2 * w + 1] << 32;
}

#define RNS(bits, Word, k, s)                                                                                          \
	KERNEL(256)                                                                                                        \
	void project##bits##_##k(Word *residues, u64 residues_pitch, u64 *v, u64 pitch, u64 n, u32 primes,                 \
	                         const Quad<Word> *constants) {                                                            \
		project<Word, k>(residues, residues_pitch, v, pitch, n, primes, constants);                                    \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void garner##bits##_##k(u64 *v, u64 pitch, const Word *residues, u64 residues_pitch, u64 n,                        \
	                        const Quad<Word> *constants, RADIX) {                                                      \
		garner<Word, k, s>(v, pitch, residues, residues_pitch, n, constants, RADIX_OF);                                \
	}
#define MIXED(k)                                                                                                       \
	KERNEL(256)                                                                                                        \
	void mixed_##k(u64 *v, u64 pitch, const u32 *residues, u64 residues_pitch, u64 n, const u32 *primes) {             \
		mixed<k>(v, pitch, residues, residues_pitch, n, primes);                                                       \
	}

RNS(32, u32, 8, 17)
RNS(32, u32, 16, 34)
RNS(64, u64, 8, 9)
RNS(64, u64, 16, 17)
MIXED(8)
MIXED(16)
