// Transforms over Z/(r^k + 1) whose additions carry nothing. A lazy digit is a sum of digits of one place, with signs,
// so that all digits of an element are independent: a butterfly adds and subtracts them place by place, and a product
// by r^e moves them, with the other sign beyond place k. Carries come once, after the last butterfly, and again after a
// product.
//
// This is for k from 8 to 64 and 2^57 ≤ r. With s the zeros at the top of r, and β = 2^(log2 k + s − 22), quotients are
// estimated so well that rests are below r + βr, and r + βr + 2^14 < 2^64: gpu/plan_digits.go tells which r these are.
#pragma once

#include "digits.cuh"

// Long is a lazy digit, modulo 2^96.
struct Long {
	u64 low;
	u32 high;
};

DEVICE Long operator+(Long a, Long b) {
	Long z;
#ifdef EMULATE
	z.low = a.low + b.low;
	z.high = a.high + b.high + (z.low < a.low);
#else
	asm("add.cc.u64 %0, %2, %4;\n\taddc.u32 %1, %3, %5;"
	    : "=&l"(z.low), "=r"(z.high)
	    : "l"(a.low), "r"(a.high), "l"(b.low), "r"(b.high));
#endif
	return z;
}
DEVICE Long operator-(Long a, Long b) {
	Long z;
#ifdef EMULATE
	z.low = a.low - b.low;
	z.high = a.high - b.high - (a.low < b.low);
#else
	asm("sub.cc.u64 %0, %2, %4;\n\tsubc.u32 %1, %3, %5;"
	    : "=&l"(z.low), "=r"(z.high)
	    : "l"(a.low), "r"(a.high), "l"(b.low), "r"(b.high));
#endif
	return z;
}

// negated is −a where negative is 2^32 − 1, and a where it is 0.
DEVICE Long negated(Long a, u32 negative) {
	u32 a0 = (u32)a.low ^ negative, a1 = (u32)(a.low >> 32) ^ negative, a2 = a.high ^ negative;
#ifdef EMULATE
	return Long{a0 | (u64)a1 << 32, a2} + Long{negative & 1, 0};
#else
	asm("sub.cc.u32 %0, %0, %3;\n\tsubc.cc.u32 %1, %1, %3;\n\tsubc.u32 %2, %2, %3;"
	    : "+r"(a0), "+r"(a1), "+r"(a2)
	    : "r"(negative));
	return Long{a0 | (u64)a1 << 32, a2};
#endif
}

// plus_product is a + x·y, modulo 2^96.
DEVICE Long plus_product(Long a, u64 x, Long y) {
	u32 x0 = (u32)x, x1 = (u32)(x >> 32), y0 = (u32)y.low, y1 = (u32)(y.low >> 32);
#ifdef EMULATE
	u128 t = ((u128)a.high << 64 | a.low) + (u128)x * y.low;
	(void)x0, (void)x1, (void)y0, (void)y1;
	return Long{(u64)t, (u32)(t >> 64) + (u32)x * y.high};
#else
	u32 a0 = (u32)a.low, a1 = (u32)(a.low >> 32), a2 = a.high;
	asm("mad.lo.cc.u32 %0, %3, %5, %0;\n\t"
	    "madc.hi.cc.u32 %1, %3, %5, %1;\n\t"
	    "madc.lo.u32 %2, %3, %7, %2;\n\t"
	    "mad.lo.cc.u32 %1, %3, %6, %1;\n\t"
	    "madc.hi.u32 %2, %3, %6, %2;\n\t"
	    "mad.lo.cc.u32 %1, %4, %5, %1;\n\t"
	    "madc.hi.u32 %2, %4, %5, %2;\n\t"
	    "mad.lo.u32 %2, %4, %6, %2;"
	    : "+&r"(a0), "+&r"(a1), "+&r"(a2)
	    : "r"(x0), "r"(x1), "r"(y0), "r"(y1), "r"(y.high));
	return Long{a0 | (u64)a1 << 32, a2};
#endif
}

// Lazy is r with what estimates of quotients need, s being the zeros at the top of r. The offsets A(r − 1) of all
// coefficients of a product, and 2A more of the first, are as those of a Radix, for A = k(r + ⌊r/2^9⌋ + 16k).
struct Lazy {
	u64 r;
	u64 reciprocal; // ⌊(2^127 − 1)/(r·2^s)⌋
	u64 offset[3];  // A(r − 1), lowest word first
	u64 first[2];   // 2A
	u32 estimate;   // ⌊(2^(95 − s) − 1)/r⌋
	u32 narrow;     // 24 − s − log2 k
	u32 cut;        // max(0, log2 k + 2 − 2s)
	u32 scale;      // cut + s + 1
	Long step;      // −r·2^scale, modulo 2^96
};

