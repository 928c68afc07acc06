// Carries through the words of an integer, of which each thread of a block has eight.
#pragma once
#include "prelude.cuh"

#ifdef EMULATE
DEVICE u32 ballot(bool v) {
	u32 r = (u32)v << (thread() & 31);
	for (u32 m = 1; m < 32; m *= 2)
		r |= shuffle_xor(r, m);
	return r;
}
#else
DEVICE u32 ballot(bool v) { return __nvvm_vote_ballot_sync(0xffffffffu, v); }
#endif

// carried puts the carries through words of which each thread has eight, where in is what the one below leaves for it,
// and returns what leaves the last. s is shared memory for a word of each warp.
DEVICE u32 carried(u32 (&w)[8], u32 in, u32 *s) {
	u32 ones = 0xffffffffu, warps = threads() / 32;
#pragma unroll
	for (u32 e = 0; e < 8; e++) {
		u64 sum = (u64)w[e] + in;
		w[e] = (u32)sum;
		in = (u32)(sum >> 32);
		ones &= w[e];
	}
	u32 over = ballot(in != 0), full = ballot(ones == 0xffffffffu), lane = thread() & 31, warp = thread() >> 5;
	u64 sum = (u64)full + ((u64)over << 1);
	if (lane == 0)
		s[warp] = (u32)(sum >> 32) | (full == 0xffffffffu ? 2 : 0);
	barrier();
	u32 share = lane < warps ? s[lane] : 0;
	u64 through = ballot(share == 2), all = through + ((u64)ballot((share & 1) != 0) << 1);
	sum += (through ^ all) >> warp & 1;
	in = (full ^ (u32)sum) >> lane & 1;
#pragma unroll
	for (u32 e = 0; e < 8; e++) {
		u64 sum = (u64)w[e] + in;
		w[e] = (u32)sum;
		in = (u32)(sum >> 32);
	}
	return (u32)((through ^ all) >> warps) & 1;
}

struct __attribute__((aligned(16))) Four {
	u32 w[4];
};

// store writes eight words from i on of m.
DEVICE void store(u32 *z, const u32 (&w)[8], u32 i, u32 m) {
	if (m % 4 == 0 && i + 8 <= m) {
		*(Four *)(z + i) = Four{{w[0], w[1], w[2], w[3]}};
		*(Four *)(z + i + 4) = Four{{w[4], w[5], w[6], w[7]}};
		return;
	}
#pragma unroll
	for (u32 j = 0; j < 8; j++)
		if (i + j < m)
			z[i + j] = w[j];
}
