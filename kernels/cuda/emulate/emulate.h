// The host's side of prelude.cuh: a block of a kernel runs as fibers on one thread of the host.
#pragma once

#include <utility>
#include <vector>

#define DEVICE_METHOD inline __attribute__((always_inline))
#define DEVICE static inline
#define CONSTANT static const
#define KERNEL(...) extern "C"

namespace emulate {
struct Position {
	u32 thread, threads, block, blocks, block_y, blocks_y;
};
// Where the thread that runs is, and its block's shared memory. One kernel runs at a time, under the driver's lock.
extern Position here;
extern unsigned char *dynamic;

// barrier parks the fiber until all of the block have come to one.
void barrier();
// exchange is a shuffle: all lanes of a warp bring v, and take that of lane ^ m.
u32 exchange(u32 v, u32 m);
// Words are what a lane of a warp brings at once.
struct alignas(32) Words {
	u32 word[6];
};
// bring is for what needs several words of several lanes: all lanes of a warp bring some, and get those of all until
// they come to a shuffle again.
const Words *bring(const Words &v);

// Entry is a kernel that takes its arguments as cuLaunchKernel does.
typedef void (*Entry)(void **arguments);
// run runs all blocks of a grid, and returns nullptr or what went wrong.
const char *run(Entry entry, void **arguments, u32 blocks, u32 blocks_y, u32 threads, u32 shared);

// call calls f with the arguments that p points to.
template <class... A> struct Call {
	template <unsigned long... I> static void at(void (*f)(A...), void **p, std::index_sequence<I...>) {
		f(*(A *)p[I]...);
	}
};
template <class... A> void call(void (*f)(A...), void **p) { Call<A...>::at(f, p, std::index_sequence_for<A...>()); }

// Kernel is an entry with the bytes of each of its arguments, which a graph has to keep.
struct Kernel {
	Entry entry;
	std::vector<u32> sizes;
};
// add makes a kernel known to cuModuleGetFunction; its value is of no use.
bool add(const char *name, Kernel k);
template <class... A> bool add(const char *name, void (*)(A...), Entry entry) {
	return add(name, Kernel{entry, {(u32)sizeof(A)...}});
}
} // namespace emulate

DEVICE u32 thread() { return emulate::here.thread; }
DEVICE u32 threads() { return emulate::here.threads; }
DEVICE u32 block() { return emulate::here.block; }
DEVICE u32 blocks() { return emulate::here.blocks; }
DEVICE u32 block_y() { return emulate::here.block_y; }
DEVICE u32 blocks_y() { return emulate::here.blocks_y; }
DEVICE void barrier() { emulate::barrier(); }
DEVICE u32 shuffle_xor(u32 v, u32 m) { return emulate::exchange(v, m); }
DEVICE u64 high(u64 a, u64 b) { return (u64)((u128)a * b >> 64); }
DEVICE u32 high(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
DEVICE u32 funnel(u32 low, u32 high, u32 n) { return (u32)(((u64)high << 32 | low) >> n); }
template <u32 table> DEVICE u32 logic(u32 a, u32 b, u32 c) {
	if constexpr (table == 0x96)
		return a ^ b ^ c;
	if constexpr (table == 0x78)
		return a ^ (b & c);
	u32 r = 0;
	for (u32 i = 0; i < 8; i++)
		if (table >> i & 1)
			r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
	return r;
}
template <u32 order> DEVICE u32 byte_select(u32 a, u32 b) {
	u64 all = (u64)b << 32 | a;
	u32 r = 0;
	for (u32 i = 0; i < 4; i++)
		r |= (u32)(all >> 8 * (order >> 4 * i & 7) & 0xff) << 8 * i;
	return r;
}
DEVICE u64 plus(u64 x, u64 y, u32 &carry) {
	u64 r = x + y;
	carry = r < x ? 0xffffffffu : 0;
	return r;
}
DEVICE u64 minus(u64 x, u64 y, u32 &borrow) {
	borrow = x < y ? 0xffffffffu : 0;
	return x - y;
}
template <class T> DEVICE T *shared() { return (T *)emulate::dynamic; }