// Parameters of kernels that make a Lazy.
#define LAZY                                                                                                           \
	u64 r, u64 reciprocal, u64 offset0, u64 offset1, u64 offset2, u64 first0, u64 first1, u32 estimate, u32 narrow,    \
		u32 cut, u32 scale, u64 step0, u32 step1
#define LAZY_OF                                                                                                        \
	Lazy { r, reciprocal, {offset0, offset1, offset2}, {first0, first1}, estimate, narrow, cut, scale, {step0, step1} }

// quotient is a q ≤ t/r with t − q·r < r + βr, for 0 ≤ t < 2^(71 + log2 k). It sees 32 bits of t, from 39 + log2 k on,
// less the number less: 0, or 1 where t has as much, so that 2^(39 + log2 k) at least is left. What it does not see, that
// 1, and what is missing in the estimate are 2^(log2 k + s − 24)·r at most, each.
template <u32 k> DEVICE u32 quotient(Long t, u32 less, const Lazy &m) {
	u32 top = funnel((u32)(t.low >> 32), t.high, 7 + log2(k)) - less;
	return high(top, m.estimate) >> m.narrow;
}

// rest is t − q·r, modulo 2^64.
DEVICE u64 rest(u64 t, u32 q, u64 r) {
	u64 n = 0 - r;
	t += (u64)q * (u32)n;
	return (u64)((u32)(t >> 32) + q * (u32)(n >> 32)) << 32 | (u32)t;
}

// most is no less than the quotients of lazy digits: the sum of 2k digits and offset_of is below (4k + 2)r.
template <u32 k> constexpr u32 most() { return 8 * k; }

// carry makes words below 2r canonical.
template <u32 k, class Z> DEVICE void carry(Z z, u64 r) {
	u32 c = 0;
#pragma unroll 1
	for (u32 i = 0; i < k; i++) {
		u64 t = z[i] + c;
		bool over = t < c || t >= r;
		z[i] = over ? t - r : t;
		c = over;
	}
	if (c != 0)
		unit<k>(z, 0, false, r);
}

// canonical sets z to x, whose words are below 2r.
template <u32 k, class Z, class X> DEVICE void canonical(Z z, X x, u64 r) {
	const u32 n = chunk<k>();
	bool over = false;
#pragma unroll 1
	for (u32 j = 0; j < k; j += n) {
		u64 a[n];
#pragma unroll
		for (u32 i = 0; i < n; i++)
			a[i] = x[j + i];
#pragma unroll
		for (u32 i = 0; i < n; i++) {
			z[j + i] = a[i];
			over |= a[i] >= r;
		}
	}
	if (over) // seldom
		carry<k>(z, r);
}

// Carrier makes words below r + βr + 2^14 of the coefficients of a run of digits, in order. Each is divided by r by
// itself: the quotient is h·2^scale + q, with an h of one word from its upper part, and q from what is left, which are
// added to the digit above. That of the last digit leaves the run.
//
// A coefficient c is below 2A·r < 2^(128 + cut), so that h is a word. 2^scale·h is at most five times 2^scale less than
// c/r: two for what c and the reciprocal are cut, three for the products of halves of words in h. So t is below
// (5·2^scale + 2k + 2)r < 2^(71 + log2 k), and q below 2^14.
template <u32 k> struct Carrier {
	Long up;
	u32 q;

	METHOD u64 digit(Wide c, const Lazy &m) {
		u32 c2 = (u32)c.w[1], c3 = (u32)(c.w[1] >> 32), c4 = (u32)c.w[2];
		u32 a0 = funnel(c2, c3, m.cut), a1 = funnel(c3, c4, m.cut);
		u32 b0 = (u32)m.reciprocal, b1 = (u32)(m.reciprocal >> 32);
		u64 h = (u64)a1 * b1 + high(a1, b0) + high(a0, b1);

		Long t = plus_product(Long{c.w[0], c2}, h, m.step) + up;
		u64 digit = q;
		q = quotient<k>(t, 0, m);
		up = Long{h << m.scale, (u32)(h >> (64 - m.scale))};
		return digit + rest(t.low, q, m.r);
	}
	// out is all that leaves the run.
	METHOD Long out() const { return up + Long{q, 0}; }
};

