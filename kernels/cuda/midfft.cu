// Exact products of integers by three primes below 2^30: a block multiplies a pair of integers of m words of 32 bits,
// lowest words first, whose words are the coefficients of polynomials. A block of midfft_LG has products of polynomials
// with 2^LG coefficients, for m up to 2^(LG−1), and midfft_square_LG squares.
//
//	midfft_LG         z, x, y, u32 m, u32 out, table
//	midfft_square_LG  z, x, u32 m, u32 out, table
//	    The out low words of x·y, or of x², for out up to 2m; z may be an operand where out is m. The grid has a block of
//	    2^LG/8 threads for each integer, 2^LG/16 where the product goes by halves. table has for each prime 2^14 roots
//	    as Shoup's multipliers, then as many inverses. That of node 1 is 1; the children 2h and 2h + 1 of a node with
//	    root w have √w and √−w.
//	midfft_program_LG z, operands, u32 places, steps, u32 count, u64 n, u32 m, scratch, u32 values, u32 each, table
//	    The steps of a program on integers of n rows of m words, where there are so many operands, at the addresses of a
//	    table; z has the result of the last step. Blocks take turns, and each has so many words of scratch, of which the
//	    first are for values on the way and the others for transforms.
//
// By halves, x^L − 1 is (x^(L/2) − 1)(x^(L/2) + 1), and a block has products modulo one after the other: the digits are
// the same for both, as there are L/2 of them.
//
// A coefficient is below 2^13·(2^32 − 1)^2 < 2^77, and the product of the primes is above 2^89: a sum of 2^12 products
// is below it too.
#include "carries.cuh"
#include "word.cuh"

typedef Shoup<u32> Arithmetic;
typedef Arithmetic::Multiplier Multiplier;

constexpr u32 p0 = 998244353, p1 = 897581057, p2 = 880803841; // 119, 107 and 105 times 2^23, and 1
constexpr u32 most = 14;                                       // layers that the table has roots for

constexpr u32 power(u32 x, u32 n, u32 p) {
	u64 r = 1, s = x % p;
	for (; n > 0; n /= 2, s = s * s % p)
		if (n % 2 == 1)
			r = r * s % p;
	return (u32)r;
}
constexpr u32 inverted(u32 x, u32 p) { return power(x, p - 2, p); }
constexpr u32 inverse_word(u32 p) {
	u32 r = 1;
	for (u32 i = 0; i < 5; i++)
		r *= 2 - p * r;
	return r;
}
constexpr Multiplier multiplier(u32 w, u32 p) { return Multiplier{w, (u32)(((u64)w << 32) / p)}; }

// modulus is a prime by its number.
DEVICE Modulus<u32> modulus(u32 k) {
	return k == 0   ? Modulus<u32>{p0, inverse_word(p0), 0}
	       : k == 1 ? Modulus<u32>{p1, inverse_word(p1), 0}
	                : Modulus<u32>{p2, inverse_word(p2), 0};
}

// scale undoes 1/2^32 of a product of Montgomery's, and the factor of transforms of 2^lg points.
template <u32 lg> DEVICE Multiplier scale(u32 k) {
	constexpr u32 w = 1u << (32 - lg);
	constexpr Multiplier a = multiplier(w, p0), b = multiplier(w, p1), c = multiplier(w, p2);
	return k == 0 ? a : k == 1 ? b : c;
}

// placed is where element i is in shared memory, so that eight neighbours of each of 32 threads are in different banks.
constexpr u32 placed(u32 i) { return i + (i >> 5); }

// Rounds has the layers of a round for transforms of 2^lg points.
template <u32 lg> struct Rounds;
template <> struct Rounds<9> { static constexpr u32 n = 3, layers[5] = {3, 3, 3, 0, 0}; };
template <> struct Rounds<10> { static constexpr u32 n = 4, layers[5] = {3, 3, 2, 2, 0}; };
template <> struct Rounds<11> { static constexpr u32 n = 4, layers[5] = {3, 3, 3, 2, 0}; };
template <> struct Rounds<12> { static constexpr u32 n = 4, layers[5] = {3, 3, 3, 3, 0}; };
template <> struct Rounds<13> { static constexpr u32 n = 5, layers[5] = {3, 3, 3, 2, 2}; };
template <u32 lg, u32 r> constexpr u32 above() {
	u32 n = 0;
	for (u32 i = 0; i < r; i++)
		n += Rounds<lg>::layers[i];
	return n;
}

