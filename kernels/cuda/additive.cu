// Additive transforms over GF(2^m), m = 32, 64, 128 and 256, modulo x^32 + x^7 + x^3 + x^2 + 1, x^64 + x^4 + x^3 + x + 1,
// x^128 + x^7 + x^2 + x + 1 and x^256 + x^10 + x^5 + x^2 + 1. A vector is elements as on the host, of one transform or of
// several one after the other.
//
// # Layers
//
// A transform of 2^n points runs layers 0 … n−1 forward, and back for the inverse. Layer l has 2^l blocks of 2^(n−l)
// elements. Block b takes x from its first half and y from its second one to x + ty and x + ty + y; its factor t is the
// sum of generator l(l+1)/2 and of those 1 + j places behind it, for the bits j of b that are set. Over any basis and
// shift there are n(n+1)/2 generators, and no list of factors.
//
//	wide   some layers with few blocks, in registers: a thread takes elements 2^stride apart through all of them. The
//	       factors of a block of threads are the same for all its columns, of which it has 2^columns.
//	tile   the last layers, on 2^size contiguous elements in shared memory.
#include "gf2.cuh"

namespace {
template <u32 words> struct __attribute__((aligned(words > 4 ? 16 : 4 * words))) Element {
	u32 w[words];
	DEVICE_METHOD void add(const Element &b) {
#pragma unroll
		for (u32 i = 0; i < words; i++)
			w[i] ^= b.w[i];
	}
};

// Of is the field of elements of so many words: the exponents of its modulus, as One takes them, and how many layers,
// as a power of two, a thread takes at once in wide passes and in tiles.
template <u32 words> struct Of;
template <> struct Of<1> {
	static constexpr u64 taps = 7 | 3ull << 16 | 2ull << 32;
	static constexpr u32 wide = 4, tile = 3;
	static constexpr bool tables = true;
};
template <> struct Of<2> {
	static constexpr u64 taps = 4 | 3ull << 16 | 1ull << 32;
	static constexpr u32 wide = 4, tile = 3;
	static constexpr bool tables = true;
};
template <> struct Of<4> {
	static constexpr u64 taps = 7 | 2ull << 16 | 1ull << 32;
	static constexpr u32 wide = 2, tile = 2;
	static constexpr bool tables = false;
};
template <> struct Of<8> {
	static constexpr u64 taps = 10 | 5ull << 16 | 2ull << 32;
	static constexpr u32 wide = 1, tile = 1;
	static constexpr bool tables = false;
};

template <u32 words> DEVICE Element<words> times(const Element<words> &t, const Element<words> &v) {
	Element<words> z;
	One<words>(32 * words, Of<words>::taps).times(z.w, t.w, v.w);
	return z;
}

// next is tx.
template <u32 words> DEVICE Element<words> next(const Element<words> &t) {
	constexpr u64 taps = Of<words>::taps;
	constexpr u32 low = 1 | 1u << (taps & 0xffff) | 1u << (taps >> 16 & 0xffff) | 1u << (taps >> 32);
	Element<words> z;
#pragma unroll
	for (u32 i = words; i-- > 0;)
		z.w[i] = t.w[i] << 1 | (i == 0 ? 0 : t.w[i == 0 ? 0 : i - 1] >> 31);
	z.w[0] ^= low & (0 - (t.w[words - 1] >> 31));
	return z;
}

// sum adds those of generators, from g on, whose bits in b are set.
template <u32 words> DEVICE void sum(Element<words> &t, const Element<words> *g, u64 b) {
#pragma unroll 1
	for (; b != 0; b >>= 1, g++)
		if (b & 1)
			t.add(*g);
}

// generator is the first one of a layer.
DEVICE u32 generator(u32 layer) { return layer * (layer + 1) / 2; }

// Products is how a block of threads multiplies by one of its factors: by products of integers,
template <u32 words, bool tables> struct Products {
	typedef Element<words> E;
	static constexpr u32 bytes = sizeof(E); // of a factor, in shared memory
	DEVICE_METHOD static void make(u8 *, const E *, u32) {}
	DEVICE_METHOD static E times(const u8 *, const E *factors, u32 factor, const E &v) {
		return ::times(factors[factor], v);
	}
};

// or by tables of the products of a factor: for each four bits 16 elements, no two of which share a bank.
template <u32 words> struct Products<words, true> {
	typedef Element<words> E;
	static constexpr u32 groups = 8 * words, group = 16 * sizeof(E);

	// make builds the tables by a Gray code, a group a thread: an entry is the one before and a product by a power of x.
	// Lanes begin at different entries.
	DEVICE_METHOD static void make(u8 *tables, const E *factors, u32 count) {
		for (u32 i = thread(); i < count * groups; i += threads()) {
			u32 g = i % groups;
			E unit = {};
#pragma unroll
			for (u32 k = 0; k < words; k++)
				unit.w[k] = k == g / 8 ? 1u << 4 * (g % 8) : 0;
			E b[4], v = {};
			u32 at = thread() & 15;
			b[0] = ::times(factors[i / groups], unit);
#pragma unroll
			for (u32 k = 0; k < 4; k++) {
				if (k > 0)
					b[k] = next(b[k - 1]);
#pragma unroll
				for (u32 j = 0; j < words; j++)
					v.w[j] ^= b[k].w[j] & (0 - (at >> k & 1));
			}
			E *to = (E *)(tables + i * group);
#pragma unroll
			for (u32 k = 0; k < 16; k++) {
				to[at ^ k ^ k >> 1] = v;
				u32 changed = (k + 1) & ~k; // by the Gray code
				if (k < 15)
					v.add(b[changed == 1 ? 0 : changed == 2 ? 1 : changed == 4 ? 2 : 3]);
			}
		}
	}

	DEVICE_METHOD static E times(const u8 *tables, const E *, u32 factor, const E &v) {
		constexpr u32 scale = words == 1 ? 2 : 3; // log2 of the bytes of an entry
		E z = {};
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 from = 4 * (g % 8), w = v.w[g / 8];
			u32 at = (from < scale ? w << (scale - from) : w >> (from - scale)) & 15u << scale;
			z.add(*(const E *)(tables + (factor * groups + g) * group + at));
		}
		return z;
	}
};

