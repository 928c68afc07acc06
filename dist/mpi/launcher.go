package mpi

import (
	"os"
	"slices"
	"strconv"
)

// launcher is what has started this process, as its variables say.
type launcher struct {
	name        string   // "": none has
	files       []string // of the libraries that go with it
	size, local int      // ranks that it promised, and those on this host; 0: unknown
}

// Names of libraries, those of Open MPI and all others.
var (
	openMPIs = []string{"libmpi.so.40", "libmpi.so.80"}
	others   = []string{"libmpi_abi.so.0", "libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12", "libmpi_intel.so.12"}
)

func launched() launcher {
	number := func(name string) int { n, _ := strconv.Atoi(os.Getenv(name)); return n }
	switch {
	case os.Getenv("OMPI_COMM_WORLD_SIZE") != "":
		return launcher{"Open MPI", openMPIs, number("OMPI_COMM_WORLD_SIZE"), number("OMPI_COMM_WORLD_LOCAL_SIZE")}
	case os.Getenv("PMI_SIZE") != "":
		return launcher{"PMI", others, number("PMI_SIZE"), number("MPI_LOCALNRANKS")}
	case os.Getenv("PMIX_RANK") != "":
		return launcher{"PMIx", slices.Concat(openMPIs, others), number("SLURM_NTASKS"), 0}
	}
	return launcher{}
}
