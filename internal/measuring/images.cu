// Forward transforms modulo several primes at once, for comparisons of small primes with one big prime: block_y is the
// prime. What a prime has is read from memory, all else is as in pass.cuh and fixed.cuh. Shapes are those of the
// lengths that are compared.
//
//	images<bits>                  data, pitch, images, total, u32 first, u32 layers, u32 columns, u32 stride,
//	                              u32 size, u32 flags
//	images<bits>_<kind><layers>   data, pitch, images, u32 first, u32 stride, u32 flags
//	    A pass of the transforms of planes of words, pitch words apart, of which prime i has plane i: grids are (tiles,
//	    primes). Primes are below 2^30 for words of 32 bits, and below 2^62 for those of 64.
#include "fixed.cuh"

// Image is a prime and the table of its transform.
struct Image {
	u64 table, p, inverse, square;
	template <class A> DEVICE_METHOD A field() const {
		typedef typename A::Word Word;
		return ::field<A>((Word)p, (Word)inverse, (Word)square);
	}
	template <class A> DEVICE_METHOD const typename A::Multiplier *multipliers() const {
		return (const typename A::Multiplier *)table;
	}
};

template <class A, class S>
DEVICE void image(typename A::Word *data, u64 pitch, const Image *images, u32 first, u32 stride, u32 flags) {
	Image i = images[block_y()];
	fixed_forward<A, S>(i.field<A>(), data + block_y() * pitch, i.multipliers<A>(), first, stride, flags);
}

#define IMAGES(bits, A, Word)                                                                                          \
	KERNEL(1024, 1)                                                                                                    \
	void images##bits(Word *data, u64 pitch, const Image *images, u64 total, u32 first, u32 layers, u32 columns,       \
	                  u32 stride, u32 size, u32 flags) {                                                               \
		Image i = images[block_y()];                                                                                   \
		Tile<A> v = {i.field<A>(),       data + block_y() * pitch, i.multipliers<A>(), total, first, layers, columns,  \
		             stride,             size,                     flags,              {},    nullptr, nullptr,        \
		             shared<Word>(),     0,                        0,                  true};                          \
		forward_pass(v);                                                                                               \
	}
#define IMAGE(bits, A, Word, kind, layers, columns, size)                                                              \
	KERNEL(1 << (size - 3), size > 12 ? 1 : 1 << (13 - size))                                                          \
	void images##bits##_##kind##layers(Word *data, u64 pitch, const Image *images, u32 first, u32 stride, u32 flags) { \
		image<A, Shape<layers, columns, size>>(data, pitch, images, first, stride, flags);                             \
	}

IMAGES(32, Shoup<u32>, u32)
IMAGE(32, Shoup<u32>, u32, strided, 5, 5, 10)
IMAGE(32, Shoup<u32>, u32, strided, 6, 5, 11)
IMAGE(32, Shoup<u32>, u32, strided, 8, 5, 13)
IMAGE(32, Shoup<u32>, u32, contiguous, 10, 0, 10)
IMAGE(32, Shoup<u32>, u32, contiguous, 12, 0, 12)
IMAGES(64, Shoup<u64>, u64)
IMAGE(64, Shoup<u64>, u64, strided, 5, 4, 9)
IMAGE(64, Shoup<u64>, u64, strided, 6, 4, 10)
IMAGE(64, Shoup<u64>, u64, strided, 8, 4, 12)
IMAGE(64, Shoup<u64>, u64, contiguous, 10, 0, 10)
IMAGE(64, Shoup<u64>, u64, contiguous, 12, 0, 12)
