// Passes of whole transforms, as in pass.cuh, whose shape the compiler knows: addresses in shared memory are then a
// base and numbers. All tiles are full.
#pragma once
#include "pass.cuh"

// Shape is of tiles of 2^size elements. Strided ones have 2^columns columns and size = layers + columns; contiguous ones
// have columns 0.
template <u32 layers_, u32 columns_, u32 size_> struct Shape {
	static constexpr u32 layers = layers_, columns = columns_, size = size_, threads = 1u << (size_ - log2_each);
	static constexpr bool strided = columns_ != 0;
	// stage is how many layers the stage after done of them has: larger ones first.
	static constexpr u32 stage(u32 done) {
		u32 left = layers - done, stages = (left + log2_each - 1) / log2_each;
		return (left + stages - 1) / stages;
	}
	// before is how many layers the stages have that come before the one that ends with layer end.
	static constexpr u32 before(u32 end) {
		u32 done = 0;
		while (done + stage(done) < end)
			done += stage(done);
		return done;
	}
};

// Fixed is a tile of that shape.
template <class A, class S> struct Fixed {
	typedef typename A::Word Word;
	typedef typename A::Multiplier Multiplier;
	A f;
	Word *data; // at the first element of the tile
	const Multiplier *table;
	Word *shared;
	u32 stride, flags;
	u32 entry; // of the table, for the block of the tile, or for its first one
	u32 whole; // the tile has whole transforms: all blocks of a layer are alike
	Multiplier scale;
	const Word *x, *y; // factors of what an inverse begins with, or null
	u64 base;          // of the vector: the first element

	DEVICE_METHOD void place(u32 first) {
		u64 group;
		if (S::strided) {
			u32 across = stride - S::columns;
			group = block() >> across;
			base = (group << (S::layers + stride)) + ((u64)(block() & ((1u << across) - 1)) << S::columns);
		} else {
			group = (u64)block() << (S::size - S::layers);
			base = (u64)block() << S::size;
		}
		data += base;
		entry = ((u32)group & ((1u << first) - 1)) + (heap<A>(flags) ? 1u << first : 0);
		whole = first == 0;
	}

	// Each thread has 2^(3−a) groups of the 2^a elements that a layers meet, 2^position elements apart.
	template <u32 a, u32 position> DEVICE_METHOD static u32 index(u32 g) {
		u32 t = thread();
		return (t >> position << (position + a) | (t & ((1u << position) - 1))) + (g * S::threads << a);
	}
	DEVICE_METHOD Word *at(u32 i) const {
		if (!S::strided)
			return data + i;
		return data + (((u64)(i >> S::columns) << stride) + (i & ((1u << S::columns) - 1)));
	}

	// stage runs the layers from done on. The vector is read where in is set, and written where out is, in place of
	// shared memory.
	template <u32 a, u32 done, bool inverse, bool in, bool out> DEVICE_METHOD void stage() {
		constexpr u32 position = S::columns + S::layers - done - a, groups = each >> a;
		const u64 step = S::strided ? (u64)1 << (position - S::columns + stride) : 1u << position;
		const u32 alike = whole ? (1u << done) - 1 : 0xffffffffu;
		Word x[groups][1 << a];
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 i = index<a, position>(g);
			const Word *from = in ? at(i) : shared + padded<Word>(i);
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				x[g][j] = in ? from[j * step] : from[padded<Word>(j << position)];
		}
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 h = (entry << done) + ((index<a, position>(g) >> (position + a)) & alike);
			if (inverse)
				layers_inverse<A, a>(f, table, x[g], h);
			else
				layers_forward<A, a>(f, table, x[g], h);
		}
		if (out && (flags & flag_scale)) {
#pragma unroll
			for (u32 k = 0; k < each; k++)
				x[k >> a][k & ((1 << a) - 1)] = f.product(x[k >> a][k & ((1 << a) - 1)], scale);
		}
		if (out && (flags & flag_canonical)) {
#pragma unroll
			for (u32 k = 0; k < each; k++)
				x[k >> a][k & ((1 << a) - 1)] = f.canonical(x[k >> a][k & ((1 << a) - 1)]);
		}