// Round is one of a transform of 2^lg points, of which a thread has eight, as 8/2^layers groups.
template <u32 lg, u32 r> struct Round {
	static constexpr u32 done = above<lg, r>(), layers = Rounds<lg>::layers[r], low = lg - done - layers;
	static constexpr u32 groups = 8 >> layers, length = 1 << layers;

	// first is the place of the thread's first point, and other that of point e from there.
	static DEVICE_METHOD u32 first() {
		u32 g = thread() * groups;
		return placed((g >> low) << (low + layers) | (g & ((1u << low) - 1)));
	}
	static constexpr u32 other(u32 first, u32 e) {
		u32 group = e / length; // bits of its own, and so a distance that the compiler knows
		return first + placed((low > 0 ? group : group << layers) | (e % length) << low);
	}
	// node is that of a group, below node root of the transform.
	static DEVICE_METHOD u32 node(u32 root, u32 g) { return (root << done) + ((thread() * groups + g) >> low); }

	// forward is the layers of one transform or of two; zero says that the upper half of the points is 0.
	template <bool zero, bool both>
	static DEVICE_METHOD void forward(const Arithmetic &a, u32 (&x)[8], u32 (&y)[8], const Multiplier *roots, u32 root) {
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 h = node(root, g), *u = x + g * length, *v = y + g * length;
#pragma unroll
			for (u32 m = 0; m < layers; m++) {
				u32 half = length >> (m + 1);
#pragma unroll
				for (u32 b = 0; b < 1u << m; b++) {
					u32 from = 2 * b * half;
					if (zero && m == 0) {
#pragma unroll
						for (u32 i = 0; i < half; i++) {
							u[half + i] = u[i];
							if (both)
								v[half + i] = v[i];
						}
						continue;
					}
					Multiplier w = roots[(h << m) + b];
#pragma unroll
					for (u32 i = from; i < from + half; i++) {
						a.forward(u[i], u[i + half], w);
						if (both)
							a.forward(v[i], v[i + half], w);
					}
				}
			}
		}
	}
	static DEVICE_METHOD void inverse(const Arithmetic &a, u32 (&x)[8], const Multiplier *roots, u32 root) {
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 h = node(root, g), *u = x + g * length;
#pragma unroll
			for (u32 m = layers; m-- > 0;) {
				u32 half = length >> (m + 1);
#pragma unroll
				for (u32 b = 0; b < 1u << m; b++) {
					Multiplier w = roots[(h << m) + b];
#pragma unroll
					for (u32 i = 2 * b * half; i < (2 * b + 1) * half; i++)
						a.inverse(u[i], u[i + half], w);
				}
			}
		}
	}
};

// forward is the rounds from r on of x, and of y where there are both; between two of them points change threads.
template <u32 lg, u32 r, bool zero, bool both>
DEVICE void forward(const Arithmetic &a, u32 (&x)[8], u32 (&y)[8], u32 *s, const Multiplier *roots, u32 root) {
	typedef Round<lg, r> Here;
	Here::template forward<zero && r == 0, both>(a, x, y, roots, root);
	if constexpr (r + 1 < Rounds<lg>::n) {
		typedef Round<lg, r + 1> There;
		constexpr u32 second = placed(1u << lg);
		u32 here = Here::first(), there = There::first();
		barrier();
#pragma unroll
		for (u32 e = 0; e < 8; e++) {
			u32 i = Here::other(here, e);
			s[i] = x[e];
			if (both)
				s[second + i] = y[e];
		}
		barrier();
#pragma unroll
		for (u32 e = 0; e < 8; e++) {
			u32 i = There::other(there, e);
			x[e] = s[i];
			if (both)
				y[e] = s[second + i];
		}
		forward<lg, r + 1, zero, both>(a, x, y, s, roots, root);
	}
}

