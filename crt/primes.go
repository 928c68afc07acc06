package crt

import (
	"context"
	"fmt"
	"iter"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// Primes returns the count largest odd primes p below 2^bits with p = 1 modulo 2^twoAdicity, largest first: modulo
// each there are roots of unity of order 2^twoAdicity, and so transforms of that length. bits is from 2 to 63,
// twoAdicity from 0 to bits, count at least 0, and there are so many primes (all field.ErrRange).
//
// The work is in proportion to count where primes are many: of 62 bits, one candidate in about 21 is prime. When ctx
// ends, its error is returned.
func Primes(ctx context.Context, bits, twoAdicity, count int) ([]uint64, error) {
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	all, err := primesBelow(ctx, bits, twoAdicity)
	if err != nil {
		return nil, err
	}
	if count < 0 {
		return nil, fmt.Errorf("crt: %w: %d primes, want a count that is not negative", field.ErrRange, count)
	}
	var primes []uint64
	if count == 0 {
		return primes, nil
	}
	for p := range all {
		if primes = append(primes, p); len(primes) == count {
			return primes, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("crt: %w: want %d primes below 2^%d with 2-adicity %d, there are %d", field.ErrRange, count,
		bits, twoAdicity, len(primes))
}

// primesBelow yields the primes of Primes, all of them, until ctx ends.
func primesBelow(ctx context.Context, bits, twoAdicity int) (iter.Seq[uint64], error) {
	switch {
	case bits < 2 || bits > 63 || twoAdicity < 0 || twoAdicity > bits:
		return nil, fmt.Errorf("crt: %w: primes below 2^%d with 2-adicity %d, want 2 to 63 bits and a 2-adicity from 0 to that", field.ErrRange, bits, twoAdicity)
	case twoAdicity == bits:
		return func(func(uint64) bool) {}, nil
	}
	all, err := smallprime.Primes(bits, 1<<twoAdicity)
	if err != nil {
		return nil, err
	}
	return func(yield func(uint64) bool) {
		for p := range all {
			if ctx.Err() != nil || !yield(p) {
				return
			}
		}
	}, nil
}
