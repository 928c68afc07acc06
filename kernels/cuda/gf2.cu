// Vectors over GF(2^m) in a polynomial basis, as elements lie on the host: sums, products, squares and inverses. No
// device that these kernels are for multiplies without carries. Vectors of 32 and of 64 bits are sliced into words of
// one bit of 32 elements; others multiply as integers that have holes.
#include "zsliced.cuh"

namespace {
struct __attribute__((aligned(16))) Four {
	u32 w[4];
};

// swap swaps the bits of rows and columns that differ in one bit j of their index: part of a transposition of 32 words.
// Shifts are products by powers of one, which is 1: units for them wait while others are busy.
template <u32 j> DEVICE void swap(u32 (&x)[32], u32 one) {
	const u32 mask = j == 4 ? 0x0f0f0f0f : j == 2 ? 0x33333333 : 0x55555555;
	const u32 left = one << j, right = one << (32 - j);
#pragma unroll
	for (u32 k = 0; k < 32; k++)
		if (!(k & j)) {
			u32 a = x[k], b = x[k + j];
			x[k] = logic<0xca>(mask, a, b * left);
			x[k + j] = logic<0xca>(mask, high(a, right), b);
		}
}

// transpose makes bit j of word i bit i of word j.
DEVICE void transpose(u32 (&x)[32], u32 one) {
#pragma unroll
	for (u32 k = 0; k < 16; k++) {
		u32 a = x[k], b = x[k + 16];
		x[k] = byte_select<0x5410>(a, b);
		x[k + 16] = byte_select<0x7632>(a, b);
	}
#pragma unroll
	for (u32 k = 0; k < 32; k++)
		if (!(k & 8)) {
			u32 a = x[k], b = x[k + 8];
			x[k] = byte_select<0x6240>(a, b);
			x[k + 8] = byte_select<0x7351>(a, b);
		}
	swap<4>(x, one);
	swap<2>(x, one);
	swap<1>(x, one);
}

// A warp has 4 KiB of a vector, of which lane l reads the pieces l, l + 32, … of 16 bytes or of one word.
DEVICE void read(u32 (&x)[32], const Four *from) {
#pragma unroll
	for (u32 k = 0; k < 8; k++) {
		Four v = from[32 * k];
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			x[4 * k + i] = v.w[i];
	}
}

DEVICE void read(u32 (&x)[32], const u32 *from) {
#pragma unroll
	for (u32 k = 0; k < 32; k++)
		x[k] = from[32 * k];
}

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

// join adds the middle product m of Karatsuba's method to c, which has the lower product and the upper one, each of
// 2·half words.
template <u32 half> DEVICE void join(u32 *c, const u32 *m) {
#pragma unroll
	for (u32 i = 0; i < half; i++) {
		u32 both = c[half + i] ^ c[2 * half + i];
		c[half + i] = logic<0x96>(both, c[i], m[i]);
		c[2 * half + i] = logic<0x96>(both, c[3 * half + i], m[half + i]);
	}
}

// Split is words of a polynomial in pieces with holes.
template <u32 words> struct Split {
	Thirds p[2 * words];
	DEVICE_METHOD void set(const u32 *x) {
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			p[2 * i] = Thirds::of(x[i]);
			p[2 * i + 1] = Thirds::of(x[i] >> 16);
		}
	}
	DEVICE_METHOD static void times(const Thirds *a, const Thirds *b, u32 *c) {
		if constexpr (words == 1) {
			u32 low = a[0] * b[0], up = a[1] * b[1];
			u32 middle = logic<0x96>((a[0] ^ a[1]) * (b[0] ^ b[1]), low, up);
			c[0] = low ^ middle << 16;
			c[1] = up ^ middle >> 16;
		} else {
			using Half = Split<words / 2>;
			Half::times(a, b, c);
			Half::times(a + words, b + words, c + words);
			Thirds s[words], t[words];
			u32 m[words];
#pragma unroll
			for (u32 i = 0; i < words; i++) {
				s[i] = a[i] ^ a[words + i];
				t[i] = b[i] ^ b[words + i];
			}
			Half::times(s, t, m);
			join<words / 2>(c, m);
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

// reduce adds the upper half of c to the lower one, modulo x^32words + x^e3 + x^e2 + x^e1 + 1.
template <u32 words, u32 e1, u32 e2, u32 e3> DEVICE void reduce(u32 *c, u32 one) {
	u32 *h = c + words, top = h[words - 1];
	// What goes beyond the highest word comes round twice.
	h[0] ^= logic<0x96>(high(top, one << e1), high(top, one << e2), high(top, one << e3));
#pragma unroll
	for (u32 i = words; i-- > 0;) {
		u32 below = i == 0 ? 0 : h[i - 1];
		c[i] = logic<0x96>(logic<0x96>(c[i], h[i], funnel(below, h[i], 32 - e1)), funnel(below, h[i], 32 - e2),
		                   funnel(below, h[i], 32 - e3));
	}
}

// whole multiplies elements of so many words, a thread each.
template <u32 words, u32 e1, u32 e2, u32 e3> DEVICE void whole(Four *z, const Four *x, const Four *y, u64 n, u32 one) {
	const u32 fours = words / 4;
	u64 i = index();
	if (i >= n)
		return;
	u32 a[words], b[words], c[2 * words];
#pragma unroll
	for (u32 k = 0; k < fours; k++) {
		Four v = x[fours * i + k], w = y[fours * i + k];
#pragma unroll
		for (u32 j = 0; j < 4; j++) {
			a[4 * k + j] = v.w[j];
			b[4 * k + j] = w.w[j];
		}
	}
	product<words>(c, a, b);
	reduce<words, e1, e2, e3>(c, one);
#pragma unroll
	for (u32 k = 0; k < fours; k++)
		z[fours * i + k] = Four{{c[4 * k], c[4 * k + 1], c[4 * k + 2], c[4 * k + 3]}};
}

// Form is a field by its degree and the bytes of an element. The modulus is x^m, the terms x^e for the four 16 bits of
// taps that are not 0, none above m/2, and 1; or any that dense has the words of.
struct Form {
	u32 size, m;
	u64 taps;
	const u32 *dense;
};

// spread has a 0 between every two bits of the low half of x: its square as a polynomial.
DEVICE u32 spread(u32 x) {
	x &= 0xffff;
	x = (x | x << 8) & 0x00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f;
	x = (x | x << 2) & 0x33333333;
	return (x | x << 1) & 0x55555555;
}

// Group is threads that have an element together, one for each so many words of it, for any m. All threads of a block
// call its methods.
template <u32 words> struct Group {
	Form f;
	u32 at, threads;    // this thread among those of the group
	u64 element;        // of the vector
	bool live;          // and whether there is such an element
	u32 *a, *b, *c, *h; // what they share: operands, a product of twice their length, and its upper half

	static constexpr u32 areas = 5; // of the length of an element

	DEVICE_METHOD Group(const Form &form, u64 n) : f(form) {
		threads = (f.m + 32 * words - 1) / (32 * words);
		u32 groups = ::threads() / threads, group = thread() / threads, length = threads * words;
		at = thread() % threads;
		element = (u64)block() * groups + group;
		live = group < groups && element < n;
		a = shared<u32>() + group * (areas * length + 1); // an odd distance
		b = a + length;
		c = b + length;
		h = c + 2 * length;
	}

	// read and write move this thread's words.
	DEVICE_METHOD void read(u32 (&x)[words], const u8 *from) const {
		from += element * f.size;
#pragma unroll
		for (u32 i = 0; i < words; i++)
			x[i] = 0;
		if (!live)
			return;
		if constexpr (words == 1) {
			x[0] = f.size == 1 ? *from : f.size == 2 ? *(const u16 *)from : *(const u32 *)from;
		} else {
#pragma unroll
			for (u32 i = 0; i < words; i += 2) {
				u32 place = 4 * (at * words + i);
				if (place < f.size) {
					u64 w = *(const u64 *)(from + place);
					x[i] = (u32)w;
					x[i + 1] = (u32)(w >> 32);
				}
			}
		}
	}
	DEVICE_METHOD void write(u8 *to, const u32 (&x)[words]) const {
		to += element * f.size;
		if (!live)
			return;
		if constexpr (words == 1) {
			if (f.size == 1)
				*to = (u8)x[0];
			else if (f.size == 2)
				*(u16 *)to = (u16)x[0];
			else
				*(u32 *)to = x[0];
		} else {
#pragma unroll
			for (u32 i = 0; i < words; i += 2) {
				u32 place = 4 * (at * words + i);
				if (place < f.size)
					*(u64 *)(to + place) = (u64)x[i + 1] << 32 | x[i];
			}
		}
	}

	// times sets x to xy. Each thread has those products of pieces that belong to places at and at + threads.
	DEVICE_METHOD void times(u32 (&x)[words], const u32 (&y)[words]) const {
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			a[at * words + i] = x[i];
			b[at * words + i] = y[i];
		}
		barrier();
		u32 low[2 * words] = {}, up[2 * words] = {};
#pragma unroll 1
		for (u32 i = 0; i < threads; i++) {
			u32 j = at >= i ? at - i : at + threads - i;
			u32 v[words], w[words], p[2 * words];
#pragma unroll
			for (u32 k = 0; k < words; k++) {
				v[k] = a[i * words + k];
				w[k] = b[j * words + k];
			}
			product<words>(p, v, w);
			u32 mask = at >= i ? 0xffffffff : 0;
#pragma unroll
			for (u32 k = 0; k < 2 * words; k++) {
				low[k] = logic<0x78>(low[k], p[k], mask);
				up[k] = logic<0xd2>(up[k], mask, p[k]);
			}
		}
#pragma unroll
		for (u32 k = 0; k < words; k++) {
			c[at * words + k] = low[k];
			c[(at + threads) * words + k] = up[k];
		}
		barrier();
#pragma unroll
		for (u32 k = 0; k < words; k++) {
			c[(at + 1) * words + k] ^= low[words + k];
			if (at + 1 < threads)
				c[(at + threads + 1) * words + k] ^= up[words + k];
		}
		barrier();
		reduce(x);
	}

	// square sets x to x².
	DEVICE_METHOD void square(u32 (&x)[words]) const {
		barrier(); // others may still read c
#pragma unroll
		for (u32 k = 0; k < words; k++) {
			c[2 * (at * words + k)] = spread(x[k]);
			c[2 * (at * words + k) + 1] = spread(x[k] >> 16);
		}
		barrier();
		reduce(x);
	}

	// bits are 32 of an array of so many words from bit i on, 0 outside it.
	DEVICE_METHOD static u32 bits(const u32 *x, i32 count, i32 i) {
		i32 k = i >> 5;
		u32 below = k >= 0 && k < count ? x[k] : 0, above = k >= -1 && k + 1 < count ? x[k + 1] : 0;
		return funnel(below, above, i & 31);
	}

	DEVICE_METHOD u32 tap(u32 k) const { return (u32)(f.taps >> 16 * k) & 0xffff; }

	// reduce sets x to this thread's words of c modulo the modulus. What the upper half leaves beyond the lower one when
	// it comes round is added to it before.
	DEVICE_METHOD void reduce(u32 (&x)[words]) const {
		const i32 length = threads * words, m = f.m;
		if (f.dense == nullptr) {
#pragma unroll
			for (u32 k = 0; k < words; k++) {
				i32 i = 32 * (at * words + k);
				u32 t = bits(c, 2 * length, m + i);
#pragma unroll
				for (u32 e = 0; e < 4; e++)
					if (tap(e) != 0)
						t ^= bits(c, 2 * length, 2 * m - tap(e) + i);
				h[at * words + k] = t;
			}
			barrier();
		} else {
			if (at == 0)
#pragma unroll 1
				for (i32 i = m - 2; i >= 0; i--)
					if (c[(m + i) >> 5] >> ((m + i) & 31) & 1)
#pragma unroll 1
						for (i32 k = 0; k <= m; k += 32)
							add(f.dense[k >> 5], i + k);
			barrier();
		}
#pragma unroll
		for (u32 k = 0; k < words; k++) {
			i32 i = 32 * (at * words + k);
			x[k] = c[at * words + k];
			if (f.dense == nullptr) {
				x[k] ^= h[at * words + k];
#pragma unroll
				for (u32 e = 0; e < 4; e++)
					if (tap(e) != 0)
						x[k] ^= bits(h, length, i - (i32)tap(e));
			}
			if (i + 32 > m)
				x[k] &= i >= m ? 0 : (1u << (m - i)) - 1;
		}
	}

	// add adds 32 bits to c from bit i on.
	DEVICE_METHOD void add(u32 w, i32 i) const {
		c[i >> 5] ^= w << (i & 31);
		u32 rest = (u32)((u64)w << (i & 31) >> 32);
		if (rest != 0)
			c[(i >> 5) + 1] ^= rest;
	}

	// invert sets x to x^(2^m − 2), which is 1/x and 0 for 0: the power of 2^k − 1 for the leading bits k of m − 1, by
	// T. Itoh and S. Tsujii (1988), and a square.
	DEVICE_METHOD void invert(u32 (&x)[words]) const {
		u32 power[words];
#pragma unroll
		for (u32 i = 0; i < words; i++)
			power[i] = x[i];
		u32 rest = f.m - 1, k = 1;
#pragma unroll 1
		for (i32 bit = 30 - __builtin_clz(rest); bit >= -1; bit--) {
			u32 t[words];
#pragma unroll
			for (u32 i = 0; i < words; i++)
				t[i] = power[i];
			if (bit < 0) {
				square(power);
				break;
			}
#pragma unroll 1
			for (u32 i = 0; i < k; i++)
				square(t);
			times(power, t);
			k *= 2;
			if (rest >> bit & 1) {
				square(power);
				times(power, x);
				k++;
			}
		}
#pragma unroll
		for (u32 i = 0; i < words; i++)
			x[i] = power[i];
	}
};
} // namespace

// Sums of n pieces of 16 bytes: z = x + y, and z may be x or y. A thread for each.
KERNEL(256) void gf2_sum(Four *z, const Four *x, const Four *y, u64 n) {
	u64 i = index();
	if (i >= n)
		return;
	Four a = x[i], b = y[i];
#pragma unroll
	for (u32 k = 0; k < 4; k++)
		a.w[k] ^= b.w[k];
	z[i] = a;
}

// Products z = xy modulo x^32 + x^7 + x^3 + x^2 + 1; z may be x or y. A warp for each of n pieces of 4 KiB.
KERNEL(128, 3) void gf2_product32(Four *z, const Four *x, const Four *y, u64 n, u32 one) {
	u64 i = index() >> 5, at = 256 * i + (thread() & 31);
	if (i >= n)
		return;
	u32 a[32], b[32];
	read(a, x + at);
	read(b, y + at);
	transpose(a, one);
	transpose(b, one);
	sliced_product32(a, b);
	transpose(a, one);
#pragma unroll
	for (u32 k = 0; k < 8; k++)
		z[at + 32 * k] = Four{{a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3]}};
}

