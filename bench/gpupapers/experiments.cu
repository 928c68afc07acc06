// Kernels that only measure: the experiments on GPUs of D. Mohajerani's thesis and of its slides. The library loads
// none of them.
//
// Vectors are canonical elements of Z/(r^k + 1), k = 8 or 16, in one of two layouts:
//
//	planes     digit d of element i is v[d·pitch + i], "transposed" in the thesis
//	elements   digit d of element i is v[i·k + d], "non-transposed"; there is no pitch, and none is read
//
// A thread has one element, unless it says otherwise. RADIX is that of digitkernels.cuh. Shared memory is 8·k bytes a
// thread where a kernel keeps one element in it, twice that for two.
//
//	sum<k>_<layout>, difference    z, pitch, x, pitch, y, pitch, n, r
//	shift<k>_<layout>              z, pitch, x, pitch, n, u32 s, r: z = x·r^s for s < 2k. One element in shared memory.
//	product<k>_<layout>            z, pitch, x, pitch, y, pitch, n, RADIX: z = xy. Two elements in shared memory.
//	coefficients<k>_<layout>       w, pitch, x, pitch, y, pitch, n, u32 side, RADIX
//	    Algorithm 4.9: k threads an element, of which each computes one coefficient of the product, three words that
//	    are not negative. The words of coefficient m are planes 3m, 3m + 1 and 3m + 2 of w. With side 0 the k threads
//	    of an element are side by side, as in the thesis; with side 1 threads side by side have elements side by side.
//	finish<k>_<layout>             z, pitch, w, pitch, n, RADIX: Algorithm 4.10, a thread an element. z from w.
//	permute<k>                     to, from, pitch, u32 rows, u32 columns, u32 blocks
//	    Stride permutations of planes: each 2^rows rows of 2^columns elements one after the other are transposed, in
//	    tiles of 2k by 2k elements, by so many blocks for each such matrix and digit. A grid of (matrices·blocks, k)
//	    blocks of 256 threads, with 8·2k·(2k + 1) bytes of shared memory.
//	move<k>                        to, from, n, u32 rows, u32 columns: the same of elements, a thread each.
//	twiddle<k>_<layout>            v, pitch, n, u32 block, u32 rest, u32 scale, u32 unit, table, pitch, RADIX
//	    Element j of row i of each block of 2^block elements, in rows of J = 2^rest, times r^(unit·⌊ij/J⌋) and, where
//	    it is not 1, times element (ij mod J)·2^scale of the table of w^0, w^1, …, w^(N/K−1), K = 2k. unit is the odd
//	    number for which w^(N/K) = r^unit. Two elements in shared memory.
//	turn<k>_<layout>               v, pitch, u32 layer, u32 unit, r
//	    The products by powers of r before a layer of DFTs of K points one after the other, with the root r^unit. A
//	    thread for each two points; one element in shared memory.
//	butterflies<k>_<layout>        v, pitch, u32 layer: the sums and differences of the layer. A thread for each two.
//	reverse<k>_<layout>            v, pitch: the bit reversal of each K points. A thread for each two.
//
// Rivals are transforms of 2^n points modulo a prime p of one word of b bits, with a kernel for each layer of radix 2.
// Multipliers are w·2^b mod p. "_ro" reads them through the cache of what is read only. All have natural order on both
// sides: Cooley and Tukey's after a bit reversal, Stockham's of itself. A thread has a butterfly.
//
//	scatter<b>                     to, from, u32 n: the bit reversal, a thread an element
//	powers<b>                      v, u32 n, u32 layer, list, p, p⁻¹ mod 2^b
//	    A layer without a table: each thread computes its twiddle factor from the list of w^(2^i), i = 0 … n − 1, and,
//	    in place n, 1.
//	tables<b>, tables<b>_ro        v, u32 n, u32 layer, table, p, p⁻¹ mod 2^b; the table of w^i, i < 2^(n−1)
//	stockham<b>, stockham<b>_ro    to, from, u32 n, u32 layer, table, p, p⁻¹ mod 2^b
#include "digitkernels.cuh"
#include "word.cuh"

struct Planes {
	u64 *v, pitch;
	template <u32 k> METHOD Plane at(u64 i) const { return Plane{v + i, pitch}; }
};
struct Elements {
	u64 *v, pitch;
	template <u32 k> METHOD Plane at(u64 i) const { return Plane{v + i * k, 1}; }
};

