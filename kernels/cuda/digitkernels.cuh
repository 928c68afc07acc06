// Kernels for vectors over Z/(r^k + 1), k = 2, 4, 8, …, 128 digits; r < 2^64 and r > 4k. Elements are canonical, before
// and after each: digits below r, or −1 with the last digit r and the others 0. Results do not depend on launch shapes.
//
// A vector is k planes: digit d of element i is v[d·pitch + i]. Elements of planes are words side by side, so that
// threads side by side take elements side by side. Pitches are in words. A view has v at its first element. Kernels
// named digits<k>_… exist for each k, those named digits_… move words and serve all k.
//
// RADIX is seven arguments that follow from r and k, with D = r·2^s in [2^63, 2^64):
//
//	u64 r
//	u64 reciprocal        ⌊(2^128 − 1)/D⌋ − 2^64
//	u64 offset0, 1, 2     the words of A(r − 1), the lowest first, for A = k(r + 2)
//	u64 first0, 1         the words of 2A
//
// LAZY is thirteen, with s the zeros at the top of r, cut = max(0, log2 k + 2 − 2s) and scale = cut + s + 1:
//
//	u64 r
//	u64 reciprocal        ⌊(2^127 − 1)/D⌋
//	u64 offset0, 1, 2     the words of A(r − 1), the lowest first, for A = k(r + ⌊r/2^9⌋ + 16k)
//	u64 first0, 1         the words of 2A
//	u32 estimate          ⌊(2^(95 − s) − 1)/r⌋
//	u32 narrow            24 − s − log2 k
//	u32 cut, scale
//	u64 step0, u32 step1  the words of 2^96 − r·2^scale
//
// Launches: T = 128 threads where k ≤ 16, else 2048/k; B = 8·T·k bytes, one element for each thread. "Blocks" for n
// elements are ⌈n/threads⌉; vectors are below 2^31 elements where counts are u32. Vectors that may be one have the same
// first element. What is not said to be u32 or a pointer to something else is a u64 or a pointer to words.
//
//	digits<k>_pack, _unpack        v, pitch, a, n
//	    Canonical elements a, k words each and one after the other, to planes v, and back. Blocks ⌈n·k/2048⌉ of 256
//	    threads, with 8·(2048 + 2048/k) bytes of shared memory, through which both sides are read and written in runs.
//	digits<k>_add, _sub            z, pitch, x, pitch, y, pitch, n, r
//	    z = x ± y; z may be x or y. Blocks of at most 256 threads, one element each, no shared memory.
//	digits<k>_shift                z, pitch, x, pitch, n, u32 s, r
//	    z = x·r^s for s < 2k, −x for s = k; z may be x. Blocks of T threads, one element each, B bytes.
//	digits<k>_product              z, pitch, x, pitch, y, pitch, n, mask, RADIX
//	    z[i] = x[i]·y[i & mask]; mask is 2^64 − 1, or 2^b − 1 for a table of 2^b elements. z may be x, and y with the
//	    first mask. Blocks of T threads, one element each, 2B bytes.
//	digits<k>_scale                v, pitch, table, pitch, i32 *power, u32 off, u32 rows, u32 width, stride, RADIX
//	    field.Table.Scale. Here and below power[i] is the s with 0 ≤ s < 2k for which entry i is r^s, or −1. Blocks of T
//	    threads, one of rows·width elements each, B bytes.
//	digits<k>_radix2, _radix2t     v, pitch, table, pitch, i32 *power, u32 off, u32 all, u32 half, u32 width, stride,
//	                               RADIX
//	    field.Table.Radix2 and Radix2T for a field.Layer, all being Blocks·Half·Width. Blocks of T threads, one
//	    butterfly each, 2B bytes.
//	digits_copy, digits_transpose  to, pitch, v, pitch, u32 rows, u32 width, dst, src, i32 *row_perm, i32 *column_perm
//	    field.Copy without and with Transpose; null for no permutation. Grids are (blocks, k). copy: blocks of 256
//	    threads, one of rows·width words each. transpose: ⌈rows/32⌉·⌈width/32⌉ blocks of 256 threads, with 8448 bytes.
//	digits_reorder                 v, pitch, u32 bits
//	    Bit reversal of each of count vectors of 2^bits elements, one after the other, in place. With
//	    t = min(5, ⌊bits/2⌋): a grid of (count·2^(bits − 2t), k) blocks of 256 threads, 16·2^t·(2^t + 1) bytes.
//
// Whole transforms of N = 2^n points are calls of one kernel, with tables that another one builds. The plan of both is
// gpu/plan_digits.go.
//
//	digits<k>_pass                 v, pitch, total, u32 rows, u32 columns, u32 width, u32 back, u32 unit, table, pitch,
//	                               period, ones, RADIX
//	digits<k>_pair, k ≤ 8          v, pitch, total, u32 rows, u32 inner, u32 columns, u32 width, u32 back, u32 unit,
//	                               table, pitch, period, ones, inner table, pitch, RADIX
//	    total elements are blocks of 2^(rows + columns), and these are 2^rows rows of 2^columns elements. Columns of
//	    rows are transformed, natural order in and bit-reversed out, or the other way round with back, with the root
//	    r^(unit·2k/2^rows), for rows ≤ log2 2k. Then element i of v is multiplied by table[i mod period], where that
//	    place is not below ones; period is a power of two, and without a table ones is 2^64 − 1. A pair is
//	    two steps, of 2^(rows − inner) and 2^inner rows, both at most 2k, with products by the inner table of
//	    2^rows elements in between; inner is 0 where there is one. A block takes 2^width columns: ⌈total/2^(rows +
//	    width)⌉ blocks of a power of two ≥ 2^width and ≤ 512 threads (256 for k > 8), with 8·k·2^rows·(2^width | 1)
//	    + 2·2^rows bytes. A thread does a butterfly, later a product, at a time, with threads side by side on
//	    columns side by side. unit is the odd number for which w^(N/2k) = r^unit, w the root; for N < 2k that for
//	    which w = r^(unit·2k/N). Back it is 2k less that number.
//	digits<k>_lazy, 8 ≤ k ≤ 64     v, pitch, total, u32 rows, u32 columns, u32 width, u32 back, u32 unit, table, pitch,
//	                               period, ones, LAZY
//	    The same as pass, for most r (gpu/plan_digits.go), where additions carry nothing (lazy.cuh). Blocks have
//	    10·k·(2^rows·p + 2^width) bytes: k planes of 2^rows rows of p places, p = 2^width, and 2 more from width 2 on,
//	    once with the words of lazy digits, and once with 16 bits more of each. width is 1 at least. A round does two
//	    layers, the first round one where rows is odd. A thread has two columns side by side, the digits d and d + k/2,
//	    and four rows (or two) at a time: 16 lazy digits. Threads side by side have columns, then digits, then rows. The
//	    first round reads them from v where columns ≥ width. The threads of a block are a power of two
//	    ≥ k/2·2^(width − 1), so that those that exchange digits, of the same rows and columns, are between the same
//	    barriers. After the rounds a thread has one element at a time, for its product or its carries.
//	digits<k>_table                z, pitch, n, u32 rows, u32 columns, u32 scale, low, pitch, u32 log_low, high, pitch,
//	                               RADIX
//	    n elements z of low[e mod 2^log_low]·high[⌊e/2^log_low⌋]. e is i for rows = 0, and otherwise 2^scale times
//	    i mod 2^columns times the reversal of the rows bits of ⌊i/2^columns⌋. Blocks of T threads, one element each.
//	    For powers of b with exponents below N the host brings low[i] = b^i for i < 2^m, and high[i] = b^(i·2^m) for
//	    i < N/2^m, m = log_low = ⌊n/2⌋, say. b is the root w, back 1/w; and for cosets the shift s, back 1/s. With a
//	    factor 1/N, high is multiplied by it.
#pragma once
#include "lazy.cuh"

