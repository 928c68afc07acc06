// The additions and classical products of C. Oancea and S. Watt, GPU Implementations for Midsize Integer Addition and
// Multiplication, step by step as package midint/literal has them, over words of 32 and of 64 bits and for each number Q
// of words that a thread has. They only measure: the library loads none of them.
//
// Integers are m words, lowest first, and side by side; words is those of all. A block has so many instances, each of
// which is lifted to a multiple of Q words, and a thread for each Q of them; blocks are rounded up to whole warps, and
// threads that are left over have no words. The first 256 bytes of shared memory are for scans.
//
//	literal_add<w>_<Q>    z, x, y, u64 words, u32 m, u32 instances, u32 op
//	    x + y, or 6x + 10y by six sums, for op 0 and 1, modulo 2^n. z may be x or y. The words of a block beside.
//	literal_mul<w>_<Q>    z, x, y, u64 words, u32 m, u32 instances
//	    x·y modulo 2^n. A thread has two runs of Q words, one from below and one from above, and m is lifted to a
//	    multiple of 2Q. z may be x or y. Four times the words of a block beside.
//	literal_tiled<w>_<Q>  z, x, y, u64 words, u32 m, u32 instances
//	    The same by tiles of Q times Q products, whose columns are added to sums that all threads share: the paper's
//	    example of how not to do it. A thread has a row of tiles. Twice the words beside, and eight bytes for each half
//	    of a word of 64 bits, or for each one of 32.
//	literal_wait<w>       z, u64 count, x, u32 op
//	    One thread with so many x + (v ^ x), v·x + 1 or ~(x mod (v | 1)), for op from 0 to 2, of which each waits for the
//	    v before, and the last is *z.
#include "prelude.cuh"

#ifdef EMULATE
DEVICE u32 from_below(u32 v, u32 distance) {
	u32 lane = thread() & 31;
	return shuffle_xor(v, lane ^ (lane >= distance ? lane - distance : lane));
}
#else
DEVICE u32 from_below(u32 v, u32 distance) { return __nvvm_shfl_sync_up_i32(0xffffffffu, v, distance, 0); }
#endif

// Codes of what a run of words does with carries.
constexpr u32 overflow = 1, highest = 2, start = 4;

DEVICE u32 combine(u32 c, u32 d) {
	return d & start ? d : (c & d & highest) | (((c & (d >> 1)) | d) & overflow) | (c & start);
}

DEVICE u32 warp_scan(u32 v) {
#pragma unroll
	for (u32 distance = 1; distance < 32; distance *= 2) {
		u32 below = from_below(v, distance);
		if ((thread() & 31) >= distance)
			v = combine(below, v);
	}
	return v;
}

// block_scan is the codes of all threads below: an inclusive scan in each warp, one of the warps' last codes by the
// first warp, and both combined.
DEVICE u32 block_scan(u32 code) {
	u32 *shares = shared<u32>(), lane = thread() & 31, warp = thread() >> 5;
	u32 v = warp_scan(code);
	if (lane == 31)
		shares[warp] = v;
	barrier();
	if (warp == 0)
		shares[32 + lane] = warp_scan(lane < threads() / 32 ? shares[lane] : highest);
	barrier();
	u32 below = from_below(v, 1);
	if (lane == 0)
		below = highest;
	if (warp > 0)
		below = combine(shares[31 + warp], below);
	barrier();
	return below;
}

// Part is where a block stands.
struct Part {
	u64 first; // word of its first integer
	u32 m, lifted, live, each;

	// live is the threads that have words, of so many each.
	DEVICE_METHOD Part(u32 m, u32 instances, u32 each)
	    : first((u64)block() * instances * m), m(m), lifted((m + each - 1) / each * each),
	      live(instances * (lifted / each)), each(each) {}
};

