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
//	deep   six of them, between three and three of which threads exchange elements in shared memory.
//	tile   the last layers, on 2^size contiguous elements in shared memory.
//	sliced the same where factors are of GF(2^32): on words that have a bit of each of 32 elements.
#include "gf2.cuh"
#include "zsliced.cuh"

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

// times is tv, for a factor of the field, or of that of 32 bits, of which v is then coordinates.
template <u32 by, u32 words> DEVICE Element<words> times(const Element<by> &t, const Element<words> &v) {
	Element<words> z;
	if constexpr (by == words) {
		One<words>(32 * words, Of<words>::taps).times(z.w, t.w, v.w);
	} else {
#pragma unroll
		for (u32 i = 0; i < words; i++)
			One<1>(32, Of<1>::taps).times(z.w + i, t.w, v.w + i);
	}
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

// Products is how a block of threads multiplies elements by one of its factors: by products of integers,
template <u32 words, u32 by, bool tables> struct Products {
	typedef Element<words> E;
	DEVICE_METHOD static void make(u8 *, const Element<by> *, u32) {}
	DEVICE_METHOD static E times(const u8 *, const Element<by> *factors, u32 factor, const E &v) {
		return ::times(factors[factor], v);
	}
};

// gray sets entries of a table to the sums of those of the b whose bits are set in the number of the entry, by a Gray
// code: an entry is the one before and one b. Lanes begin at different entries, which do not share a bank.
template <u32 bits, class E> DEVICE void gray(E *to, const E *b) {
	u32 at = thread() & ((1u << bits) - 1);
	E v = {};
#pragma unroll
	for (u32 k = 0; k < bits; k++)
#pragma unroll
		for (u32 j = 0; j < sizeof(E) / 4; j++)
			v.w[j] ^= b[k].w[j] & (0 - (at >> k & 1));
#pragma unroll
	for (u32 k = 0; k < 1u << bits; k++) {
		to[at ^ k ^ k >> 1] = v;
		u32 changed = (k + 1) & ~k;
		if (k < (1u << bits) - 1)
			v.add(b[changed == 1 ? 0 : changed == 2 ? 1 : changed == 4 ? 2 : changed == 8 ? 3 : 4]);
	}
}

// or by tables of the products of a factor of 64 bits: for each four bits 16 elements, no two of which share a bank,
template <> struct Products<2, 2, true> {
	typedef Element<2> E;
	static constexpr u32 groups = 16, group = 128;
	DEVICE_METHOD static void make(u8 *tables, const E *factors, u32 count) {
		for (u32 i = thread(); i < count * groups; i += threads()) {
			u32 g = i % groups;
			E unit = {}, b[4];
			unit.w[0] = g < 8 ? 1u << 4 * g : 0;
			unit.w[1] = g < 8 ? 0 : 1u << 4 * (g - 8);
			b[0] = ::times(factors[i / groups], unit);
#pragma unroll
			for (u32 k = 1; k < 4; k++)
				b[k] = next(b[k - 1]);
			gray<4>((E *)(tables + i * group), b);
		}
	}

	DEVICE_METHOD static E times(const u8 *tables, const E *, u32 factor, const E &v) {
		E z = {};
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 from = 4 * (g % 8), w = v.w[g / 8];
			u32 at = (from < 3 ? w << (3 - from) : w >> (from - 3)) & 15u << 3;
			z.add(*(const E *)(tables + (factor * groups + g) * group + at));
		}
		return z;
	}
};

// or of a factor of 32 bits: for each five bits 32 words. Groups are those of bits 2 to 6, 7 to 11, …, 27 to 31, then 0
// and 1, of which one shift makes addresses.
template <u32 words> struct Products<words, 1, true> {
	typedef Element<words> E;
	static constexpr u32 groups = 7, group = 128;
	DEVICE_METHOD static void make(u8 *tables, const Element<1> *factors, u32 count) {
		for (u32 i = thread(); i < count * groups; i += threads()) {
			u32 g = i % groups;
			Element<1> unit = {{g < 6 ? 4u << 5 * g : 1}}, b[5];
			b[0] = ::times(factors[i / groups], unit);
#pragma unroll
			for (u32 k = 1; k < 5; k++)
				b[k] = next(b[k - 1]);
			gray<5>((Element<1> *)(tables + i * group), b);
		}
	}

	DEVICE_METHOD static u32 word(const u8 *table, u32 at) { return *(const u32 *)(table + at); }
	DEVICE_METHOD static E times(const u8 *tables, const Element<1> *, u32 factor, const E &v) {
		const u8 *t = tables + factor * groups * group;
		E z;
#pragma unroll
		for (u32 i = 0; i < words; i++) {
			u32 w = v.w[i];
			u32 a = logic<0x96>(word(t, w & 0x7c), word(t + 128, w >> 5 & 0x7c), word(t + 256, w >> 10 & 0x7c));
			u32 b = logic<0x96>(word(t + 384, w >> 15 & 0x7c), word(t + 512, w >> 20 & 0x7c), a);
			z.w[i] = logic<0x96>(word(t + 640, w >> 25 & 0x7c), word(t + 768, w << 2 & 0xc), b);
		}
		return z;
	}
};

