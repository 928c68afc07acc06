// Elements of Z/(r^k + 1) as digits in radix r, one thread an element. The canonical form is that of field/gfpf: digits
// below r, or −1 = r^k, whose last digit is r and whose others are 0.
//
// Functions read and write digits by [i] of what stands for an element: Plane in the memory of the device, Row in
// shared memory, where an element may be rotated.
#pragma once

#include "prelude.cuh"

#ifdef EMULATE
#define METHOD inline
#else
#define METHOD __attribute__((device)) inline __attribute__((always_inline))
#endif
#define INLINE __attribute__((always_inline))

constexpr u32 log2(u32 k) { return k < 2 ? 0 : 1 + log2(k / 2); }

// chunk is how many digits are in registers at a time.
template <u32 k> constexpr u32 chunk() { return k < 8 ? k : 8; }

// Plane is an element whose digits are pitch words apart.
struct Plane {
	u64 *p;
	u64 pitch;
	METHOD u64 &operator[](u32 i) const { return p[i * pitch]; }
};

// Row is an element whose digit i is word (i − turn) mod k, words being step bytes apart.
template <u32 k> struct Row {
	u64 *p;
	u32 step, turn;
	METHOD u64 &operator[](u32 i) const { return *(u64 *)((u8 *)p + (u64)((i - turn) & (k - 1)) * step); }
};

// Radix is r with what products need. Products of digits are at most k·r² in absolute value when k of them are added
// up. The offsets A(r − 1) of all coefficients and 2A more of the first, for A = k(r + 2), keep these from being
// negative, and are A(r^k + 1) = 0 together.
struct Radix {
	u64 r;
	u64 reciprocal; // ⌊(2^128 − 1)/D⌋ − 2^64, for D = r·2^s with the highest bit of a word
	u64 offset[3];  // A(r − 1), lowest word first
	u64 first[2];   // 2A
};

// Parameters of kernels that make a Radix.
#define RADIX u64 r, u64 reciprocal, u64 offset0, u64 offset1, u64 offset2, u64 first0, u64 first1
#define RADIX_OF Radix{r, reciprocal, {offset0, offset1, offset2}, {first0, first1}}

// plus is a digit of a sum with carry c ≤ 1, minus that of a difference with borrow c. a is at most r, b below it.
DEVICE u64 plus(u64 a, u64 b, u32 &c, u64 r) {
	b += c;
	u64 t = a + b;
	bool over = t < a || t >= r;
	c = over;
	return over ? t - r : t;
}
DEVICE u64 minus(u64 a, u64 b, u32 &c, u64 r) {
	b += c;
	u64 t = a - b;
	c = a < b;
	return c ? t + r : t;
}

// unit adds r^i to digits below r, or subtracts it, and reports whether −1 came out.
template <u32 k, class Z> DEVICE bool unit(Z z, u32 i, bool up, u64 r) {
	for (bool again = false;;) {
		u64 x = z[i];
		if (up ? x + 1 < r : x != 0) {
			z[i] = up ? x + 1 : x - 1;
			return false;
		}
		z[i] = up ? 0 : r - 1;
		if (++i < k)
			continue;
		if (again) { // the carry went round through all digits
			for (i = 0; i < k - 1; i++)
				z[i] = 0;
			z[k - 1] = r;
			return true;
		}
		i = 0; // r^k = −1
		up = !up;
		again = true;
	}
}

// settle adds low + high·r^i to digits below r, for low and high from −1 to 1.
template <u32 k, class Z> DEVICE void settle(Z z, i32 low, i32 high, u32 i, u64 r) {
	bool special = high != 0 && unit<k>(z, i, high > 0, r);
	if (low == 0)
		return;
	if (!special) {
		unit<k>(z, 0, low > 0, r);
		return;
	}
	u64 d = low > 0 ? 0 : r - 1; // −1 + 1 and −1 − 1
	for (i = 0; i < k; i++)
		z[i] = d;
}

