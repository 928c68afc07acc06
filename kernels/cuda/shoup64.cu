// Kernels for odd primes below 2^62.
#include "fixed.cuh"

ARITHMETIC(shoup64, Shoup<u64>, u64)
FIXED64(shoup64, Shoup<u64>)
