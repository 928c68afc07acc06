//go:build cgo && gmp

package main

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/galfft/fft/bench/mpz"
)

// midintGMP is GMP's functions on limbs, integer by integer, with one call of C for each worker.
func midintGMP(c *midintCase) (*midintCall, error) {
	if c.bits%64 != 0 {
		return nil, fmt.Errorf("%w: %d bits are no whole limbs", errAbsent, c.bits)
	}
	if !mpz.Batches(c.op) {
		return nil, fmt.Errorf("%w: no such operation", errAbsent)
	}
	if c.known > float64(midintEnough) && c.workers == runtime.NumCPU() { // it ran once
		call := hostCall("GMP "+mpz.Version(), nil, nil)
		call.run, call.median, call.result = nil, c.known, nil
		return call, nil
	}
	z := make([]uint32, c.wide()*len(c.x.Words()))
	return hostCall("GMP "+mpz.Version(), func() error { gmpBatch(c, c.workers, z); return nil }, z), nil
}

// gmpBatch sets z to the result of a case by GMP. It reports whether GMP has the operation for such integers.
func gmpBatch(c *midintCase, workers int, z []uint32) bool {
	if c.bits%64 != 0 || !mpz.Batches(c.op) {
		return false
	}
	x, y, m, n := c.x.Words(), c.y.Words(), c.bits/32, c.x.Len()
	var all sync.WaitGroup
	for w := range workers {
		from, to := m*(n*w/workers), m*(n*(w+1)/workers)
		part := func() { mpz.Batch(c.op, z[c.wide()*from:c.wide()*to], x[from:to], y[from:to], m/2) }
		if workers == 1 {
			part()
			continue
		}
		all.Go(part)
	}
	all.Wait()
	return true
}
