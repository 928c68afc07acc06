// Kernels of one arithmetic of word.cuh: whole transforms, their tables, and the passes of field.Table.
//
// A vector is a plain array of words, as on the host. Values between kernels are canonical, but for those between the
// passes of a whole transform, which are wide.
//
// # Whole transforms
//
// A transform of 2^n points runs layer 0 … n−1 forward, and back for the inverse. Layer l has 2^l blocks of 2^(n−l)
// elements, and block u takes the remainder modulo X^2h − c² to those modulo X^h ∓ c, with a multiplier c of a table.
// Without a shift of the points, c = T[u] is that of block u of all layers, and T has 2^(n−1) entries. With one, c =
// T[2^l + u], and T has 2^n entries in the order of a heap. Either way, entry e has 2e and 2e + 1 under it.
//
// A pass runs layers first … first+layers−1 on tiles of 2^tile elements, in shared memory. Between two barriers each
// thread takes 8 elements through up to three layers in registers.
//
// The first pass of an inverse transform is a contiguous one. It may take products of two vectors in place of data.
//
//	strided      rows at 2^stride elements, columns 2^columns side by side: 2^layers rows of a block
//	contiguous   stride = columns = 0: 2^(tile−layers) blocks one after the other
//
//	 index i in a tile    [ block | row: layers bits | column ]
//	 thread t of a stage  [ block | row, upper bits  | row, lower bits | column ]      a bits of the row are missing:
//	                                                 ↑ position                        its 2^a elements have all values
#pragma once
#include "word.cuh"

// log2_each is how many elements, as a power of two, a thread takes between two barriers.
static constexpr u32 log2_each = 3;
static constexpr u32 each = 1 << log2_each;

// Flags of passes.
static constexpr u32 flag_natural = 1;   // values in natural order: one pass does the whole transform
static constexpr u32 flag_canonical = 2; // the last pass
static constexpr u32 flag_scale = 4;     // a product by scale at the end, for inverse transforms
static constexpr u32 flag_heap = 8;      // the table is a heap

// Heap is an arithmetic of 32 bits for kernels of tables that are heaps. Those of plain tables are others, as a look at
// the flag costs words of 32 bits up to 8 % of the time, and those of 64 bits nothing.
template <class A> struct Heap : A {};
template <class A> struct Heaps {
	static constexpr bool always = false;
};
template <class A> struct Heaps<Heap<A>> {
	static constexpr bool always = true;
};

// heap reports whether the table is one.
template <class A> DEVICE bool heap(u32 flags) {
	return Heaps<A>::always || (sizeof(typename A::Word) == 8 && flags & flag_heap);
}

// padded spreads indices of shared memory over the banks, where threads read at a stride of 8.
template <class W> DEVICE u32 padded(u32 i) { return i + (i >> (sizeof(W) == 8 ? 4 : 5)); }

// Tile is where a block of threads finds its elements.
template <class A> struct Tile {
	typedef typename A::Word Word;
	typedef typename A::Multiplier Multiplier;
	A f;
	Word *data;
	const Multiplier *table;
	u64 total; // elements of the vector, all transforms
	u32 first, layers, columns, stride, size, flags;
	Multiplier scale;
	const Word *x, *y; // factors of what an inverse begins with, or null
	Word *shared;
	u64 base, group; // of the vector: the first element, and the first block of layer first
	bool full;       // all of the tile is inside the vector

	// value is element i of a contiguous tile, as an inverse finds it.
	DEVICE_METHOD Word value(u32 i) const {
		if (!inside(i))
			return 0;
		return y == nullptr ? data[base + i] : f.times(x[base + i], y[base + i]);
	}

	DEVICE_METHOD void place() {
		full = true;
		if (stride == 0) {
			base = (u64)block() << size;
			group = (u64)block() << (size - layers);
			full = base + (1u << size) <= total;
			return;
		}
		u32 across = stride - columns; // tiles side by side
		group = block() >> across;
		base = (group << (layers + stride)) + ((u64)(block() & ((1u << across) - 1)) << columns);
	}
	// at is the index in the vector of element i of the tile.
	DEVICE_METHOD u64 at(u32 i) const {
		return stride == 0 ? base + i : base + ((u64)(i >> columns) << stride) + (i & ((1u << columns) - 1));
	}
	// inside says whether element i of a contiguous tile is one of the vector.
	DEVICE_METHOD bool inside(u32 i) const { return base + i < total; }
	// mirror is the index in the tile that stands for i in natural order: each transform is a block of the tile.
	DEVICE_METHOD u32 mirror(u32 i) const {
		u32 mask = (1u << layers) - 1;
		return (i & ~mask) | reversed(i & mask, layers);
	}
};

