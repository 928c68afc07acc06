// Kernels for 128 digits.
#include "digitkernels.cuh"

KERNELS(128)
