// Kernels that say whether a device works at all, before anything is built on it.
#include "prelude.cuh"

// fill64 sets the n words of x to v, by threads of any number.
KERNEL(1024, 1) void fill64(u64 *x, u64 v, u64 n) {
	u64 step = (u64)blocks() * threads();
	for (u64 i = (u64)block() * threads() + thread(); i < n; i += step)
		x[i] = v;
}

// reverse64 turns the words of each row of a block round: x[r*n + i] becomes x[r*n + n-1-i] for n threads, by way of n
// words of shared memory. Grid and block must arrive as they were asked for: row r is block (r mod blocks, r / blocks).
KERNEL(1024, 1) void reverse64(u64 *x) {
	u64 *s = shared<u64>();
	u64 *row = x + ((u64)block_y() * blocks() + block()) * threads();
	s[thread()] = row[thread()];
	barrier();
	row[thread()] = s[threads() - 1 - thread()];
}
