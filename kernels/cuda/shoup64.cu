// Kernels for odd primes below 2^62.
#include "pass.cuh"

ARITHMETIC(shoup64, Shoup<u64>, u64)