// product_by_halves calls emit(n, c, d) for the coefficients n and n + h of x·y modulo T^k + 1, n = 0, 1, …, h − 1,
// with h = k/2, each with its offset. It is Karatsuba's product: with x = x₀ + x₁·T^h, and y in the same way, of x₀·y₀,
// x₁·y₁ and (x₀ + x₁)(y₀ + y₁), each of which has lower coefficients, below T^h, and upper ones. Words of x₀ + x₁ and
// y₀ + y₁ are below 2^64. With k ≤ 16 all digits are in registers; with more, four coefficients of a half at a time go over its
// digits four by four.
template <u32 k, class X, class Y, class O, class E> DEVICE void product_by_halves(X x, Y y, O offset, E emit) {
	const u32 h = k / 2;
	if constexpr (k <= 16) {
		u64 a[3][h], b[3][h];
#pragma unroll
		for (u32 i = 0; i < h; i++) {
			a[0][i] = x[i];
			a[1][i] = x[i + h];
			b[0][i] = y[i];
			b[1][i] = y[i + h];
		}
#pragma unroll
		for (u32 i = 0; i < h; i++) {
			a[2][i] = a[0][i] + a[1][i];
			b[2][i] = b[0][i] + b[1][i];
		}
#pragma unroll
		for (u32 n = 0; n < h; n++) {
			Sum lower[3] = {}, upper[3] = {};
#pragma unroll
			for (u32 i = 0; i < h; i++)
#pragma unroll
				for (u32 s = 0; s < 3; s++)
					(i <= n ? lower : upper)[s].add(a[s][i], b[s][(n - i) & (h - 1)]);
			Wide p = lower[0].value(), q = lower[1].value(), r = upper[0].value(), s = upper[1].value();
			emit(n, p - q + (r + s - upper[2].value()) + offset(n), r - s - (p + q) + lower[2].value() + offset(n + h));
		}
	} else {
#pragma unroll 1
		for (u32 n = 0; n < h; n += 4) {
			Wide c[4], d[4];
#pragma unroll
			for (u32 t = 0; t < 4; t++) {
				c[t] = offset(n + t);
				d[t] = offset(n + h + t);
			}
#pragma unroll
			for (u32 s = 0; s < 3; s++) {
				auto load = [&](auto z, u32 i, u64 *to) INLINE {
#pragma unroll
					for (u32 t = 0; t < 4; t++)
						to[t] = s == 0 ? z[i + t] : s == 1 ? z[i + h + t] : z[i + t] + z[i + h + t];
				};
				Sum u[4] = {};
				u64 w[8]; // y[n − i − 4] to y[n − i + 3], of a half
				load(y, n, w);
#pragma unroll 1
				for (u32 i = 0; i < h; i += 4) {
					u64 v[4];
					load(x, i, v);
#pragma unroll
					for (u32 t = 0; t < 4; t++)
						w[4 + t] = w[t];
					load(y, (n - i - 4) & (h - 1), w);
					if (i != n) {
#pragma unroll
						for (u32 t = 0; t < 4; t++)
#pragma unroll
							for (u32 j = 0; j < 4; j++)
								u[t].add(v[j], w[4 + t - j]);
						continue;
					}
					// Coefficients before this are lower ones, those from here on are upper ones.
#pragma unroll
					for (u32 t = 0; t < 4; t++) {
#pragma unroll
						for (u32 j = 0; j <= t; j++)
							u[t].add(v[j], w[4 + t - j]);
						Wide lower = u[t].value();
						if (s < 2)
							c[t] = s == 0 ? c[t] + lower : c[t] - lower;
						d[t] = s == 2 ? d[t] + lower : d[t] - lower;
						u[t] = Sum{};
#pragma unroll
						for (u32 j = t + 1; j < 4; j++)
							u[t].add(v[j], w[4 + t - j]);
					}
				}
#pragma unroll
				for (u32 t = 0; t < 4; t++) {
					Wide upper = u[t].value();
					c[t] = s == 2 ? c[t] - upper : c[t] + upper;
					if (s < 2)
						d[t] = s == 0 ? d[t] + upper : d[t] - upper;
				}
			}
#pragma unroll
			for (u32 t = 0; t < 4; t++)
				emit(n + t, c[t], d[t]);
		}
	}
}

