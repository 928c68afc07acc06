// Kernels for odd primes below 2^64.
#include "pass.cuh"

ARITHMETIC(montgomery64, Montgomery<u64>, u64)
