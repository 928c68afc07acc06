// Kernels for 128 digits.
#include "digitkernels.cuh"

KERNELS(128)
LAZY_PASS(128, digits128_lazy, 512, 1)