// Threads of a block of kernels that keep elements in shared memory, two for each thread.
template <u32 k> constexpr u32 staged() { return k <= 16 ? 128 : 2048 / k; }

// Elements of a tile of pack and unpack.
template <u32 k> constexpr u32 packed() { return 2048 / k; }

// Blocks of the kernel pass on a multiprocessor at once, which bounds their registers: measured on an H200.
constexpr u32 passes_at_once(u32 k) { return k <= 8 ? 6 : k == 16 ? 3 : 2; }

// mine is one of two elements in shared memory that belong to this thread.
template <u32 k> DEVICE Row<k> mine(u32 which) {
	return Row<k>{shared<u64>() + which * k * threads() + thread(), 8 * threads(), 0};
}

template <u32 k, class Z, class X> DEVICE void move(Z z, X x) {
	const u32 n = chunk<k>();
#pragma unroll 1
	for (u32 j = 0; j < k; j += n) {
		u64 a[n];
#pragma unroll
		for (u32 i = 0; i < n; i++)
			a[i] = x[j + i];
#pragma unroll
		for (u32 i = 0; i < n; i++)
			z[j + i] = a[i];
	}
}

// pack moves a tile of elements from one after the other to planes, or back, through rows that are one word longer.
template <u32 k, bool back> DEVICE void pack(u64 *v, u64 pitch, u64 *a, u64 n) {
	const u32 tile = packed<k>();
	u64 *s = shared<u64>(), at = (u64)block() * tile;
	u32 valid = (u32)min((u64)tile, n - at);
	u64 *elements = a + at * k, *planes = v + at;
	for (u32 i = thread(); i < (back ? tile * k : valid * k); i += threads()) {
		u32 e = back ? i % tile : i / k, d = back ? i / tile : i % k;
		if (e < valid)
			s[e * (k + 1) + d] = back ? planes[d * pitch + e] : elements[i];
	}
	barrier();
	for (u32 i = thread(); i < (back ? valid * k : tile * k); i += threads()) {
		u32 e = back ? i / k : i % tile, d = back ? i % k : i / tile;
		if (e < valid)
			(back ? elements[i] : planes[d * pitch + e]) = s[e * (k + 1) + d];
	}
}

