// Products of integers on tensor cores: a warp multiplies a pair of integers of m words of 32 bits, lowest words first,
// as polynomials whose coefficients are bytes. For devices from sm_80 on.
//
//	midint_tensor_M          z, x, y, u64 n, u32 m, u32 out
//	    The out low words of x·y, for m up to M and out up to 2m; z may be an operand where out is m. A block has four
//	    integers, in 4M + 176 words of shared memory each.
//	midint_tensor            z, x, y, u64 n, u32 m, u32 out, u32 size
//	midint_tensor_few        z, x, y, u64 n, u32 m, u32 out, u32 size
//	    The same for m up to size, a multiple of 32, with 4·size + 624 words of shared memory for each integer, or 4·size +
//	    368. The second has half as many sums in registers, and so more warps at once.
//	midint_tensor_program_M  z, table, u32 words, u32 places, u32 count, u64 n, u32 m, u32 values
//	midint_tensor_program    z, table, u32 words, u32 places, u32 count, u64 n, u32 m, u32 values, u32 size
//	midint_tensor_program_few
//	    So many steps of a program. The table, of so many words, an even number, has the addresses of as many operands as
//	    places, then steps. z has the result of the last one. A block has the table in shared memory too, and for each
//	    integer so many values on the way, of M words or of size.
//
// An instruction adds the product of 16 × 32 and 32 × 8 bytes to 16 × 8 sums. Sums have a tile of 128 coefficients of
// the result: coefficient 16g + 4t + i of a tile, for i from 0 to 3, is lane 4g + t's, so that a lane has the
// coefficients of one word. So rows g and g + 8 are for 16g and 16g + 1, and column j is for 2j, and the factors are
// Toeplitz matrices: of tile T and step s, in which k has 32 places from −32s − 3 on, entry (r, k) of the first is byte
// row(r) − k of x, and (k, j) of the second byte 128T + 2j + k of y. Words of x, reversed, at two distances of bytes, and
// of y at two, are in shared memory: then an entry of four bytes is one word of them, and first factors are the same for
// all tiles.
//
// A sum is below 4m·255^2 < 2^31 for m up to 8192, and four of a word, with words that are added, are below 2^57.
#include "prelude.cuh"

