package mpi

// abi is what a program must know of a library beside the names of its functions.
type abi struct {
	name                             string
	world, self, words, max, returns uintptr // handles
	funneled                         uintptr // level of threads
}

// mpich has handles that are numbers of 32 bits. Intel MPI, Cray MPICH and MVAPICH have the same.
var mpich = abi{"MPICH", 0x44000000, 0x44000001, 0x4c00083e, 0x58000001, 0x54000001, 1}

// standard is the ABI of MPI 5.0.
var standard = abi{"MPI 5", 0x101, 0x102, 0x259, 0x23, 0x142, 1024}

// openMPI has handles that are addresses of variables.
func openMPI(symbol func(name string) (uintptr, error)) (abi, error) {
	a := abi{name: "Open MPI", funneled: 1}
	for _, s := range []struct {
		to   *uintptr
		name string
	}{{&a.world, "ompi_mpi_comm_world"}, {&a.self, "ompi_mpi_comm_self"}, {&a.words, "ompi_mpi_uint64_t"},
		{&a.max, "ompi_mpi_op_max"}, {&a.returns, "ompi_mpi_errors_return"}} {
		var err error
		if *s.to, err = symbol(s.name); err != nil {
			return a, err
		}
	}
	return a, nil
}

type function int

const (
	initThread function = iota
	finalize
	abort
	commRank
	commSize
	setErrhandler
	errorString
	libraryVersion
	iallreduce
	ialltoall
	test
	functions
)

var symbols = [functions]string{"MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Comm_rank", "MPI_Comm_size",
	"MPI_Comm_set_errhandler", "MPI_Error_string", "MPI_Get_library_version", "MPI_Iallreduce", "MPI_Ialltoall",
	"MPI_Test"}