// inverse is the rounds from r to the first.
template <u32 lg, u32 r>
DEVICE void inverse(const Arithmetic &a, u32 (&x)[8], u32 *s, const Multiplier *roots, u32 root) {
	typedef Round<lg, r> Here;
	Here::inverse(a, x, roots, root);
	if constexpr (r > 0) {
		typedef Round<lg, r - 1> There;
		u32 here = Here::first(), there = There::first();
		barrier();
#pragma unroll
		for (u32 e = 0; e < 8; e++)
			s[Here::other(here, e)] = x[e];
		barrier();
#pragma unroll
		for (u32 e = 0; e < 8; e++)
			x[e] = s[There::other(there, e)];
		inverse<lg, r - 1>(a, x, s, roots, root);
	}
}

// Wide is 96 bits.
struct Wide {
	u32 w[3];
};

// garner is the number below p0·p1·p2 with residues x, y and z.
DEVICE Wide garner(u32 x, u32 y, u32 z) {
	constexpr Multiplier of01 = multiplier(inverted(p0, p1), p1), of02 = multiplier(inverted(p0, p2), p2),
	                     of12 = multiplier(inverted(p1, p2), p2);
	constexpr u64 both = (u64)p0 * p1;
	Arithmetic b{modulus(1)}, c{modulus(2)};
	u32 d = b.canonical(b.product(y + 2 * p1 - x, of01));
	u32 e = c.canonical(c.product(c.product(z + 2 * p2 - x, of02) + 2 * p2 - d, of12));
	u64 low = (u64)p0 * d + x, first = low + (u64)(u32)both * e;
	u64 rest = (u64)(u32)(both >> 32) * e + (first >> 32) + ((u64)(first < low) << 32);
	return Wide{{(u32)first, (u32)rest, (u32)(rest >> 32)}};
}

