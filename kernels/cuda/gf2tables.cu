// Butterflies of additive transforms, u += tv and v += u, whose factors t a block of threads shares: a product is a few
// entries of tables in shared memory, which the block makes of t. Elements are of GF(2^32) over a subfield of 8, 16 or
// 32 bits, as 4, 2 or 1 coordinates of so many bits, the lowest first; factors are of the subfield, modulo
// x^8 + x^4 + x^3 + x + 1, x^16 + x^5 + x^3 + x + 1 and x^32 + x^7 + x^3 + x^2 + 1.
#include "prelude.cuh"

namespace {
// Table has the products by a factor: groups of 32 words, one in each bank, so that lanes with different entries of one
// group do not wait. Groups have
//
//	8 bits    bits 0 to 6, four entries a word; bit 7 is a product of integers
//	16 bits   bits 0 to 5, then 6 to 10 and 11 to 15, two entries a word
//	32 bits   bits 2 to 6, 7 to 11, …, 27 to 31, then 0 and 1, an entry a word: bits of which shifts make addresses
template <u32 bits> struct Table {
	static constexpr u32 groups = bits == 8 ? 1 : bits == 16 ? 3 : 7, bytes = 128 * groups;
	static constexpr u32 e1 = bits == 32 ? 2 : 1, e2 = 3, e3 = bits == 8 ? 4 : bits == 16 ? 5 : 7;
	static constexpr u32 packed = bits == 8 ? 2 : bits == 16 ? 1 : 0; // bits of an index that choose within a word

	// times is tx^s, s < bits.
	DEVICE_METHOD static u32 times(u32 t, u32 s) {
		u64 c = (u64)t << s;
		u32 h = (u32)(c >> bits), mask = ~0u >> (32 - bits);
		h ^= logic<0x96>(h >> (bits - e1), h >> (bits - e2), h >> (bits - e3)); // what comes round twice
		return logic<0x96>(logic<0x96>((u32)c, h, h << e1), h << e2, h << e3) & mask;
	}

	// build makes a group of a table by a Gray code: a word is the one before and a product of t by a power of x. Lanes
	// begin at different words, which are in different banks.
	DEVICE_METHOD static void build(u8 *table, u32 t, u32 group) {
		const u32 ones = bits == 8 ? 0x01010101 : bits == 16 ? 0x00010001 : 1;
		u32 first = bits == 8 ? 0 : bits == 16 ? 6 * group - (group == 2) : group < 6 ? 5 * group + 2 : 0;
		u32 p = times(t, first), within = 0;
#pragma unroll
		for (u32 k = 0; k < packed; k++) {
			within ^= p * (bits == 16 ? 0x00010000 : k == 0 ? 0x01000100 : 0x01010000);
			p = times(p, 1);
		}
		u32 b[5], at = thread() & 31, word = within;
#pragma unroll
		for (u32 k = 0; k < 5; k++) {
			b[k] = p * ones;
			p = times(p, 1);
			word ^= b[k] & (0 - (at >> k & 1));
		}
		u32 *to = (u32 *)(table + 128 * group);
#pragma unroll
		for (u32 k = 0; k < 32; k++) {
			to[at ^ k ^ k >> 1] = word;
			u32 next = (k + 1) & ~k; // the bit that the Gray code changes
			if (k < 31) {
				u32 bit = next == 1 ? 0 : next == 2 ? 1 : next == 4 ? 2 : next == 8 ? 3 : 4;
				word ^= b[bit];
			}
		}
	}

	// times is the product of an element by the factor. seven is that of x^7 by it, for 8 bits.
	DEVICE_METHOD static u32 times(const u8 *table, u32 seven, u32 v) {
		if constexpr (bits == 8) {
			u32 low = v & 0x7f7f7f7f;
			u32 a = table[low & 0xff], b = table[byte_select<0x4441>(low, 0)];
			u32 c = table[byte_select<0x4442>(low, 0)], d = table[low >> 24];
			return (v >> 7 & 0x01010101) * seven ^ ((d * 256 + c) * 65536 + (b * 256 + a));
		} else if constexpr (bits == 16) {
			u32 a = logic<0x96>(half(table, v << 1 & 0x7e), half(table + 128, v >> 5 & 0x3e),
			                    half(table + 256, v >> 10 & 0x3e));
			u32 b = logic<0x96>(half(table, v >> 15 & 0x7e), half(table + 128, v >> 21 & 0x3e),
			                    half(table + 256, v >> 26 & 0x3e));
			return b * 65536 + a;
		} else {
			u32 a = logic<0x96>(word(table, v & 0x7c), word(table + 128, v >> 5 & 0x7c),
			                    word(table + 256, v >> 10 & 0x7c));
			u32 b = logic<0x96>(word(table + 384, v >> 15 & 0x7c), word(table + 512, v >> 20 & 0x7c), a);
			return logic<0x96>(word(table + 640, v >> 25 & 0x7c), word(table + 768, v << 2 & 0xc), b);
		}
	}
	DEVICE_METHOD static u32 word(const u8 *table, u32 at) { return *(const u32 *)(table + at); }
	DEVICE_METHOD static u32 half(const u8 *table, u32 at) { return *(const u16 *)(table + at); }
};

// layers is four layers of butterflies on 16 elements. Layer l has 2^l factors, after those of layers before.
template <u32 bits> DEVICE void layers(u32 (&x)[16], const u8 *tables, const u32 *sevens) {
#pragma unroll
	for (u32 layer = 0; layer < 4; layer++) {
		const u32 half = 8 >> layer;
#pragma unroll
		for (u32 b = 0; b < 1u << layer; b++) {
			const u32 factor = (1u << layer) - 1 + b;
			u32 seven = bits == 8 ? sevens[factor] : 0;
#pragma unroll
			for (u32 i = 2 * half * b; i < 2 * half * b + half; i++) {
				x[i] ^= Table<bits>::times(tables + Table<bits>::bytes * factor, seven, x[i + half]);
				x[i + half] ^= x[i];
			}
		}
	}
}

// rows keeps 16 words between rows of 256, so that a warp reads 16 of two rows at once.
DEVICE u32 rows(u32 i) { return i + (i >> 8) * 16; }

template <u32 bits> DEVICE void tile(u32 *z, const u32 *x, const u32 *factors, u32 rounds) {
	const u32 count = 15, length = 4096;
	u8 *tables = shared<u8>();
	u32 *sevens = (u32 *)(tables + count * Table<bits>::bytes), *all = sevens + 16, t = thread();
	factors += count * block();
	for (u32 i = t; i < count * Table<bits>::groups; i += threads()) {
		u32 factor = i / Table<bits>::groups;
		Table<bits>::build(tables + factor * Table<bits>::bytes, factors[factor], i % Table<bits>::groups);
	}
	if (bits == 8 && t < count)
		sevens[t] = Table<bits>::times(factors[t], 7);
	x += (u64)length * block() + t;
	z += (u64)length * block() + t;
#pragma unroll
	for (u32 j = 0; j < 16; j++)
		all[rows(t + 256 * j)] = x[256 * j];
	barrier();
#pragma unroll 1
	for (u32 r = 0; r < 2 * rounds; r++) {
		u32 first = r % 2 == 0 ? t : (t >> 4) * 272 + (t & 15), step = r % 2 == 0 ? 272 : 16, e[16];
#pragma unroll
		for (u32 j = 0; j < 16; j++)
			e[j] = all[first + step * j];
		layers<bits>(e, tables, sevens);
#pragma unroll
		for (u32 j = 0; j < 16; j++)
			all[first + step * j] = e[j];
		barrier();
	}
#pragma unroll
	for (u32 j = 0; j < 16; j++)
		z[256 * j] = all[rows(t + 256 * j)];
}
} // namespace

