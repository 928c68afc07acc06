// Rates of integer arithmetic, in registers: what a device does without a field.
//
//	rate_mad32, _mad64, _product64    out, u32 turns, a, b
//	    Each thread has eight numbers x, i + 8·thread in the beginning, and so many times over, a multiple of four,
//	    x = ax + b modulo 2^32 or 2^64, or the sum of both halves of the product ax and of b. The sum of the eight goes
//	    to its place of out. Blocks have 256 threads.
#include "digits.cuh"

template <class W, class Step> DEVICE void rate(W *out, u32 turns, Step step) {
	const u32 n = 8;
	W x[n], sum = 0;
#pragma unroll
	for (u32 i = 0; i < n; i++)
		x[i] = (W)index() * n + i;
#pragma unroll 1
	for (u32 t = 0; t < turns; t += 4)
#pragma unroll
		for (u32 u = 0; u < 4; u++)
#pragma unroll
			for (u32 i = 0; i < n; i++)
				x[i] = step(x[i]);
#pragma unroll
	for (u32 i = 0; i < n; i++)
		sum += x[i];
	out[index()] = sum;
}

KERNEL(256) void rate_mad32(u32 *out, u32 turns, u32 a, u32 b) {
	rate(out, turns, [&](u32 x) INLINE { return a * x + b; });
}
KERNEL(256) void rate_mad64(u64 *out, u32 turns, u64 a, u64 b) {
	rate(out, turns, [&](u64 x) INLINE { return a * x + b; });
}
KERNEL(256) void rate_product64(u64 *out, u32 turns, u64 a, u64 b) {
	rate(out, turns, [&](u64 x) INLINE { return a * x + high(a, x) + b; });
}