// layers_forward runs a layers on the 2^a elements at x, in registers; h is the place of their block in the table.
template <class A, u32 a>
DEVICE void layers_forward(const A &f, const typename A::Multiplier *table, typename A::Word *x, u32 h) {
#pragma unroll
	for (u32 m = 0; m < a; m++) {
		const u32 half = 1u << (a - 1 - m);
#pragma unroll
		for (u32 u = 0; u < 1u << m; u++) {
			typename A::Multiplier w = table[(h << m) + u];
#pragma unroll
			for (u32 i = 0; i < half; i++)
				f.forward(x[2 * u * half + i], x[(2 * u + 1) * half + i], w);
		}
	}
}

template <class A, u32 a>
DEVICE void layers_inverse(const A &f, const typename A::Multiplier *table, typename A::Word *x, u32 h) {
#pragma unroll
	for (u32 m = a; m-- > 0;) {
		const u32 half = 1u << (a - 1 - m);
#pragma unroll
		for (u32 u = 0; u < 1u << m; u++) {
			typename A::Multiplier w = table[(h << m) + u];
#pragma unroll
			for (u32 i = 0; i < half; i++)
				f.inverse(x[2 * u * half + i], x[(2 * u + 1) * half + i], w);
		}
	}
}

// stage runs a layers of the tile, after done of the pass. It reads the vector where in is set, else shared memory, and
// writes the vector where out is set.
template <class A, u32 a, bool inverse> DEVICE void stage(const Tile<A> &v, u32 done, bool in, bool out) {
	typedef typename A::Word Word;
	const u32 position = v.columns + v.layers - done - a, low = (1u << position) - 1;
	const u32 step = 1u << (position - v.columns + v.stride); // in the vector, between elements of a thread
	const u32 block = (u32)(v.group << done), mask = (1u << (v.first + done)) - 1;
	const u32 begin = heap<A>(v.flags) ? mask + 1 : 0; // of the layer, in the table
#pragma unroll 1
	for (u32 t = thread(); t < 1u << (v.size - a); t += threads()) {
		// Bits of i and of j << position are disjoint, so that their places add up.
		u32 i = t >> position << (position + a) | (t & low);
		Word *s = v.shared + padded<Word>(i), *g = v.data + v.at(i);
		Word x[1 << a];
		if (in && v.full) {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[j] = g[(u64)j * step];
		} else if (in) {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[j] = v.inside(i + (j << position)) ? g[(u64)j * step] : 0;
		} else {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[j] = s[padded<Word>(j << position)];
		}
		u32 h = ((block + (t >> position)) & mask) + begin;
		if (inverse)
			layers_inverse<A, a>(v.f, v.table, x, h);
		else
			layers_forward<A, a>(v.f, v.table, x, h);
		if (!out) {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				s[padded<Word>(j << position)] = x[j];
			continue;
		}
		if (v.flags & flag_scale) {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[j] = v.f.product(x[j], v.scale);
		}
		if (v.flags & flag_canonical) {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[j] = v.f.canonical(x[j]);
		}
		if (v.full) {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				g[(u64)j * step] = x[j];
		} else {
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				if (v.inside(i + (j << position)))
					g[(u64)j * step] = x[j];
		}
	}
	if (!out)
		barrier();
}