// times sets z to x·r^power, or to x·y where power is negative. z is neither x nor y.
template <u32 k, class Z, class X, class Y> DEVICE void times(Z z, X x, Y y, i32 power, const Radix &m) {
	if (power < 0)
		product<k>(z, x, y, m);
	else
		turned<k>(z, x, power, m.r);
}

template <u32 k>
DEVICE void scale(u64 *v, u64 pitch, u64 *table, u64 table_pitch, const i32 *power, u32 off, u32 rows, u32 width,
		  u64 stride, const Radix &m) {
	u32 e = (u32)index();
	if (e >= rows * width)
		return;
	u64 i = e / width, j = e % width;
	Plane x{v + i * stride + j, pitch};
	if (power[off + i] == 0)
		return;
	move<k>(mine<k>(0), x);
	times<k>(x, mine<k>(0), Plane{table + off + i, table_pitch}, power[off + i], m);
}

template <u32 k, bool transposed>
DEVICE void radix2(u64 *v, u64 pitch, u64 *table, u64 table_pitch, const i32 *power, u32 off, u32 all, u32 half,
		   u32 width, u64 stride, const Radix &m) {
	u32 e = (u32)index();
	if (e >= all)
		return;
	u32 i = e % width, j = e / width % half, b = e / width / half;
	Plane x{v + (2 * half * b + j) * stride + i, pitch}, y{x.p + half * stride, pitch};
	Plane w{table + off + b, table_pitch};
	i32 s = power[off + b];
	Row<k> t = mine<k>(0), u = mine<k>(1);
	if (transposed) {
		move<k>(t, y);
		if (s == 0) {
			butterfly<k>(x, t, x, y, 0, m.r);
			return;
		}
		butterfly<k>(x, t, x, u, 0, m.r);
		times<k>(y, u, w, s, m);
		return;
	}
	move<k>(t, y);
	if (s >= 0) {
		butterfly<k>(x, t, x, y, s, m.r);
		return;
	}
	product<k>(u, t, w, m);
	butterfly<k>(x, u, x, y, 0, m.r);
}

