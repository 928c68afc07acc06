// Package nccl is groups of GPUs that exchange by NVIDIA's NCCL, without cgo: libnccl.so.2 is opened when it is first
// wanted, from version 2.14 on. The environment variable GALFFT_NCCL names another file. On systems other than Linux on
// amd64 or arm64 there is none.
//
// A rank is a device. [Local] has several of one process, [Start] one of each process that torchrun or Slurm has
// started, and [Over] one of each rank of another group, as of package dist/mpi. Plans are those of package dist over
// the field of package gpu on the rank's device:
//
//	f, err := gpu.Field(smallprime.Goldilocks(), gpu.On(device))
//	p, err := dist.NewPlan(ctx, g, f, n, dist.Blocks{})
//
// NCCL moves vectors from device to device. Ranks agree by way of the group beneath, which also tells them of each
// other's failures: a communicator is aborted then, on all ranks, and the next exchange makes another one.
//
// NVLink multicast is off: NCCL_NVLS_ENABLE is set to 0 before NCCL is opened.
package nccl