#pragma unroll
		for (u32 g = 0; g < groups; g++) {
			u32 i = index<a, position>(g);
			Word *to = out ? at(i) : shared + padded<Word>(i);
#pragma unroll
			for (u32 j = 0; j < 1u << a; j++)
				(out ? to[j * step] : to[padded<Word>(j << position)]) = x[g][j];
		}
		if (!out)
			barrier();
	}

	template <u32 done> DEVICE_METHOD void forward() {
		constexpr u32 a = S::stage(done);
		stage<a, done, false, done == 0, S::strided && done + a == S::layers>();
		if constexpr (done + a < S::layers)
			forward<done + a>();
	}
	template <u32 end> DEVICE_METHOD void inverse() {
		constexpr u32 done = S::before(end);
		stage<end - done, done, true, S::strided && end == S::layers, done == 0>();
		if constexpr (done > 0)
			inverse<done>();
	}

	// mirror is the index in the tile that stands for i in natural order.
	DEVICE_METHOD static u32 mirror(u32 i) {
		constexpr u32 mask = (1u << S::layers) - 1;
		return (i & ~mask) | reversed(i & mask, S::layers);
	}
	// Between the vector and shared memory, for contiguous tiles.
	DEVICE_METHOD void load() {
		Word v[each];
		if (y == nullptr) {
#pragma unroll
			for (u32 k = 0; k < each; k++)
				v[k] = data[thread() + k * S::threads];
		} else {
#pragma unroll
			for (u32 k = 0; k < each; k++)
				v[k] = f.times(x[base + thread() + k * S::threads], y[base + thread() + k * S::threads]);
		}
#pragma unroll
		for (u32 k = 0; k < each; k++) {
			u32 i = thread() + k * S::threads;
			shared[padded<Word>(flags & flag_natural ? mirror(i) : i)] = v[k];
		}
		barrier();
	}
	DEVICE_METHOD void store() {
#pragma unroll
		for (u32 k = 0; k < each; k++) {
			u32 i = thread() + k * S::threads;
			Word x = shared[padded<Word>(flags & flag_natural ? mirror(i) : i)];
			data[i] = flags & flag_canonical ? f.canonical(x) : x;
		}
	}
};

template <class A, class S>
DEVICE void fixed_forward(A f, typename A::Word *data, const typename A::Multiplier *table, u32 first, u32 stride,
                          u32 flags) {
	Fixed<A, S> v = {f, data, table, shared<typename A::Word>(), stride, flags, 0, 0, {}, nullptr, nullptr, 0};
	v.place(first);
	v.template forward<0>();
	if (!S::strided)
		v.store();
}

template <class A, class S>
DEVICE void fixed_inverse(A f, typename A::Word *data, const typename A::Multiplier *table, u32 first, u32 stride,
                          u32 flags, typename A::Word scale, const typename A::Word *x, const typename A::Word *y) {
	Fixed<A, S> v = {f, data, table, shared<typename A::Word>(), stride, flags, 0, 0, f.make(scale), x, y, 0};
	v.place(first);
	if (!S::strided)
		v.load();
	v.template inverse<S::layers>();
}

// FIXED is the kernels of one shape: 2^(size−3) threads, a block for each tile. kind is strided or contiguous.
#define FIXED(name, A, Word, kind, layers, columns, size)                                                              \
	KERNEL(1 << (size - 3), size > 12 ? 1 : 1 << (13 - size))                                                          \
	void name##_forward_##kind##layers(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square,      \
	                                   u32 first, u32 stride, u32 flags) {                                             \
		fixed_forward<A, Shape<layers, columns, size>>(field<A>(p, inverse, square), data, table, first, stride,       \
		                                               flags);                                                         \
	}                                                                                                                  \
	KERNEL(1 << (size - 3), size > 12 ? 1 : 1 << (13 - size))                                                          \
	void name##_inverse_##kind##layers(Word *data, const A::Multiplier *table, Word p, Word inverse, Word square,      \
	                                   u32 first, u32 stride, u32 flags, Word scale, const Word *x,                    \
	                                   const Word *y) {                                                                \
		fixed_inverse<A, Shape<layers, columns, size>>(field<A>(p, inverse, square), data, table, first, stride,       \
		                                               flags, scale, x, y);                                            \
	}

// All shapes for words of 64 and of 32 bits: rows of a strided tile are a line of 128 bytes.
#define FIXED64(name, A)                                                                                               \
	FIXED(name, A, u64, contiguous, 6, 0, 10)                                                                          \
	FIXED(name, A, u64, strided, 5, 4, 9)                                                                              \
	FIXED(name, A, u64, strided, 6, 4, 10)                                                                             \
	FIXED(name, A, u64, strided, 7, 4, 11)                                                                             \
	FIXED(name, A, u64, strided, 8, 4, 12)                                                                             \
	FIXED(name, A, u64, contiguous, 8, 0, 10)                                                                          \
	FIXED(name, A, u64, contiguous, 9, 0, 10)                                                                          \
	FIXED(name, A, u64, contiguous, 10, 0, 10)                                                                         \
	FIXED(name, A, u64, contiguous, 11, 0, 11)                                                                         \
	FIXED(name, A, u64, contiguous, 12, 0, 12)
#define FIXED32(name, A)                                                                                               \
	FIXED(name, A, u32, strided, 5, 5, 10)                                                                             \
	FIXED(name, A, u32, strided, 6, 5, 11)                                                                             \
	FIXED(name, A, u32, strided, 7, 5, 12)                                                                             \
	FIXED(name, A, u32, strided, 8, 5, 13)                                                                             \
	FIXED(name, A, u32, contiguous, 8, 0, 10)                                                                          \
	FIXED(name, A, u32, contiguous, 9, 0, 10)                                                                          \
	FIXED(name, A, u32, contiguous, 10, 0, 10)                                                                         \
	FIXED(name, A, u32, contiguous, 11, 0, 11)                                                                         \
	FIXED(name, A, u32, contiguous, 12, 0, 12)