// Tile is columns of rows in shared memory: planes of rows of 2^width | 1 words, the columns from valid on unused.
struct Tile {
	u64 *words;
	u8 *turns; // of rows, see Row, before a layer and after it
	u32 rows, width, valid;
	METHOD u32 plane() const { return rows * ((1u << width) | 1); }
	template <u32 k> METHOD Row<k> row(u32 row, u32 column, u32 turn) const {
		return Row<k>{words + row * ((1u << width) | 1) + column, 8 * plane(), turn};
	}
};

// Place is one butterfly of a layer, whose rows are a and b, with the factor r^exponent.
struct Place {
	u32 a, b, exponent;
};

// butterfly_at returns butterfly i of a layer of a transform of 2^length rows, which are 2^low rows apart in a tile of
// more of them. A transform takes rows in natural order and leaves them in bit-reversed order; with back it is the
// other way round. Its root is r^(unit·2k/2^length).
template <u32 k> DEVICE Place butterfly_at(u32 i, u32 layer, u32 length, u32 low, bool back, u32 unit) {
	u32 inner = i & ((1u << low) - 1), pair = i >> low & ((1u << (length - 1)) - 1), outer = i >> (low + length - 1);
	u32 half = back ? layer : length - 1 - layer; // its logarithm
	u32 block = pair >> half, j = pair & ((1u << half) - 1);
	u32 a = block << (half + 1) | j;
	u32 e = back ? j << (log2(2 * k) - layer - 1) : reversed(block, layer) << (half + log2(2 * k) - length);
	a = (outer << length | a) << low | inner;
	return Place{a, a + (1u << (half + low)), e * unit & (2 * k - 1)};
}

// layers runs all layers of such a transform, turns being those of even; it returns those of the last one.
template <u32 k> DEVICE u32 layers(Tile t, u32 even, u32 length, u32 low, bool back, u32 unit, u64 r) {
	u32 column = thread() & ((1u << t.width) - 1);
#pragma unroll 1
	for (u32 l = 0; l < length; l++, even ^= 1) {
		const u8 *before = t.turns + even * t.rows;
		u8 *after = t.turns + (even ^ 1) * t.rows;
		for (u32 i = thread() >> t.width; i < t.rows / 2; i += threads() >> t.width) {
			Place p = butterfly_at<k>(i, l, length, low, back, unit);
			u32 a = before[p.a], b = before[p.b], c = (b + p.exponent) & (k - 1);
			if (column == 0) {
				after[p.a] = (u8)a;
				after[p.b] = (u8)c;
			}
			if (column >= t.valid)
				continue;
			Row<k> x = t.row<k>(p.a, column, a), y = t.row<k>(p.b, column, b);
			butterfly<k>(x, y, x, t.row<k>(p.b, column, c), p.exponent, r);
		}
		barrier();
	}
	return even;
}

// Columns is a tile of a pass in the vector. Columns beyond one block of the vector belong to the next one. Elements i
// of a tile are in the order of memory: rows of columns, or blocks of short rows.
struct Columns {
	u32 rows, columns, run; // logarithms
	bool wide;
	u64 base;
	u32 valid, all;

	METHOD Columns(u64 total, u32 log_rows, u32 log_columns, u32 log_width) {
		const u64 first = (u64)block() << log_width, last = total >> log_rows;
		rows = log_rows;
		columns = log_columns;
		wide = log_columns >= log_width;
		run = wide ? log_width : log_columns;
		base = wide ? (first >> log_columns << (log_columns + log_rows)) + (first & ((1ull << log_columns) - 1))
			    : first << log_rows;
		valid = (u32)min(1ull << log_width, last - first);
		all = valid << log_rows;
	}
	METHOD u32 row(u32 i) const { return i >> run & ((1u << rows) - 1); }
	METHOD u32 column(u32 i) const { return i >> (run + rows) << run | (i & ((1u << run) - 1)); }
	METHOD u64 index(u32 i) const { return base + (wide ? ((u64)row(i) << columns) + column(i) : i); }
};

