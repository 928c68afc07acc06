// The additions, classical products and products by FFT of C. Oancea and S. Watt, GPU Implementations for Midsize Integer
// Addition and Multiplication, step by step as package midint/literal has them, over words of 32 and of 64 bits and for
// each number Q of words that a thread has. They only measure: the library loads none of them.
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
//	literal_poly<w>_<Q>   z, x, y, u64 words, u32 m, u32 instances
//	    (x² + y)(y² + y) + xy, by four such products and three sums in registers, for Q of 2 and 4.
//	literal_tiled<w>_<Q>  z, x, y, u64 words, u32 m, u32 instances
//	    The same by tiles of Q times Q products, whose columns are added to sums that all threads share: the paper's
//	    example of how not to do it. A thread has a row of tiles. Twice the words beside, and eight bytes for each half
//	    of a word of 64 bits, or for each one of 32.
//	literal_wait<w>       z, u64 count, x, u32 op
//	    One thread with so many x + (v ^ x), v·x + 1 or ~(x mod (v | 1)), for op from 0 to 2, of which each waits for the
//	    v before, and the last is *z.
//
// Products by FFT are modulo a prime of 32 or of 64 bits. A block has one integer of m points, of which a thread has Q;
// threads are rounded up to a warp. Digits are halves of words in global memory, count of an integer, and roots are
// tables there. Beside scans a block has its points in shared memory.
//
//	literal_cyclic<w>_<Q>   z, x, y, powers, inverses, inverse, u32 m
//	    The m coefficients of the cyclic convolution modulo the prime, in words: not a product.
//	literal_fftadd<w>_<Q>, literal_fftmul<w>_<Q>, literal_fftpoly<w>_<Q>
//	                        z, x, y, powers, inverses, inverse, u32 m, u32 count, u32 out, u32 bits
//	    x + y, x·y and (x² + y)(y² + y) + xy, of which out digits of so many bits are stored. z may be x or y where out
//	    is count.
//	literal_cut<w>          z, x, u64 digits, u32 words, u32 count, u32 bits
//	    So many digits of all integers of so many words of 32 bits. literal_join<w> has integers of digits.
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

// Columns is what a block needs for products in shared memory: the factors, and the two summands.
template <class W, u32 Q> struct Columns {
	const Part &p;
	W *xs, *ys, *low, *high;
	u32 from, t;

	DEVICE_METHOD Columns(const Part &p, u32 instances) : p(p) {
		u32 each = p.lifted / (2 * Q), total = instances * p.lifted;
		from = thread() / each * p.lifted, t = thread() % each;
		xs = room<W>(), ys = xs + total, low = ys + total, high = low + total;
	}

	// product is z = x·y of what xs and ys have, in registers.
	DEVICE_METHOD void product(W (&z)[2 * Q]) const {
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
		W b[2 * Q];
		take(z, low, p);
		take(b, high, p);
		add(z, z, b, p);
	}
};

