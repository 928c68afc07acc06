// Kernels for 16 digits.
#include "digitkernels.cuh"

KERNELS(16)
LAZY_PASS(16, digits16_lazy, 2, true, 128, 2)
