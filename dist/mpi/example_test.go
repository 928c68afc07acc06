package mpi_test

import (
	"context"
	"log"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/dist/mpi"
	"github.com/galfft/fft/field/smallprime"
)

// A rank of a job, as mpiexec -n 4 starts it: each has a quarter of a polynomial.
func Example() {
	ctx := context.Background()
	w, err := mpi.Start(ctx)
	if err != nil {
		log.Fatal(err)
	}
	p, err := dist.NewPlan(ctx, w, smallprime.Goldilocks(), 1<<20, dist.Blocks{})
	if err != nil {
		log.Fatal(err) // the same on all ranks
	}
	part := make([]uint64, p.Size())
	if err := p.Forward(ctx, part, part); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
}