// Products modulo x^64 + x^4 + x^3 + x + 1 in the same way.
KERNEL(128, 3) void gf2_product64(u32 *z, const u32 *x, const u32 *y, u64 n, u32 one) {
	u64 i = index() >> 5, at = 1024 * i + (thread() & 31);
	if (i >= n)
		return;
	u32 a[32], b[32];
	read(a, x + at);
	read(b, y + at);
	transpose(a, one);
	transpose(b, one);
	sliced_product64(a, b, 0 - (thread() & 1));
	transpose(a, one);
#pragma unroll
	for (u32 k = 0; k < 32; k++)
		z[at + 32 * k] = a[k];
}

// Products of n elements modulo x^128 + x^7 + x^2 + x + 1 and x^256 + x^10 + x^5 + x^2 + 1; z may be x or y. A thread
// for each.
KERNEL(128, 8) void gf2_product128(Four *z, const Four *x, const Four *y, u64 n, u32 one) {
	whole<4, 1, 2, 7>(z, x, y, n, one);
}
KERNEL(128, 3) void gf2_product256(Four *z, const Four *x, const Four *y, u64 n, u32 one) {
	whole<8, 2, 5, 10>(z, x, y, n, one);
}

// Products, squares and inverses of n elements for any m, by groups of threads that have so many words of an element
// each; z may be x or y. A block has threads()/⌈m/32words⌉ elements.
#define ANY(words)                                                                                                     \
	KERNEL(256)                                                                                                        \
	void gf2_product_##words(u8 *z, const u8 *x, const u8 *y, u64 n, u32 size, u32 m, u64 taps, const u32 *dense) {    \
		Group<words> g(Form{size, m, taps, dense}, n);                                                                 \
		u32 a[words], b[words];                                                                                        \
		g.read(a, x);                                                                                                  \
		g.read(b, y);                                                                                                  \
		g.times(a, b);                                                                                                 \
		g.write(z, a);                                                                                                 \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void gf2_square_##words(u8 *z, const u8 *x, u64 n, u32 size, u32 m, u64 taps, const u32 *dense) {                  \
		Group<words> g(Form{size, m, taps, dense}, n);                                                                 \
		u32 a[words];                                                                                                  \
		g.read(a, x);                                                                                                  \
		g.square(a);                                                                                                   \
		g.write(z, a);                                                                                                 \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void gf2_inverse_##words(u8 *z, const u8 *x, u64 n, u32 size, u32 m, u64 taps, const u32 *dense) {                 \
		Group<words> g(Form{size, m, taps, dense}, n);                                                                 \
		u32 a[words];                                                                                                  \
		g.read(a, x);                                                                                                  \
		g.invert(a);                                                                                                   \
		g.write(z, a);                                                                                                 \
	}

ANY(1)
ANY(2)
ANY(4)