// layers runs a layers on the 2^a elements x, where times(m, u, v) is the product of v by the factor of block u of
// layer m.
template <bool inverse, u32 a, u32 words, class T> DEVICE void layers(Element<words> *x, T times) {
#pragma unroll
	for (u32 k = 0; k < a; k++) {
		const u32 m = inverse ? a - 1 - k : k, half = 1u << (a - 1 - m);
#pragma unroll
		for (u32 u = 0; u < 1u << m; u++)
#pragma unroll
			for (u32 i = 2 * half * u; i < (2 * u + 1) * half; i++) {
				if (inverse)
					x[i + half].add(x[i]);
				x[i].add(times(m, u, x[i + half]));
				if (!inverse)
					x[i + half].add(x[i]);
			}
	}
}

template <u32 words, bool inverse>
DEVICE void wide(Element<words> *data, const Element<words> *generators, u32 first, u32 stride, u32 columns) {
	typedef Element<words> E;
	constexpr u32 a = Of<words>::wide, count = (1 << a) - 1;
	typedef Products<words, Of<words>::tables> P;
	E *factors = shared<E>();
	u8 *tables = (u8 *)(factors + count + 1);
	u32 across = stride - columns; // blocks of threads side by side
	u64 group = block() >> across;
	u64 b = group & (((u64)1 << first) - 1);
	if (thread() < count) {
		u32 m = 31 - (u32)__builtin_clz(thread() + 1), u = thread() + 1 - (1u << m);
		const E *g = generators + generator(first + m);
		E t = *g;
		sum(t, g + 1, b << m | u);
		factors[thread()] = t;
	}
	barrier();
	P::make(tables, factors, count);
	barrier();
	E *v = data + (group << (stride + a)) + ((u64)(block() & ((1u << across) - 1)) << columns);
#pragma unroll 1
	for (u32 c = thread(); c < 1u << columns; c += threads()) {
		E x[1 << a];
#pragma unroll
		for (u32 j = 0; j < 1u << a; j++)
			x[j] = v[c + ((u64)j << stride)];
		layers<inverse, a, words>(x, [&](u32 m, u32 u, const E &y) __attribute__((always_inline)) {
			return P::times(tables, factors, (1u << m) - 1 + u, y);
		});
#pragma unroll
		for (u32 j = 0; j < 1u << a; j++)
			v[c + ((u64)j << stride)] = x[j];
	}
}