// butterfly sets s to a + b·r^e and d to a − b·r^e. s may be a, and d may be b turned by e, as digit i goes where digit
// i − e was.
//
// The digits of b·r^e from place e on have one sign, those before have the other, so that one result adds digits where
// the other subtracts. Both chains end at that place and at the end; what they carry there is added last, and goes on
// beyond one digit in one of r cases.
template <u32 k, class A, class B, class S, class D>
DEVICE void butterfly(A a, B b, S s, D d, u32 e, u64 r) {
	const u32 n = chunk<k>();
	u32 turn = e & (k - 1);
	bool negative = (e & k) != 0; // the sign from place turn on
	bool special = b[k - 1] == r;
	if (special) // −1 = 1·r^k
		negative = !negative;
	u32 up = 0, down = 0, up_turn = 0, down_turn = 0;
	i32 least = 0;
#pragma unroll 1
	for (u32 j = 0; j < k; j += n) {
		u64 x[n], y[n];
#pragma unroll
		for (u32 i = 0; i < n; i++) {
			x[i] = a[j + i];
			y[i] = b[(j + i - turn) & (k - 1)];
		}
		if (special)
#pragma unroll
			for (u32 i = 0; i < n; i++)
				y[i] = j + i == turn;
		// Bit i of here is set at place turn, and that of swap where s subtracts. Bits keep threads together, where
		// comparisons with turn would become branches.
		u32 before = turn < j ? 0 : min(turn - j, n), bit = 1u << before;
		u32 here = turn >= j ? bit : 0, swap = bit - 1 ^ (negative ? ~0u : 0);
#pragma unroll
		for (u32 i = 0; i < n; i++) {
			u32 stop = 0 - (here >> i & 1);
			up_turn |= up & stop;
			down_turn |= down & stop;
			up &= ~stop;
			down &= ~stop;
			u64 p = plus(x[i], y[i], up, r), m = minus(x[i], y[i], down, r);
			if (i == n - 1 && j + i == k - 1 && m == r) { // of a = −1
				m = 0;
				least = -1;
			}
			bool other = swap >> i & 1;
			s[j + i] = other ? m : p;
			d[j + i] = other ? p : m;
		}
	}
	i32 low_up = -(i32)up, low_down = (i32)down + least; // r^k = −1
	i32 high_up = up_turn, high_down = -(i32)down_turn;
	settle<k>(s, negative ? low_down : low_up, negative ? high_up : high_down, turn, r);
	settle<k>(d, negative ? low_up : low_down, negative ? high_down : high_up, turn, r);
}

// turned sets z to x·r^e; z is not x.
template <u32 k, class Z, class X> DEVICE void turned(Z z, X x, u32 e, u64 r) {
	u32 turn = e & (k - 1);
	bool negative = (e & k) != 0;
	bool special = x[k - 1] == r;
	if (special)
		negative = !negative;
	u32 none = 0, down = 0, down_turn = 0;
#pragma unroll 1
	for (u32 i = 0; i < k; i++) {
		u64 y = special ? i == turn : x[(i - turn) & (k - 1)];
		if (i == turn) {
			down_turn = down;
			down = 0;
		}
		z[i] = i < turn != negative ? minus(0, y, down, r) : y;
	}
	settle<k>(z, negative ? down : none, negative ? 0 : -(i32)down_turn, turn, r);
}

// sum sets z to x + y, and difference to x − y; z may be either.
template <u32 k, class Z, class X, class Y> DEVICE void sum(Z z, X x, Y y, u64 r) {
	const u32 n = chunk<k>();
	u32 c = 0;
#pragma unroll 1
	for (u32 j = 0; j < k; j += n) {
		u64 a[n], b[n];
#pragma unroll
		for (u32 i = 0; i < n; i++) {
			a[i] = x[j + i];
			b[i] = y[j + i];
		}
#pragma unroll
		for (u32 i = 0; i < n; i++) {
			u64 t = a[i] + b[i], u = t + c; // b[i] may be r
			bool over = t < a[i] || u < t || u >= r;
			z[j + i] = over ? u - r : u;
			c = over;
		}
	}
	if (c != 0)
		unit<k>(z, 0, false, r);
}
template <u32 k, class Z, class X, class Y> DEVICE void difference(Z z, X x, Y y, u64 r) {
	const u32 n = chunk<k>();
	u32 c = 0;
#pragma unroll 1
	for (u32 j = 0; j < k; j += n) {
		u64 a[n], b[n];
#pragma unroll
		for (u32 i = 0; i < n; i++) {
			a[i] = x[j + i];
			b[i] = y[j + i];
		}
#pragma unroll
		for (u32 i = 0; i < n; i++)
			z[j + i] = minus(a[i], b[i], c, r);
	}
	if (c != 0)
		unit<k>(z, 0, true, r);
}

// Wide is a number of three words, the lowest first.
struct Wide {
	u64 w[3];
};

