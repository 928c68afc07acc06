// Kernels for odd primes from 2^62 to 2^64.
#include "fixed.cuh"

ARITHMETIC(montgomery64, Montgomery<u64>, u64)
FIXED64(montgomery64, Montgomery<u64>)
