// Kernels for odd primes below 2^30.
#include "fixed.cuh"

ARITHMETIC(shoup32, Shoup<u32>, u32)
FIXED32(shoup32, Shoup<u32>)
