// Kernels for 64 digits.
#include "digitkernels.cuh"

KERNELS(64)
