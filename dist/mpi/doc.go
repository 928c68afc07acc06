// Package mpi is a group of processes that an MPI launcher has started, as mpiexec, mpirun or srun do, without cgo: the
// library is opened when [Start] is called. On systems other than Linux on amd64 or arm64 there is none.
//
// MPICH and its kin, Open MPI, and libraries with the standard ABI of MPI 5 serve. The environment variable GALFFT_MPI
// names the file of the library; without it, the launcher's own variables say which to look for.
//
// One thread makes all calls. Signal handlers that the library puts in the place of Go's are put back where Go needs
// its own. A process that is killed, or panics, ends the job by the launcher; one whose context ends while it waits
// inside a call gives the others ten seconds to come, and then ends the job.
package mpi
