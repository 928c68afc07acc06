// Kernels for odd primes below 2^30.
#include "pass.cuh"

ARITHMETIC(shoup32, Shoup<u32>, u32)
