// Kernels for odd primes from 2^31 to 2^32.
#include "pass.cuh"

ARITHMETIC(montgomery32, Montgomery<u32>, u32)