// Product is of polynomials with 2^LG coefficients, by so many parts, one or two halves. Residues modulo the first two
// primes stay in shared memory until there are those of the third; then the words of coefficients take their place.
template <u32 LG, u32 parts, bool square> struct Product {
	static constexpr u32 lg = LG - (parts - 1), length = 1u << lg, step = length / 8;
	static constexpr u32 plane = placed(1u << LG);

	// points are the product modulo x^length − 1, or x^length + 1 for root 3, times 2^lg/2^32.
	static DEVICE_METHOD void points(const Arithmetic &f, u32 (&x)[8], const u32 *a, const u32 *b, u32 m, u32 *s,
	                                 const Multiplier *roots, u32 root) {
		u32 y[8];
#pragma unroll
		for (u32 e = 0; e < (parts == 1 ? 4 : 8); e++) {
			u32 i = thread() + e * step;
			x[e] = f.below(i < m ? a[i] : 0);
			y[e] = square ? 0 : f.below(i < m ? b[i] : 0);
		}
		forward<lg, 0, parts == 1, !square>(f, x, y, s, roots, root);
#pragma unroll
		for (u32 e = 0; e < 8; e++)
			x[e] = f.m.reduced(f.canonical(x[e]), square ? x[e] : y[e]);
		inverse<lg, Rounds<lg>::n - 1>(f, x, s, roots + (1u << most), root);
	}

	static DEVICE_METHOD void run(u32 *z, const u32 *a, const u32 *b, u32 m, u32 out, const Multiplier *table) {
		u32 *planes = shared<u32>(), *s = planes + 2 * plane;
		u32 x[8], y[8];
#pragma unroll 1
		for (u32 k = 0; k < 3; k++) {
			Arithmetic f{modulus(k)};
			Multiplier by = scale<LG>(k);
			points(f, x, a, b, m, s, table, parts);
			if (parts == 2) {
				points(f, y, a, b, m, s, table, 3);
#pragma unroll
				for (u32 e = 0; e < 8; e++) {
					u32 u = x[e], v = y[e];
					x[e] = u + v;
					y[e] = u - v + 2 * f.m.p;
				}
			}
			table += 2u << most;
			u32 *to = planes + k * plane, at = placed(thread());
#pragma unroll
			for (u32 e = 0; e < 8; e++) {
				x[e] = f.canonical(f.product(x[e], by));
				if (parts == 2)
					y[e] = f.canonical(f.product(y[e], by));
				if (k < 2) {
					to[at + placed(e * step)] = x[e];
					if (parts == 2)
						to[at + placed(length + e * step)] = y[e];
				}
			}
		}
		barrier();
#pragma unroll
		for (u32 e = 0; e < 8 * parts; e++) {
			u32 *to = planes + placed(thread()) + placed(e * step);
			Wide v = garner(to[0], to[plane], e < 8 ? x[e] : y[e % 8]);
			to[0] = v.w[0];
			to[plane] = v.w[1];
			to[2 * plane] = v.w[2];
		}
		barrier();
		words(z, planes, out);
	}

	// words puts the words of coefficients together. A thread has eight, and eight in the upper half where it has both.
	static DEVICE_METHOD void words(u32 *z, u32 *planes, u32 out) {
		u32 w[parts][8], rest[parts];
#pragma unroll
		for (u32 part = 0; part < parts; part++) {
			u32 i = part * length + 8 * thread(), at = placed(i);
			u64 sum = 0;
#pragma unroll
			for (u32 e = 0; e < 8; e++) {
				sum += planes[at + e];
				if (i + e >= 1)
					sum += planes[plane + (e >= 1 ? at + e - 1 : placed(i - 1))];
				if (i + e >= 2)
					sum += planes[2 * plane + (e >= 2 ? at + e - 2 : placed(i + e - 2))];
				w[part][e] = (u32)sum;
				sum >>= 32;
			}
			rest[part] = (u32)sum;
		}
		barrier();
		u32 *below = planes + 64;
#pragma unroll
		for (u32 part = 0; part < parts; part++)
			below[part * step + thread() + 1] = rest[part];
		if (thread() == 0)
			below[0] = 0;
		barrier();
		u32 carry = 0;
#pragma unroll
		for (u32 part = 0; part < parts; part++) {
			carry = carried(w[part], below[part * step + thread()] + (thread() == 0 ? carry : 0), planes + 32 * part);
			store(z, w[part], part * length + 8 * thread(), out);
		}
	}
};

#define PRODUCTS(LG, parts, blocks)                                                                                    \
	KERNEL((1 << LG) / 8 / parts, blocks)                                                                              \
	void midfft_##LG(u32 *z, const u32 *x, const u32 *y, u32 m, u32 out, const Multiplier *table) {                     \
		u64 at = (u64)block() * m;                                                                                      \
		Product<LG, parts, false>::run(z + (u64)block() * out, x + at, y + at, m, out, table);                          \
	}                                                                                                                  \
	KERNEL((1 << LG) / 8 / parts, blocks)                                                                              \
	void midfft_square_##LG(u32 *z, const u32 *x, u32 m, u32 out, const Multiplier *table) {                            \
		u64 at = (u64)block() * m;                                                                                      \
		Product<LG, parts, true>::run(z + (u64)block() * out, x + at, x + at, m, out, table);                           \
	}

PRODUCTS(9, 1, 12)
PRODUCTS(10, 1, 6)
PRODUCTS(11, 2, 6)
PRODUCTS(12, 2, 3)
PRODUCTS(13, 2, 2)
PRODUCTS(14, 2, 1)

// Step is one of a program, modulo 2^32m: z = x·y + Σ u·v + Σ ±w. Values have places, those of operands first, and
// transforms that are used again have slots. y is a slot for of_slot. A list of pairs of slots u and v follows, and one
// of 2·place of w, and 1 more where it is subtracted.
struct Step {
	u32 z, x, y;
	u32 kind;           // what x·y is, or that transforms of x and y are kept and nothing else is done
	u32 keep_x, keep_y; // slots for their transforms, and 1, or 0
	u32 terms, sums;    // of the lists
};
enum : u32 { of_sums, of_slots, of_square, of_both, of_slot, kept };