// Map is a linear map of elements, by tables in shared memory: of each word of the image 32 for each five bits.
template <u32 words> struct Map {
	static constexpr u32 groups = (32 * words + 4) / 5, length = 32 * groups * words;
	const u32 *tables; // nullptr for none

	// load copies the tables to shared memory, and the map is there after a barrier.
	DEVICE_METHOD void load(u32 *to) {
		if (tables == nullptr)
			return;
		for (u32 i = thread(); i < length; i += threads())
			to[i] = tables[i];
		tables = to;
	}

	DEVICE_METHOD void apply(Element<words> &v) const {
		if (tables == nullptr)
			return;
		Element<words> z = {};
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			const u32 i = 5 * g / 32, from = 5 * g % 32;
			u32 w = v.w[i], at = from < 2 ? w << (2 - from) : from <= 27 ? w >> (from - 2)
			                                                             : funnel(w, i + 1 < words ? v.w[i + 1 < words ? i + 1 : i] : 0, from - 2);
#pragma unroll
			for (u32 k = 0; k < words; k++)
				z.w[k] ^= *(const u32 *)((const u8 *)tables + 128 * (k * groups + g) + (at & 0x7c));
		}
		v = z;
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

// sums_of sets factors to those of the first count blocks, 2^m of each layer first + m, inside block b of layer first.
// Sixteen lanes add up a factor, so that reads do not wait for each other.
template <u32 count, u32 by>
DEVICE void sums_of(Element<by> *factors, const Element<by> *generators, u32 first, u64 b) {
#pragma unroll 1
	for (u32 q = thread(); q < 16 * (count + 1); q += threads()) {
		u32 f = min(q >> 4, count - 1), k = q & 15, m = 31 - (u32)__builtin_clz(f + 1);
		const Element<by> *g = generators + generator(first + m);
		u64 bits = b << m | (f + 1 - (1u << m));
		Element<by> t = {};
		if (k == 0)
			t = *g;
#pragma unroll 1
		for (u32 j = k; bits >> j != 0; j += 16)
			if (bits >> j & 1)
				t.add(g[1 + j]);
#pragma unroll
		for (u32 lane = 8; lane > 0; lane /= 2)
#pragma unroll
			for (u32 i = 0; i < by; i++)
				t.w[i] ^= shuffle_xor(t.w[i], lane);
		if (k == 0 && q >> 4 < count)
			factors[f] = t;
	}
}

template <u32 words, u32 by, bool inverse>
DEVICE void wide(Element<words> *data, const Element<by> *generators, u32 first, u32 stride, u32 columns,
                 const u32 *mapping) {
	typedef Element<words> E;
	constexpr bool tabled = by < words || Of<words>::tables;
	constexpr u32 a = by == words ? Of<words>::wide : words == 2 ? 5 : 4, count = (1 << a) - 1;
	typedef Products<words, by, tabled> P;
	Element<by> *factors = shared<Element<by>>();
	u8 *tables = (u8 *)(factors + (count + 1 > 4 ? count + 1 : 4));
	Map<words> map = {mapping};
	if constexpr (by < words)
		map.load((u32 *)(tables + count * P::groups * P::group));
	u32 across = stride - columns; // blocks of threads side by side
	u64 group = block() >> across;
	sums_of<count>(factors, generators, first, group & (((u64)1 << first) - 1));
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
		if (by < words && !inverse)
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				map.apply(x[j]);
		layers<inverse, a, words>(x, [&](u32 m, u32 u, const E &y) __attribute__((always_inline)) {
			return P::times(tables, factors, (1u << m) - 1 + u, y);
		});
		if (by < words && inverse)
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				map.apply(x[j]);
#pragma unroll
		for (u32 j = 0; j < 1u << a; j++)
			v[c + ((u64)j << stride)] = x[j];
	}
}

// Deep is six layers of 2^columns columns of 64 elements, which change threads after three layers. In the upper layers
// a thread has elements j·8 + r, in the lower ones r·8 + j.
template <u32 words, bool inverse> struct Deep {
	typedef Element<words> E;
	typedef Products<words, 1, true> P;
	static constexpr u32 a = 3, rows = 1 << a, count = 63;
	E *v;   // the first column in memory
	E *all; // in shared memory
	u32 stride, columns;
	Map<words> map;

	DEVICE_METHOD static u32 row(bool lower, u32 r, u32 j) { return lower ? r << a | j : j << a | r; }
	DEVICE_METHOD E *place(u32 i, bool lower, u32 j) const {
		return v + (i & ((1u << columns) - 1)) + ((u64)row(lower, i >> columns, j) << stride);
	}
	DEVICE_METHOD E *kept(u32 i, bool lower, u32 j) const {
		return all + (row(lower, i >> columns, j) << columns | (i & ((1u << columns) - 1)));
	}

	DEVICE_METHOD void read(E (&x)[rows], u32 i) const {
#pragma unroll
		for (u32 j = 0; j < rows; j++)
			x[j] = *place(i, inverse, j);
	}

	// half does three layers on x, which is item i of upper or of lower ones.
	DEVICE_METHOD static void half(E (&x)[rows], const u8 *tables, bool lower, u32 r) {
		u32 first = lower ? rows + r : 1;
		layers<inverse, a, words>(x, [&](u32 m, u32 u, const E &y) __attribute__((always_inline)) {
			return P::times(tables, nullptr, (first << m) - 1 + u, y);
		});
	}

	// run has x of item thread() already.
	DEVICE_METHOD void run(E (&x)[rows], const u8 *tables) const {
		const u32 items = rows << columns;
#pragma unroll 1
		for (u32 i = thread(); i < items;) {
			if (words > 1 && !inverse)
#pragma unroll
				for (u32 j = 0; j < rows; j++)
					map.apply(x[j]);
			half(x, tables, inverse, i >> columns);
#pragma unroll
			for (u32 j = 0; j < rows; j++)
				*kept(i, inverse, j) = x[j];
			if ((i += threads()) < items)
				read(x, i);
		}
		barrier();
#pragma unroll 1
		for (u32 i = thread(); i < items; i += threads()) {
#pragma unroll
			for (u32 j = 0; j < rows; j++)
				x[j] = *kept(i, !inverse, j);
			half(x, tables, !inverse, i >> columns);
			if (words > 1 && inverse)
#pragma unroll
				for (u32 j = 0; j < rows; j++)
					map.apply(x[j]);
#pragma unroll
			for (u32 j = 0; j < rows; j++)
				*place(i, !inverse, j) = x[j];
		}
	}
};