template <u32 k, class V> DEVICE void one_coefficient(Planes w, V v, V u, u64 n, u32 side, const Radix &m) {
	u64 t = index();
	if (t >= n * k)
		return;
	u64 e = side == 0 ? t / k : t % n;
	u32 c = (u32)(side == 0 ? t % k : t / n);
	Plane x = v.template at<k>(e), y = u.template at<k>(e);
	Sum positive{}, negative{};
	positive.set(Wide{{m.offset[0], m.offset[1], m.offset[2]}});
#pragma unroll 1
	for (u32 i = 0; i <= c; i++)
		positive.add(x[i], y[c - i]);
#pragma unroll 1
	for (u32 i = c + 1; i < k; i++)
		negative.add(x[i], y[c + k - i]);
	Wide z = positive.value() - negative.value();
	for (u32 i = 0; i < 3; i++)
		w.v[(3 * c + i) * w.pitch + e] = z.w[i];
}

template <u32 k, class V> DEVICE void finish_product(V v, Planes w, u64 n, const Radix &m) {
	u64 e = index();
	if (e >= n)
		return;
	Plane z = v.template at<k>(e);
	Wide q{{m.first[0], m.first[1], 0}};
	u64 z0 = 0, z1 = 0;
#pragma unroll 1
	for (u32 c = 0; c < k; c++) {
		const u64 *p = w.v + 3 * c * w.pitch + e;
		q = Wide{{p[0], p[w.pitch], p[2 * w.pitch]}} + q;
		u64 digit = divide(q, m);
		if (c == 0)
			z0 = digit;
		else if (c == 1)
			z1 = digit;
		else
			z[c] = digit;
	}
	finish<k>(z, z0, z1, q, m);
}

template <u32 k> DEVICE void permute(u64 *to, u64 *from, u64 pitch, u32 rows, u32 columns, u32 several) {
	constexpr u32 side = 2 * k, log = log2(side);
	u64 *s = shared<u64>();
	u64 base = (u64)(block() / several) << (rows + columns), plane = block_y() * pitch;
	const u64 *x = from + plane + base;
	u64 *z = to + plane + base;
	for (u64 tile = block() % several; tile < 1ull << (rows + columns - 2 * log); tile += several) {
		u64 j = tile >> (columns - log) << log, i = (tile & ((1ull << (columns - log)) - 1)) << log;
		for (u32 e = thread(); e < side * side; e += threads())
			s[e / side * (side + 1) + e % side] = x[((j + e / side) << columns) + i + e % side];
		barrier();
		for (u32 e = thread(); e < side * side; e += threads())
			z[((i + e / side) << rows) + j + e % side] = s[e % side * (side + 1) + e / side];
		barrier();
	}
}

