// Kernels for 32 digits.
#include "digitkernels.cuh"

KERNELS(32)