DEVICE Wide operator+(Wide a, Wide b) {
	Wide z;
#ifdef EMULATE
	u128 t = (u128)a.w[0] + b.w[0];
	z.w[0] = (u64)t;
	t = (t >> 64) + a.w[1] + b.w[1];
	z.w[1] = (u64)t;
	z.w[2] = (u64)(t >> 64) + a.w[2] + b.w[2];
#else
	asm("add.cc.u64 %0, %3, %6;\n\taddc.cc.u64 %1, %4, %7;\n\taddc.u64 %2, %5, %8;"
	    : "=&l"(z.w[0]), "=&l"(z.w[1]), "=l"(z.w[2])
	    : "l"(a.w[0]), "l"(a.w[1]), "l"(a.w[2]), "l"(b.w[0]), "l"(b.w[1]), "l"(b.w[2]));
#endif
	return z;
}
DEVICE Wide operator-(Wide a, Wide b) {
	Wide z;
#ifdef EMULATE
	z = a + Wide{{~b.w[0], ~b.w[1], ~b.w[2]}} + Wide{{1, 0, 0}};
#else
	asm("sub.cc.u64 %0, %3, %6;\n\tsubc.cc.u64 %1, %4, %7;\n\tsubc.u64 %2, %5, %8;"
	    : "=&l"(z.w[0]), "=&l"(z.w[1]), "=l"(z.w[2])
	    : "l"(a.w[0]), "l"(a.w[1]), "l"(a.w[2]), "l"(b.w[0]), "l"(b.w[1]), "l"(b.w[2]));
#endif
	return z;
}

// Sum is a sum of products of words, in halves of words: those of halves of equal place, and those of others, which
// stand one half higher. The two words of each partial product are neighbours, so that one instruction adds both.
struct Sum {
	u32 e[5], o[3];

	METHOD void add(u64 x, u64 y) {
		u32 x0 = (u32)x, x1 = (u32)(x >> 32), y0 = (u32)y, y1 = (u32)(y >> 32);
#ifdef EMULATE
		u64 equal[2] = {(u64)x0 * y0, (u64)x1 * y1}, other[2] = {(u64)x0 * y1, (u64)x1 * y0};
		u128 t = (u128)equal[1] << 64 | equal[0], u = (u128)e[3] << 96 | (u128)e[2] << 64 | (u64)e[1] << 32 | e[0];
		u += t;
		e[4] += u < t;
		for (u32 i = 0; i < 4; i++)
			e[i] = (u32)(u >> 32 * i);
		for (u64 p : other) {
			u64 v = ((u64)o[1] << 32 | o[0]) + p;
			o[2] += v < p;
			o[0] = (u32)v;
			o[1] = (u32)(v >> 32);
		}
#else
		asm("mad.lo.cc.u32 %0, %8, %10, %0;\n\t"
		    "madc.hi.cc.u32 %1, %8, %10, %1;\n\t"
		    "madc.lo.cc.u32 %2, %9, %11, %2;\n\t"
		    "madc.hi.cc.u32 %3, %9, %11, %3;\n\t"
		    "addc.u32 %4, %4, 0;\n\t"
		    "mad.lo.cc.u32 %5, %8, %11, %5;\n\t"
		    "madc.hi.cc.u32 %6, %8, %11, %6;\n\t"
		    "addc.u32 %7, %7, 0;\n\t"
		    "mad.lo.cc.u32 %5, %9, %10, %5;\n\t"
		    "madc.hi.cc.u32 %6, %9, %10, %6;\n\t"
		    "addc.u32 %7, %7, 0;"
		    : "+&r"(e[0]), "+&r"(e[1]), "+&r"(e[2]), "+&r"(e[3]), "+&r"(e[4]), "+&r"(o[0]), "+&r"(o[1]), "+&r"(o[2])
		    : "r"(x0), "r"(x1), "r"(y0), "r"(y1));
#endif
	}
	// value is the sum, in two's complement where set negated it.
	METHOD Wide value() const {
		return Wide{{e[0] | (u64)e[1] << 32, e[2] | (u64)e[3] << 32, (u64)(i64)(i32)e[4]}} +
		       Wide{{(u64)o[0] << 32, o[1] | (u64)o[2] << 32, 0}};
	}
	METHOD void set(Wide v) {
		for (u32 i = 0; i < 2; i++) {
			e[2 * i] = (u32)v.w[i];
			e[2 * i + 1] = (u32)(v.w[i] >> 32);
		}
		e[4] = (u32)v.w[2];
		o[0] = o[1] = o[2] = 0;
	}
};

// small is x·y for x < 2^32, with the part above a word in high.
DEVICE u64 small(u32 x, u64 y, u64 &high) {
	u64 low = (u64)x * (u32)y, up = (u64)x * (u32)(y >> 32) + (low >> 32);
	high = up >> 32;
	return up << 32 | (u32)low;
}

