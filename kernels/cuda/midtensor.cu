// Products of integers on tensor cores: a warp multiplies a pair of integers of m words of 32 bits, lowest words first,
// as polynomials whose coefficients are bytes. For devices from sm_80 on.
//
//	midint_tensor_M      z, x, y, u64 n, u32 m, u32 out
//	    The out low words of x·y, for m up to M and out up to 2m; z may be an operand where out is m. A block has four
//	    integers, in 4M + 176 words of shared memory each.
//	midint_tensor        z, x, y, u64 n, u32 m, u32 out, u32 size
//	    The same for m up to size, a multiple of 32, with 4·size + 560 words of shared memory for each integer.
//	midint_tensor_sum_M  z, x, y, p, q, u64 n, u32 m, u32 out
//	midint_tensor_sum    z, x, y, p, q, u64 n, u32 m, u32 out, u32 size
//	    The same of x·y + p + q. p and q have integers of m words too, or are 0 for none. Products alone, which did no
//	    more than ask for them, took up to 16 % longer.
//
// An instruction adds the product of 16 × 32 and 32 × 8 bytes to 16 × 8 sums. Sums have a tile of 128 coefficients of
// the result: coefficient 16g + 4t + i of a tile, for i from 0 to 3, is lane 4g + t's, so that a lane has the
// coefficients of one word. So rows g and g + 8 are for 16g and 16g + 1, and column j is for 2j, and the factors are
// Toeplitz matrices: of tile T and step s, in which k has 32 places from −32s − 3 on, entry (r, k) of the first is byte
// row(r) − k of x, and (k, j) of the second byte 128T + 2j + k of y. Words of x, reversed, at two distances of bytes, and
// of y at two, are in shared memory: then an entry of four bytes is one word of them, and first factors are the same for
// all tiles.
//
// A sum is below 4m·255^2 < 2^31 for m up to 8192, and four of a word, with words of p and q, are below 2^57.
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
	for (u32 q = 0; q < 4; q++) {
		u32 v[4], w[2][2];
		for (u32 i = 0; i < 4; i++)
			v[i] = shuffle(a[i], row + q);
		for (u32 j = 0; j < 2; j++) {
			w[j][0] = shuffle(b0, column + 4 * j + q);
			w[j][1] = shuffle(b1, column + 4 * j + q);
		}
		for (u32 i = 0; i < 4; i++)
			c[i] += dot(v[i / 2], w[i % 2][0]) + dot(v[2 + i / 2], w[i % 2][1]);
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

// Warp is a pair of integers, and what it has of them in shared memory: first at words from −32 to size + 31, second
// from −below to size + above − 1.
struct Warp {
	u32 lane, m, out, size, below, above;
	bool live;
	const u32 *x, *y, *p, *q;
	u32 *z, *first, *second;

	DEVICE_METHOD Warp(u32 *z, const u32 *x, const u32 *y, const u32 *p, const u32 *q, u64 n, u32 m, u32 out, u32 size,
	                   u32 below, u32 above)
	    : lane(thread() & 31), m(m), out(out), size(size), below(below), above(above), x(x), y(y), p(p), q(q), z(z) {
		u32 warp = thread() / 32;
		u64 integer = (u64)block() * (threads() / 32) + warp;
		live = integer < n;
		this->x += integer * m;
		this->y += integer * m;
		if (p)
			this->p += integer * m;
		if (q)
			this->q += integer * m;
		this->z += integer * out;
		first = shared<u32>() + warp * (2 * (size + 64) + 2 * (size + below + above)) + 32;
		second = first + 2 * (size + 64) - 32 + below;
	}

	DEVICE_METHOD u32 word(const u32 *x, i32 i) const { return live && (u32)i < m ? x[i] : 0; }

	// added is the sum of a word of p and q.
	DEVICE_METHOD u64 added(u32 i) const { return (u64)(p ? word(p, (i32)i) : 0) + (q ? word(q, (i32)i) : 0); }

	// fill has the rows in shared memory, in turns of so many loads.
	template <u32 turn> DEVICE_METHOD void fill() {
		u32 v[turn], w[turn];
		for (i32 from = -32; from < (i32)size + 32; from += 32 * turn) {
#pragma unroll
			for (u32 j = 0; j < turn; j++) {
				i32 i = from + (i32)(32 * j + lane);
				v[j] = word(x, i);
				w[j] = word(x, i + 1);
			}
#pragma unroll
			for (u32 j = 0; j < turn; j++) {
				i32 i = from + (i32)(32 * j + lane);
				if (i < (i32)size + 32) {
					first[i] = byte_select<0x0123>(v[j], 0);
					first[i + (i32)size + 64] = byte_select<0x0123>(funnel(v[j], w[j], 8), 0);
				}
			}
		}
		for (i32 from = -(i32)below; from < (i32)(size + above); from += 32 * turn) {
#pragma unroll
			for (u32 j = 0; j < turn; j++) {
				i32 i = from + (i32)(32 * j + lane);
				v[j] = word(y, i - 1);
				w[j] = word(y, i);
			}
#pragma unroll
			for (u32 j = 0; j < turn; j++) {
				i32 i = from + (i32)(32 * j + lane);
				if (i < (i32)(size + above)) {
					second[i] = funnel(v[j], w[j], 8);
					second[i + (i32)(size + below + above)] = funnel(v[j], w[j], 24);
				}
			}
		}
		barrier();
	}

	// left sets a to the first factor of a step, counted downwards.
	DEVICE_METHOD void left(u32 (&a)[4], i32 step) const {
		const u32 *from = first + (i32)(lane & ~3u) - (i32)(lane & 3) + 8 * step;
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

	// store writes the words of a tile from its sums.
	DEVICE_METHOD void store(const Warp &p, u32 tile, const u32 (&c)[4]) {
		u32 at = 32 * tile + p.lane;
		u64 v = c[0] + ((u64)c[2] << 8) + ((u64)c[1] << 16) + ((u64)c[3] << 24) + p.added(at);
		u32 from = shuffle((u32)(v >> 32), (p.lane - 1) & 31), in = p.lane == 0 ? rest : from;
		rest = from; // of lane 0 this is what lane 31 leaves
		u64 sum = (u64)(u32)v + in;
		u32 w = (u32)sum, full = ballot(w == 0xffffffffu), over = ballot((sum >> 32) != 0);
		u64 all = full + ((u64)over << 1) + carry;
		carry = (u32)(all >> 32);
		w += (full ^ (u32)all) >> p.lane & 1;
		if (p.live && at < p.out)
			p.z[at] = w;
	}
};

// held is a product with all second factors in registers, by the lower half of the tiles, then the upper.
template <u32 size>
DEVICE void held(u32 *z, const u32 *x, const u32 *y, const u32 *addend, const u32 *other, u64 n, u32 m, u32 out) {
	constexpr i32 steps = size / 8, tiles = size / 32;
	Warp p(z, x, y, addend, other, n, m, out, size, 8, 16);
	p.template fill<(size + 64) / 32>();
	const u32 *right = p.right();
	u32 b[steps + 2][2];
#pragma unroll
	for (i32 i = 0; i < steps + 2; i++) {
		b[i][0] = right[8 * (i - 1)];
		b[i][1] = right[8 * (i - 1) + 4];
	}
	Carries carries = {};
#pragma unroll
	for (i32 half = 0; half < 2; half++) {
		if (half == 1 && out <= size)
			break;
		u32 c[tiles][4] = {};
#pragma unroll
		for (i32 s = half == 0 ? -3 : 0; s <= (half == 0 ? 4 * tiles - 3 : steps); s++) {
			u32 a[4];
			p.left(a, s);
#pragma unroll
			for (i32 t = 0; t < tiles; t++) {
				i32 i = 4 * (half * tiles + t) - s + 1;
				if (i >= 0 && i < steps + 2)
					multiply_add(c[t], a, b[i][0], b[i][1]);
			}
		}
#pragma unroll
		for (i32 t = 0; t < tiles; t++)
			carries.store(p, half * tiles + t, c[t]);
	}
}

// looped is a product with operands in shared memory, by so many tiles at a time. Their first steps and their last read
// zeros below the second operand, and above it.
template <u32 tiles>
DEVICE void looped(u32 *z, const u32 *x, const u32 *y, const u32 *addend, const u32 *other, u64 n, u32 m, u32 out,
                   u32 size) {
	Warp p(z, x, y, addend, other, n, m, out, size, 8 * (4 * tiles - 3), 8 * (4 * tiles - 2));
	p.fill<8>();
	i32 steps = (i32)size / 8;
	Carries carries = {};
#pragma unroll 1
	for (i32 tile = 0; 32 * tile < (i32)out; tile += tiles) {
		u32 c[tiles][4] = {};
		i32 s = 4 * tile - steps < -3 ? -3 : 4 * tile - steps, end = min(steps, 4 * (tile + (i32)tiles - 1) + 1);
		const u32 *right = p.right() + 8 * (4 * tile - s);
#pragma unroll 1
		for (; s <= end; s++, right -= 8) {
			u32 a[4];
			p.left(a, s);
#pragma unroll
			for (u32 t = 0; t < tiles; t++)
				multiply_add(c[t], a, right[32 * t], right[32 * t + 4]);
		}
#pragma unroll
		for (u32 t = 0; t < tiles; t++)
			carries.store(p, tile + t, c[t]);
	}
}

#define HELD(size, blocks)                                                                                             \
	KERNEL(128, blocks)                                                                                                \
	void midint_tensor_##size(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out) {                             \
		held<size>(z, x, y, nullptr, nullptr, n, m, out);                                                              \
	}                                                                                                                  \
	KERNEL(128, blocks)                                                                                                \
	void midint_tensor_sum_##size(u32 *z, const u32 *x, const u32 *y, const u32 *p, const u32 *q, u64 n, u32 m,        \
	                              u32 out) {                                                                           \
		held<size>(z, x, y, p, q, n, m, out);                                                                          \
	}
HELD(32, 12)
HELD(64, 8)
HELD(128, 6)
HELD(256, 4)
KERNEL(128, 8) void midint_tensor(u32 *z, const u32 *x, const u32 *y, u64 n, u32 m, u32 out, u32 size) {
	looped<4>(z, x, y, nullptr, nullptr, n, m, out, size);
}
KERNEL(128, 8)
void midint_tensor_sum(u32 *z, const u32 *x, const u32 *y, const u32 *p, const u32 *q, u64 n, u32 m, u32 out,
                       u32 size) {
	looped<4>(z, x, y, p, q, n, m, out, size);
}