template <u32 k> DEVICE void move_all(u64 *to, u64 *from, u64 n, u32 rows, u32 columns) {
	u64 i = index();
	if (i >= n)
		return;
	u64 block = i >> (rows + columns) << (rows + columns), at = i - block;
	u64 source = block + ((at & ((1ull << rows) - 1)) << columns) + (at >> rows);
	move<k>(Plane{to + i * k, 1}, Plane{from + source * k, 1});
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

// Pair is the two points of this thread in a layer of DFTs of 2k points, and the power of r for the second one.
template <u32 k> struct Pair {
	u64 a, b;
	u32 turn;
	METHOD Pair(u32 layer, u32 unit) {
		constexpr u32 layers = log2(2 * k);
		u64 base = index() / k * 2 * k;
		u32 t = (u32)index() & (k - 1), half = layers - 1 - layer, block = t >> half;
		a = base + (block << (half + 1) | (t & ((1u << half) - 1)));
		b = a + (1u << half);
		turn = (reversed(block, layer) << half) * unit & (2 * k - 1);
	}
};

template <u32 k, class V> DEVICE void reverse(V v) {
	constexpr u32 layers = log2(2 * k);
	u64 base = index() / k * 2 * k;
#pragma unroll 1
	for (u32 i = (u32)index() & (k - 1); i < 2 * k; i += k) {
		u32 j = reversed(i, layers);
		if (i >= j)
			continue;
		Plane x = v.template at<k>(base + i), y = v.template at<k>(base + j);
#pragma unroll
		for (u32 d = 0; d < k; d++) {
			u64 a = x[d];
			x[d] = y[d];
			y[d] = a;
		}
	}
}

#define EXPERIMENTS(k, layout, Layout)                                                                                 \
	KERNEL(256)                                                                                                        \
	void sum##k##_##layout(u64 *z, u64 pz, u64 *x, u64 px, u64 *y, u64 py, u64 n, u64 r) {                             \
		u64 i = index();                                                                                               \
		if (i < n)                                                                                                     \
			sum<k>(Layout{z, pz}.at<k>(i), Layout{x, px}.at<k>(i), Layout{y, py}.at<k>(i), r);                         \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void difference##k##_##layout(u64 *z, u64 pz, u64 *x, u64 px, u64 *y, u64 py, u64 n, u64 r) {                      \
		u64 i = index();                                                                                               \
		if (i < n)                                                                                                     \
			difference<k>(Layout{z, pz}.at<k>(i), Layout{x, px}.at<k>(i), Layout{y, py}.at<k>(i), r);                  \
	}                                                                                                                  \
	KERNEL(256) void shift##k##_##layout(u64 *z, u64 pz, u64 *x, u64 px, u64 n, u32 s, u64 r) {                        \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		move<k>(mine<k>(0), Layout{x, px}.at<k>(i));                                                                   \
		turned<k>(Layout{z, pz}.at<k>(i), mine<k>(0), s, r);                                                           \
	}                                                                                                                  \
	KERNEL(128) void product##k##_##layout(u64 *z, u64 pz, u64 *x, u64 px, u64 *y, u64 py, u64 n, RADIX) {             \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		move<k>(mine<k>(0), Layout{x, px}.at<k>(i));                                                                   \
		move<k>(mine<k>(1), Layout{y, py}.at<k>(i));                                                                   \
		product<k>(Layout{z, pz}.at<k>(i), mine<k>(0), mine<k>(1), RADIX_OF);                                          \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void coefficients##k##_##layout(u64 *w, u64 pw, u64 *x, u64 px, u64 *y, u64 py, u64 n, u32 side, RADIX) {          \
		one_coefficient<k>(Planes{w, pw}, Layout{x, px}, Layout{y, py}, n, side, RADIX_OF);                            \
	}                                                                                                                  \
	KERNEL(256) void finish##k##_##layout(u64 *z, u64 pz, u64 *w, u64 pw, u64 n, RADIX) {                              \
		finish_product<k>(Layout{z, pz}, Planes{w, pw}, n, RADIX_OF);                                                  \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void twiddle##k##_##layout(u64 *v, u64 pitch, u64 n, u32 block, u32 rest, u32 scale, u32 unit, u64 *table,         \
	                           u64 table_pitch, RADIX) {                                                               \
		twiddle<k>(Layout{v, pitch}, n, block, rest, scale, unit, Layout{table, table_pitch}, RADIX_OF);               \
	}                                                                                                                  \
	KERNEL(256) void turn##k##_##layout(u64 *v, u64 pitch, u32 layer, u32 unit, u64 r) {                               \
		Pair<k> p(layer, unit);                                                                                        \
		if (p.turn == 0)                                                                                               \
			return;                                                                                                    \
		Plane y = Layout{v, pitch}.at<k>(p.b);                                                                         \
		move<k>(mine<k>(0), y);                                                                                        \
		turned<k>(y, mine<k>(0), p.turn, r);                                                                           \
	}                                                                                                                  \
	KERNEL(256) void butterflies##k##_##layout(u64 *v, u64 pitch, u32 layer, u64 r) {                                  \
		Pair<k> p(layer, 0);                                                                                           \
		Plane x = Layout{v, pitch}.at<k>(p.a), y = Layout{v, pitch}.at<k>(p.b);                                        \
		butterfly<k>(x, y, x, y, 0, r);                                                                                \
	}                                                                                                                  \
	KERNEL(256) void reverse##k##_##layout(u64 *v, u64 pitch) { reverse<k>(Layout{v, pitch}); }

