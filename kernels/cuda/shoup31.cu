// Kernels for primes from 2^30 to 2^31.
#include "fixed.cuh"

ARITHMETIC(shoup31, Strict, u32)
FIXED32(shoup31, Strict)