// Layers of butterflies on a tile in shared memory: z from x, of which a block of 256 threads has 4096 elements, and 15
// factors. A round is four layers on the elements t + 256j for each t < 256, and four on the 16t + s + 16j of each row
// of 256, with the same factors. Shared memory is 1920, 5760 or 13440 bytes for tables, and 17472.
KERNEL(256, 3) void gf2_tile_8(u32 *z, const u32 *x, const u32 *factors, u32 rounds) { tile<8>(z, x, factors, rounds); }
KERNEL(256) void gf2_tile_16(u32 *z, const u32 *x, const u32 *factors, u32 rounds) { tile<16>(z, x, factors, rounds); }
KERNEL(256, 4) void gf2_tile_32(u32 *z, const u32 *x, const u32 *factors, u32 rounds) { tile<32>(z, x, factors, rounds); }

// Tables alone: a block makes those of its 15 factors so many times, and writes the words of the last ones.
#define TABLES(bits)                                                                                                   \
	KERNEL(256, 4) void gf2_tables_##bits(u32 *z, const u32 *factors, u32 rounds) {                                    \
		const u32 count = 15, groups = Table<bits>::groups;                                                            \
		u8 *tables = shared<u8>();                                                                                     \
		_Pragma("unroll 1") for (u32 r = rounds; r-- > 0;) {                                                           \
			for (u32 i = thread(); i < count * groups; i += threads())                                                 \
				Table<bits>::build(tables + i / groups * Table<bits>::bytes,                                           \
				                   factors[count * ((block() + r) % blocks()) + i / groups], i % groups);              \
			barrier();                                                                                                 \
		}                                                                                                              \
		for (u32 i = thread(); i < count * groups * 32; i += threads())                                                \
			z[count * groups * 32 * block() + i] = ((const u32 *)tables)[i];                                           \
	}

TABLES(8)
TABLES(16)
TABLES(32)
