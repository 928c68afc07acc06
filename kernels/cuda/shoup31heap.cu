// Passes for primes from 2^30 to 2^31, whose tables are heaps.
#include "fixed.cuh"

PASSES(shoup31heap, Heap<Strict>, u32)
FIXED32(shoup31heap, Heap<Strict>)