template <u32 k, bool pair>
DEVICE void pass(u64 *v, u64 pitch, u64 total, u32 log_rows, u32 log_inner, u32 log_columns, u32 log_width, u32 back,
		 u32 unit, u64 *table, u64 table_pitch, u64 period, u64 ones, u64 *inner, u64 inner_pitch,
		 const Radix &m) {
	const Columns c(total, log_rows, log_columns, log_width);
	const u32 rows = 1u << log_rows, width = 1u << log_width;
	Tile t{shared<u64>(), nullptr, rows, log_width, c.valid};
	t.turns = (u8 *)(t.words + k * t.plane());

	for (u32 i = thread(); i < c.all; i += threads())
		move<k>(t.row<k>(c.row(i), c.column(i), 0), Plane{v + c.index(i), pitch});
	for (u32 i = thread(); i < rows; i += threads())
		t.turns[i] = 0;
	barrier();

	u32 even = 0;
	if constexpr (!pair) {
		even = layers<k>(t, 0, log_rows, 0, back, unit, m.r);
	} else {
		u32 outer = log_rows - log_inner, l = back ? log_inner : outer;
#pragma unroll 1
		for (u32 part = 0; part < 2; part++, l = log_rows - l) {
			even = layers<k>(t, even, l, (part == 0) != back ? log_inner : 0, back, unit, m.r);
			if (part == 1)
				break;
			for (u32 i = thread(); i < rows << log_width; i += threads()) {
				u32 row = i >> log_width, column = i & (width - 1);
				if (column >= t.valid || row >> log_inner == 0 || (row & ((1u << log_inner) - 1)) == 0)
					continue;
				Row<k> x = t.row<k>(row, column, t.turns[even * rows + row]);
				product<k>(x, x, Plane{inner + row, inner_pitch}, m);
			}
			barrier();
		}
	}

	for (u32 i = thread(); i < c.all; i += threads()) {
		u32 row = c.row(i);
		u64 index = c.index(i), w = index & (period - 1);
		Row<k> x = t.row<k>(row, c.column(i), t.turns[even * rows + row]);
		Plane z{v + index, pitch};
		if (w >= ones)
			product<k>(z, x, Plane{table + w, table_pitch}, m);
		else
			move<k>(z, x);
	}
}