// divide replaces u < 2^32·r·2^64 by its quotient by r and returns the remainder: twice two words by one, with the
// reciprocal of Möller and Granlund. The highest word of u·2^s is below 2^10 in sums of products, so that the first
// quotient is as well.
DEVICE u64 divide(Wide &u, const Radix &m) {
	u32 s = __builtin_clzll(m.r);
	u64 d = m.r << s;
	u32 u2 = (u32)(u.w[2] << s | u.w[1] >> 1 >> (63 - s));
	u64 u1 = u.w[1] << s | u.w[0] >> 1 >> (63 - s), u0 = u.w[0] << s;

	u64 h, l = small(u2, m.reciprocal, h) + u1;
	u32 q1 = (u32)h + u2 + (l < u1) + 1;
	u64 rest = u1 - small(q1, d, h);
	if (rest > l) {
		q1--;
		rest += d;
	}
	if (rest >= d) {
		q1++;
		rest -= d;
	}
	l = m.reciprocal * rest;
	h = high(m.reciprocal, rest);
	l += u0;
	h += rest + (l < u0) + 1;
	rest = u0 - h * d;
	if (rest > l) {
		h--;
		rest += d;
	}
	if (rest >= d) {
		h++;
		rest -= d;
	}
	u = Wide{{h, q1, 0}};
	return rest >> s;
}

// finish takes the quotient that is left after the last digit from the digits z, as r^k = −1. It is below r².
template <u32 k, class Z> DEVICE void finish(Z z, u64 z0, u64 z1, Wide q, const Radix &m) {
	u32 c = 0;
	u64 t = divide(q, m);
	z[0] = minus(z0, t, c, m.r);
	z[1] = minus(z1, q.w[0], c, m.r);
	for (u32 i = 2; c != 0 && i < k; i++)
		z[i] = minus(z[i], 0, c, m.r);
	if (c != 0)
		unit<k>(z, 0, true, m.r);
}

// coefficients calls emit(n, c) for the coefficients of x·y modulo T^k + 1, n = 0, 1, …, with c the coefficient plus
// offset(n), modulo 2^192. With k ≤ 8 all digits are in registers before the first call. With more, four coefficients
// at a time go over the digits four by four.
template <u32 k, class X, class Y, class O, class E> DEVICE void coefficients(X x, Y y, O offset, E emit) {
	if constexpr (k <= 8) {
		u64 a[k], b[k];
#pragma unroll
		for (u32 i = 0; i < k; i++) {
			a[i] = x[i];
			b[i] = y[i];
		}
#pragma unroll
		for (u32 n = 0; n < k; n++) {
			Sum positive{}, negative{};
			positive.set(offset(n));
#pragma unroll
			for (u32 i = 0; i <= n; i++)
				positive.add(a[i], b[n - i]);
#pragma unroll
			for (u32 i = n + 1; i < k; i++)
				negative.add(a[i], b[n + k - i]);
			emit(n, positive.value() - negative.value());
		}
	} else {
#pragma unroll 1
		for (u32 n = 0; n < k; n += 4) {
			Sum u[4] = {};
			u64 w[7]; // y[n − i − 3] to y[n − i + 3]
#pragma unroll
			for (u32 t = 0; t < 3; t++)
				w[t] = y[(n + 1 + t) & (k - 1)];
#pragma unroll 1
			for (u32 i = 0; i < k; i += 4) {
				u64 a[4];
#pragma unroll
				for (u32 t = 0; t < 4; t++)
					a[t] = x[i + t];
#pragma unroll
				for (u32 t = 0; t < 3; t++)
					w[4 + t] = w[t];
#pragma unroll
				for (u32 t = 0; t < 4; t++)
					w[t] = y[(n - i - 3 + t) & (k - 1)];
				if (i != n) {
#pragma unroll
					for (u32 t = 0; t < 4; t++)
#pragma unroll
						for (u32 j = 0; j < 4; j++)
							u[t].add(a[j], w[3 + t - j]);
					continue;
				}
				// From here on products are negative.
#pragma unroll
				for (u32 t = 0; t < 4; t++) {
#pragma unroll
					for (u32 j = 0; j <= t; j++)
						u[t].add(a[j], w[3 + t - j]);
					u[t].set(Wide{} - u[t].value());
#pragma unroll
					for (u32 j = t + 1; j < 4; j++)
						u[t].add(a[j], w[3 + t - j]);
				}
			}
#pragma unroll
			for (u32 t = 0; t < 4; t++)
				emit(n + t, offset(n + t) - u[t].value());
		}
	}
}

// product sets z to x·y. With k ≤ 8, z may be x or y; with more, z is neither.
template <u32 k, class Z, class X, class Y> DEVICE void product(Z z, X x, Y y, const Radix &m) {
	Wide q{{m.first[0], m.first[1], 0}};
	u64 z0 = 0, z1 = 0;
	auto offset = [&](u32) INLINE { return Wide{{m.offset[0], m.offset[1], m.offset[2]}}; };
	coefficients<k>(x, y, offset, [&](u32 n, Wide c) INLINE {
		q = c + q;
		u64 digit = divide(q, m);
		if (n == 0)
			z0 = digit;
		else if (n == 1)
			z1 = digit;
		else
			z[n] = digit;
	});
	finish<k>(z, z0, z1, q, m);
}
