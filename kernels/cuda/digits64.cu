// Kernels for 64 digits.
#include "digitkernels.cuh"

KERNELS(64)
LAZY_PASS(64, digits64_lazy, 2, false, 512, 1)
