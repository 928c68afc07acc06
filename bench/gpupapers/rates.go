package main

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"

	"github.com/galfft/fft/internal/device"
)

// rates are those of integer arithmetic, in registers, and of copies.
func rates(s *session) error {
	const a, b, each = 0xd1342543de82ef95, 0xaf251af3b0f025b5, 8
	turns := 1 << min(14, max(4, s.most-6))
	threads := 256 * 16 * s.d.Info().Multiprocessors
	if s.most < 16 {
		threads = 256
	}
	m, err := s.memory(threads)
	if err != nil {
		return err
	}
	for _, r := range []struct {
		kernel, name string
		half         bool
		step         func(x uint64) uint64
	}{
		{"rate_mad32", "multiply-add, 32 bits", true, func(x uint64) uint64 { return (a*x + b) & math.MaxUint32 }},
		{"rate_mad64", "multiply-add, 64 bits", false, func(x uint64) uint64 { return a*x + b }},
		{"rate_product64", "both halves of a product of 64 bits, and two sums", false, func(x uint64) uint64 {
			h, l := bits.Mul64(a, x)
			return h + l + b
		}},
	} {
		k := kernel{r.kernel, [2]int{threads / 256, 1}, 256, 0}
		c, err := s.launch(k, m.At, uint64(turns), a, b)
		if err != nil {
			return err
		}
		if err := cmp.Or(c(), s.sums(m, threads, turns, each, r.half, r.step)); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		l := line{Field: "machine", N: threads, Case: r.name, Gops: float64(threads * turns * each)}
		if err := s.report(l, &k, 0, c); err != nil {
			return err
		}
	}
	// As much as the shared cache holds many times, and as little as it holds at once.
	for _, log := range []int{20, 27} {
		words := 1 << min(log, s.most+7)
		x, err := s.memory(words)
		if err != nil {
			return err
		}
		z, err := s.memory(words)
		if err != nil {
			return err
		}
		l := line{Field: "machine", N: words, Case: "copy"}
		if err := s.report(l, nil, 16*words, s.copied(z, x, 8*words)); err != nil {
			return err
		}
		if err := release([]*device.Memory{x, z}); err != nil {
			return err
		}
	}
	return m.Release()
}

// sums compares what the first and the last thread have left.
func (s *session) sums(m *device.Memory, threads, turns, each int, half bool, step func(x uint64) uint64) error {
	got := make([]uint64, threads)
	if half {
		words := make([]uint32, threads)
		if err := get(s, words, m); err != nil {
			return err
		}
		for i, w := range words {
			got[i] = uint64(w)
		}
	} else if err := get(s, got, m); err != nil {
		return err
	}
	for _, t := range []int{0, threads - 1} {
		want := uint64(0)
		for i := range each {
			x := uint64(t*each + i)
			for range turns {
				x = step(x)
			}
			want += x
		}
		if half {
			want = uint64(uint32(want))
		}
		if got[t] != want {
			return fmt.Errorf("thread %d has %d, want %d", t, got[t], want)
		}
	}
	return nil
}
