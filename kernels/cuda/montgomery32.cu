// Kernels for odd primes below 2^32.
#include "pass.cuh"

ARITHMETIC(montgomery32, Montgomery<u32>, u32)
