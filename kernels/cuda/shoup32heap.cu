// Passes for odd primes below 2^30, whose tables are heaps.
#include "fixed.cuh"

PASSES(shoup32heap, Heap<Shoup<u32>>, u32)
FIXED32(shoup32heap, Heap<Shoup<u32>>)