template <u32 words, bool inverse>
DEVICE void deep(Element<words> *data, const Element<1> *generators, u32 first, u32 stride, u32 columns,
                 const u32 *mapping) {
	typedef Deep<words, inverse> D;
	typedef typename D::P P;
	Element<1> *factors = shared<Element<1>>();
	u8 *tables = (u8 *)(factors + D::count + 1);
	u32 *maps = (u32 *)(tables + D::count * P::groups * P::group);
	Map<words> map = {mapping};
	if constexpr (words > 1)
		map.load(maps);
	u32 across = stride - columns; // blocks of threads side by side
	u64 group = block() >> across;
	D d = {data + (group << (stride + 2 * D::a)) + ((u64)(block() & ((1u << across) - 1)) << columns),
	       (Element<words> *)(maps + (mapping == nullptr ? 0 : Map<words>::length)), stride, columns, map};
	Element<words> x[D::rows]; // comes while tables are made
	d.read(x, thread());
	sums_of<D::count>(factors, generators, first, group & (((u64)1 << first) - 1));
	barrier();
	P::make(tables, factors, D::count);
	barrier();
	d.run(x, tables);
}

// padded spreads indices of shared memory over the banks.
template <u32 words> DEVICE u32 padded(u32 i) { return i + (i >> (words == 1 ? 5 : 4)); }

