// Arithmetic of primes below 2^64 and below 2^32. Elements are words. Each type has
//
//	Word, Multiplier       an element, and a multiplier in the form that products by it want
//	make(w)                the multiplier of a canonical w
//	forward(x, y, m)       (x, y) → (x + my, x − my), wide to wide
//	inverse(x, y, m)       (x, y) → (x + y, (x − y)m), narrow to narrow
//	product(x, m)          mx, wide to narrow
//	times(x, y)            xy of canonical x and y, narrow
//	canonical(x)           the residue of a wide x
//
// with the ranges
//
//	Shoup       p < 2^62, 2^30    wide [0, 4p)    narrow [0, 2p)
//	Strict      p < 2^31          wide [0, p)     narrow [0, p)
//	Montgomery  p < 2^64, 2^32    wide [0, p)     narrow [0, p)
//	Goldilocks                    wide any word   narrow [0, p)
#pragma once
#include "prelude.cuh"

// Modulus is an odd p below 2^w, the bits of T, with its inverse modulo 2^w and square = 2^2w mod p.
template <class T> struct Modulus {
	T p, inverse, square;

	// reduced is xy/2^w mod p, canonical, for xy < 2^w·p.
	DEVICE_METHOD T reduced(T x, T y) const {
		T h = high(x, y), t = high(x * y * inverse, p);
		return h >= t ? h - t : h - t + p;
	}
	// times is xy mod p for canonical x and y.
	DEVICE_METHOD T times(T x, T y) const { return reduced(reduced(x, y), square); }
	DEVICE_METHOD T add(T x, T y) const {
		T s = x + y;
		return s < x || s >= p ? s - p : s;
	}
	DEVICE_METHOD T sub(T x, T y) const { return x >= y ? x - y : x - y + p; }
};

// Shoup multiplies by w with q = ⌊w·2^b/p⌋, b the bits of T.
template <class T> struct Shoup {
	typedef T Word;
	struct alignas(2 * sizeof(T)) Multiplier {
		T w, q;
	};
	Modulus<T> m;

	DEVICE_METHOD Multiplier make(T w) const {
		// w·2^b = qp + rest, and both sides are 0 modulo 2^b.
		T rest = m.reduced(w, m.square);
		return Multiplier{w, (T)0 - rest * m.inverse};
	}
	DEVICE_METHOD T product(T x, Multiplier by) const { return x * by.w - high(x, by.q) * m.p; }
	DEVICE_METHOD T times(T x, T y) const { return m.times(x, y); }
	// below is x less 2p where that is not negative.
	DEVICE_METHOD T below(T x) const { return min(x, x - 2 * m.p); }
	DEVICE_METHOD void forward(T &x, T &y, Multiplier by) const {
		T a = below(x), b = product(y, by);
		x = a + b;
		y = a - b + 2 * m.p;
	}
	DEVICE_METHOD void inverse(T &x, T &y, Multiplier by) const {
		T d = x - y + 2 * m.p;
		x = below(x + y);
		y = product(d, by);
	}
	DEVICE_METHOD T canonical(T x) const {
		x = below(x);
		return min(x, x - m.p);
	}
};

// Strict is Shoup for p < 2^31, where 4p does not fit a word: values are canonical.
struct Strict {
	typedef u32 Word;
	typedef Shoup<u32>::Multiplier Multiplier;
	Modulus<u32> m;

	DEVICE_METHOD Multiplier make(u32 w) const { return Shoup<u32>{m}.make(w); }
	DEVICE_METHOD u32 canonical(u32 x) const { return x; }
	// below is x less p where that is not negative.
	DEVICE_METHOD u32 below(u32 x) const { return min(x, x - m.p); }
	DEVICE_METHOD u32 product(u32 x, Multiplier by) const { return below(Shoup<u32>{m}.product(x, by)); }
	DEVICE_METHOD u32 times(u32 x, u32 y) const { return m.times(x, y); }
	DEVICE_METHOD void forward(u32 &x, u32 &y, Multiplier by) const {
		u32 b = product(y, by), d = x - b;
		x = below(x + b);
		y = min(d, d + m.p);
	}
	DEVICE_METHOD void inverse(u32 &x, u32 &y, Multiplier by) const {
		u32 d = x - y + m.p; // a residue is enough
		x = below(x + y);
		y = product(d, by);
	}
};

// Montgomery multiplies by w·2^b mod p.
template <class T> struct Montgomery {
	typedef T Word;
	typedef T Multiplier;
	Modulus<T> m;

	DEVICE_METHOD T make(T w) const { return m.reduced(w, m.square); }
	DEVICE_METHOD T product(T x, T by) const { return m.reduced(x, by); }
	DEVICE_METHOD T times(T x, T y) const { return m.times(x, y); }
	DEVICE_METHOD void forward(T &x, T &y, T by) const {
		T b = product(y, by);
		y = m.sub(x, b);
		x = m.add(x, b);
	}
	DEVICE_METHOD void inverse(T &x, T &y, T by) const {
		T d = m.sub(x, y);
		x = m.add(x, y);
		y = product(d, by);
	}
	DEVICE_METHOD T canonical(T x) const { return x; }
};

// Goldilocks is p = 2^64 − 2^32 + 1, where 2^64 = 2^32 − 1 and 2^96 = −1.
struct Goldilocks {
	typedef u64 Word;
	typedef u64 Multiplier;
	Modulus<u64> m; // its p is not read: the compiler sees the number
	static constexpr u64 p = 0xffffffff00000001u, rest = 0xffffffffu;

	DEVICE_METHOD u64 make(u64 w) const { return w; }
	DEVICE_METHOD u64 canonical(u64 x) const {
		u32 carry;
		u64 r = plus(x, rest, carry); // x − p
		return carry ? r : x;
	}
	DEVICE_METHOD u64 product(u64 x, u64 by) const {
		u64 low = x * by, h = high(x, by);
		u32 mid = (u32)h, borrow, carry;
		u64 t = minus(low, h >> 32, borrow) - borrow; // ≡ low − 2^96·top
		u64 s = plus(t, ((u64)mid << 32) - mid, carry) + carry;
		return canonical(s);
	}
	DEVICE_METHOD u64 times(u64 x, u64 y) const { return product(x, y); }
	// add and sub take any word x, and a canonical y: what they take away or add for 2^64 does not carry again.
	DEVICE_METHOD u64 add(u64 x, u64 y) const {
		u32 carry;
		u64 s = plus(x, y, carry);
		return s + carry;
	}
	DEVICE_METHOD u64 sub(u64 x, u64 y) const {
		u32 borrow;
		u64 d = minus(x, y, borrow);
		return d - borrow;
	}
	DEVICE_METHOD void forward(u64 &x, u64 &y, u64 by) const {
		u64 b = product(y, by);
		y = sub(x, b);
		x = add(x, b);
	}
	DEVICE_METHOD void inverse(u64 &x, u64 &y, u64 by) const {
		u64 d = sub(x, y);
		x = canonical(add(x, y));
		y = product(d, by);
	}
};