template <class W, u32 Q> DEVICE void multiply(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {
	Part p(m, instances, 2 * Q);
	Columns<W, Q> c(p, instances);
	load(c.xs, x, words, p);
	load(c.ys, y, words, p);
	W a[2 * Q];
	c.product(a);
	put(c.xs, a, p);
	barrier();
	store(z, c.xs, words, p);
}

template <class W, u32 Q> DEVICE void polynomial(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {
	Part p(m, instances, 2 * Q);
	Columns<W, Q> by(p, instances);
	load(by.xs, x, words, p);
	load(by.ys, y, words, p);
	barrier();
	W a[2 * Q], b[2 * Q], c[2 * Q] = {}, d[2 * Q] = {};
	take(a, by.xs, p);
	take(b, by.ys, p);
#pragma unroll 1
	for (u32 step = 0; step < 4; step++) { // one text for c = x² + y, d = y² + y, c = c·d, and c = x·y + c
		W u[2 * Q], v[2 * Q];
#pragma unroll
		for (u32 i = 0; i < 2 * Q; i++) {
			u[i] = step == 1 ? b[i] : step == 2 ? c[i] : a[i];
			v[i] = step == 0 ? a[i] : step == 2 ? d[i] : b[i];
		}
		put(by.xs, u, p); // its own words, or such that all have read: a sum has barriers
		put(by.ys, v, p);
		by.product(u);
		if (step != 2) {
#pragma unroll
			for (u32 i = 0; i < 2 * Q; i++)
				v[i] = step == 3 ? c[i] : b[i];
			add(u, u, v, p);
		}
#pragma unroll
		for (u32 i = 0; i < 2 * Q; i++) {
			c[i] = step == 1 ? c[i] : u[i];
			d[i] = step == 1 ? u[i] : d[i];
		}
	}
	put(by.xs, c, p);
	barrier();
	store(z, by.xs, words, p);
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

// P32 and P64 are the paper's fields: products have double width, and what is left of a division by the prime.
struct P32 {
	typedef u32 Word;
	typedef u16 Half;
	static constexpr u32 p = 3221225473; // 3·2^30 + 1
	DEVICE_METHOD static u32 mul(u32 a, u32 b) { return (u32)((u64)a * b % p); }
};
struct P64 {
	typedef u64 Word;
	typedef u32 Half;
	static constexpr u64 p = 4179340454199820289; // 29·2^57 + 1
	static constexpr u64 shifted = p << 2, upper = shifted >> 32, lower = (u32)shifted;

	// step is what is left of a·2^32 + b, for a below shifted: a digit of 32 bits of the quotient is guessed by the upper
	// half of the divisor, and at most two too high.
	DEVICE_METHOD static u64 step(u64 a, u32 b) {
		u64 q = a / upper, r = a - q * upper;
		while (q >> 32 != 0 || q * lower > (r << 32 | b)) {
			q--, r += upper;
			if (r >> 32 != 0)
				break;
		}
		return (a << 32 | b) - q * shifted;
	}
	DEVICE_METHOD static u64 mul(u64 a, u64 b) {
		u64 l = a * b, h = high(a, b) << 2 | l >> 62;
		l <<= 2;
		return step(step(h, l >> 32), (u32)l) >> 2;
	}
};

// Transforms are those of a block, whose points are shared memory in between, and registers before and after.
template <class F, u32 Q> struct Transforms {
	typedef typename F::Word W;
	typedef typename F::Half H;
	const W *powers, *inverses;
	W inverse;
	u32 m;

	DEVICE_METHOD u32 live() const { return m / Q; }

	// load has the digits of a thread, which follow each other, from global memory, where neighbours read neighbours.
	DEVICE_METHOD void load(H (&x)[Q], const H *from, u32 count) const {
		H *points = room<H>();
		if (thread() < live())
			for (u32 i = 0; i < Q; i++) {
				u32 at = i * live() + thread();
				points[at] = at < count ? from[at] : 0;
			}
		barrier();
#pragma unroll
		for (u32 i = 0; i < Q; i++)
			x[i] = thread() < live() ? points[Q * thread() + i] : 0;
		barrier();
	}
	template <class T> DEVICE_METHOD void store(T *to, const T (&x)[Q], u32 count) const {
		T *points = room<T>();
		if (thread() < live())
#pragma unroll
			for (u32 i = 0; i < Q; i++)
				points[Q * thread() + i] = x[i];
		barrier();
		if (thread() < live())
			for (u32 i = 0; i < Q; i++)
				if (u32 at = i * live() + thread(); at < count)
					to[at] = points[at];
	}

	DEVICE_METHOD static W add(W a, W b) {
		W s = a + b;
		return s >= a && s < F::p ? s : s - F::p;
	}
	DEVICE_METHOD static W sub(W a, W b) { return a >= b ? a - b : a - b + F::p; }

	// transform is Cooley and Tukey's by layers of two, behind a permutation to bit-reversed order.
	DEVICE_METHOD void transform(W (&x)[Q], const W *roots) const {
		W *points = room<W>();
		u32 log = 31 - __builtin_clz(m);
		if (thread() < live())
#pragma unroll
			for (u32 i = 0; i < Q; i++)
				points[Q * thread() + i] = x[i];
		barrier();
		if (thread() < live())
			for (u32 i = 0; i < Q; i++) {
				u32 at = i * live() + thread(), to = reversed(at, log);
				if (to > at) {
					W v = points[at];
					points[at] = points[to], points[to] = v;
				}
			}
		barrier();
#pragma unroll 1
		for (u32 layer = 1; layer <= log; layer++) {
			u32 half = 1 << (layer - 1), step = m >> layer;
			if (thread() < live())
#pragma unroll 4
				for (u32 v = 0; v < Q / 2; v++) {
					u32 at = v * live() + thread(), j = at & (half - 1), i = (at >> (layer - 1) << layer) + j;
					W tau = F::mul(roots[step * j], points[i + half]), u = points[i];
					points[i] = add(u, tau);
					points[i + half] = sub(u, tau);
				}
			barrier();
		}
#pragma unroll
		for (u32 i = 0; i < Q; i++)
			x[i] = thread() < live() ? points[Q * thread() + i] : 0;
		barrier();
	}

	// cyclic is the convolution of digits.
	DEVICE_METHOD void cyclic(W (&z)[Q], const H (&x)[Q], const H (&y)[Q]) const {
		W t[Q];
#pragma unroll
		for (u32 i = 0; i < Q; i++)
			z[i] = x[i], t[i] = y[i];
		transform(z, powers);
		transform(t, powers);
#pragma unroll
		for (u32 i = 0; i < Q; i++)
			z[i] = F::mul(z[i], t[i]);
		transform(z, inverses);
#pragma unroll
		for (u32 i = 0; i < Q; i++)
			z[i] = F::mul(z[i], inverse);
	}

	// split carries the coefficients of a thread among themselves. low is a digit for each, and high is what leaves the
	// thread before.
	DEVICE_METHOD void split(H (&low)[Q], H (&above)[Q], const W (&x)[Q], u32 bits) const {
		W rest = 0, mask = ((W)1 << bits) - 1, *leaving = room<W>();
#pragma unroll
		for (u32 i = 0; i < Q; i++) {
			rest += x[i];
			low[i] = (H)(rest & mask);
			rest >>= bits;
		}
		if (thread() < live())
			leaving[thread()] = rest;
		barrier();
		rest = thread() > 0 && thread() < live() ? leaving[thread() - 1] : 0;
		barrier();
#pragma unroll
		for (u32 i = 0; i < Q; i++) {
			above[i] = (H)(rest & mask);
			rest >>= bits;
		}
	}

	// sum is the low count digits of x + y: shifted up, so that they overflow where halves of words do, and the lowest bit
	// is free for a carry. The mask is not in print: where a carry comes into ones alone, it makes 0 of 2^bits. z may be x
	// or y.
	DEVICE_METHOD void sum(H (&z)[Q], const H (&x)[Q], const H (&y)[Q], u32 count, u32 bits) const {
		u32 shift = 8 * sizeof(H) - bits, codes[Q], all = highest;
		H ones = (H)(((W)1 << bits) - 1);
#pragma unroll
		for (u32 i = 0; i < Q; i++) {
			H a = (H)(x[i] << shift), s = (H)(a + (y[i] << shift));
			codes[i] = (s < a ? overflow : 0) | (s == (H)(ones << shift) ? highest : 0);
			all = combine(all, codes[i]);
			z[i] = s;
		}
		u32 carry = block_scan(all);
#pragma unroll
		for (u32 i = 0; i < Q; i++) {
			H r = (H)(z[i] + (carry & overflow));
			z[i] = Q * thread() + i < count ? (H)(((r >> shift) + (r & 1)) & ones) : 0;
			carry = combine(carry, codes[i]);
		}
	}

	// product is the low count digits of x·y. z may be x or y.
	DEVICE_METHOD void product(H (&z)[Q], const H (&x)[Q], const H (&y)[Q], u32 count, u32 bits) const {
		W coefficients[Q];
		H low[Q], above[Q];
		cyclic(coefficients, x, y);
		split(low, above, coefficients, bits);
		sum(z, low, above, count, bits);
	}
};

template <class F, u32 Q>
DEVICE void convolve(typename F::Word *z, const typename F::Half *x, const typename F::Half *y,
                     const Transforms<F, Q> &t) {
	typename F::Half a[Q], b[Q];
	typename F::Word c[Q];
	u64 from = (u64)block() * t.m;
	t.load(a, x + from, t.m);
	t.load(b, y + from, t.m);
	t.cyclic(c, a, b);
	t.store(z + from, c, t.m);
}

// Operations of digits.
constexpr u32 fft_add = 0, fft_mul = 1, fft_poly = 2;

template <class F, u32 Q, u32 op>
DEVICE void by_digits(typename F::Half *z, const typename F::Half *x, const typename F::Half *y,
                      const Transforms<F, Q> &t, u32 count, u32 out, u32 bits) {
	typedef typename F::Half H;
	H a[Q], b[Q], c[Q] = {};
	u64 from = (u64)block() * count;
	t.load(a, x + from, count);
	t.load(b, y + from, count);
	if constexpr (op == fft_add)
		t.sum(c, a, b, out, bits);
	if constexpr (op == fft_mul)
		t.product(c, a, b, out, bits);
	if constexpr (op == fft_poly) {
		H d[Q] = {};
#pragma unroll 1
		for (u32 step = 0; step < 4; step++) { // one text for c = x² + y, d = y² + y, c = c·d, and c = x·y + c
			H u[Q], v[Q];
#pragma unroll
			for (u32 i = 0; i < Q; i++) {
				u[i] = step == 1 ? b[i] : step == 2 ? c[i] : a[i];
				v[i] = step == 0 ? a[i] : step == 2 ? d[i] : b[i];
			}
			t.product(u, u, v, count, bits);
			if (step != 2) {
#pragma unroll
				for (u32 i = 0; i < Q; i++)
					v[i] = step == 3 ? c[i] : b[i];
				t.sum(u, u, v, count, bits);
			}
#pragma unroll
			for (u32 i = 0; i < Q; i++) {
				c[i] = step == 1 ? c[i] : u[i];
				d[i] = step == 1 ? u[i] : d[i];
			}
		}
	}
	t.store(z + (u64)block() * out, c, out);
}

template <class H> DEVICE void cut(H *z, const u32 *x, u64 digits, u32 words, u32 count, u32 bits) {
	u64 i = index();
	if (i >= digits)
		return;
	u32 at = (u32)(i % count) * bits, word = at / 32;
	x += i / count * words;
	u64 v = x[word] | (u64)(word + 1 < words ? x[word + 1] : 0) << 32;
	z[i] = (H)(v >> at % 32 & (((u64)1 << bits) - 1));
}

template <class H> DEVICE void join(u32 *z, const H *x, u64 all, u32 words, u32 count, u32 bits) {
	u64 i = index();
	if (i >= all)
		return;
	u32 from = (u32)(i % words) * 32, v = 0;
	x += i / words * count;
	for (u32 digit = from / bits; digit < count && digit * bits < from + 32; digit++) {
		u32 at = digit * bits;
		v |= at < from ? (u32)x[digit] >> (from - at) : (u32)x[digit] << (at - from);
	}
	z[i] = v;
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
	POLY(W, w, 2) POLY(W, w, 4)                                                                                          \
	TILED(W, w, 1, 1024) TILED(W, w, 2, 1024) TILED(W, w, 4, 1024) TILED(W, w, 8, 512)

#define ADD(W, w, Q, most)                                                                                             \
	KERNEL(most) void literal_add##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances, u32 op) {     \
		add_all<W, Q>(z, x, y, words, m, instances, op);                                                                  \
	}
#define MUL(W, w, Q, most)                                                                                             \
	KERNEL(most) void literal_mul##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {             \
		multiply<W, Q>(z, x, y, words, m, instances);                                                                     \
	}
#define POLY(W, w, Q)                                                                                                  \
	KERNEL(1024) void literal_poly##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {            \
		polynomial<W, Q>(z, x, y, words, m, instances);                                                                   \
	}
#define TILED(W, w, Q, most)                                                                                           \
	KERNEL(most) void literal_tiled##w##_##Q(W *z, const W *x, const W *y, u64 words, u32 m, u32 instances) {           \
		multiply_tiled<W, Q>(z, x, y, words, m, instances);                                                               \
	}