template <class A, bool inverse> DEVICE void stages(const Tile<A> &v, u32 a, u32 done, bool in, bool out) {
	switch (a) {
	case 1:
		return stage<A, 1, inverse>(v, done, in, out);
	case 2:
		return stage<A, 2, inverse>(v, done, in, out);
	case 3:
		return stage<A, 3, inverse>(v, done, in, out);
	}
}

// Layers are shared among as few stages as there can be, the larger ones first.
template <class A> DEVICE void forward_pass(Tile<A> &v) {
	typedef typename A::Word Word;
	v.place();
	u32 done = 0;
	for (u32 left = (v.layers + log2_each - 1) / log2_each; left > 0; left--) {
		u32 a = (v.layers - done + left - 1) / left;
		stages<A, false>(v, a, done, done == 0, v.stride != 0 && left == 1);
		done += a;
	}
	if (v.stride != 0)
		return;
	for (u32 i = thread(); i < 1u << v.size; i += threads()) {
		Word r = v.shared[padded<Word>(v.flags & flag_natural ? v.mirror(i) : i)];
		if (v.flags & flag_canonical)
			r = v.f.canonical(r);
		if (v.base + i < v.total)
			v.data[v.base + i] = r;
	}
}

template <class A> DEVICE void inverse_pass(Tile<A> &v) {
	typedef typename A::Word Word;
	v.place();
	bool in = v.stride != 0;
	if (!in) {
		for (u32 i = thread(); i < 1u << v.size; i += threads())
			v.shared[padded<Word>(v.flags & flag_natural ? v.mirror(i) : i)] = v.value(i);
		barrier();
	}
	u32 done = v.layers;
	for (u32 left = (v.layers + log2_each - 1) / log2_each; left > 0; left--) {
		u32 a = (done + left - 1) / left;
		done -= a;
		stages<A, true>(v, a, done, in, left == 1);
		in = false;
	}
}

// field gives the arithmetic of a prime.
template <class A> DEVICE A field(typename A::Word p, typename A::Word inverse, typename A::Word square) {
	return A{Modulus<typename A::Word>{p, inverse, square}};
}

// entry makes entry e of a transform's table: low[e mod 2^bits]·upper[e / 2^bits], or for a heap, where shift is not null,
// that of u times shift[l] for e = 2^l + u. A heap has no entry 0.
template <class A>
DEVICE void entry(const A &f, typename A::Multiplier *table, u32 e, const typename A::Word *low, u32 bits,
                  const typename A::Word *upper, const typename A::Word *shift) {
	typename A::Word w;
	if (shift == nullptr) {
		w = f.times(low[e & ((1u << bits) - 1)], upper[e >> bits]);
	} else if (e != 0) {
		u32 l = 31 - (u32)__builtin_clz(e), u = e - (1u << l);
		w = f.times(f.times(low[u & ((1u << bits) - 1)], upper[u >> bits]), shift[l]);
	} else {
		w = 0;
	}
	table[e] = f.make(w);
}

// Rows is a field.Layer: row r is width elements at r·stride, block b the 2·half rows from 2·half·b on.
struct Rows {
	u64 blocks, half, width, stride;
};

// butterfly finds the two elements of butterfly i of a layer, and its block.
DEVICE u64 butterfly(const Rows &l, u64 i, u64 &x, u64 &y) {
	u64 c = i % l.width, j = i / l.width, b = j / l.half, r = 2 * l.half * b + j % l.half;
	x = r * l.stride + c;
	y = x + l.half * l.stride;
	return b;
}