// lazy_product sets z to x·y, where words of x are below r + βr + 8k, and y is canonical. What leaves the last digit is
// taken from digit 0, as r^k = −1. There 4k·r keeps the digit from being negative, and 4k is taken from digit 1.
// With halves, r + βr + 8k is at most 2^63.
template <u32 k, bool halves, class Z, class X, class Y> DEVICE void lazy_product(Z z, X x, Y y, const Lazy &m) {
	auto offset = [&](u32 n) INLINE {
		Wide a{{m.offset[0], m.offset[1], m.offset[2]}};
		if (n == 0)
			a = a + Wide{{m.first[0], m.first[1], 0}};
		if (n == 1)
			a = a - Wide{{4 * k, 0, 0}};
		return a;
	};
	bool over = false;
	auto set = [&](u32 n, u64 digit) INLINE {
		z[n] = digit;
		over |= digit >= m.r;
	};
	// The first two digits of a run wait for what enters it.
	auto enter = [&](u32 n, const u64 *waiting, Long t) INLINE {
		t = t + Long{waiting[0], 0};
		u32 q = quotient<k>(t, 0, m);
		set(n, rest(t.low, q, m.r));
		set(n + 1, waiting[1] + q);
	};
	const Long most{m.r << log2(4 * k), (u32)(m.r >> (64 - log2(4 * k)))};
	u64 waiting[2][2];
	Carrier<k> run[2] = {};
	if constexpr (halves) {
		const u32 h = k / 2;
		product_by_halves<k>(x, y, offset, [&](u32 n, Wide c, Wide d) INLINE {
			u64 low = run[0].digit(c, m), high = run[1].digit(d, m);
			if (n == 0) { // one by one: indices of registers are constants
				waiting[0][0] = low;
				waiting[1][0] = high;
			} else if (n == 1) {
				waiting[0][1] = low;
				waiting[1][1] = high;
			} else {
				set(n, low);
				set(n + h, high);
			}
		});
		enter(h, waiting[1], run[0].out());
		enter(0, waiting[0], most - run[1].out());
	} else {
		coefficients<k>(x, y, offset, [&](u32 n, Wide c) INLINE {
			u64 digit = run[0].digit(c, m);
			if (n == 0)
				waiting[0][0] = digit;
			else if (n == 1)
				waiting[0][1] = digit;
			else
				set(n, digit);
		});
		enter(0, waiting[0], most - run[0].out());
	}
	if (over) // seldom
		carry<k>(z, m.r);
}

// Side is neighbours that one instruction moves.
template <class T, u32 n> struct alignas(n * sizeof(T)) Side {
	T of[n];
};

// Sums is columns of rows of lazy digits in shared memory, modulo 2^80: their words in low, and 16 bits more in high.
// Planes of digits are rows of 2^width places, and some more where there are many. A thread takes so many columns side
// by side in a round, 1 or 2, which is 2^width at most.
template <u32 columns> struct Sums {
	u64 *low;
	u16 *high;
	u32 rows, width, valid;
	METHOD u32 pitch() const { return (1u << width) + (width >= 2 ? columns : 0); }
	METHOD u32 plane() const { return rows * pitch() + (1u << width); }
};

// Element is one after its last round, where each digit is the rest of a division by r, and high has the quotient, for
// the digit above. Words are below r + βr + 8k.
template <u32 k> struct Element {
	const u64 *low;
	const u16 *high;
	u32 plane;
	METHOD u64 operator[](u32 i) const { return low[i * plane] + high[((i - 1) & (k - 1)) * plane]; }
};

// offset_of is digit d of what row 0 is given more, a multiple of p, so that no result is negative: C(r − 1), and 2C
// more of digit 0, for C = 2k + 1.
template <u32 k> DEVICE Long offset_of(u32 d, u64 r) {
	const u32 c = 2 * k + 1;
	u64 up, low = small(c, r - 1, up);
	Long z{low, (u32)up};
	return d == 0 ? z + Long{2 * c, 0} : z;
}

// Layers are layers of a transform of 2^length rows: those from the first one on that a round does.
struct Layers {
	u32 first, length;
	bool back;
	u32 unit; // the root is r^(unit·2k/2^length)
};

// butterflies transforms n = 2 or 4 rows of two digits that are k/2 apart. The root of four is r^(k/2), or −r^(k/2).
template <u32 n> DEVICE void butterflies(Long (&x)[n][2], bool negative) {
	if constexpr (n == 2) {
#pragma unroll
		for (u32 b = 0; b < 2; b++) {
			Long sum = x[0][b] + x[1][b];
			x[1][b] = x[0][b] - x[1][b];
			x[0][b] = sum;
		}
	} else {
		Long p[2], q[2];
#pragma unroll
		for (u32 b = 0; b < 2; b++) {
			Long s = x[0][b] + x[2][b], u = x[1][b] + x[3][b];
			p[b] = x[0][b] - x[2][b];
			q[b] = x[1][b] - x[3][b];
			x[0][b] = s + u;
			x[1][b] = s - u;
		}
		if (negative) {
			q[0] = Long{} - q[0];
			q[1] = Long{} - q[1];
		}
		x[2][0] = p[0] - q[1];
		x[3][0] = p[0] + q[1];
		x[2][1] = p[1] + q[0];
		x[3][1] = p[1] - q[0];
	}
}

