// The transform of D. Mohajerani's thesis over Z/(r^k + 1): the six-step order, with a kernel for each stride
// permutation, for each multiplication by twiddle factors and for all DFTs of K = 2k points of a level, in rounds of
// radix 2 that read and write global memory. It is here to be measured against the passes of digitkernels.cuh. Its
// arithmetic is theirs, so that the structure alone differs. Permutations go from one vector to another and back, where
// the thesis copies after each.
//
// Vectors of N = K^e canonical elements have one of two layouts:
//
//	planes     digit d of element i is v[d·pitch + i], "transposed" in the thesis
//	elements   digit d of element i is v[i·k + d], "non-transposed"
//
// For s = 0, …, e−2 the vector is permuted by I ⊗ L_K, in blocks of K^(e−s), and then come the DFTs. For s = e−2, …, 0
// follow, in blocks of K·J with J = K^(e−s−1): products by powers of w^(K^s), I ⊗ L_J, DFTs, and I ⊗ L_K. Values are in
// natural order before and after. unit is the odd number for which w^(N/K) = r^unit.
//
//	thesis<k>_permute_<layout>     to, from, pitch, n, u32 rows, u32 columns
//	    I ⊗ L of n elements: blocks of 2^rows rows of 2^columns elements are transposed, both at least K. planes: a
//	    block of 256 threads for each K·K elements, with 8·K·(K + 1) bytes of shared memory. elements: blocks of 128
//	    threads, one element each.
//	thesis<k>_twiddle_<layout>     v, pitch, n, u32 block, u32 rest, u32 scale, u32 unit, table, pitch, RADIX
//	    Element j of row i of each block of 2^block elements, in rows of J = 2^rest, times r^(unit·⌊ij/J⌋) and, where it
//	    is not 1, times element (ij mod J)·2^scale of the table of w^0, w^1, …, w^(N/K−1). Blocks of 128 threads, one
//	    element each, with 2·8·k bytes of shared memory a thread.
//	thesis<k>_dft_<layout>         v, pitch, u32 unit, r
//	    DFTs of K points one after the other, with the root r^unit: a thread for each two points, blocks of 128
//	    threads, with 8·k bytes of shared memory a thread.
//
// n is a multiple of 256. Elements have no pitch, and do not read it.
#include "digitkernels.cuh"

struct Planes {
	u64 *v, pitch;
	template <u32 k> METHOD Plane at(u64 i) const { return Plane{v + i, pitch}; }
};
struct Elements {
	u64 *v, pitch;
	template <u32 k> METHOD Plane at(u64 i) const { return Plane{v + i * k, 1}; }
};

// permute moves one digit of a tile after the other.
template <u32 k> DEVICE void permute(Planes to, Planes from, u64, u32 rows, u32 columns) {
	constexpr u32 side = 2 * k, log = log2(side);
	u64 *s = shared<u64>();
	u32 tile = block() & ((1u << (rows + columns - 2 * log)) - 1);
	u64 base = (u64)(block() >> (rows + columns - 2 * log)) << (rows + columns);
	u64 j = (u64)(tile >> (columns - log)) << log, i = (u64)(tile & ((1u << (columns - log)) - 1)) << log;
#pragma unroll 1
	for (u32 d = 0; d < k; d++) {
		const u64 *x = from.v + d * from.pitch + base;
		u64 *z = to.v + d * to.pitch + base;
		for (u32 e = thread(); e < side * side; e += threads())
			s[e / side * (side + 1) + e % side] = x[((j + e / side) << columns) + i + e % side];
		barrier();
		for (u32 e = thread(); e < side * side; e += threads())
			z[((i + e / side) << rows) + j + e % side] = s[e % side * (side + 1) + e / side];
		barrier();
	}
}

template <u32 k> DEVICE void permute(Elements to, Elements from, u64 n, u32 rows, u32 columns) {
	u64 i = index();
	if (i >= n)
		return;
	u64 block = i >> (rows + columns) << (rows + columns), at = i - block;
	u64 source = block + ((at & ((1ull << rows) - 1)) << columns) + (at >> rows);
	move<k>(to.template at<k>(i), from.template at<k>(source));
}

template <u32 k, class V>
DEVICE void twiddle(V v, u64 n, u32 block, u32 rest, u32 scale, u32 unit, V table, const Radix &m) {
	u64 i = index();
	if (i >= n)
		return;
	u64 at = i & ((1ull << block) - 1), e = (at >> rest) * (at & ((1ull << rest) - 1)), low = e & ((1ull << rest) - 1);
	u32 turn = (u32)(e >> rest) * unit & (2 * k - 1);
	Plane x = v.template at<k>(i);
	Row<k> y = mine<k>(0), z = mine<k>(1);
	if (turn != 0) {
		move<k>(y, x);
		if (low == 0) {
			turned<k>(x, y, turn, m.r);
			return;
		}
		turned<k>(z, y, turn, m.r);
	} else if (low != 0) {
		move<k>(z, x);
	} else {
		return;
	}
	move<k>(y, table.template at<k>(low << scale));
	product<k>(x, z, y, m);
}

template <u32 k, class V> DEVICE void dft(V v, u32 unit, u64 r) {
	constexpr u32 layers = log2(2 * k);
	u64 base = index() / k * 2 * k;
	u32 t = (u32)index() & (k - 1);
	auto slot = [&](u32 i) { return v.template at<k>(base + i); };
#pragma unroll 1
	for (u32 l = 0; l < layers; l++) {
		u32 half = layers - 1 - l, block = t >> half, a = block << (half + 1) | (t & ((1u << half) - 1));
		Plane x = slot(a), y = slot(a + (1u << half));
		u32 turn = (reversed(block, l) << half) * unit & (2 * k - 1);
		if (turn != 0) {
			move<k>(mine<k>(0), y);
			turned<k>(y, mine<k>(0), turn, r);
		}
		barrier();
		butterfly<k>(x, y, x, y, 0, r);
		barrier();
	}
#pragma unroll 1
	for (u32 i = t; i < 2 * k; i += k) {
		u32 j = reversed(i, layers);
		if (i >= j)
			continue;
		Plane x = slot(i), y = slot(j);
#pragma unroll
		for (u32 d = 0; d < k; d++) {
			u64 a = x[d];
			x[d] = y[d];
			y[d] = a;
		}
	}
}

#define THESIS(k, layout, Layout)                                                                                      \
	KERNEL(256)                                                                                                        \
	void thesis##k##_permute_##layout(u64 *to, u64 *from, u64 pitch, u64 n, u32 rows, u32 columns) {                   \
		permute<k>(Layout{to, pitch}, Layout{from, pitch}, n, rows, columns);                                          \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void thesis##k##_twiddle_##layout(u64 *v, u64 pitch, u64 n, u32 block, u32 rest, u32 scale, u32 unit, u64 *table,  \
	                                  u64 table_pitch, RADIX) {                                                        \
		twiddle<k>(Layout{v, pitch}, n, block, rest, scale, unit, Layout{table, table_pitch}, RADIX_OF);               \
	}                                                                                                                  \
	KERNEL(128) void thesis##k##_dft_##layout(u64 *v, u64 pitch, u32 unit, u64 r) {                                    \
		dft<k>(Layout{v, pitch}, unit, r);                                                                             \
	}

THESIS(8, planes, Planes)
THESIS(8, elements, Elements)
THESIS(16, planes, Planes)
THESIS(16, elements, Elements)
