// Passes for odd primes from 2^31 to 2^32, whose tables are heaps.
#include "fixed.cuh"

PASSES(montgomery32heap, Heap<Montgomery<u32>>, u32)
FIXED32(montgomery32heap, Heap<Montgomery<u32>>)
