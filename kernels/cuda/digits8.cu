// Kernels for 8 digits.
#include "digitkernels.cuh"

KERNELS(8)
PAIRS(8)
LAZY_PASS(8, digits8_lazy, 2, false, 128, 4)