#define PERMUTATIONS(k)                                                                                                \
	KERNEL(256) void permute##k(u64 *to, u64 *from, u64 pitch, u32 rows, u32 columns, u32 several) {                   \
		permute<k>(to, from, pitch, rows, columns, several);                                                           \
	}                                                                                                                  \
	KERNEL(256) void move##k(u64 *to, u64 *from, u64 n, u32 rows, u32 columns) {                                       \
		move_all<k>(to, from, n, rows, columns);                                                                       \
	}

EXPERIMENTS(8, planes, Planes)
EXPERIMENTS(8, elements, Elements)
EXPERIMENTS(16, planes, Planes)
EXPERIMENTS(16, elements, Elements)
PERMUTATIONS(8)
PERMUTATIONS(16)

// read reads what no thread writes while the kernel runs.
#ifdef EMULATE
template <class W> DEVICE W read(const W *p) { return *p; }
#else
DEVICE u64 read(const u64 *p) {
	u64 r;
	asm("ld.global.nc.u64 %0, [%1];" : "=l"(r) : "l"(p));
	return r;
}
DEVICE u32 read(const u32 *p) {
	u32 r;
	asm("ld.global.nc.u32 %0, [%1];" : "=r"(r) : "l"(p));
	return r;
}
#endif

// cooley_tukey does a butterfly of a layer, with its twiddle factor from by, which is told its exponent.
template <class W, class By> DEVICE void cooley_tukey(W *v, u32 n, u32 layer, W p, W inverse, By by) {
	u64 t = index();
	if (t >= 1ull << (n - 1))
		return;
	u64 j = t & ((1ull << layer) - 1), a = (t >> layer << (layer + 1)) + j, b = a + (1ull << layer);
	Modulus<W> m{p, inverse, 0};
	W x = v[a], y = m.reduced(v[b], by(j << (n - 1 - layer)));
	v[a] = m.add(x, y);
	v[b] = m.sub(x, y);
}

template <class W, class By> DEVICE void stockham(W *to, const W *from, u32 n, u32 layer, W p, W inverse, By by) {
	u64 t = index(), low = (1ull << layer) - 1;
	if (t >= 1ull << (n - 1))
		return;
	Modulus<W> m{p, inverse, 0};
	W x = from[t], y = from[t + (1ull << (n - 1))];
	W *z = to + ((t & ~low) << 1 | (t & low));
	z[0] = m.add(x, y);
	z[low + 1] = m.reduced(m.sub(x, y), by(t & ~low));
}

#define RIVALS(b, Word)                                                                                                \
	KERNEL(256) void scatter##b(Word *to, const Word *from, u32 n) {                                                   \
		if (index() < 1ull << n)                                                                                       \
			to[reversed((u32)index(), n)] = from[index()];                                                             \
	}                                                                                                                  \
	KERNEL(256) void powers##b(Word *v, u32 n, u32 layer, const Word *list, Word p, Word inverse) {                    \
		cooley_tukey(v, n, layer, p, inverse, [&](u64 e) INLINE {                                                      \
			Word w = list[n];                                                                                          \
			for (u32 i = n - 1 - layer; i < n - 1; i++)                                                                \
				if (e >> i & 1)                                                                                        \
					w = Modulus<Word>{p, inverse, 0}.reduced(w, list[i]);                                              \
			return w;                                                                                                  \
		});                                                                                                            \
	}                                                                                                                  \
	KERNEL(256) void tables##b(Word *v, u32 n, u32 layer, const Word *table, Word p, Word inverse) {                   \
		cooley_tukey(v, n, layer, p, inverse, [&](u64 e) INLINE { return table[e]; });                                 \
	}                                                                                                                  \
	KERNEL(256) void tables##b##_ro(Word *v, u32 n, u32 layer, const Word *table, Word p, Word inverse) {              \
		cooley_tukey(v, n, layer, p, inverse, [&](u64 e) INLINE { return read(table + e); });                          \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void stockham##b(Word *to, const Word *from, u32 n, u32 layer, const Word *table, Word p, Word inverse) {          \
		stockham(to, from, n, layer, p, inverse, [&](u64 e) INLINE { return table[e]; });                              \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void stockham##b##_ro(Word *to, const Word *from, u32 n, u32 layer, const Word *table, Word p, Word inverse) {     \
		stockham(to, from, n, layer, p, inverse, [&](u64 e) INLINE { return read(table + e); });                       \
	}

RIVALS(64, u64)
RIVALS(32, u32)
