// Kernels for 2^64 − 2^32 + 1.
#include "pass.cuh"

ARITHMETIC(goldilocks, Goldilocks, u64)
