// Vectors over GF(2^m), as elements lie on the host: sums, products, squares and inverses in polynomial bases, and
// products in the tower; gf2maps.cu has the rest. No device that these kernels are for multiplies without carries.
// Vectors of 32 and of 64 bits, and of the tower, are sliced into words of one bit of 32 elements; others multiply as
// integers that have holes.
#include "gf2.cuh"
#include "zsliced.cuh"

namespace {
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

// A thread has this many elements of so many words, for 16 bytes or one element.
template <u32 words> constexpr u32 several = words < 3 ? 4 / words : 1;

// get and put move a thread's elements, and a word behind them where they are not pairs. Elements of five and of six
// words are 24 bytes, so that they do not lie at multiples of 16.
template <u32 words> DEVICE void get(u32 *x, const u64 *from, u64 i) {
	constexpr u32 pairs = several<words> * words < 4 ? 2 : (several<words> * words + 1) / 2;
	if constexpr (pairs % 2 == 0) {
#pragma unroll
		for (u32 k = 0; k < pairs; k += 2) {
			Four v = *(const Four *)(from + pairs * i + k);
#pragma unroll
			for (u32 j = 0; j < 4; j++)
				x[2 * k + j] = v.w[j];
		}
	} else {
#pragma unroll
		for (u32 k = 0; k < pairs; k++) {
			u64 v = from[pairs * i + k];
			x[2 * k] = (u32)v;
			x[2 * k + 1] = (u32)(v >> 32);
		}
	}
}
template <u32 words> DEVICE void put(u64 *to, u64 i, const u32 *x) {
	constexpr u32 pairs = several<words> * words < 4 ? 2 : (several<words> * words + 1) / 2;
	if constexpr (pairs % 2 == 0) {
#pragma unroll
		for (u32 k = 0; k < pairs; k += 2)
			*(Four *)(to + pairs * i + k) = Four{{x[2 * k], x[2 * k + 1], x[2 * k + 2], x[2 * k + 3]}};
	} else {
#pragma unroll
		for (u32 k = 0; k < pairs; k++)
			to[pairs * i + k] = (u64)x[2 * k + 1] << 32 | x[2 * k];
	}
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

	// invert sets x to its inverse: see powers.
	DEVICE_METHOD void invert(u32 (&x)[words]) const {
		u32 z[words], t[words];
		powers(f.m, STEP(One<words>::copy(z, x)), STEP(One<words>::copy(t, z)), STEP(square(t)), STEP(times(z, t)),
		       STEP(square(z)), STEP(times(z, x)));
		One<words>::copy(x, z);
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

// Products in the tower of so many bits, which lie in 32 words of a thread: z = xy, and z may be x or y. A warp for each
// of n pieces of 4 KiB.
#define TOWER(bits)                                                                                                    \
	KERNEL(128, 3) void gf2_tower_##bits(Four *z, const Four *x, const Four *y, u64 n, u32 one) {                      \
		u64 i = index() >> 5, at = 256 * i + (thread() & 31);                                                          \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		u32 a[32], b[32];                                                                                              \
		read(a, x + at);                                                                                               \
		read(b, y + at);                                                                                               \
		transpose(a, one);                                                                                             \
		transpose(b, one);                                                                                             \
		_Pragma("unroll") for (u32 k = 0; k < 32; k += bits) sliced_tower##bits(a + k, b + k);                         \
		transpose(a, one);                                                                                             \
		_Pragma("unroll") for (u32 k = 0; k < 8; k++)                                                                  \
			z[at + 32 * k] = Four{{a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3]}};                               \
	}

TOWER(8)
TOWER(16)
TOWER(32)

// The same for 64 bits, in two lanes.
KERNEL(128, 3) void gf2_tower_64(u32 *z, const u32 *x, const u32 *y, u64 n, u32 one) {
	u64 i = index() >> 5, at = 1024 * i + (thread() & 31);
	if (i >= n)
		return;
	u32 a[32], b[32];
	read(a, x + at);
	read(b, y + at);
	transpose(a, one);
	transpose(b, one);
	sliced_tower64(a, b, 0 - (thread() & 1));
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
#define PRODUCT(words, blocks)                                                                                         \
	KERNEL(256, blocks)                                                                                                \
	void gf2_product_##words(u8 *z, const u8 *x, const u8 *y, u64 n, u32 size, u32 m, u64 taps, const u32 *dense) {    \
		Group<words> g(Form{size, m, taps, dense}, n);                                                                 \
		u32 a[words], b[words];                                                                                        \
		g.read(a, x);                                                                                                  \
		g.read(b, y);                                                                                                  \
		g.times(a, b);                                                                                                 \
		g.write(z, a);                                                                                                 \
	}
#define SQUARE(words)                                                                                                  \
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

// Elements of 33 to 64 bits go otherwise: whole, or by the maps of gf2maps.cu.
PRODUCT(1, 6)
PRODUCT(2, 5)
PRODUCT(4, 3)
SQUARE(1)
SQUARE(4)

// The same where a thread has elements for itself, of ⌈m/32⌉ words: see One for m and taps. n counts elements, or
// pieces of 16 bytes where elements have fewer.
#define WHOLE(words, ...)                                                                                              \
	KERNEL(__VA_ARGS__) void gf2_whole_product_##words(u64 *z, const u64 *x, const u64 *y, u64 n, u32 m, u64 taps) {   \
		constexpr u32 count = several<words>;                                                                          \
		One<words> f(m, taps);                                                                                         \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		u32 a[count * words + 1], b[count * words + 1];                                                                \
		get<words>(a, x, i);                                                                                           \
		get<words>(b, y, i);                                                                                           \
		_Pragma("unroll") for (u32 k = 0; k < count; k++)                                                              \
			f.times(a + k * words, a + k * words, b + k * words);                                                      \
		a[count * words] = 0;                                                                                          \
		put<words>(z, i, a);                                                                                           \
	}                                                                                                                  \
	KERNEL(__VA_ARGS__) void gf2_whole_square_##words(u64 *z, const u64 *x, u64 n, u32 m, u64 taps) {                  \
		constexpr u32 count = several<words>;                                                                          \
		One<words> f(m, taps);                                                                                         \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		u32 a[count * words + 1];                                                                                      \
		get<words>(a, x, i);                                                                                           \
		_Pragma("unroll") for (u32 k = 0; k < count; k++) f.square(a + k * words, a + k * words);                      \
		a[count * words] = 0;                                                                                          \
		put<words>(z, i, a);                                                                                           \
	}                                                                                                                  \
	KERNEL(128) void gf2_whole_inverse_##words(u64 *z, const u64 *x, u64 n, u32 m, u64 taps) {                         \
		constexpr u32 count = several<words>;                                                                          \
		One<words> f(m, taps);                                                                                         \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		u32 a[count * words + 1], b[count * words + 1];                                                                \
		get<words>(a, x, i);                                                                                           \
		_Pragma("unroll") for (u32 k = 0; k < count; k++) f.invert(b + k * words, a + k * words);                    \
		b[count * words] = 0;                                                                                          \
		put<words>(z, i, b);                                                                                           \
	}

WHOLE(1, 128, 8)
WHOLE(2, 128, 8)
WHOLE(3, 128, 8)
WHOLE(4, 128, 7)
WHOLE(5, 128, 5)
WHOLE(6, 128, 4)
WHOLE(7, 128, 3)
WHOLE(8, 128, 3)