// lazy_pass is pass on lazy digits. The first round reads the vector where threads side by side have columns side by
// side there; else the tile is read before it.
template <u32 k, u32 columns, bool halves>
DEVICE void lazy_pass(u64 *v, u64 pitch, u64 total, u32 log_rows, u32 log_columns, u32 log_width, u32 back, u32 unit,
		      u64 *table, u64 table_pitch, u64 period, u64 ones, const Lazy &m) {
	const Columns c(total, log_rows, log_columns, log_width);
	const u32 rows = 1u << log_rows;
	Sums<columns> t{shared<u64>(), nullptr, rows, log_width, c.valid};
	const u32 plane = t.plane();
	t.high = (u16 *)(t.low + k * plane);
	Layers l{0, log_rows, back != 0, unit};

	const u32 odd = log_rows & 1;
	if (c.wide) {
		const u64 *source = v + c.base;
		if (odd)
			round_of<k, columns, 1, true>(t, l, log_rows == 1, source, pitch, log_columns, m);
		else
			round_of<k, columns, 2, true>(t, l, log_rows == 2, source, pitch, log_columns, m);
		l.first = 2 - odd;
	} else {
		for (u32 i = thread(); i < c.all; i += threads()) {
			u32 row = c.row(i), at = row * t.pitch() + c.column(i);
			const u64 *p = v + c.index(i);
#pragma unroll 8
			for (u32 d = 0; d < k; d++) {
				Long x{p[d * pitch], 0};
				if (row == 0)
					x = x + offset_of<k>(d, m.r);
				t.low[d * plane + at] = x.low;
				t.high[d * plane + at] = (u16)x.high;
			}
		}
		if (odd) {
			barrier();
			round_of<k, columns, 1, false>(t, l, log_rows == 1, nullptr, 0, 0, m);
			l.first = 1;
		}
	}
	barrier();
	for (; l.first < log_rows; l.first += 2) {
		round_of<k, columns, 2, false>(t, l, l.first + 2 == log_rows, nullptr, 0, 0, m);
		barrier();
	}

	for (u32 i = thread(); i < c.all; i += threads()) {
		u32 row = c.row(i), at = row * t.pitch() + c.column(i);
		u64 index = c.index(i), w = index & (period - 1);
		Element<k> x{t.low + at, t.high + at, plane};
		Plane z{v + index, pitch};
		if (w < ones) {
			canonical<k>(z, x, m.r);
		} else if constexpr (k <= 16) {
			lazy_product<k, halves>(z, x, Plane{table + w, table_pitch}, m);
		} else { // reads x many times
			move<k>(Plane{t.low + at, plane}, x);
			lazy_product<k, halves>(z, Plane{t.low + at, plane}, Plane{table + w, table_pitch}, m);
		}
	}
}

// powers builds a table.
template <u32 k>
DEVICE void powers(u64 *z, u64 pitch, u64 n, u32 log_rows, u32 log_columns, u32 scale, u64 *low, u64 low_pitch,
		   u32 log_low, u64 *high, u64 high_pitch, const Radix &m) {
	u64 i = index();
	if (i >= n)
		return;
	u64 e = i;
	if (log_rows != 0)
		e = (i & ((1ull << log_columns) - 1)) * reversed((u32)(i >> log_columns), log_rows) << scale;
	product<k>(Plane{z + i, pitch}, Plane{low + (e & ((1ull << log_low) - 1)), low_pitch},
		   Plane{high + (e >> log_low), high_pitch}, m);
}

