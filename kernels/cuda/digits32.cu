// Kernels for 32 digits.
#include "digitkernels.cuh"

KERNELS(32)
LAZY_PASS(32, digits32_lazy, 2, true, 512, 1)
