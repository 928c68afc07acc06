// Maps of GF(2^m) that are linear over GF(2): from one basis to another, squares in any basis, and products by way of
// another basis. A map is a table of the images of the 16 values of each four bits, the lowest bits first.
#include "gf2.cuh"

namespace {
// Bits are elements of so many bits in memory, a word or several, of which 16 bytes have a few.
template <u32 bits> struct Bits {
	static constexpr u32 words = bits < 32 ? 1 : bits / 32, nibbles = bits / 4, table = 16 * nibbles * words;

	// copy brings words of tables to shared memory.
	DEVICE_METHOD static u32 *copy(const u32 *from, u32 length) {
		u32 *to = shared<u32>();
		for (u32 i = thread(); i < length; i += threads())
			to[i] = from[i];
		barrier();
		return to;
	}

	// map sets z to the image of x.
	DEVICE_METHOD static void map(u32 *z, const u32 *t, const u32 *x) {
		u32 sum[words] = {};
#pragma unroll
		for (u32 k = 0; k < nibbles; k++) {
			u32 digit = x[k / 8] >> 4 * (k % 8) & 15;
#pragma unroll
			for (u32 i = 0; i < words; i++)
				sum[i] ^= t[(16 * k + digit) * words + i];
		}
#pragma unroll
		for (u32 i = 0; i < words; i++)
			z[i] = sum[i];
	}

	// each has do called with the first word of every element of 16 bytes, which it may change.
	template <class F> DEVICE_METHOD static void each(u32 (&x)[4], const u32 (&y)[4], F change) {
		if constexpr (bits < 32) {
#pragma unroll
			for (u32 k = 0; k < 4; k++) {
				u32 all = 0;
#pragma unroll
				for (u32 at = 0; at < 32; at += bits) {
					const u32 mask = ~0u >> (32 - bits);
					u32 v = x[k] >> at & mask, w = y[k] >> at & mask;
					change(&v, &w);
					all |= v << at;
				}
				x[k] = all;
			}
		} else {
#pragma unroll
			for (u32 k = 0; k < 4; k += words)
				change(x + k, y + k);
		}
	}
};
} // namespace

// z is the image of x, of n pieces of 16 bytes, and z may be x. The table is 16·(bits/4) entries.
#define MAP(bits)                                                                                                      \
	KERNEL(256) void gf2_map_##bits(Four *z, const Four *x, u64 n, const u32 *table) {                                 \
		using B = Bits<bits>;                                                                                          \
		const u32 *t = B::copy(table, B::table);                                                                       \
		_Pragma("unroll 1") for (u64 i = index(); i < n; i += (u64)blocks() * threads()) {                             \
			Four v = x[i];                                                                                             \
			B::each(v.w, v.w, [&](u32 *a, const u32 *) __attribute__((always_inline)) { B::map(a, t, a); });           \
			z[i] = v;                                                                                                  \
		}                                                                                                              \
	}                                                                                                                  \
	/* z is the product of x and y by way of a polynomial basis, as class One has it: tables go there, and back. */    \
	KERNEL(128)                                                                                                        \
	void gf2_way_##bits(Four *z, const Four *x, const Four *y, u64 n, const u32 *tables, u32 m, u64 taps) {            \
		using B = Bits<bits>;                                                                                          \
		const u32 *t = B::copy(tables, 2 * B::table);                                                                  \
		One<B::words> f(m, taps);                                                                                      \
		_Pragma("unroll 1") for (u64 i = index(); i < n; i += (u64)blocks() * threads()) {                             \
			Four v = x[i], w = y[i];                                                                                   \
			B::each(v.w, w.w, [&](u32 *a, const u32 *b) __attribute__((always_inline)) {                               \
				u32 c[B::words];                                                                                       \
				B::map(c, t, b);                                                                                       \
				B::map(a, t, a);                                                                                       \
				f.times(a, a, c);                                                                                      \
				B::map(a, t + B::table, a);                                                                            \
			});                                                                                                        \
			z[i] = v;                                                                                                  \
		}                                                                                                              \
	}

MAP(8)
MAP(16)
MAP(32)
MAP(64)
MAP(128)

// The image of n elements of so many words each, any number; z is not x. A thread for each word of z, and the table, of
// so many groups of four bits, stays where it is.
KERNEL(256) void gf2_map(u32 *z, const u32 *x, u64 n, const u32 *table, u32 words, u32 groups) {
	u64 i = index();
	if (i >= n * words)
		return;
	u64 element = i / words;
	u32 at = (u32)(i - element * words), sum = 0;
	x += element * words;
#pragma unroll 1
	for (u32 k = 0; k < groups; k++)
		sum ^= table[(u64)(16 * k + (x[k / 8] >> 4 * (k % 8) & 15)) * words + at];
	z[i] = sum;
}