#define KERNELS(k)                                                                                                     \
	KERNEL(256) void digits##k##_pack(u64 *v, u64 pitch, u64 *a, u64 n) { pack<k, false>(v, pitch, a, n); }            \
	KERNEL(256) void digits##k##_unpack(u64 *v, u64 pitch, u64 *a, u64 n) { pack<k, true>(v, pitch, a, n); }           \
	KERNEL(256)                                                                                                        \
	void digits##k##_add(u64 *z, u64 z_pitch, u64 *x, u64 x_pitch, u64 *y, u64 y_pitch, u64 n, u64 r) {                \
		u64 i = index();                                                                                               \
		if (i < n)                                                                                                     \
			sum<k>(Plane{z + i, z_pitch}, Plane{x + i, x_pitch}, Plane{y + i, y_pitch}, r);                            \
	}                                                                                                                  \
	KERNEL(256)                                                                                                        \
	void digits##k##_sub(u64 *z, u64 z_pitch, u64 *x, u64 x_pitch, u64 *y, u64 y_pitch, u64 n, u64 r) {                \
		u64 i = index();                                                                                               \
		if (i < n)                                                                                                     \
			difference<k>(Plane{z + i, z_pitch}, Plane{x + i, x_pitch}, Plane{y + i, y_pitch}, r);                     \
	}                                                                                                                  \
	KERNEL(256) void digits##k##_shift(u64 *z, u64 z_pitch, u64 *x, u64 x_pitch, u64 n, u32 s, u64 r) {                \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		move<k>(mine<k>(0), Plane{x + i, x_pitch});                                                                    \
		turned<k>(Plane{z + i, z_pitch}, mine<k>(0), s, r);                                                            \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void digits##k##_product(u64 *z, u64 z_pitch, u64 *x, u64 x_pitch, u64 *y, u64 y_pitch, u64 n, u64 mask,           \
				 RADIX) {                                                                                  \
		u64 i = index();                                                                                               \
		if (i >= n)                                                                                                    \
			return;                                                                                                    \
		move<k>(mine<k>(0), Plane{x + i, x_pitch});                                                                    \
		move<k>(mine<k>(1), Plane{y + (i & mask), y_pitch});                                                           \
		product<k>(Plane{z + i, z_pitch}, mine<k>(0), mine<k>(1), RADIX_OF);                                           \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void digits##k##_scale(u64 *v, u64 pitch, u64 *table, u64 table_pitch, const i32 *power, u32 off, u32 rows,        \
			       u32 width, u64 stride, RADIX) {                                                             \
		scale<k>(v, pitch, table, table_pitch, power, off, rows, width, stride, RADIX_OF);                             \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void digits##k##_radix2(u64 *v, u64 pitch, u64 *table, u64 table_pitch, const i32 *power, u32 off, u32 all,        \
				u32 half, u32 width, u64 stride, RADIX) {                                                  \
		radix2<k, false>(v, pitch, table, table_pitch, power, off, all, half, width, stride, RADIX_OF);                \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void digits##k##_radix2t(u64 *v, u64 pitch, u64 *table, u64 table_pitch, const i32 *power, u32 off, u32 all,       \
				 u32 half, u32 width, u64 stride, RADIX) {                                                 \
		radix2<k, true>(v, pitch, table, table_pitch, power, off, all, half, width, stride, RADIX_OF);                 \
	}                                                                                                                  \
	KERNEL(k <= 8 ? 128 : 256, passes_at_once(k))                                                                      \
	void digits##k##_pass(u64 *v, u64 pitch, u64 total, u32 log_rows, u32 log_columns, u32 log_width, u32 back,        \
			      u32 unit, u64 *table, u64 table_pitch, u64 period, u64 ones, RADIX) {                                \
		pass<k, false>(v, pitch, total, log_rows, 0, log_columns, log_width, back, unit, table, table_pitch, period,   \
			       ones, nullptr, 0, RADIX_OF);                                                                        \
	}                                                                                                                  \
	KERNEL(128)                                                                                                        \
	void digits##k##_table(u64 *z, u64 pitch, u64 n, u32 log_rows, u32 log_columns, u32 scale, u64 *low,               \
			       u64 low_pitch, u32 log_low, u64 *high, u64 high_pitch, RADIX) {                             \
		powers<k>(z, pitch, n, log_rows, log_columns, scale, low, low_pitch, log_low, high, high_pitch, RADIX_OF);     \
	}

// PAIRS is the kernel of passes of two steps.
#define PAIRS(k)                                                                                                       \
	KERNEL(512, k <= 4 ? 2 : 1)                                                                                        \
	void digits##k##_pair(u64 *v, u64 pitch, u64 total, u32 log_rows, u32 log_inner, u32 log_columns, u32 log_width,   \
			      u32 back, u32 unit, u64 *table, u64 table_pitch, u64 period, u64 ones, u64 *inner,                   \
			      u64 inner_pitch, RADIX) {                                                                            \
		pass<k, true>(v, pitch, total, log_rows, log_inner, log_columns, log_width, back, unit, table, table_pitch,    \
			      period, ones, inner, inner_pitch, RADIX_OF);                                                         \
	}

// LAZY_PASS is the kernel of passes on lazy digits.
#define LAZY_PASS(k, name, columns, halves, ...)                                                                       \
	KERNEL(__VA_ARGS__)                                                                                                \
	void name(u64 *v, u64 pitch, u64 total, u32 log_rows, u32 log_columns, u32 log_width, u32 back, u32 unit,          \
		  u64 *table, u64 table_pitch, u64 period, u64 ones, LAZY) {                                                   \
		lazy_pass<k, columns, halves>(v, pitch, total, log_rows, log_columns, log_width, back, unit, table,            \
					      table_pitch, period, ones, LAZY_OF);                                                     \
	}