// Program has products of polynomials with 2^LG coefficients, by so many parts, of which low halves are taken.
template <u32 LG, u32 parts> struct Program {
	typedef Product<LG, parts, false> Whole;
	static constexpr u32 lg = Whole::lg, length = Whole::length, step = Whole::step, plane = Whole::plane;

	const u64 *operands;
	u32 places, m;
	u32 *values, *slots;
	u64 integer;

	DEVICE_METHOD const u32 *value(u32 place) const {
		return place < places ? (const u32 *)operands[place] + integer * m : values + (u64)(place - places) * m;
	}
	// slot is where the thread's points of a transform are, step words apart.
	DEVICE_METHOD u32 *slot(u32 i, u32 k, u32 part) const {
		return slots + ((u64)(3 * i + k) << LG) + part * length + thread();
	}

	DEVICE_METHOD void digits(const Arithmetic &f, u32 (&x)[8], const u32 *a) const {
#pragma unroll
		for (u32 e = 0; e < (parts == 1 ? 4 : 8); e++) {
			u32 i = thread() + e * step;
			x[e] = f.below(i < m ? a[i] : 0);
		}
	}
	static DEVICE_METHOD void keep(u32 *to, const u32 (&x)[8]) {
#pragma unroll
		for (u32 e = 0; e < 8; e++)
			to[e * step] = x[e];
	}

	// points are those of a step modulo prime k and modulo one part, as those of Product.
	DEVICE_METHOD void points(const Arithmetic &f, u32 (&x)[8], const Step &c, const u32 *pairs, u32 k, u32 part, u32 *s,
	                          const Multiplier *roots) const {
		u32 root = parts + part;
		if (c.kind != of_slots) {
			u32 y[8];
			digits(f, x, value(c.x));
			if (c.kind == of_both || (c.kind == kept && c.y != c.x)) {
				digits(f, y, value(c.y));
				forward<lg, 0, parts == 1, true>(f, x, y, s, roots, root);
				if (c.keep_y != 0)
					keep(slot(c.keep_y - 1, k, part), y);
			} else {
				forward<lg, 0, parts == 1, false>(f, x, y, s, roots, root);
				const u32 *from = slot(c.y, k, part);
#pragma unroll
				for (u32 e = 0; e < 8; e++)
					y[e] = c.kind == of_slot ? from[e * step] : x[e];
			}
			if (c.keep_x != 0)
				keep(slot(c.keep_x - 1, k, part), x);
			if (c.kind == kept)
				return;
#pragma unroll
			for (u32 e = 0; e < 8; e++)
				x[e] = f.m.reduced(f.canonical(x[e]), y[e]);
		} else {
#pragma unroll
			for (u32 e = 0; e < 8; e++)
				x[e] = 0;
		}
#pragma unroll 1
		for (u32 t = 0; t < c.terms; t++) {
			const u32 *u = slot(pairs[2 * t], k, part), *v = slot(pairs[2 * t + 1], k, part);
#pragma unroll
			for (u32 e = 0; e < 8; e++)
				x[e] = f.m.add(x[e], f.m.reduced(f.canonical(u[e * step]), v[e * step]));
		}
		inverse<lg, Rounds<lg>::n - 1>(f, x, s, roots + (1u << most), root);
	}

	// coefficients puts the words of those of a step into the planes, of the lower half where there are two parts.
	DEVICE_METHOD void coefficients(const Step &c, const u32 *pairs, u32 *planes, const Multiplier *table) const {
		u32 x[8], y[8];
#pragma unroll 1
		for (u32 k = 0; k < 3; k++, table += 2u << most) {
			Arithmetic f{modulus(k)};
			Multiplier by = scale<LG>(k);
#pragma unroll 1
			for (u32 part = 0; part < parts; part++) {
				points(f, x, c, pairs, k, part, planes + 2 * plane, table);
#pragma unroll
				for (u32 e = 0; e < 8; e++) {
					if (part > 0)
						x[e] += y[e];
					y[e] = x[e];
				}
			}
			if (c.kind == kept)
				continue;
			u32 *to = planes + k * plane + placed(thread());
#pragma unroll
			for (u32 e = 0; e < 8; e++) {
				x[e] = f.canonical(f.product(x[e], by));
				if (k < 2)
					to[placed(e * step)] = x[e];
			}
		}
		if (c.kind == kept)
			return;
		barrier();
#pragma unroll
		for (u32 e = 0; e < 8; e++) {
			u32 *to = planes + placed(thread()) + placed(e * step);
			Wide v = garner(to[0], to[plane], x[e]);
			to[0] = v.w[0];
			to[plane] = v.w[1];
			to[2 * plane] = v.w[2];
		}
		barrier();
	}

	// words puts the words of coefficients together, and of what is added. A thread has eight.
	DEVICE_METHOD void words(u32 *z, const Step &c, const u32 *sums, u32 *planes) const {
		u32 w[8], rest = 0, i = 8 * thread(), at = placed(i);
		u64 sum = 0;
#pragma unroll
		for (u32 e = 0; e < 8; e++) {
			if (c.kind != of_sums) {
				sum += planes[at + e];
				if (i + e >= 1)
					sum += planes[plane + (e >= 1 ? at + e - 1 : placed(i - 1))];
				if (i + e >= 2)
					sum += planes[2 * plane + (e >= 2 ? at + e - 2 : placed(i + e - 2))];
			}
			w[e] = (u32)sum;
			sum >>= 32;
		}
		rest = (u32)sum;
#pragma unroll 1
		for (u32 t = 0; t < c.sums; t++) {
			const u32 *from = value(sums[t] >> 1);
			u32 turned = 0 - (sums[t] & 1);
			sum = i == 0 ? turned & 1 : 0;
#pragma unroll
			for (u32 e = 0; e < 8; e++) {
				sum += (u64)w[e] + ((i + e < m ? from[i + e] : 0) ^ turned);
				w[e] = (u32)sum;
				sum >>= 32;
			}
			rest += (u32)sum;
		}
		barrier();
		u32 *below = planes + 64;
		below[thread() + 1] = rest;
		if (thread() == 0)
			below[0] = 0;
		barrier();
		carried(w, below[thread()], planes);
		store(z, w, i, m);
		barrier();
	}

	DEVICE_METHOD void run(u32 *z, const u32 *steps, u32 count, const Multiplier *table) const {
		u32 *planes = shared<u32>();
#pragma unroll 1
		for (u32 i = 0; i < count; i++) {
			Step c = *(const Step *)steps;
			const u32 *pairs = steps + 8, *sums = pairs + 2 * c.terms;
			steps = sums + c.sums;
			if (c.kind != of_sums)
				coefficients(c, pairs, planes, table);
			if (c.kind != kept)
				words(i + 1 < count ? values + (u64)(c.z - places) * m : z + integer * m, c, sums, planes);
		}
	}
};

#define PROGRAM(LG, parts, most)                                                                                       \
	KERNEL((1 << LG) / 8 / parts, most)                                                                                \
	void midfft_program_##LG(u32 *z, const u64 *operands, u32 places, const u32 *steps, u32 count, u64 n, u32 m,         \
	                         u32 *scratch, u32 values, u32 each, const Multiplier *table) {                             \
		scratch += (u64)block() * each;                                                                                 \
		for (u64 i = block(); i < n; i += blocks())                                                                     \
			Program<LG, parts>{operands, places, m, scratch, scratch + values, i}.run(z, steps, count, table);           \
	}

PROGRAM(9, 1, 12)
PROGRAM(10, 1, 6)
PROGRAM(11, 2, 6)
PROGRAM(12, 2, 3)
PROGRAM(13, 2, 2)
PROGRAM(14, 2, 1)
