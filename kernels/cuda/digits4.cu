// Kernels for 4 digits.
#include "digitkernels.cuh"

KERNELS(4)
PAIRS(4)
