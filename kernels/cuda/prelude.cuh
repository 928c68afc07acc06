// What CUDA C++ takes from the toolkit's headers, for clang without the toolkit: words, qualifiers, thread indices,
// barriers, shuffles and the products that C++ has no name for. With EMULATE the same kernels compile for the host
// (emulate/emulate.h), where threads of a block are fibers.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;
typedef unsigned __int128 u128;

#ifdef EMULATE
#include "emulate/emulate.h"
#else

#define DEVICE_METHOD __attribute__((device)) inline __attribute__((always_inline))
#define DEVICE static DEVICE_METHOD
#define CONSTANT static __attribute__((constant))
// KERNEL(threads, blocks) declares a kernel of at most that many threads a block, of which a multiprocessor is to hold
// at least that many.
#define KERNEL(...) extern "C" __attribute__((global)) __attribute__((launch_bounds(__VA_ARGS__)))
extern __attribute__((shared)) u64 dynamic_shared[];

DEVICE u32 thread() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE u32 threads() { return __nvvm_read_ptx_sreg_ntid_x(); }
DEVICE u32 block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE u32 blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
DEVICE u32 block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
DEVICE u32 blocks_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }

// barrier waits for all threads of the block, and what they wrote to shared memory is seen after it.
DEVICE void barrier() { __syncthreads(); }

// shuffle_xor is the v of the lane whose index differs by the bits of m. All lanes of the warp call it.
DEVICE u32 shuffle_xor(u32 v, u32 m) { return __nvvm_shfl_sync_bfly_i32(0xffffffffu, v, m, 0x1f); }

// high is the upper half of a product.
DEVICE u64 high(u64 a, u64 b) {
	u64 r;
	asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
	return r;
}
DEVICE u32 high(u32 a, u32 b) {
	u32 r;
	asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
	return r;
}

// funnel is the lower half of (high·2^32 + low)/2^n, for n < 32.
DEVICE u32 funnel(u32 low, u32 high, u32 n) {
	u32 r;
	asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(n));
	return r;
}

// logic is an operation of three words bit by bit: bit 4a + 2b + c of the table is the result for bits a, b and c. Three
// sums are 0x96, a ^ b & c is 0x78, and a ? b : c is 0xca.
template <u32 table> DEVICE u32 logic(u32 a, u32 b, u32 c) {
	u32 r;
	asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(table));
	return r;
}

// byte_select is four of the bytes of a, which are 0 to 3, and of b, 4 to 7: hexadecimal digit i of order is byte i.
template <u32 order> DEVICE u32 byte_select(u32 a, u32 b) {
	u32 r;
	asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "n"(order));
	return r;
}

// plus is x + y, with carry = 2^32 − 1 where that does not fit, else 0; minus is x − y, with borrow in the same way.
DEVICE u64 plus(u64 x, u64 y, u32 &carry) {
	u64 r;
	u32 c;
	asm("{add.cc.u64 %0, %2, %3;\n\taddc.u32 %1, 0, 0;}" : "=l"(r), "=r"(c) : "l"(x), "l"(y));
	carry = 0 - c;
	return r;
}
DEVICE u64 minus(u64 x, u64 y, u32 &borrow) {
	u64 r;
	asm("{sub.cc.u64 %0, %2, %3;\n\tsubc.u32 %1, 0, 0;}" : "=l"(r), "=r"(borrow) : "l"(x), "l"(y));
	return r;
}

// shared is the block's dynamic shared memory.
template <class T> DEVICE T *shared() { return (T *)dynamic_shared; }
#endif

DEVICE u64 shuffle_xor(u64 v, u32 m) {
	return (u64)shuffle_xor((u32)v, m) | (u64)shuffle_xor((u32)(v >> 32), m) << 32;
}

template <class T> DEVICE T min(T a, T b) { return a < b ? a : b; }

// reversed is the reversal of the low bits of i, 0 for none.
DEVICE u32 reversed(u32 i, u32 bits) { return bits == 0 ? 0 : __builtin_bitreverse32(i) >> (32 - bits); }

// index is of the thread among all, in one dimension.
DEVICE u64 index() { return (u64)block() * threads() + thread(); }
