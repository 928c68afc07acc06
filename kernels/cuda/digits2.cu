// Kernels for 2 digits.
#include "digitkernels.cuh"

KERNELS(2)
PAIRS(2)
