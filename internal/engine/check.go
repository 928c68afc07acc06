package engine

import (
	"context"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
)

// Check validates a domain and a spec, fills in the defaults that do not depend on the scheme, and takes the
// batch out of the spec.
func Check(f bulks.Bulk, d Domain, s *field.Spec) (field.Batch, error) {
	batch, size, err := s.Batch.Layout(max(d.N, 1))
	if err != nil {
		return batch, err
	}
	s.Batch = field.Batch{}
	switch {
	case d.N < 1:
		return batch, fmt.Errorf("fft: %w: transform length %d, want at least 1", field.ErrLength, d.N)
	case d.N&(d.N-1) != 0 && s.Order == field.BitReversed:
		return batch, fmt.Errorf("fft: %w: bit-reversed order of length %d, want a power of two", field.ErrSpec, d.N)
	case s.Order > field.Scheme:
		return batch, fmt.Errorf("fft: %w: order %v", field.ErrSpec, s.Order)
	case s.Coefficients > field.LCH:
		return batch, fmt.Errorf("fft: %w: coefficients %v", field.ErrSpec, s.Coefficients)
	case s.Coefficients != field.Monomial && d.Subspace == nil:
		return batch, fmt.Errorf("fft: %w: coefficients %v over a cyclic domain, want an affine one", field.ErrSpec,
			s.Coefficients)
	case s.Algorithm > field.Codelet:
		return batch, fmt.Errorf("fft: %w: scheme %v", field.ErrSpec, s.Algorithm)
	case s.Twiddles > field.TwoLevel:
		return batch, fmt.Errorf("fft: %w: twiddles %v", field.ErrSpec, s.Twiddles)
	}
	for _, p := range []struct {
		name string
		v    int
	}{{"workers", s.Workers}, {"grain", s.Grain}, {"memory limit", s.MemoryLimit}, {"cache", s.Cache}} {
		if p.v < 0 {
			return batch, fmt.Errorf("fft: %w: %s %d, want none negative", field.ErrSpec, p.name, p.v)
		}
	}
	for _, p := range []struct {
		name string
		v    int
	}{{"base case", s.Base}, {"strip", s.Strip}, {"radix", s.Radix}} {
		if p.v < 0 || p.v == 1 || p.v&(p.v-1) != 0 {
			return batch, fmt.Errorf("fft: %w: %s %d, want a power of two, at least 2", field.ErrSpec, p.name, p.v)
		}
	}
	if s.MemoryLimit == 0 {
		s.MemoryLimit = memory.Limit()
	}
	// The least that a call touches is the caller's slice, and a vector of tables or scratch.
	if err := CheckMemory(d.N, max(1, d.Host().Bytes(1)), s.MemoryLimit, part(size, *s)); err != nil {
		return batch, err
	}
	if !slim(f, d) {
		n := 2 * part(d.N, *s)
		if _, on := f.(bulks.Device); on && f.Traits().Affine { // where transforms are whole, in place
			n /= 2
		}
		if err := CheckMemory(d.N, max(1, int(vectorBytes(f))), s.MemoryLimit, n); err != nil {
			return batch, err
		}
	}
	if s.Runner == nil {
		s.Runner = par.Fork
	}
	return batch, d.Points.Check()
}

// slim reports whether transforms take no vector beside the caller's slice, and no tables of as many elements: over
// affine domains with few constants, of which multipliers are sums.
func slim(f bulks.Bulk, d Domain) bool {
	if overlayer(f, d.N) != nil {
		return true
	}
	_, sums := f.(bulks.Spanner)
	return d.Subspace != nil && sums && f.Traits().InPlace
}

// CheckMemory refuses a transform of length n that takes so many elements, in all its vectors, of the given
// size, before anything is allocated.
func CheckMemory(n, size, limit, elements int) error {
	if hi, lo := bits.Mul64(uint64(size), uint64(elements)); hi != 0 || lo > uint64(limit) {
		return memoryError(n, float64(size)*float64(elements), limit)
	}
	return nil
}

func memoryError[N int | float64](n int, bytes N, limit int) error {
	return fmt.Errorf("fft: %w: a transform of length %d takes about %.4g bytes, the limit is %d", field.ErrMemory, n,
		float64(bytes), limit)
}

// CheckLen is the length check of every slice.
func CheckLen(what string, got, want int) error {
	if got != want {
		return &field.LengthError{What: what, Want: want, Got: got}
	}
	return nil
}

// CheckCall finds what is wrong with the operands of a call before anything is written.
func CheckCall[E any](ctx context.Context, dst, src []E, n int) error {
	var e E
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	return checkCall(ctx, to, len(dst), from, len(src), n, unsafe.Sizeof(e))
}

// checkCall is CheckCall for slices of elements of so many bytes.
func checkCall(ctx context.Context, dst unsafe.Pointer, to int, src unsafe.Pointer, from, n int, size uintptr) error {
	if err := CheckLen("dst", to, n); err != nil {
		return err
	}
	if err := CheckLen("src", from, n); err != nil {
		return err
	}
	x, y := uintptr(dst), uintptr(src)
	if bytes := uintptr(n) * size; x != y && x < y+bytes && y < x+bytes {
		return overlapError(int(x-y) / int(size))
	}
	return checkContext(ctx)
}

func overlapError(distance int) error {
	return fmt.Errorf("fft: %w: dst starts %d elements from src, want one slice or disjoint ones", field.ErrOverlap,
		distance)
}

func checkContext(ctx context.Context) error {
	if ctx == nil {
		return fmt.Errorf("fft: %w: the context is nil", field.ErrSpec)
	}
	if err := ctx.Err(); err != nil {
		return Stopped(err)
	}
	return nil
}
