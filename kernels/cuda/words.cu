// Kernels that depend on the size of words alone: products, copies and bit reversals of vectors of canonical elements.
#include "word.cuh"

// side is the bits of a row of the squares that reorder swaps: 256 and 128 bytes.
static constexpr u32 side = 5;

template <class W> DEVICE void reorder_squares(W *data, u32 n) {
	const u32 length = 1u << side, middle = n - 2 * side;
	u32 m = block(), other = reversed(m, middle);
	if (m > other)
		return;
	W *first = shared<W>(), *second = first + length * (length + 1);
	W *v = data + ((u64)block_y() << n);
	for (u32 i = thread(); i < length * length; i += threads()) {
		u64 a = i >> side, b = i & (length - 1);
		u64 at = a << (n - side) | b;
		first[a * (length + 1) + b] = v[at | (u64)m << side];
		second[a * (length + 1) + b] = v[at | (u64)other << side];
	}
	barrier();
	for (u32 i = thread(); i < length * length; i += threads()) {
		u64 a = i >> side, b = i & (length - 1);
		u64 at = a << (n - side) | b;
		u32 from = reversed((u32)b, side) * (length + 1) + reversed((u32)a, side);
		v[at | (u64)m << side] = second[from];
		v[at | (u64)other << side] = first[from];
	}
}

#define WORD(bits, Word)                                                                                               \
	/* Products z = xy of n canonical elements, a thread for each. */                                                  \
	KERNEL(256)                                                                                                        \
	void product##bits(Word *z, const Word *x, const Word *y, Word p, Word inverse, Word square, u64 n) {              \
		if (index() < n)                                                                                               \
			z[index()] = Modulus<Word>{p, inverse, square}.times(x[index()], y[index()]);                              \
	}                                                                                                                  \
	/* Sums z = x + y and differences z = x − y of n canonical elements; z may be x or y. A thread for each. */          \
	KERNEL(256) void sum##bits(Word *z, const Word *x, const Word *y, Word p, u64 n) {                                 \
		if (index() < n)                                                                                               \
			z[index()] = Modulus<Word>{p, 0, 0}.add(x[index()], y[index()]);                                           \
	}                                                                                                                  \
	KERNEL(256) void difference##bits(Word *z, const Word *x, const Word *y, Word p, u64 n) {                          \
		if (index() < n)                                                                                               \
			z[index()] = Modulus<Word>{p, 0, 0}.sub(x[index()], y[index()]);                                           \
	}                                                                                                                  \
	/* Products z = xw/2^bits of n canonical elements by one canonical w; z may be x. A thread for each. */            \
	KERNEL(256) void scaled##bits(Word *z, const Word *x, Word w, Word p, Word inverse, u64 n) {                       \
		if (index() < n)                                                                                               \
			z[index()] = Modulus<Word>{p, inverse, 0}.reduced(x[index()], w);                                          \
	}                                                                                                                  \
	/* A field.Copy: element j of row i comes from row P(i) and column Q(j). A thread for each element. */             \
	KERNEL(256)                                                                                                        \
	void copy##bits(Word *to, const Word *from, u64 rows, u64 width, u64 dst, u64 src, const i32 *row, const i32 *col, \
	                u32 transpose) {                                                                                   \
		u64 i = index() / width, j = index() % width;                                                                  \
		if (i >= rows)                                                                                                 \
			return;                                                                                                    \
		u64 p = row != nullptr ? row[i] : i, q = col != nullptr ? col[j] : j;                                          \
		to[i * dst + j] = transpose ? from[q * src + p] : from[p * src + q];                                           \
	}                                                                                                                  \
	/* Sets *found to 1 where one of n words is not below p, for any number of threads. */                             \
	KERNEL(256)                                                                                                        \
	void above##bits(const Word *x, Word p, u64 n, u64 *found) {                                                       \
		bool above = false;                                                                                            \
		for (u64 i = index(); i < n; i += (u64)blocks() * threads())                                                   \
			above |= x[i] >= p;                                                                                        \
		if (above)                                                                                                     \
			*found = 1;                                                                                                \
	}                                                                                                                  \
	/* The bit reversal of transforms of 2^n elements one after the other, n < 2·side: a thread for each element of */ \
	/* total. */                                                                                                       \
	KERNEL(256)                                                                                                        \
	void reorder_short##bits(Word *data, u64 total, u32 n) {                                                           \
		u64 i = index(), low = ((u64)1 << n) - 1;                                                                      \
		if (i >= total)                                                                                                \
			return;                                                                                                    \
		u64 j = (i & ~low) | reversed((u32)(i & low), n);                                                              \
		if (i < j) {                                                                                                   \
			Word x = data[i];                                                                                          \
			data[i] = data[j];                                                                                         \
			data[j] = x;                                                                                               \
		}                                                                                                              \
	}                                                                                                                  \
	/* The same for n ≥ 2·side. Indices are [a | m | b], with side bits for a and b; a block swaps the square of m */  \
	/* with that of the reversal of m, by rows of 2^side elements. block_y is the transform. 256 threads. */           \
	KERNEL(256)                                                                                                        \
	void reorder##bits(Word *data, u32 n) { reorder_squares<Word>(data, n); }

WORD(64, u64)
WORD(32, u32)
