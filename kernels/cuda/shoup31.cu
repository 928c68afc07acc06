// Kernels for primes from 2^30 to 2^31.
#include "pass.cuh"

ARITHMETIC(shoup31, Strict, u32)