// load is the way from global to shared memory, where neighbours read neighbours; words that are of no integer are 0.
template <class W> DEVICE void load(W *to, const W *from, u64 words, const Part &p) {
	if (thread() < p.live)
		for (u32 i = 0; i < p.each; i++) {
			u32 at = i * p.live + thread(), word = at % p.lifted;
			u64 global = p.first + (u64)(at / p.lifted) * p.m + word;
			to[at] = word < p.m && global < words ? from[global] : 0;
		}
}
template <class W> DEVICE void store(W *to, const W *from, u64 words, const Part &p) {
	if (thread() < p.live)
		for (u32 i = 0; i < p.each; i++) {
			u32 at = i * p.live + thread(), word = at % p.lifted;
			u64 global = p.first + (u64)(at / p.lifted) * p.m + word;
			if (word < p.m && global < words)
				to[global] = from[at];
		}
}

// take and put have the words of a thread, which follow each other.
template <class W, u32 Q> DEVICE void take(W (&w)[Q], const W *from, const Part &p) {
#pragma unroll
	for (u32 i = 0; i < Q; i++)
		w[i] = thread() < p.live ? from[Q * thread() + i] : 0;
}
template <class W, u32 Q> DEVICE void put(W *to, const W (&w)[Q], const Part &p) {
	if (thread() < p.live)
#pragma unroll
		for (u32 i = 0; i < Q; i++)
			to[Q * thread() + i] = w[i];
}

// add is z = x + y for all integers of a block, in registers. z may be x or y.
template <class W, u32 Q> DEVICE void add(W (&z)[Q], const W (&x)[Q], const W (&y)[Q], const Part &p) {
	u32 codes[Q], all = highest;
#pragma unroll
	for (u32 i = 0; i < Q; i++) {
		W s = x[i] + y[i];
		codes[i] = (s < x[i] ? overflow : 0) | (s == (W)~(W)0 ? highest : 0);
		if (i == 0 && Q * thread() % p.lifted == 0)
			codes[i] |= start;
		all = combine(all, codes[i]);
		z[i] = s;
	}
	u32 carry = block_scan(all);
#pragma unroll
	for (u32 i = 0; i < Q; i++) {
		if (!(codes[i] & start))
			z[i] += carry & overflow;
		carry = combine(carry, codes[i]);
	}
}

// room is shared memory behind that of scans.
template <class W> DEVICE W *room() { return (W *)(shared<u32>() + 64); }

template <class W, u32 Q> DEVICE void add_all(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances, u32 op) {
	Part p(m, instances, Q);
	W a[Q], b[Q], c[Q];
	load(room<W>(), x, words, p);
	barrier();
	take(a, room<W>(), p);
	barrier();
	load(room<W>(), y, words, p);
	barrier();
	take(b, room<W>(), p);
	add(c, a, b, p);
	if (op == 1) {
		add(c, c, c, p);
		add(c, c, b, p);
		add(a, c, c, p);
		add(c, a, c, p);
		add(c, c, b, p);
	}
	put(room<W>(), c, p); // which all have read: a sum has barriers
	barrier();
	store(z, room<W>(), words, p);
}

DEVICE u32 low_of(u32 a, u32 b) { return a * b; }
DEVICE u64 low_of(u64 a, u64 b) { return a * b; }

// Accumulator is a column: two words and a carry.
template <class W> struct Accumulator {
	W low, top;
	u32 carry;
	DEVICE_METHOD void add(W a, W b) {
		W l = low_of(a, b), h = high(a, b);
		low += l;
		h += low < l; // which fits, as the upper word of a product is at most 2^w − 2
		top += h;
		carry += top < h;
	}
};