// Tile is what a block of threads does with its contiguous elements.
template <u32 words, u32 by, bool inverse> struct Tile {
	typedef Element<words> E;
	typedef Element<by> F;
	E *all;        // in shared memory
	F *prefix;     // there as well: of each layer the part of factors that is the same in the tile
	const F *heap; // of each block inside the tile the other part
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
				F f = heap[(h << m) + u];
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

template <u32 words, u32 by, bool inverse>
DEVICE void tile(Element<words> *data, const Element<by> *generators, const Element<by> *heap, u64 total, u32 first,
                 u32 layers, u32 size, const u32 *in, const u32 *out) {
	typedef Element<words> E;
	typedef Element<by> F;
	constexpr u32 most = Of<words>::tile;
	Tile<words, by, inverse> v = {shared<E>(), nullptr, heap, layers, size, min(size - layers, first)};
	v.prefix = (F *)(v.all + padded<words>(1u << size));
	Map<words> enter = {in}, leave = {out};
	if constexpr (by < words) {
		u32 *maps = (u32 *)(v.prefix + 64);
		enter.load(maps);
		leave.load(maps + (in == nullptr ? 0 : Map<words>::length));
		barrier();
	}
	u64 base = (u64)block() << size, group = (u64)block() << (size - layers) & (((u64)1 << first) - 1);
	if (thread() < layers) {
		const F *g = generators + generator(first + thread());
		F t = *g;
		sum(t, g + 1 + v.local + thread(), group >> v.local);
		v.prefix[thread()] = t;
	}
	for (u32 i = thread(); i < 1u << size; i += threads()) {
		E *to = v.all + padded<words>(i);
		if (base + i >= total)
			*to = E{};
		else
			*to = data[base + i];
		if (by < words) {
			E x = *to;
			enter.apply(x);
			*to = x;
		}
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
	for (u32 i = thread(); i < 1u << size; i += threads()) {
		if (base + i >= total)
			break;
		E x = v.all[padded<words>(i)];
		if (by < words)
			leave.apply(x);
		data[base + i] = x;
	}
}

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

// transpose, as in gf2.cu, makes bit j of word i bit i of word j.
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

// Sliced is a tile of 32 runs of 2^rows elements that multiplies 32 elements at once, one of each run, by factors of
// GF(2^32). In shared memory, word i of column s is at i·columns + s. A column is one word of all elements that are a
// run apart, and word i of it that of run i, or bit i of all runs once it is transposed.
//
// Layers across runs come first. A thread does them on a column, and half of the bits that it multiplies are 0. Layers
// inside runs take a pair of columns.
template <u32 words, u32 rows, bool inverse> struct Sliced {
	static constexpr u32 columns = words << rows, threads = 128;
	u32 *all;        // in shared memory
	u32 *parts;      // there as well: see copy
	u32 *base;       // and there: for each layer the part of factors that is the same in a run, transposed
	const u32 *heap; // of each block inside a run the other part
	u32 layers, across, one;

	// place spreads columns over the banks: any 32 that differ in five of their six lower bits.
	DEVICE_METHOD static u32 place(u32 s) { return s ^ (31 & (0 - (s >> 5 & 1))); }

	// at is element e of the tile, where columns are not transposed.
	DEVICE_METHOD u32 *word(u32 e, u32 k) const {
		return all + (e >> rows) * columns + place(k << rows | (e & ((1u << rows) - 1)));
	}
	DEVICE_METHOD Element<words> at(u32 e) const {
		Element<words> x;
#pragma unroll
		for (u32 k = 0; k < words; k++)
			x.w[k] = *word(e, k);
		return x;
	}
	DEVICE_METHOD void set(u32 e, const Element<words> &x) const {
#pragma unroll
		for (u32 k = 0; k < words; k++)
			*word(e, k) = x.w[k];
	}

	// Words of a column are as far apart in memory as in shared memory.
	DEVICE_METHOD static void get(u32 (&x)[32], const u32 *from) {
#pragma unroll
		for (u32 i = 0; i < 32; i++)
			x[i] = from[i * columns];
	}
	DEVICE_METHOD static void put(u32 *to, const u32 (&x)[32]) {
#pragma unroll
		for (u32 i = 0; i < 32; i++)
			to[i * columns] = x[i];
	}
	DEVICE_METHOD static void add(u32 (&x)[32], const u32 *from) {
#pragma unroll
		for (u32 i = 0; i < 32; i++)
			x[i] ^= from[i * columns];
	}

	// lanes has the bits of runs whose number has bit j.
	DEVICE_METHOD static u32 lanes(u32 j) {
		return j == 0 ? 0xaaaaaaaa : j == 1 ? 0xcccccccc : j == 2 ? 0xf0f0f0f0 : j == 3 ? 0xff00ff00 : 0xffff0000;
	}

	// copy takes to shared memory what factors are sums of: for layer m, the first generator, those of bits of a
	// run's number, and those of the tile's number, which has so many bits.
	DEVICE_METHOD void copy(const u32 *generators, u32 first, u32 bits) const {
		for (u32 q = thread(); q < 32 * layers; q += threads) {
			u32 m = q >> 5, k = q & 31;
			const u32 *g = generators + generator(first + m);
			parts[q] = k == 0 ? *g : k <= 5 + bits && m + k > across ? g[m + k - across] : 0;
		}
	}

	// factors makes base from them, for the tile of number at.
	DEVICE_METHOD void factors(u64 at, u32 bits) const {
#pragma unroll 1
		for (u32 q = thread(); q < 32 * layers; q += threads) {
			u32 i = q & 31;
			const u32 *g = parts + (q - i);
			u32 t = *g;
			for (u32 k = 0; k < bits; k++)
				t ^= g[6 + k] & (0 - (u32)(at >> k & 1));
			t = 0 - (t >> i & 1);
#pragma unroll
			for (u32 j = 0; j < 5; j++)
				t ^= lanes(j) & (0 - (g[1 + j] >> i & 1));
			base[q] = t;
		}
	}

	// factor sets t to the factors of block u of the runs in layer m.
	DEVICE_METHOD void factor(u32 (&t)[32], u32 m, u32 u) const {
		u32 h = heap[(32u >> across << m) + u];
#pragma unroll
		for (u32 i = 0; i < 32; i += 4) {
			Four b = *(const Four *)(base + 32 * m + i);
#pragma unroll
			for (u32 k = 0; k < 4; k++)
				t[i + k] = b.w[k] ^ (u32)((i32)(h * (one << (31 - i - k))) >> 31);
		}
	}

	// between does layer m across runs on a column, and inside one of those inside of runs on all.
	DEVICE_METHOD void between(u32 *column, u32 m) const {
		const u32 bit = across - 1 - m, shift = 1u << bit, lower = ~lanes(bit);
		u32 y[32], t[32];
		get(y, column);
#pragma unroll
		for (u32 i = 0; i < 32; i++) {
			if (inverse) {
				y[i] ^= (y[i] & lower) << shift;
				column[i * columns] = y[i];
			}
			y[i] = y[i] >> shift & lower;
			t[i] = base[32 * m + i];
		}
		sliced_product32(y, t);
#pragma unroll
		for (u32 i = 0; i < 32; i++) {
			y[i] ^= column[i * columns];
			if (!inverse)
				y[i] ^= (y[i] & lower) << shift;
			column[i * columns] = y[i];
		}
	}

	DEVICE_METHOD void inside(u32 m) const {
		const u32 position = layers - 1 - m, half = 1u << position;
#pragma unroll 1
		for (u32 c = thread(); c < columns / 2; c += threads) {
			u32 u = c >> position, s = u << (position + 1) | (c & (half - 1));
			u32 *low = all + place(s), *up = all + place(s + half);
			u32 y[32], t[32];
			factor(t, m, u & ((1u << (m - across)) - 1));
			get(y, up);
			if (inverse) {
				add(y, low);
				put(up, y);
			}
			sliced_product32(y, t);
			add(y, low);
			put(low, y);
			if (!inverse) {
				add(y, up);
				put(up, y);
			}
		}
		barrier();
	}

	// slice transposes a column, which x has, and does the layers across runs on it; whole goes back.
	DEVICE_METHOD void slice(u32 *column, u32 (&x)[32]) const {
		transpose(x, one);
		put(column, x);
		if (!inverse)
#pragma unroll 1
			for (u32 k = 0; k < across; k++)
				between(column, k);
	}
	DEVICE_METHOD void whole(u32 *column, u32 (&x)[32]) const {
		if (inverse)
#pragma unroll 1
			for (u32 k = across; k-- > 0;)
				between(column, k);
		get(x, column);
		transpose(x, one);
	}

	DEVICE_METHOD void layers_inside() const {
#pragma unroll 1
		for (u32 k = across; k < layers; k++)
			inside(inverse ? layers - 1 - (k - across) : k);
	}
};

// A column of elements of a word is read as one, and all that a thread has come while factors are made. Others go
// through shared memory first, in which those of one element are apart.
template <u32 words, u32 rows, bool inverse>
DEVICE void sliced(Element<words> *data, const Element<1> *generators, const Element<1> *heap, u32 first, u32 layers,
                   const u32 *mapping, u32 one) {
	typedef Sliced<words, rows, inverse> S;
	constexpr u32 elements = 32u << rows, each = words == 1 ? S::columns / S::threads : 1;
	u32 *all = shared<u32>(), *parts = all + 32 * S::columns, *base = parts + 32 * layers;
	S v = {all, parts, base, (const u32 *)heap, layers, layers - rows, one};
	Map<words> map = {mapping};
	map.load(base + 32 * layers);
	Element<words> *d = data + (u64)block() * elements;
	u32 x[each][32];
	if constexpr (words == 1)
#pragma unroll
		for (u32 k = 0; k < each; k++)
			S::get(x[k], (const u32 *)d + thread() + k * S::threads);
	u32 bits = first + v.across - 5;
	v.copy((const u32 *)generators, first, bits);
	barrier();
	v.factors(block() & (((u64)1 << bits) - 1), bits);
	if constexpr (words == 1) {
		barrier();
#pragma unroll
		for (u32 k = 0; k < each; k++)
			v.slice(all + S::place(thread() + k * S::threads), x[k]);
		barrier();
		v.layers_inside();
#pragma unroll 1
		for (u32 c = thread(); c < S::columns; c += S::threads) {
			v.whole(all + S::place(c), x[0]);
			S::put((u32 *)d + c, x[0]);
		}
		return;
	}
	constexpr u32 some = 8; // elements that a thread reads before it waits for one
#pragma unroll 1
	for (u32 e = thread(); e < elements; e += some * S::threads) {
		Element<words> y[some];
#pragma unroll
		for (u32 k = 0; k < some; k++)
			y[k] = d[e + k * S::threads];
#pragma unroll
		for (u32 k = 0; k < some; k++) {
			if (inverse)
				map.apply(y[k]);
			v.set(e + k * S::threads, y[k]);
		}
	}
	barrier();
#pragma unroll 1
	for (u32 c = thread(); c < S::columns; c += S::threads) {
		S::get(x[0], all + c);
		v.slice(all + c, x[0]);
	}
	barrier();
	v.layers_inside();
#pragma unroll 1
	for (u32 c = thread(); c < S::columns; c += S::threads) {
		v.whole(all + c, x[0]);
		S::put(all + c, x[0]);
	}
	barrier();
#pragma unroll 1
	for (u32 e = thread(); e < elements; e += S::threads) {
		Element<words> y = v.at(e);
		if (!inverse)
			map.apply(y);
		d[e] = y;
	}
}

// Step is one of those that change a basis, on the rows of a tile.
//
//	product   by powers of a factor: an element by that of (i & from…to) >> low for its place i, taken from two short
//	          tables, of 2^log powers and of the powers of the last one
//	fold      of rows of runs of 2^run: x^(2^run/2) becomes y + x^d, d = 2^shift
//	halvings  as many as shift, in registers: folds of 2^run, 2^(run−1), …, each by a quarter
//	chain     in registers: all folds that take polynomials of 16 coefficients, which are 2^shift apart, from powers of x
//	          to the basis of a chain where all factors are 1
//	square    what expand does to 16 rows of 16 coefficients, which are 2^shift apart
enum : u32 { step_product, step_fold, step_halvings, step_chain, step_square };
template <u32 words> struct Step {
	const Element<words> *powers, *high; // of a product
	u32 kind, run, shift;
	u32 log, low, from, to; // of a product: the bits of i from one on to before another
};

// fold does a fold of 2^rows rows, which have 2^columns elements each, or undoes it. Item x of a run adds to place
// d + x of its first half, and for x < d to x of the second one before.
template <u32 words>
DEVICE void fold(Element<words> *all, u32 rows, u32 columns, u32 run, u32 shift, bool back) {
	u32 log = run - 1 + columns, half = 1u << log, d = 1u << (shift + columns);
	u32 left = half - d, items = left <= half / 2 ? log - 1 : log; // of a run, as a power of two
	u32 count = 1u << (rows - run + items);
#pragma unroll 1
	for (u32 i = thread(); i < count; i += threads()) {
		u32 x = i & ((1u << items) - 1), at = i >> items << (log + 1);
		if (x >= left)
			continue;
		u32 to = padded<words>(at + d + x), from = padded<words>(at + half + x);
		Element<words> v = all[from];
		if (back)
			all[to].add(v);
		if (x < d) {
			v.add(all[padded<words>(at + 2 * half - d + x)]);
			all[from] = v;
		}
		if (!back)
			all[to].add(v);
	}
	barrier();
}

// apart calls of with 2^a rows' elements in registers that are 2^position apart in a tile of 2^all, and puts them back.
template <u32 words, u32 a, class F> DEVICE void apart(Element<words> *tile, u32 all, u32 position, F of) {
	u32 low = (1u << position) - 1;
#pragma unroll 1
	for (u32 t = thread(); t < 1u << (all - a); t += threads()) {
		u32 i = t >> position << (position + a) | (t & low);
		Element<words> x[1 << a];
#pragma unroll
		for (u32 j = 0; j < 1u << a; j++)
			x[j] = tile[padded<words>(i + (j << position))];
		of(x);
#pragma unroll
		for (u32 j = 0; j < 1u << a; j++)
			tile[padded<words>(i + (j << position))] = x[j];
	}
	barrier();
}

// halved does a fold of runs of 2^run by 2^shift on 2^a elements in registers, or undoes it.
template <u32 words, u32 a> DEVICE void halved(Element<words> *x, u32 run, u32 shift, bool back) {
	const u32 half = 1u << (run - 1), d = 1u << shift;
#pragma unroll
	for (u32 r = 0; r < 1u << a; r += 2 * half) {
#pragma unroll
		for (u32 j = 0; j < d; j++)
			if (!back)
				x[r + half + j].add(x[r + 2 * half - d + j]);
#pragma unroll
		for (u32 j = 0; j < half - d; j++)
			x[r + d + j].add(x[r + half + j]);
#pragma unroll
		for (u32 j = 0; j < d; j++)
			if (back)
				x[r + half + j].add(x[r + 2 * half - d + j]);
	}
}

template <u32 words, u32 count>
DEVICE void halvings(Element<words> *tile, u32 rows, u32 columns, u32 run, bool back) {
	constexpr u32 a = count + 1;
	apart<words, a>(tile, rows + columns, run - a + columns, [&](Element<words> *x) __attribute__((always_inline)) {
		if (back) {
#pragma unroll
			for (u32 k = 2; k <= a; k++)
				halved<words, a>(x, k, k - 2, true);
		} else {
#pragma unroll
			for (u32 k = a; k >= 2; k--)
				halved<words, a>(x, k, k - 2, false);
		}
	});
}

template <u32 words>
DEVICE void halvings(Element<words> *tile, u32 rows, u32 columns, u32 run, u32 count, bool back) {
	if constexpr (words <= 2)
		if (count == 3)
			return halvings<words, 3>(tile, rows, columns, run, back);
	if constexpr (words <= 4)
		if (count == 2)
			return halvings<words, 2>(tile, rows, columns, run, back);
	halvings<words, 1>(tile, rows, columns, run, back);
}

template <u32 words> DEVICE void chain(Element<words> *tile, u32 rows, u32 columns, u32 shift, bool back) {
	apart<words, 4>(tile, rows + columns, shift + columns, [&](Element<words> *x) __attribute__((always_inline)) {
		const u32 runs[4] = {4, 3, 2, 4}, shifts[4] = {1, 0, 0, 2};
#pragma unroll
		for (u32 k = 0; k < 4; k++) {
			if (back)
				halved<words, 4>(x, runs[3 - k], shifts[3 - k], true);
			else
				halved<words, 4>(x, runs[k], shifts[k], false);
		}
	});
}

// square goes column by column, first the part from the beginning of rows, then the other one: see expand.
template <u32 words> DEVICE void square(Element<words> *tile, u32 rows, u32 columns, u32 shift, bool back) {
	typedef Element<words> E;
	u32 unit = shift + columns, mask = (1u << unit) - 1;
#pragma unroll 1
	for (u32 t = thread(); t < 1u << (rows + columns - 4); t += threads()) {
		u32 e = t >> unit & 15, at = t >> (unit + 4) << (unit + 8) | e << unit | (t & mask);
		E x[16];
#pragma unroll 1
		for (u32 part = 0; part < 2; part++) {
			u32 first = part == 0 ? 0 : e + 1, last = part == 0 ? e : e == 0 ? 0 : 16; // places u, of which the last one is in
			u32 from = at + (part == 0 ? 0 : 15u << unit);
#pragma unroll
			for (u32 r = 0; r < 16; r++) {
				x[r] = E{};
				if (r + part >= first && r + part <= last)
					x[r] = tile[padded<words>(from + (15 * r << unit))];
			}
#pragma unroll
			for (u32 k = 0; k < 4; k++)
#pragma unroll
				for (u32 r = 0; r < 16; r++)
					if (!(r >> k & 1))
						x[r].add(x[r | 1u << k]);
#pragma unroll
			for (u32 r = 0; r < 16; r++)
				if (r + part >= first && r + part <= last)
					tile[padded<words>(from + (15 * r << unit))] = x[r];
			if (part == 0)
				continue;
#pragma unroll
			for (u32 r = 0; r < 16; r++)
				if (r < e) {
					if (!back)
						tile[padded<words>(at + (15 * r << unit))].add(x[r]);
					tile[padded<words>(at + (15 * (r + 1) << unit))].add(x[r]);
				}
		}
	}
	barrier();
}

// sums adds the second half of each of the runs of 2^from to 2^to rows to the first one: that is x = y + 1 for each bit
// of the row, and its own inverse. A stage does a bits, the lowest of which is number bit.
template <u32 words, u32 a> DEVICE void sums(Element<words> *all, u32 rows, u32 columns, u32 bit) {
	apart<words, a>(all, rows + columns, bit + columns, [&](Element<words> *x) __attribute__((always_inline)) {
#pragma unroll
		for (u32 k = 0; k < a; k++)
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				if (!(j >> k & 1))
					x[j].add(x[j | 1u << k]);
	});
}

template <u32 words> DEVICE void sums(Element<words> *all, u32 rows, u32 columns) {
	constexpr u32 most = words > 4 ? 1 : words > 2 ? 2 : 3;
	u32 bit = 0;
#pragma unroll 1
	for (; bit + most <= rows; bit += most)
		sums<words, most>(all, rows, columns, bit);
	if constexpr (most >= 3)
		if (bit + 2 <= rows) {
			sums<words, 2>(all, rows, columns, bit);
			bit += 2;
		}
	if (bit < rows)
		sums<words, 1>(all, rows, columns, bit);
}

// power is what a product by a step multiplies the element at place i by.
template <u32 words> DEVICE Element<words> power(const Step<words> &s, u64 i) {
	u64 e = (i & (((u64)1 << s.to) - ((u64)1 << s.from))) >> s.low, low = e & (((u64)1 << s.log) - 1);
	Element<words> t = s.powers[low];
	if (e >> s.log != 0)
		t = times(t, s.high[e >> s.log]);
	return t;
}

// basis does steps, on tiles of 2^rows rows of 2^columns elements, of which the total ones have rows of 2^low: bits of
// places are those of rows above the low ones. In rows of one element there is nothing between places of a tile.
template <u32 words>
DEVICE void basis(Element<words> *data, const Step<words> *steps, u32 count, u64 total, u32 low, u32 rows, u32 columns,
                  bool back) {
	typedef Element<words> E;
	E *all = shared<E>();
	u32 across = low - columns, mask = (1u << columns) - 1;
	u64 begin = ((u64)block() >> across << (low + rows)) + ((block() & (((u64)1 << across) - 1)) << columns);
	for (u32 i = thread(); i < 1u << (rows + columns); i += threads()) {
		u64 at = begin + ((u64)(i >> columns) << low) + (i & mask);
		if (at >= total)
			all[padded<words>(i)] = E{};
		else
			all[padded<words>(i)] = data[at];
	}
	barrier();
#pragma unroll 1
	for (u32 k = 0; k < count; k++) {
		const Step<words> s = steps[k];
		if (s.kind != step_product) {
			if (s.kind == step_fold)
				fold(all, rows, columns, s.run, s.shift, back);
			else if (s.kind == step_halvings)
				halvings(all, rows, columns, s.run, s.shift, back);
			if constexpr (words <= 2) {
				if (s.kind == step_chain)
					chain(all, rows, columns, s.shift, back);
				else if (s.kind == step_square)
					square(all, rows, columns, s.shift, back);
			}
			continue;
		}
		// Elements of a row have one factor where bits of the exponent are above those of columns. A thread takes eight of
		// them at most, as rows may be fewer than threads. A loop for both cases takes more than four times as long in rows
		// of one element.
		if (columns > 0 && (s.low >= columns || s.from >= columns)) {
			const u32 piece = min(columns, 3u);
#pragma unroll 1
			for (u32 p = thread(); p < 1u << (rows + columns - piece); p += threads()) {
				E t = power(s, begin + ((u64)(p >> (columns - piece)) << low));
#pragma unroll 1
				for (u32 i = p << piece; i < (p + 1) << piece; i++)
					all[padded<words>(i)] = times(t, all[padded<words>(i)]);
			}
		} else {
#pragma unroll 1
			for (u32 i = thread(); i < 1u << (rows + columns); i += threads()) {
				E t = power(s, begin + ((u64)(i >> columns) << low) + (i & mask));
				all[padded<words>(i)] = times(t, all[padded<words>(i)]);
			}
		}
		barrier();
	}
	for (u32 i = thread(); i < 1u << (rows + columns); i += threads()) {
		u64 at = begin + ((u64)(i >> columns) << low) + (i & mask);
		if (at < total)
			data[at] = all[padded<words>(i)];
	}
}

// expand writes polynomials of 2^(rows + degree) coefficients, each a row of 2^width elements, in powers of
// s = x^T + x, T = 2^degree: R = 2^rows rows of T coefficients, R ≤ T, those of 1, s, s², …; or back from there.
//
// With z = x^(T−1), s = x(z + 1). So coefficients of x^e z^u, which are T − 1 apart, are a column that takes z to z + 1
// without any other: sums, in which a term x^e (z + 1)^j is x^(e−j) s^j. Columns e ≥ R have R coefficients. Those before
// have the first e + 1 from the beginning of rows, and then those of what is column T − 1 + e from the end of rows,
// whose sums with j < e are x^(e−1−j) x^T s^j, which go to rows j and j + 1 of column e.
template <u32 words>
DEVICE void expand(Element<words> *data, u32 degree, u32 rows, u32 width, u32 columns, bool back) {
	typedef Element<words> E;
	u32 all = 1u << (rows + columns), mask = (1u << columns) - 1, across = degree + width - columns;
	E *low = shared<E>(), *high = low + padded<words>(all);
	u64 pitch = (((u64)1 << degree) - 1) << width;
	u64 first = (block() & (((u64)1 << across) - 1)) << columns;
	E *v = data + ((u64)block() >> across << (rows + degree + width)) + first;
	bool whole = first >> width >= 1u << rows;
	for (u32 i = thread(); i < all; i += threads()) {
		u32 r = i >> columns, c = i & mask, e = (u32)((first + c) >> width);
		if (r <= e)
			low[padded<words>(i)] = v[r * pitch + c];
		else
			low[padded<words>(i)] = E{};
		if (whole)
			continue;
		if (r >= e && e > 0)
			high[padded<words>(i)] = v[(r + 1) * pitch + c];
		else
			high[padded<words>(i)] = E{};
	}
	barrier();
	sums<words>(low, rows, columns);
	if (!whole) {
		sums<words>(high, rows, columns);
		for (u32 i = thread(); i < all; i += threads()) {
			u32 r = i >> columns, e = (u32)((first + (i & mask)) >> width);
			E x = low[padded<words>(i)];
			if (!back && r < e)
				x.add(high[padded<words>(i)]);
			if (r > 0 && r <= e)
				x.add(high[padded<words>(i - mask - 1)]);
			low[padded<words>(i)] = x;
		}
		barrier();
	}
	for (u32 i = thread(); i < all; i += threads()) {
		u32 r = i >> columns, c = i & mask, e = (u32)((first + c) >> width);
		if (r <= e)
			v[r * pitch + c] = low[padded<words>(i)];
		if (!whole && r >= e && e > 0)
			v[(r + 1) * pitch + c] = high[padded<words>(i)];
	}
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

#define ADDITIVE(name, words, by, wide_least, tile_least)                                                              \
	/* The layers of a wide pass: 256 threads for 2^columns columns, columns ≤ stride. */                              \
	KERNEL(256, wide_least)                                                                                            \
	void additive_wide_##name(Element<words> *data, const Element<by> *generators, u32 first, u32 stride, u32 columns, \
	                          const u32 *map) {                                                                        \
		wide<words, by, false>(data, generators, first, stride, columns, map);                                         \
	}                                                                                                                  \
	KERNEL(256, wide_least)                                                                                            \
	void additive_wide_inverse_##name(Element<words> *data, const Element<by> *generators, u32 first, u32 stride,      \
	                                  u32 columns, const u32 *map) {                                                   \
		wide<words, by, true>(data, generators, first, stride, columns, map);                                          \
	}                                                                                                                  \
	/* The layers from first on in tiles of 2^size of the total elements. 256 threads a tile. */                       \
	KERNEL(256, tile_least)                                                                                            \
	void additive_tile_##name(Element<words> *data, const Element<by> *generators, const Element<by> *heap, u64 total, \
	                          u32 first, u32 layers, u32 size, const u32 *in, const u32 *out) {                        \
		tile<words, by, false>(data, generators, heap, total, first, layers, size, in, out);                           \
	}                                                                                                                  \
	KERNEL(256, tile_least)                                                                                            \
	void additive_tile_inverse_##name(Element<words> *data, const Element<by> *generators, const Element<by> *heap,    \
	                                  u64 total, u32 first, u32 layers, u32 size, const u32 *in, const u32 *out) {     \
		tile<words, by, true>(data, generators, heap, total, first, layers, size, in, out);                            \
	}