// padded spreads indices of shared memory over the banks.
template <u32 words> DEVICE u32 padded(u32 i) { return i + (i >> (words == 1 ? 5 : 4)); }

// Tile is what a block of threads does with its contiguous elements.
template <u32 words, bool inverse> struct Tile {
	typedef Element<words> E;
	E *all, *prefix; // in shared memory: elements, and of each layer the part of factors that is the same in the tile
	const E *heap;   // of each block inside the tile the other part
	u32 layers, size, local;

	// stage runs a layers after so many.
	template <u32 a> DEVICE_METHOD void stage(u32 done) const {
		const u32 position = layers - done - a, low = (1u << position) - 1, mask = (1u << (local + done)) - 1;
#pragma unroll 1
		for (u32 t = thread(); t < 1u << (size - a); t += threads()) {
			// Bits of i and of j << position are disjoint, so that their places add up.
			u32 i = t >> position << (position + a) | (t & low), h = (t >> position & mask) + mask + 1;
			E *s = all + padded<words>(i), x[1 << a];
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[j] = s[padded<words>(j << position)];
			::layers<inverse, a, words>(x, [&](u32 m, u32 u, const E &y) __attribute__((always_inline)) {
				E f = heap[(h << m) + u];
				f.add(prefix[done + m]);
				return times(f, y);
			});
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				s[padded<words>(j << position)] = x[j];
		}
		barrier();
	}

	DEVICE_METHOD void stage(u32 a, u32 done) const {
		constexpr u32 most = Of<words>::tile;
		if constexpr (most >= 3)
			if (a == 3)
				return stage<3>(done);
		if constexpr (most >= 2)
			if (a == 2)
				return stage<2>(done);
		stage<1>(done);
	}
};

template <u32 words, bool inverse>
DEVICE void tile(Element<words> *data, const Element<words> *generators, const Element<words> *heap, u64 total,
                 u32 first, u32 layers, u32 size) {
	typedef Element<words> E;
	constexpr u32 most = Of<words>::tile;
	Tile<words, inverse> v = {shared<E>(), nullptr, heap, layers, size, min(size - layers, first)};
	v.prefix = v.all + padded<words>(1u << size);
	u64 base = (u64)block() << size, group = (u64)block() << (size - layers) & (((u64)1 << first) - 1);
	if (thread() < layers) {
		const E *g = generators + generator(first + thread());
		E t = *g;
		sum(t, g + 1 + v.local + thread(), group >> v.local);
		v.prefix[thread()] = t;
	}
	for (u32 i = thread(); i < 1u << size; i += threads()) {
		if (base + i >= total)
			v.all[padded<words>(i)] = E{};
		else
			v.all[padded<words>(i)] = data[base + i];
	}
	barrier();
	// Layers are shared among as few stages as there can be.
	u32 done = inverse ? layers : 0;
	for (u32 left = (layers + most - 1) / most; left > 0; left--) {
		u32 a = ((inverse ? done : layers - done) + left - 1) / left;
		if (inverse)
			done -= a;
		v.stage(a, done);
		if (!inverse)
			done += a;
	}
	for (u32 i = thread(); i < 1u << size; i += threads())
		if (base + i < total)
			data[base + i] = v.all[padded<words>(i)];
}