// convolution is the words of columns k, …, k + Q − 1 of a·b, and two above them: first the products with a[0], …,
// a[k], Q for each, and then the triangle of those that are left.
template <class W, u32 Q> DEVICE void convolution(W (&out)[Q + 2], const W *a, const W *b, u32 k) {
	Accumulator<W> c[Q] = {};
#pragma unroll 1
	for (u32 i = 0; i <= k; i++) {
		W v = a[i];
#pragma unroll
		for (u32 j = 0; j < Q; j++)
			c[j].add(v, b[k - i + j]);
	}
#pragma unroll
	for (u32 d = 1; d < Q; d++) {
		W v = a[k + d];
#pragma unroll
		for (u32 j = 0; j < Q - d; j++)
			c[j + d].add(v, b[j]);
	}
	out[0] = c[0].low;
	W above = c[0].top;
	u32 carry = c[0].carry;
#pragma unroll
	for (u32 i = 1; i < Q; i++) {
		out[i] = c[i].low + above;
		carry += out[i] < above;
		above = c[i].top + carry;
		carry = c[i].carry + (above < carry);
	}
	out[Q] = above;
	out[Q + 1] = carry;
}

// publish puts the words of a run into the two summands: its own where they are, and the two above them into the run
// that follows.
template <class W, u32 Q> DEVICE void publish(W *low, W *high, const W (&words)[Q + 2], u32 k, u32 m) {
#pragma unroll
	for (u32 i = 0; i < Q; i++)
		low[k + i] = words[i];
	if (k + Q < m)
		high[k + Q] = words[Q], high[k + Q + 1] = words[Q + 1];
	if (k == 0)
		high[0] = high[1] = 0;
#pragma unroll
	for (u32 i = 2; i < Q; i++)
		high[k + i] = 0;
}