// shuffle is the v of lane from.
#ifdef EMULATE
DEVICE u32 shuffle(u32 v, u32 from) { return shuffle_xor(v, (thread() & 31) ^ from); }
DEVICE u32 ballot(bool v) {
	u32 r = (u32)v << (thread() & 31);
	for (u32 m = 1; m < 32; m *= 2)
		r |= shuffle_xor(r, m);
	return r;
}
DEVICE u32 dot(u32 a, u32 b) {
	u32 s = 0;
	for (u32 i = 0; i < 32; i += 8)
		s += (a >> i & 0xff) * (b >> i & 0xff);
	return s;
}
DEVICE void multiply_add(u32 (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
	u32 lane = thread() & 31, row = lane & ~3u, column = 8 * (lane & 3);
	const emulate::Words *lanes = emulate::bring({{a[0], a[1], a[2], a[3], b0, b1}});
	for (u32 q = 0; q < 4; q++)
		for (u32 i = 0; i < 4; i++) {
			const u32 *v = lanes[row + q].word, *w = lanes[column + 4 * (i % 2) + q].word;
			c[i] += dot(v[i / 2], w[4]) + dot(v[2 + i / 2], w[5]);
		}
}
#else
DEVICE u32 shuffle(u32 v, u32 from) { return __nvvm_shfl_sync_idx_i32(0xffffffffu, v, from, 0x1f); }
DEVICE u32 ballot(bool v) { return __nvvm_vote_ballot_sync(0xffffffffu, v); }
DEVICE void multiply_add(u32 (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
	asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
	    : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
	    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
#endif

// together waits for all lanes of the warp, and what they wrote to shared memory is seen after it.
#ifdef EMULATE
DEVICE void together() { shuffle_xor(0u, 0); }
#else
DEVICE void together() { __nvvm_bar_warp_sync(0xffffffffu); }
#endif

// from_byte is the bytes of four from so many on.
DEVICE u32 from_byte(i32 n) { return n <= 0 ? 0xffffffffu : n >= 4 ? 0 : 0xffffffffu << (8 * n); }

// Rows are what a warp has of a pair of integers of m words in shared memory: first at words from −32 to size + 31,
// second from −below to size + above − 1. The result has so many words as out.
struct Rows {
	u32 lane, m, out, size, below, above;
	u32 *first, *second;

	static constexpr u32 words(u32 size, u32 below, u32 above) { return 2 * (size + 64) + 2 * (size + below + above); }

	// The words around those of the integers are 0.
	DEVICE_METHOD Rows(u32 m, u32 out, u32 size, u32 below, u32 above, u32 *at)
	    : lane(thread() & 31), m(m), out(out), size(size), below(below), above(above), first(at + 32),
	      second(at + 2 * (size + 64) + below) {
		u32 *shifted = first + size + 64, *other = second + size + below + above;
		first[(i32)lane - 32] = first[size + lane] = shifted[size + lane] = 0;
		if (lane < 31)
			shifted[(i32)lane - 32] = 0;
		if (lane < below)
			second[(i32)lane - (i32)below] = other[(i32)lane - (i32)below] = 0;
		for (u32 i = lane + 1; i < above; i += 32)
			second[size + i] = other[size + i] = 0;
	}

	DEVICE_METHOD u32 word(const u32 *x, u32 i) const { return i < m ? x[i] : 0; }

	// Of a word and the one below, set_first has the places in the rows of x, and set_second in those of y.
	DEVICE_METHOD void set_first(u32 i, u32 v, u32 low) const {
		first[i] = byte_select<0x0123>(v, 0);
		first[size + 63 + i] = byte_select<0x0123>(funnel(low, v, 8), 0);
	}
	DEVICE_METHOD void set_second(u32 i, u32 v, u32 low) const {
		second[i] = funnel(low, v, 8);
		second[size + below + above + i] = funnel(low, v, 24);
	}
	DEVICE_METHOD void end_first(u32 last) const {
		if (lane == 0)
			first[2 * size + 63] = byte_select<0x0123>(last >> 8, 0);
	}
	DEVICE_METHOD void end_second(u32 last) const {
		if (lane == 0) {
			second[size] = last >> 8;
			second[2 * size + below + above] = last >> 24;
		}
	}
	// turned is the word below v, for which last is the one below lane 0's. Of lane 0 last becomes the word of lane 31.
	DEVICE_METHOD u32 turned(u32 v, u32 &last) const {
		u32 from = shuffle(v, (lane - 1) & 31), low = lane == 0 ? last : from;
		last = from;
		return low;
	}
	// fill has the rows of x, or of y, or of x for both, or of x and y, in turns of so many loads of each.
	template <u32 turn, bool of_first, bool of_second, bool two = false>
	DEVICE_METHOD void fill(const u32 *x, const u32 *y = nullptr) const {
		u32 last = 0, other = 0;
		for (u32 from = lane; from < size; from += 32 * turn) {
			u32 v[turn], w[turn];
#pragma unroll
			for (u32 j = 0; j < turn; j++) {
				v[j] = word(x, from + 32 * j);
				if (two)
					w[j] = word(y, from + 32 * j);
			}
#pragma unroll
			for (u32 j = 0; j < turn; j++) {
				u32 i = from + 32 * j;
				if (i - lane >= size)
					break;
				u32 low = turned(v[j], last);
				if (of_first)
					set_first(i, v[j], low);
				if (of_second)
					set_second(i, v[j], low);
				if (two)
					set_second(i, w[j], turned(w[j], other));
			}
		}
		if (of_first)
			end_first(last);
		if (of_second)
			end_second(last);
		if (two)
			end_second(other);
	}

	// left is where the first factors of a lane are: those of step s from 8s on.
	DEVICE_METHOD const u32 *left() const { return first + (i32)(lane & ~3u) - (i32)(lane & 3); }
	DEVICE_METHOD void left(u32 (&a)[4], const u32 *from) const {
		a[0] = from[0];
		a[1] = from[size + 64];
		a[2] = from[-4];
		a[3] = from[(i32)size + 60];
	}
	// right is where the second factors of a lane are: those of tile T and step s from 32T − 8s on, and four words above.
	DEVICE_METHOD const u32 *right() const {
		u32 g = lane / 4;
		return second + (g % 2 == 0 ? 0 : size + below + above) + (lane & 3) + g / 2;
	}
};

// Carries go from tile to tile: what the last word leaves for the next, and the carry into it.
struct Carries {
	u32 rest, carry;

	// store writes the words of a tile from their sums.
	DEVICE_METHOD void store(const Rows &p, u32 *z, u32 tile, u64 v) {
		u32 at = 32 * tile + p.lane;
		u32 from = shuffle((u32)(v >> 32), (p.lane - 1) & 31), in = p.lane == 0 ? rest : from;
		rest = from; // of lane 0 this is what lane 31 leaves
		u64 sum = (u64)(u32)v + in;
		u32 w = (u32)sum, full = ballot(w == 0xffffffffu), over = ballot((sum >> 32) != 0);
		u64 all = full + ((u64)over << 1) + carry;
		carry = (u32)(all >> 32);
		w += (full ^ (u32)all) >> p.lane & 1;
		if (at < p.out)
			z[at] = w;
	}

	// finish writes the words of tiles from the sums of their coefficients, and of what is added.
	template <u32 tiles, class Added>
	DEVICE_METHOD void finish(const Rows &p, u32 *z, u32 tile, const u32 (&c)[tiles][4], const Added &added) {
		u64 v[tiles];
#pragma unroll
		for (u32 t = 0; t < tiles; t++)
			v[t] = c[t][0] + ((u64)c[t][2] << 8) + ((u64)c[t][1] << 16) + ((u64)c[t][3] << 24);
		added.add(v, 32 * tile + p.lane);
#pragma unroll
		for (u32 t = 0; t < tiles; t++)
			store(p, z, tile + t, v[t]);
	}
};

// Nothing is added to a product.
struct Nothing {
	template <u32 tiles> DEVICE_METHOD void add(u64 (&)[tiles], u32) const {}
};

// held is a product with all second factors in registers, by the lower half of the tiles, then the upper where it is
// whole.
template <u32 size, bool whole, class Added> DEVICE void held(const Rows &p, u32 *z, const Added &added) {
	constexpr i32 steps = size / 8, tiles = size / 32;
	const u32 *left = p.left(), *right = p.right();
	u32 b[steps + 2][2];
#pragma unroll
	for (i32 i = 0; i < steps + 2; i++) {
		b[i][0] = right[8 * (i - 1)];
		b[i][1] = right[8 * (i - 1) + 4];
	}
	Carries carries = {};
#pragma unroll
	for (i32 half = 0; half < (whole ? 2 : 1); half++) {
		if (half == 1 && p.out <= size)
			break;
		u32 c[tiles][4] = {};
#pragma unroll
		for (i32 s = half == 0 ? -3 : 0; s <= (half == 0 ? 4 * tiles - 3 : steps); s++) {
			u32 a[4];
			p.left(a, left + 8 * s);
#pragma unroll
			for (i32 t = 0; t < tiles; t++) {
				i32 i = 4 * (half * tiles + t) - s + 1;
				if (i >= 0 && i < steps + 2)
					multiply_add(c[t], a, b[i][0], b[i][1]);
			}
		}
		carries.finish(p, z, half * tiles, c, added);
	}
}

// Looping has the sums of so many tiles. A second factor of the first tile is that of the next one four steps later: it
// stays in one of as many registers as a turn has steps. First factors are read a step ahead, and so are second ones.
template <u32 tiles> struct Looping {
	static constexpr i32 turn = 4 * tiles;
	const Rows &p;
	const u32 *left, *right;
	i32 s;
	u32 c[tiles][4], b[turn][2], a[2][4];

	// from has what there is before step s of tiles from the first on.
	DEVICE_METHOD Looping(const Rows &p, i32 tile, i32 s)
	    : p(p), left(p.left() + 8 * s), right(p.right() + 8 * (4 * tile - s)), s(s), c{} {
#pragma unroll
		for (i32 i = 4 - turn; i <= 0; i++) {
			b[(turn + i) % turn][0] = right[-8 * i];
			b[(turn + i) % turn][1] = right[-8 * i + 4];
		}
		p.left(a[0], left);
	}
	// step is one that is the turn's step i, for tiles from least to most.
	template <i32 i, bool second> DEVICE_METHOD void step(i32 least) {
		s++;
		left += 8;
		right -= 8;
		p.left(a[(i + 1) % 2], left);
		if (second) {
			b[(i + 1) % turn][0] = right[0];
			b[(i + 1) % turn][1] = right[4];
		}
#pragma unroll
		for (i32 t = 0; t < (i32)tiles; t++)
			if (t >= least)
				multiply_add(c[t], a[i % 2], b[(turn + i - 4 * t) % turn][0], b[(turn + i - 4 * t) % turn][1]);
	}
	// steps are those of a turn from i on, up to step end. It is false where that was before.
	template <i32 i> DEVICE_METHOD bool steps(i32 end) {
		if (s > end)
			return false;
		step<i, true>(0);
		if constexpr (i + 1 < turn)
			return steps<i + 1>(end);
		return true;
	}
	// rest are steps in which tiles end one after the other, from the turn's step i on.
	template <i32 i> DEVICE_METHOD void rest(i32 end) {
		if (s > end)
			return;
		step<i, false>((i - 1) / 4);
		if constexpr (i < turn)
			rest<i + 1>(end);
	}
	// turn_half makes the turn's step i that half a turn from it.
	DEVICE_METHOD void turn_half() {
#pragma unroll
		for (i32 i = 0; i < turn / 2; i++)
#pragma unroll
			for (u32 j = 0; j < 2; j++) {
				u32 v = b[i][j];
				b[i][j] = b[i + turn / 2][j];
				b[i + turn / 2][j] = v;
			}
	}
	// square_rest are the steps, from the turn's step 1 on, in which tiles of a square end one after the other, two steps
	// each, of which the last has the bytes of high of its second factor.
	template <i32 r> DEVICE_METHOD void square_rest(u32 high) {
		constexpr i32 i = 1 + r;
		left += 8;
		if (r < 2 * (i32)tiles - 2)
			p.left(a[(i + 1) % 2], left);
#pragma unroll
		for (i32 t = (r + 1) / 2; t < (i32)tiles; t++) {
			u32 *w = b[(turn + i - 4 * t) % turn];
			multiply_add(c[t], a[i % 2], r == 2 * t ? w[0] & high : w[0], w[1]);
		}
		if constexpr (r < 2 * (i32)tiles - 2)
			square_rest<r + 1>(high);
	}
};

// group is the product in so many tiles from one on. Tiles end one after the other, four steps each, where the second
// operand begins; where it ends, they read zeros.
template <u32 tiles, class Added>
DEVICE void group(const Rows &p, u32 *z, i32 tile, Carries &carries, const Added &added) {
	i32 steps = (i32)p.size / 8, end = min(steps, 4 * tile + 1);
	Looping<tiles> l(p, tile, 4 * tile - steps < -3 ? -3 : 4 * tile - steps);
	while (l.template steps<0>(end)) {
	}
	l.template rest<5>(steps); // where the steps began with −3, a turn has come to its step 5
	carries.finish(p, z, tile, l.c, added);
}

// square_group is that of a square's low half. Products of bytes are there twice where the factors are others, so a tile
// T has twice those whose second byte is from 64T + 77 on, and once those with both below: six steps, in which factors
// have zeros elsewhere.
template <u32 tiles, class Added>
DEVICE void square_group(const Rows &p, u32 *z, i32 tile, Carries &carries, const Added &added) {
	Looping<tiles> l(p, tile, -3);
	while (l.template steps<0>(2 * tile - 3)) {
	}
	if (tile % (2 * tiles) != 0)
		l.turn_half();
	i32 g = (i32)p.lane / 4, q = (i32)p.lane & 3;
	u32 high = from_byte(16 - 2 * g - 4 * q);
	l.template square_rest<0>(high);
#pragma unroll
	for (u32 t = 0; t < tiles; t++)
#pragma unroll
		for (u32 i = 0; i < 4; i++)
			l.c[t][i] *= 2;
	// Tile t has steps 2T − 2 to 2T + 3 of these.
	u32 masks[5][4], b[2 * tiles + 4][2], a[4];
#pragma unroll
	for (i32 i = 0; i < 5; i++) {
		i32 from = 16 * g + 32 * i - 105 - 4 * q;
#pragma unroll
		for (i32 j = 0; j < 4; j++)
			masks[i][j] = from_byte(from + j % 2 - j / 2 * 16);
	}
	const u32 *left = p.left() + 8 * (2 * tile - 2), *right = p.right() + 8 * (2 * tile - 3);
#pragma unroll
	for (i32 i = 0; i < 2 * (i32)tiles + 4; i++) {
		if (tile == 0 && i < 2) { // below the zeros
			b[i][0] = b[i][1] = 0;
			continue;
		}
		b[i][0] = right[8 * i];
		b[i][1] = right[8 * i + 4];
	}
#pragma unroll
	for (i32 s = 0; s < 2 * (i32)tiles + 4; s++) {
		p.left(a, left + 8 * s);
#pragma unroll
		for (i32 t = 0; t < (i32)tiles; t++) {
			i32 i = s - 2 * t;
			if (i < 0 || i > 5)
				continue;
			const u32 *w = b[5 + 4 * t - s];
			u32 v[4];
#pragma unroll
			for (u32 j = 0; j < 4; j++)
				v[j] = i == 0 ? a[j] : a[j] & masks[i - 1][j];
			multiply_add(l.c[t], v, i == 0 ? w[0] & ~high : w[0], i == 0 ? 0 : w[1]);
		}
	}
	carries.finish(p, z, tile, l.c, added);
}

// looped is a product with operands in shared memory, by so many tiles at a time, and at last by four where they do.
template <u32 tiles, class Added> DEVICE void looped(const Rows &p, u32 *z, const Added &added) {
	Carries carries = {};
	i32 tile = 0;
#pragma unroll 1
	for (; 32 * (tile + (i32)tiles - 4) < (i32)p.out; tile += tiles)
		group<tiles>(p, z, tile, carries, added);
	if (tiles > 4 && 32 * tile < (i32)p.out)
		group<4>(p, z, tile, carries, added);
}
// looped_square is the low half of a square in the same way.
template <u32 tiles, class Added> DEVICE void looped_square(const Rows &p, u32 *z, const Added &added) {
	Carries carries = {};
	i32 tile = 0;
#pragma unroll 1
	for (; 32 * (tile + (i32)tiles - 4) < (i32)p.out; tile += tiles)
		square_group<tiles>(p, z, tile, carries, added);
	if (tiles > 4 && 32 * tile < (i32)p.out)
		square_group<4>(p, z, tile, carries, added);
}

// warp is the number of a warp among all: that of its integer.
DEVICE u64 warp() { return (u64)block() * (threads() / 32) + thread() / 32; }

template <u32 size> DEVICE void held_product(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {
	u64 at = warp();
	if (at >= n)
		return;
	Rows p(m, out, size, 8, 16, shared<u32>() + thread() / 32 * Rows::words(size, 8, 16));
	p.template fill<size / 32, true, false>(x + at * m);
	p.template fill<size / 32, false, true>(y + at * m);
	together();
	held<size, true>(p, z + at * out, Nothing{});
}
// looped_above is the words of zeros that groups of so many tiles read above second rows.
constexpr u32 looped_below = 8;
template <u32 tiles> constexpr u32 looped_above = 8 * (4 * tiles - 2);

template <u32 tiles> DEVICE void looped_product(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out, u32 size) {
	u64 at = warp();
	if (at >= n)
		return;
	u32 words = Rows::words(size, looped_below, looped_above<tiles>);
	Rows p(m, out, size, looped_below, looped_above<tiles>, shared<u32>() + thread() / 32 * words);
	z += at * out;
	if (x == y && out <= m) {
		p.template fill<8, true, true>(x + at * m);
		together();
		looped_square<tiles>(p, z, Nothing{});
		return;
	}
	p.template fill<8, true, false>(x + at * m);
	p.template fill<8, false, true>(y + at * m);
	together();
	looped<tiles>(p, z, Nothing{});
}

// Step is one of a program, modulo 2^32m: z = x·y + Σ ±w. Values have places, those of operands first. A list of
// 2·place of w follows, and 1 more where it is subtracted.
struct Step {
	u32 z, x, y;
	u32 kind; // whether there is a product, and 2 where its first rows are not those of x yet
	u32 sums; // of the list
};

// Program has the table and the values of a warp.
struct Program {
	const u64 *operands;
	u32 places, size;
	u32 *values;
	u64 at;

	DEVICE_METHOD u32 *value(u32 place, u32 m) const {
		return place < places ? (u32 *)operands[place] + at * m : values + (place - places) * size;
	}
};

// Sums are added to a product.
struct Sums {
	const Program &program;
	const Rows &of;
	const u32 *list;
	u32 count;

	template <u32 tiles> DEVICE_METHOD void add(u64 (&v)[tiles], u32 at) const {
#pragma unroll 1
		for (u32 i = 0; i < count; i++) {
			const u32 *from = program.value(list[i] >> 1, of.m);
			u32 turned = 0 - (list[i] & 1);
#pragma unroll
			for (u32 t = 0; t < tiles; t++)
				v[t] += of.word(from, at + 32 * t) ^ turned;
			if (at == 0)
				v[0] += turned & 1;
		}
	}
};

// Held and Looped are what programs have products by, of integers of so many words. Words of both factors are read at
// once where that is faster.
template <u32 words> struct Held {
	static constexpr u32 below = 8, above = 16, turn = words / 32;
	static constexpr bool at_once = false;
	static DEVICE_METHOD void multiply(const Rows &p, u32 *z, const Sums &sums) { held<words, false>(p, z, sums); }
};
template <u32 tiles> struct Looped {
	static constexpr u32 below = looped_below, above = looped_above<tiles>, turn = 8;
	static constexpr bool at_once = true;
	static DEVICE_METHOD void multiply(const Rows &p, u32 *z, const Sums &sums) { looped<tiles>(p, z, sums); }
};

template <class By>
DEVICE void program(u32 *z, const u32 *table, u32 words, u32 places, u32 count, u64 n, u32 m, u32 values, u32 size) {
	u32 *own = shared<u32>(), rows = Rows::words(size, By::below, By::above);
	for (u32 i = thread(); i < words; i += threads())
		own[i] = table[i];
	barrier();
	if (warp() >= n)
		return;
	u32 *room = own + words + thread() / 32 * (rows + values * size);
	Rows p(m, m, size, By::below, By::above, room);
	Program of{(const u64 *)own, places, size, room + rows, warp()};
	const u32 *next = own + 2 * places;
#pragma unroll 1
	for (u32 i = 0; i < count; i++) {
		Step c = *(const Step *)next;
		Sums sums{of, p, next + 5, c.sums};
		next += 5 + c.sums;
		u32 *to = i + 1 < count ? of.value(c.z, m) : z + of.at * m;
		if (c.kind != 0) {
			const u32 *x = of.value(c.x, m), *y = of.value(c.y, m);
			if (By::at_once) {
				if (c.kind == 1)
					p.template fill<By::turn, false, true>(y);
				else if (x == y)
					p.template fill<By::turn, true, true>(x);
				else
					p.template fill<By::turn, true, false, true>(x, y);
			} else {
				if (c.kind == 2)
					p.template fill<By::turn, true, false>(x);
				p.template fill<By::turn, false, true>(y);
			}
			together();
			By::multiply(p, to, sums);
		} else {
			Carries carries = {};
#pragma unroll 1
			for (u32 tile = 0; 32 * tile < m; tile++) {
				u32 none[1][4] = {};
				carries.finish(p, to, tile, none, sums);
			}
		}
		together();
	}
}

#define HELD(size, blocks)                                                                                             \
	KERNEL(128, blocks)                                                                                                \
	void midint_tensor_##size(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {                             \
		held_product<size>(z, x, y, n, m, out);                                                                        \
	}                                                                                                                  \
	KERNEL(128, blocks)                                                                                                \
	void midint_tensor_program_##size(u32 *z, const u32 *table, u32 words, u32 places, u32 count, u64 n, u32 m,        \
	                                  u32 values) {                                                                    \
		program<Held<size>>(z, table, words, places, count, n, m, values, size);                                       \
	}
HELD(32, 12)
HELD(64, 8)
HELD(128, 6)
HELD(256, 4)
#define LOOPED(few, tiles, blocks)                                                                                     \
	KERNEL(128, blocks)                                                                                                \
	void midint_tensor##few(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out, u32 size) {                     \
		looped_product<tiles>(z, x, y, n, m, out, size);                                                               \
	}                                                                                                                  \
	KERNEL(128, blocks)                                                                                                \
	void midint_tensor_program##few(u32 *z, const u32 *table, u32 words, u32 places, u32 count, u64 n, u32 m,          \
	                                u32 values, u32 size) {                                                            \
		program<Looped<tiles>>(z, table, words, places, count, n, m, values, size);                                    \
	}
LOOPED(, 8, 3)
LOOPED(_few, 4, 5)