#define PASSES(name, A, Word)                                                                                          \
	/* One pass of a forward or an inverse transform: 2^(size−3) threads, a block for each tile. */                    \
	KERNEL(1024, 1)                                                                                                    \
	void name##_forward(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square, u64 total,          \
	                    u32 first, u32 layers, u32 columns, u32 stride, u32 size, u32 flags) {                         \
		A f = field<A>(p, inverse, square);                                                                            \
		Tile<A> v = {f, data, table, total, first, layers, columns, stride, size, flags, {}, nullptr, nullptr,         \
		             shared<Word>(), 0, 0, true};                                                                      \
		forward_pass(v);                                                                                               \
	}                                                                                                                  \
	KERNEL(1024, 1)                                                                                                    \
	void name##_inverse(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square, u64 total,          \
	                    u32 first, u32 layers, u32 columns, u32 stride, u32 size, u32 flags, Word scale,               \
	                    const Word *x, const Word *y) {                                                                \
		A f = field<A>(p, inverse, square);                                                                            \
		Tile<A> v = {f,     data, table,         total, first, layers,         columns, stride, size,                  \
		             flags, f.make(scale), x, y, shared<Word>(), 0, 0, true};                                          \
		inverse_pass(v);                                                                                               \
	}

#define ARITHMETIC(name, A, Word)                                                                                      \
	PASSES(name, A, Word)                                                                                              \
	/* The n entries of the table of a transform, a thread for each. shift may be null. */                             \
	KERNEL(256)                                                                                                        \
	void name##_roots(A::Multiplier *table, Word p, Word inverse, Word square, u64 n, const Word *low, u32 bits,        \
	                 const Word *upper, const Word *shift) {                                                           \
		if (index() < n)                                                                                               \
			entry(field<A>(p, inverse, square), table, (u32)index(), low, bits, upper, shift);                         \
	}                                                                                                                  \
	/* The multipliers of n canonical values, a thread for each. */                                                    \
	KERNEL(256)                                                                                                        \
	void name##_table(A::Multiplier *table, Word p, Word inverse, Word square, u64 n, const Word *w) {                 \
		if (index() < n)                                                                                               \
			table[index()] = field<A>(p, inverse, square).make(w[index()]);                                            \
	}                                                                                                                  \
	/* One layer, canonical to canonical: n butterflies, a thread for each. */                                         \
	KERNEL(256)                                                                                                        \
	void name##_radix2(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square, u64 n, u64 blocks,   \
	                   u64 half, u64 width, u64 stride) {                                                              \
		if (index() >= n)                                                                                              \
			return;                                                                                                    \
		A f = field<A>(p, inverse, square);                                                                            \
		u64 x, y, b = butterfly(Rows{blocks, half, width, stride}, index(), x, y);                                     \
		Word u = data[x], v = data[y];                                                                                 \
		f.forward(u, v, table[b]);                                                                                     \
		data[x] = f.canonical(u);                                                                                      \
		data[y] = f.canonical(v);                                                                                      \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void name##_radix2t(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square, u64 n, u64 blocks,  \
	                    u64 half, u64 width, u64 stride) {                                                             \
		if (index() >= n)                                                                                              \
			return;                                                                                                    \
		A f = field<A>(p, inverse, square);                                                                            \
		u64 x, y, b = butterfly(Rows{blocks, half, width, stride}, index(), x, y);                                     \
		Word u = data[x], v = data[y];                                                                                 \
		f.inverse(u, v, table[b]);                                                                                     \
		data[x] = f.canonical(u);                                                                                      \
		data[y] = f.canonical(v);                                                                                      \
	}                                                                                                                  \
	/* Row i, width elements at i·stride, times multiplier i: n elements, a thread for each. */                        \
	KERNEL(256)                                                                                                        \
	void name##_scale(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square, u64 n, u64 width,     \
	                  u64 stride) {                                                                                    \
		if (index() >= n)                                                                                              \
			return;                                                                                                    \
		A f = field<A>(p, inverse, square);                                                                            \
		u64 r = index() / width, i = r * stride + index() % width;                                                     \
		data[i] = f.canonical(f.product(data[i], table[r]));                                                           \
	}