// local makes entry 2^(inside + l) + b of the heap of a tile whose layers begin with first, for the block b of its layer
// l: the sum of the generators of the bits of b.
template <u32 words>
DEVICE void local(Element<words> *heap, const Element<words> *generators, u32 first, u32 inside, u64 n) {
	u64 i = index();
	if (i >= n || i >> inside == 0)
		return;
	u32 log = 63 - (u32)__builtin_clzll(i);
	Element<words> t = {};
	sum(t, generators + generator(first + log - inside) + 1, i - ((u64)1 << log));
	heap[i] = t;
}
} // namespace

#define ADDITIVE(bits, words, wide_least, tile_least)                                                                  \
	/* The layers of a wide pass: 256 threads for 2^columns columns, columns ≤ stride. */                              \
	KERNEL(256, wide_least)                                                                                            \
	void additive_wide_##bits(Element<words> *data, const Element<words> *generators, u32 first, u32 stride,           \
	                          u32 columns) {                                                                           \
		wide<words, false>(data, generators, first, stride, columns);                                                  \
	}                                                                                                                  \
	KERNEL(256, wide_least)                                                                                            \
	void additive_wide_inverse_##bits(Element<words> *data, const Element<words> *generators, u32 first, u32 stride,   \
	                                  u32 columns) {                                                                   \
		wide<words, true>(data, generators, first, stride, columns);                                                   \
	}                                                                                                                  \
	/* The layers from first on in tiles of 2^size of the total elements. 256 threads a tile. */                       \
	KERNEL(256, tile_least)                                                                                            \
	void additive_tile_##bits(Element<words> *data, const Element<words> *generators, const Element<words> *heap,      \
	                          u64 total, u32 first, u32 layers, u32 size) {                                            \
		tile<words, false>(data, generators, heap, total, first, layers, size);                                        \
	}                                                                                                                  \
	KERNEL(256, tile_least)                                                                                            \
	void additive_tile_inverse_##bits(Element<words> *data, const Element<words> *generators,                          \
	                                  const Element<words> *heap, u64 total, u32 first, u32 layers, u32 size) {        \
		tile<words, true>(data, generators, heap, total, first, layers, size);                                         \
	}                                                                                                                  \
	/* The n entries of the heap of a tile. */                                                                         \
	KERNEL(256)                                                                                                        \
	void additive_heap_##bits(Element<words> *heap, const Element<words> *generators, u32 first, u32 inside, u64 n) {  \
		local(heap, generators, first, inside, n);                                                                     \
	}

ADDITIVE(32, 1, 4, 4)
ADDITIVE(64, 2, 3, 2)
ADDITIVE(128, 4, 2, 2)
ADDITIVE(256, 8, 2, 2)

// What package gpu has for elements of words already, for those of 16 and 32 bytes: copies and bit reversals as in
// words.cu.
#define LONG(bits, words)                                                                                              \
	KERNEL(256)                                                                                                        \
	void additive_copy_##bits(Element<words> *to, const Element<words> *from, u64 rows, u64 width, u64 dst, u64 src,   \
	                          const i32 *row, const i32 *col, u32 transpose) {                                         \
		u64 i = index() / width, j = index() % width;                                                                  \
		if (i >= rows)                                                                                                 \
			return;                                                                                                    \
		u64 p = row != nullptr ? row[i] : i, q = col != nullptr ? col[j] : j;                                          \
		to[i * dst + j] = transpose ? from[q * src + p] : from[p * src + q];                                           \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void additive_reorder_##bits(Element<words> *data, u64 total, u32 n) {                                             \
		u64 i = index(), low = ((u64)1 << n) - 1;                                                                      \
		if (i >= total)                                                                                                \
			return;                                                                                                    \
		u64 j = (i & ~low) | reversed((u32)(i & low), n);                                                              \
		if (i >= j)                                                                                                    \
			return;                                                                                                    \
		_Pragma("unroll") for (u32 k = 0; k < words; k++) {                                                            \
			u32 x = data[i].w[k];                                                                                      \
			data[i].w[k] = data[j].w[k];                                                                               \
			data[j].w[k] = x;                                                                                          \
		}                                                                                                              \
	}

LONG(128, 4)
LONG(256, 8)