// Factors of the field, and then of that of 32 bits, by elements that maps have made coordinates.
ADDITIVE(32, 1, 1, 4, 4)
ADDITIVE(64, 2, 2, 3, 2)
ADDITIVE(128, 4, 4, 2, 2)
ADDITIVE(256, 8, 8, 2, 2)
ADDITIVE(64_by_32, 2, 1, 2, 3)
ADDITIVE(128_by_32, 4, 1, 2, 2)

// Six layers of factors of 32 bits: 512 threads for 2^columns columns, 2 ≤ columns ≤ stride, or one for eight elements.
#define DEEP(name, words, threads, least)                                                                              \
	KERNEL(threads, least)                                                                                             \
	void additive_deep_##name(Element<words> *data, const Element<1> *generators, u32 first, u32 stride, u32 columns,  \
	                          const u32 *map) {                                                                        \
		deep<words, false>(data, generators, first, stride, columns, map);                                             \
	}                                                                                                                  \
	KERNEL(threads, least)                                                                                             \
	void additive_deep_inverse_##name(Element<words> *data, const Element<1> *generators, u32 first, u32 stride,       \
	                                  u32 columns, const u32 *map) {                                                   \
		deep<words, true>(data, generators, first, stride, columns, map);                                              \
	}

DEEP(32, 1, 512, 2)
DEEP(64_by_32, 2, 512, 2)
DEEP(128_by_32, 4, 512, 1)

