// Kernels that benchmarks compare with those of transforms: rounds of one column a thread, products of all digits alike.
#include "digitkernels.cuh"

LAZY_PASS(8, digits8_lazy_narrow, 1, false, 256, 3)
LAZY_PASS(16, digits16_lazy_whole, 2, false, 256, 2)
LAZY_PASS(32, digits32_lazy_whole, 2, false, 512, 1)
