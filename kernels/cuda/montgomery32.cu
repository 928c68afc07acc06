// Kernels for odd primes from 2^31 to 2^32.
#include "fixed.cuh"

ARITHMETIC(montgomery32, Montgomery<u32>, u32)
FIXED32(montgomery32, Montgomery<u32>)
