// Kernels for 16 digits.
#include "digitkernels.cuh"

KERNELS(16)