// round_of does one or two layers of a transform, as butterfly_at has them, a thread at a time for two digits that are
// k/2 apart, of two or four rows: a product by r^(k/2) changes places between them. Rows are multiplied by powers of r
// as they are read, which moves digits: all threads read before one writes. Those of the same rows and columns are in
// one turn of the loop, as there are at least k/2 threads for each of them.
//
// With source, which is for the first layers, digit d of row i is source[d·pitch + (i << log_columns) + column]. With
// last, lazy digits are divided by r.
template <u32 k, u32 columns, u32 layers, bool load>
DEVICE void round_of(Sums<columns> t, Layers l, bool last, const u64 *source, u64 pitch, u32 log_columns,
		     const Lazy &m) {
	const u32 n = 1 << layers, half = k / 2, width = t.width - log2(columns);
	const u32 log_step = l.back ? l.first : l.length - l.first - layers, step = 1u << log_step;
	const u32 plane = t.plane(), all = t.rows / n * half << width;
	for (u32 i = thread(); i < all + thread(); i += threads()) {
		u32 column = (i & ((1u << width) - 1)) * columns, d = i >> width & (half - 1);
		u32 group = i >> (width + log2(half));
		bool idle = i >= all || column >= t.valid;
		u32 at[n];
		Long x[columns][n][2];
		if (!idle) {
			u32 inner = group & (step - 1), block = group >> log_step, top = block << (log_step + layers) | inner;
			u32 e = (l.back ? inner : reversed(block, l.first)) << (log2(2 * k) - l.first - layers);
			e *= l.unit;

			// Row a of the four has the factor r^(a·e).
#pragma unroll
			for (u32 a = 0; a < n; a++) {
				u32 row = top + (n == 4 && a != 0 && a != 3 && l.back ? 3 - a : a) * step;
				at[a] = row * t.pitch() + column;
				u32 from = load ? d : d - a * e; // digit d of the product, up to its sign
#pragma unroll
				for (u32 b = 0; b < 2; b++, from += half) {
					if constexpr (load) {
						const u64 *p = source + from * pitch + ((u64)row << log_columns) + column;
						Long more{};
						if (row == 0)
							more = offset_of<k>(from, m.r);
#pragma unroll
						for (u32 c = 0; c < columns; c++)
							x[c][a][b] = Long{c == 0 || column + c < t.valid ? p[c] : 0, 0} + more;
						continue;
					}
					u32 place = (from & (k - 1)) * plane + at[a];
					auto low = *(const Side<u64, columns> *)(t.low + place);
					auto high = *(const Side<u16, columns> *)(t.high + place);
#pragma unroll
					for (u32 c = 0; c < columns; c++) {
						x[c][a][b] = Long{low.of[c], high.of[c]};
						if (a > 0)
							x[c][a][b] = negated(x[c][a][b], 0 - (from >> log2(k) & 1));
					}
				}
			}
#pragma unroll
			for (u32 c = 0; c < columns; c++)
				butterflies<n>(x[c], (l.unit & 2) != 0);
		}

		if constexpr (!load)
			barrier();
		if (idle)
			continue;
		if (last) {
#pragma unroll
			for (u32 c = 0; c < columns; c++)
#pragma unroll
				for (u32 a = 0; a < n; a++)
#pragma unroll
					for (u32 b = 0; b < 2; b++) {
						// Digit 0 keeps most, from which the quotient of digit k − 1 is taken, as r^k = −1.
						Long &z = x[c][a][b];
						bool lowest = b == 0 && d == 0, highest = b == 1 && d == half - 1;
						u32 q = quotient<k>(z, lowest, m);
						z.low = rest(z.low, q, m.r) - (lowest ? most<k>() : 0);
						z.high = highest ? most<k>() - q : q;
					}
		}
#pragma unroll
		for (u32 a = 0; a < n; a++)
#pragma unroll
			for (u32 b = 0; b < 2; b++) {
				u32 place = (d + b * half) * plane + at[a];
				Side<u64, columns> low;
				Side<u16, columns> high;
#pragma unroll
				for (u32 c = 0; c < columns; c++) {
					low.of[c] = x[c][a][b].low;
					high.of[c] = (u16)x[c][a][b].high;
				}
				*(Side<u64, columns> *)(t.low + place) = low;
				*(Side<u16, columns> *)(t.high + place) = high;
			}
	}
}
