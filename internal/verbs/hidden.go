package verbs

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/tuning"
)

// hidden is a Field: each verb is a method.
type hidden struct {
	field.Info
	name string // another than that of Info, or empty
	f    elements
	size int // bytes that an element takes, the larger of its type and its encoding where the type holds pointers

	tuned func() *tuning.Loaded // what the user tuned
}

func (h *hidden) Name() string {
	if h.name != "" {
		return h.name
	}
	return h.Info.Name()
}

// needCodec is an error where files have none.
func (h *hidden) needCodec() error {
	if h.f.Coded() {
		return nil
	}
	return fmt.Errorf("galfft: field %s has no encoding of elements (field.Codec)", h.Name())
}

// needSampler is an error where checks and measurements have none.
func (h *hidden) needSampler() error {
	if h.f.Drawn() {
		return nil
	}
	return fmt.Errorf("galfft: field %s draws no random elements (field.Sampler)", h.Name())
}

// zero returns a new element.
func (h *hidden) zero() element { return h.f.Zero() }

// text shows an element in a message.
func (h *hidden) text(x element) string { return string(h.f.AppendText(nil, x)) }

// most is the length of that many vectors that fit in memory together, at least 1.
func (h *hidden) most(vectors int) int { return max(1, memory.Limit()/h.size/vectors) }

// fit is an error unless that many vectors of batch times n elements, n > 0, fit in memory.
func (h *hidden) fit(vectors, batch, n int) error {
	if batch > h.most(vectors)/n { // the product may be no int
		return fmt.Errorf("galfft: %w: %d vectors of %d × %d elements, have %d bytes",
			field.ErrMemory, vectors, batch, n, memory.Limit())
	}
	return nil
}

// cached is the length of three vectors that share a first-level cache of 32 KiB, the least that machines have:
// a power of two.
func (h *hidden) cached() int { return 1 << (bits.Len(uint(max(1, 32<<10/(3*h.size)))) - 1) }

// random returns n random elements.
func (h *hidden) random(ctx context.Context, r *rand.Rand, n int) (bulks.View, error) {
	x := h.f.Make(n)
	return x, each(ctx, n, func(i int) error {
		h.f.Random(h.f.At(x, i), r)
		return nil
	})
}

// newRand returns a source of numbers that two numbers determine.
func newRand(seed, n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }

// block is the number of elements that a loop goes through between two looks at the context: a tenth of a second where
// a product takes 20 µs.
const block = 1 << 12

// blocks calls f for the parts from i up to j of 0, …, n − 1, one after the other, until ctx ends or f fails.
func blocks(ctx context.Context, n int, f func(i, j int) error) error {
	for i := 0; i < n; i += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(i, min(n, i+block)); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for 0, …, n − 1, until ctx ends or f fails.
func each(ctx context.Context, n int, f func(i int) error) error {
	return blocks(ctx, n, func(i, j int) error {
		for ; i < j; i++ {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	})
}
