// Elements of GF(2^m) in a polynomial basis that a thread has for itself: products as integers with holes, squares and
// inverses.
#pragma once
#include "prelude.cuh"

struct __attribute__((aligned(16))) Four {
	u32 w[4];
};

// Thirds is 16 bits of a polynomial as three words, each with every third bit. At most six terms of a product of two
// such words meet in a place, which takes three bits, so that no carry reaches the next.
struct Thirds {
	u32 v[3];
	DEVICE_METHOD static Thirds of(u32 x) { return Thirds{{x & 0x9249, x & 0x2492, x & 0x4924}}; }
	DEVICE_METHOD Thirds operator^(const Thirds &b) const {
		return Thirds{{v[0] ^ b.v[0], v[1] ^ b.v[1], v[2] ^ b.v[2]}};
	}
	// The product, of 31 bits.
	DEVICE_METHOD u32 operator*(const Thirds &b) const {
		u32 x[3];
#pragma unroll
		for (u32 k = 0; k < 3; k++)
			x[k] = logic<0x96>(v[0] * b.v[k], v[1] * b.v[(k + 2) % 3], v[2] * b.v[(k + 1) % 3]);
		return logic<0xca>(0x49249249, x[0], logic<0xca>(0x92492492, x[1], x[2]));
	}
};

// Split is words of a polynomial in pieces with holes: two for a word.
template <u32 words> struct Split {
	Thirds p[2 * words];
	DEVICE_METHOD void set(const u32 *x) {
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			p[2 * i] = Thirds::of(x[i]);
			p[2 * i + 1] = Thirds::of(x[i] >> 16);
		}
	}

	// times sets c, of 2·words, to ab by Karatsuba's method: by halves, of which the upper one may be a word less, and
	// three words as such by six products.
	DEVICE_METHOD static void times(const Thirds *a, const Thirds *b, u32 *c) {
		if constexpr (words == 1) {
			u32 low = a[0] * b[0], up = a[1] * b[1];
			u32 middle = logic<0x96>((a[0] ^ a[1]) * (b[0] ^ b[1]), low, up);
			c[0] = low ^ middle << 16;
			c[1] = up ^ middle >> 16;
		} else if constexpr (words == 3) {
			u32 m[3][2]; // of the sums of words 0 and 1, 0 and 2, 1 and 2
#pragma unroll
			for (u32 i = 0; i < 3; i++) {
				u32 j = i == 2 ? 2 : 0, k = i == 0 ? 2 : 4;
				Thirds s[2] = {a[j] ^ a[k], a[j + 1] ^ a[k + 1]}, t[2] = {b[j] ^ b[k], b[j + 1] ^ b[k + 1]};
				Split<1>::times(s, t, m[i]);
				Split<1>::times(a + 2 * i, b + 2 * i, c + 2 * i);
			}
			u32 low = logic<0x96>(c[1], c[2], c[0]), all = logic<0x96>(c[2], c[3], c[4]), up = c[3] ^ c[4];
			u32 c1 = low ^ m[0][0];
			u32 c2 = logic<0x96>(logic<0x96>(c[0], c[1], c[3]), m[0][1], logic<0x96>(all, c[3], m[1][0]));
			u32 c3 = logic<0x96>(logic<0x96>(c[1], c[3], c[5]), m[1][1], logic<0x96>(c[2], c[4], m[2][0]));
			c[4] = logic<0x96>(up, c[5], m[2][1]);
			c[1] = c1;
			c[2] = c2;
			c[3] = c3;
		} else {
			constexpr u32 low = (words + 1) / 2, up = words - low;
			Split<low>::times(a, b, c);
			Split<up>::times(a + 2 * low, b + 2 * low, c + 2 * low);
			Thirds s[2 * low], t[2 * low];
			u32 m[2 * low];
#pragma unroll
			for (u32 i = 0; i < 2 * low; i++) {
				s[i] = i < 2 * up ? a[i] ^ a[2 * low + i] : a[i];
				t[i] = i < 2 * up ? b[i] ^ b[2 * low + i] : b[i];
			}
			Split<low>::times(s, t, m);
			// The middle product takes both others, and goes between them.
#pragma unroll
			for (u32 i = 0; i < 2 * low; i++)
				m[i] = i < 2 * up ? logic<0x96>(m[i], c[i], c[2 * low + i]) : m[i] ^ c[i];
#pragma unroll
			for (u32 i = 0; i < 2 * low; i++)
				if (low + i < 2 * words)
					c[low + i] ^= m[i];
		}
	}
};

