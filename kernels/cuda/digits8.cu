// Kernels for 8 digits.
#include "digitkernels.cuh"

KERNELS(8)
PAIRS(8)