// The same last layers in tiles of 2^(rows + 5) elements, at most five more layers than rows and no less. 128 threads a
// tile. One is 1.
#define SLICED(name, words, rows)                                                                                      \
	KERNEL(128, 3)                                                                                                     \
	void additive_sliced_##name(Element<words> *data, const Element<1> *generators, const Element<1> *heap, u32 first, \
	                            u32 layers, const u32 *map, u32 one) {                                                 \
		sliced<words, rows, false>(data, generators, heap, first, layers, map, one);                                   \
	}                                                                                                                  \
	KERNEL(128, 3)                                                                                                     \
	void additive_sliced_inverse_##name(Element<words> *data, const Element<1> *generators, const Element<1> *heap,    \
	                                    u32 first, u32 layers, const u32 *map, u32 one) {                              \
		sliced<words, rows, true>(data, generators, heap, first, layers, map, one);                                    \
	}

SLICED(32, 1, 8)
SLICED(64_by_32, 2, 8)
SLICED(128_by_32, 4, 6)

// The n entries of the heap of a tile.
#define HEAP(bits, words)                                                                                              \
	KERNEL(256)                                                                                                        \
	void additive_heap_##bits(Element<words> *heap, const Element<words> *generators, u32 first, u32 inside, u64 n) {  \
		local(heap, generators, first, inside, n);                                                                     \
	}

HEAP(32, 1)
HEAP(64, 2)
HEAP(128, 4)
HEAP(256, 8)

// A change of basis: steps on tiles, and expansions. 512 threads.
#define BASIS(bits, words)                                                                                             \
	KERNEL(512, 2)                                                                                                     \
	void additive_basis_##bits(Element<words> *data, const Step<words> *steps, u32 count, u64 total, u32 low,          \
	                           u32 rows, u32 columns, u32 back) {                                                      \
		basis(data, steps, count, total, low, rows, columns, back != 0);                                               \
	}                                                                                                                  \
	KERNEL(512, 2)                                                                                                     \
	void additive_expand_##bits(Element<words> *data, u32 degree, u32 rows, u32 width, u32 columns, u32 back) {        \
		expand(data, degree, rows, width, columns, back != 0);                                                         \
	}

BASIS(32, 1)
BASIS(64, 2)
BASIS(128, 4)
BASIS(256, 8)

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
