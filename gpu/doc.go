// Package gpu runs transforms on NVIDIA GPUs.
//
// [Field] wraps a field of package smallprime or gfpf. What it returns is a field.Field of the same elements, so that
// fft.NewPlan, package poly and the suites take it as they take the field itself; values are the same, bit for bit.
//
//	f, err := gpu.Field(smallprime.Goldilocks())
//	p, err := fft.NewPlan(f, 1<<22)
//	err = p.Forward(ctx, y, x)           // copies in, transforms, copies out
//	v, err := p.NewVec()                 // lives on the device
//	err = p.ForwardVec(ctx, v)           // copies nothing
//
// Transforms of a power of two run in a few passes of kernels of their own (package kernels/cuda). Over words there are
// one to three. Over Z/(r^k + 1), where a vector is k planes of digits, a pass takes one step of at most 2k points, or
// two where that is faster: all factors in a step are powers of r, and products are between steps alone. The schemes
// six-step, merged six-step, four-step and depth-first, asked for by name, run pass by pass from package schemes, over
// a bulk whose vectors are device memory. Other lengths run on the processor.
//
// A batch in slices that is larger than the device's memory goes in groups of transforms. One transform has to fit,
// with the tables of its plan.
//
// Nothing of CUDA is needed to build: the driver is found when the program runs, and kernels are PTX in the package,
// which the driver compiles for its device, from compute capability 7.0 on. [Available] says why there is no device.
package gpu
