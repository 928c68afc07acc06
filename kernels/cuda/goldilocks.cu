// Kernels for 2^64 − 2^32 + 1.
#include "fixed.cuh"

ARITHMETIC(goldilocks, Goldilocks, u64)
FIXED64(goldilocks, Goldilocks)
