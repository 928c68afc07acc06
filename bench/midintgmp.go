//go:build cgo && gmp

package main

import (
	"fmt"
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
	z, x, y := make([]uint32, c.wide()*len(c.x.Words())), c.x.Words(), c.y.Words()
	m, n := c.bits/32, c.x.Len()
	return hostCall("GMP "+mpz.Version(), func() error {
		var all sync.WaitGroup
		for w := range c.workers {
			from, to := m*(n*w/c.workers), m*(n*(w+1)/c.workers)
			part := func() { mpz.Batch(c.op, z[c.wide()*from:c.wide()*to], x[from:to], y[from:to], m/2) }
			if c.workers == 1 {
				part()
				continue
			}
			all.Go(part)
		}
		all.Wait()
		return nil
	}, z), nil
}