// product sets c, of 2·words, to ab as polynomials.
template <u32 words> DEVICE void product(u32 *c, const u32 *a, const u32 *b) {
	Split<words> x, y;
	x.set(a);
	y.set(b);
	Split<words>::times(x.p, y.p, c);
}

// spread has a 0 between every two bits of the low half of x: its square as a polynomial.
DEVICE u32 spread(u32 x) {
	x &= 0xffff;
	x = (x | x << 8) & 0x00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f;
	x = (x | x << 2) & 0x33333333;
	return (x | x << 1) & 0x55555555;
}

#define STEP(body) [&]() __attribute__((always_inline)) { body; }

// powers is the steps from x to z = x^(2^m − 2), which is 1/x, and 0 for 0: the power of 2^k − 1 for the leading bits k
// of m − 1, by T. Itoh and S. Tsujii (1988), and a square. They are: z = x, t = z, t = t², z = zt, z = z² and z = zx.
template <class A, class B, class C, class D, class E, class F>
DEVICE void powers(u32 m, A begin, B keep, C square_kept, D join, E square, F next) {
	begin();
	u32 rest = m - 1, k = 1;
#pragma unroll 1
	for (i32 bit = 30 - __builtin_clz(rest); bit >= 0; bit--) {
		keep();
#pragma unroll 1
		for (u32 i = 0; i < k; i++)
			square_kept();
		join();
		k *= 2;
		if (rest >> bit & 1) {
			square();
			next();
			k++;
		}
	}
	square();
}

// One is a field whose elements of so many words a thread has for itself. The modulus is x^m, x^e for the three 16 bits
// e of taps, of which two are equal where it has three terms, and 1. No e is above m/2 or 31, or 0.
template <u32 words> struct One {
	u32 m, e[3];
	DEVICE_METHOD One(u32 degree, u64 taps) : m(degree) {
#pragma unroll
		for (u32 i = 0; i < 3; i++)
			e[i] = (u32)(taps >> 16 * i) & 0xffff;
	}

	// reduce sets z to c, of 2·words, modulo the modulus. What comes round twice is added to the upper half before.
	DEVICE_METHOD void reduce(u32 *z, const u32 *c) const {
		u32 rest = m & 31;
		const bool exact = rest == 0;
		u32 h[words];
		if constexpr (words == 1) {
			h[0] = exact ? c[1] : funnel(c[0], c[1], rest);
			h[0] ^= logic<0x96>(h[0] >> (m - e[0]), h[0] >> (m - e[1]), h[0] >> (m - e[2]));
		} else {
#pragma unroll
			for (u32 i = 0; i < words; i++)
				h[i] = exact ? c[words + i] : funnel(c[words - 1 + i], c[words + i], rest);
			u32 top = exact ? h[words - 1] : funnel(h[words - 2], h[words - 1], rest);
			h[0] ^= logic<0x96>(top >> (32 - e[0]), top >> (32 - e[1]), top >> (32 - e[2]));
		}
#pragma unroll
		for (u32 i = words; i-- > 0;) {
			u32 below = i == 0 ? 0 : h[i - 1];
			z[i] = logic<0x96>(logic<0x96>(c[i], h[i], funnel(below, h[i], 32 - e[0])),
			                   funnel(below, h[i], 32 - e[1]), funnel(below, h[i], 32 - e[2]));
		}
		z[words - 1] &= exact ? 0xffffffff : (1u << rest) - 1;
	}

	DEVICE_METHOD void times(u32 *z, const u32 *x, const u32 *y) const {
		u32 c[2 * words];
		product<words>(c, x, y);
		reduce(z, c);
	}

	DEVICE_METHOD void square(u32 *z, const u32 *x) const {
		u32 c[2 * words];
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			c[2 * i] = spread(x[i]);
			c[2 * i + 1] = spread(x[i] >> 16);
		}
		reduce(z, c);
	}

	// invert sets z to the inverse of x: see powers.
	DEVICE_METHOD void invert(u32 *z, const u32 *x) const {
		u32 t[words];
		powers(m, STEP(copy(z, x)), STEP(copy(t, z)), STEP(square(t, t)), STEP(times(z, z, t)), STEP(square(z, z)),
		       STEP(times(z, z, x)));
	}

	DEVICE_METHOD static void copy(u32 *z, const u32 *x) {
#pragma unroll
		for (u32 i = 0; i < words; i++)
			z[i] = x[i];
	}
};