WORDS(u32, 32)
WORDS(u64, 64)

#define FFT(P, w, Q)                                                                                                   \
	KERNEL(1024) void literal_cyclic##w##_##Q(P::Word *z, const P::Half *x, const P::Half *y, const P::Word *powers,    \
	                                          const P::Word *inverses, P::Word inverse, u32 m) {                        \
		convolve<P, Q>(z, x, y, {powers, inverses, inverse, m});                                                          \
	}                                                                                                                   \
	DIGITS(P, w, Q, add) DIGITS(P, w, Q, mul) DIGITS(P, w, Q, poly)
#define DIGITS(P, w, Q, op)                                                                                            \
	KERNEL(1024) void literal_fft##op##w##_##Q(P::Half *z, const P::Half *x, const P::Half *y, const P::Word *powers,   \
	                                           const P::Word *inverses, P::Word inverse, u32 m, u32 count, u32 out,     \
	                                           u32 bits) {                                                              \
		by_digits<P, Q, fft_##op>(z, x, y, {powers, inverses, inverse, m}, count, out, bits);                             \
	}
#define PRIME(P, w)                                                                                                    \
	FFT(P, w, 2) FFT(P, w, 4) FFT(P, w, 8) FFT(P, w, 16)                                                                \
	KERNEL(256) void literal_cut##w(P::Half *z, const u32 *x, u64 digits, u32 words, u32 count, u32 bits) {             \
		cut(z, x, digits, words, count, bits);                                                                            \
	}                                                                                                                   \
	KERNEL(256) void literal_join##w(u32 *z, const P::Half *x, u64 all, u32 words, u32 count, u32 bits) {               \
		join(z, x, all, words, count, bits);                                                                              \
	}

PRIME(P32, 32)
PRIME(P64, 64)
