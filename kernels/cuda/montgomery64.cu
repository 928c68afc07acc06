// Kernels for odd primes from 2^62 to 2^64.
#include "pass.cuh"

ARITHMETIC(montgomery64, Montgomery<u64>, u64)