template <class W, u32 Q> DEVICE void multiply(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {
	Part p(m, instances, 2 * Q);
	u32 each = p.lifted / (2 * Q), from = thread() / each * p.lifted, t = thread() % each, total = instances * p.lifted;
	W *xs = room<W>(), *ys = xs + total, *low = ys + total, *high = low + total;
	load(xs, x, words, p);
	load(ys, y, words, p);
	barrier();
	if (thread() < p.live)
#pragma unroll 1
		for (u32 run = 0; run < 2; run++) {
			u32 k = run == 0 ? Q * t : p.lifted - Q * (t + 1);
			W columns[Q + 2];
			convolution<W, Q>(columns, xs + from, ys + from, k);
			publish<W, Q>(low + from, high + from, columns, k, p.lifted);
		}
	barrier();
	W a[2 * Q], b[2 * Q];
	take(a, low, p);
	take(b, high, p);
	add(a, a, b, p);
	put(xs, a, p);
	barrier();
	store(z, xs, words, p);
}

// give adds a column to sums of 32 bits each, of which there are so many, and which threads share.
DEVICE void give(u64 *sums, u32 v, u32 at, u32 most) {
	if (v != 0 && at < most)
		__atomic_fetch_add(sums + at, (u64)v, __ATOMIC_RELAXED);
}
DEVICE void give(u64 *sums, const Accumulator<u32> &c, u32 column, u32 most) {
	give(sums, c.low, column, most);
	give(sums, c.top, column + 1, most);
	give(sums, c.carry, column + 2, most);
}
DEVICE void give(u64 *sums, const Accumulator<u64> &c, u32 column, u32 most) {
	give(sums, (u32)c.low, 2 * column, most);
	give(sums, (u32)(c.low >> 32), 2 * column + 1, most);
	give(sums, (u32)c.top, 2 * column + 2, most);
	give(sums, (u32)(c.top >> 32), 2 * column + 3, most);
	give(sums, c.carry, 2 * column + 4, most);
}

template <class W, u32 Q> DEVICE void multiply_tiled(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {
	constexpr u32 halves = sizeof(W) / 4;
	Part p(m, instances, Q);
	u32 total = instances * p.lifted, from = thread() * Q / p.lifted * p.lifted, i = thread() * Q % p.lifted;
	W *xs = room<W>(), *ys = xs + total;
	u64 *sums = (u64 *)(ys + total); // twice as many words lie before
	load(xs, x, words, p);
	load(ys, y, words, p);
	for (u32 k = thread(); k < halves * total; k += threads())
		sums[k] = 0;
	barrier();
	if (thread() < p.live)
#pragma unroll 1
		for (u32 j = 0; i + j < p.lifted; j += Q) {
#pragma unroll
			for (u32 c = 0; c < 2 * Q - 1; c++) {
				Accumulator<W> column = {};
#pragma unroll
				for (u32 r = c < Q ? 0 : c - Q + 1; r <= c && r < Q; r++)
					column.add(xs[from + i + r], ys[from + j + c - r]);
				give(sums + halves * from, column, i + j + c, halves * p.lifted);
			}
		}
	barrier();
	W a[Q], b[Q];
#pragma unroll
	for (u32 q = 0; q < Q; q++) {
		a[q] = b[q] = 0;
#pragma unroll
		for (u32 h = 0; h < halves && thread() < p.live; h++) {
			u32 k = halves * (i + q) + h;
			a[q] |= (W)(u32)sums[halves * from + k] << (32 * h % (8 * sizeof(W)));
			b[q] |= (W)(k > 0 ? sums[halves * from + k - 1] >> 32 : 0) << (32 * h % (8 * sizeof(W)));
		}
	}
	add(a, a, b, p);
	put(xs, a, p);
	barrier();
	store(z, xs, words, p);
}

template <class W> DEVICE void wait_for(W *z, u64 count, W x, u32 op) {
	W v = x;
#pragma unroll 4
	for (u64 i = 0; i < count; i++) {
		if (op == 0)
			v = x + (v ^ x);
		else if (op == 1)
			v = v * x + 1;
		else
			v = ~(x % (v | 1));
	}
	*z = v;
}

#define WORDS(W, w)                                                                                                    \
	KERNEL(32) void literal_wait##w(W *z, u64 count, W x, u32 op) { wait_for(z, count, x, op); }                        \
	ADD(W, w, 1, 1024) ADD(W, w, 2, 1024) ADD(W, w, 3, 1024) ADD(W, w, 4, 1024) ADD(W, w, 5, 1024)                      \
	ADD(W, w, 6, 1024) ADD(W, w, 7, 1024) ADD(W, w, 8, 1024) ADD(W, w, 9, 512) ADD(W, w, 10, 512)                       \
	ADD(W, w, 11, 512) ADD(W, w, 12, 512) ADD(W, w, 13, 512) ADD(W, w, 14, 512) ADD(W, w, 15, 512)                      \
	ADD(W, w, 16, 512)                                                                                                  \
	MUL(W, w, 2, 1024) MUL(W, w, 3, 1024) MUL(W, w, 4, 1024) MUL(W, w, 5, 512) MUL(W, w, 6, 512) MUL(W, w, 7, 512)      \
	MUL(W, w, 8, 512) MUL(W, w, 9, 256) MUL(W, w, 10, 256) MUL(W, w, 11, 256) MUL(W, w, 12, 256) MUL(W, w, 13, 256)     \
	MUL(W, w, 14, 256) MUL(W, w, 15, 256) MUL(W, w, 16, 256)                                                            \
	TILED(W, w, 1, 1024) TILED(W, w, 2, 1024) TILED(W, w, 4, 1024) TILED(W, w, 8, 512)

#define ADD(W, w, Q, most)                                                                                             \
	KERNEL(most) void literal_add##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances, u32 op) {     \
		add_all<W, Q>(z, x, y, words, m, instances, op);                                                                  \
	}
#define MUL(W, w, Q, most)                                                                                             \
	KERNEL(most) void literal_mul##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {             \
		multiply<W, Q>(z, x, y, words, m, instances);                                                                     \
	}
#define TILED(W, w, Q, most)                                                                                           \
	KERNEL(most) void literal_tiled##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {           \
		multiply_tiled<W, Q>(z, x, y, words, m, instances);                                                               \
	}

WORDS(u32, 32)
WORDS(u64, 64)
