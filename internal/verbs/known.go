package verbs

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// known is a field with its element type in sight, as the verbs work with it.
type known[E any] struct{ f Described[E] }

// field is the field itself, with all that plans find in it.
func (k *known[E]) field() field.Field[E] { return k.f }

// codec is what files need.
func (k *known[E]) codec() (field.Codec[E], error) {
	if c, ok := k.f.(field.Codec[E]); ok {
		return c, nil
	}
	return nil, fmt.Errorf("galfft: field %s has no encoding of elements (field.Codec)", k.f.Name())
}

// sampler is what checks and measurements need.
func (k *known[E]) sampler() (field.Sampler[E], error) {
	if s, ok := k.f.(field.Sampler[E]); ok {
		return s, nil
	}
	return nil, fmt.Errorf("galfft: field %s draws no random elements (field.Sampler)", k.f.Name())
}

// text shows an element in a message.
func (k *known[E]) text(x *E) string {
	if c, ok := k.f.(field.Codec[E]); ok {
		return string(c.AppendText(nil, x))
	}
	return fmt.Sprint(*x)
}

// size is the bytes that an element takes, the larger of E and its encoding where E holds pointers.
func (k *known[E]) size() int {
	var e E
	size := int(unsafe.Sizeof(e))
	if c, ok := k.f.(field.Codec[E]); ok {
		size = max(size, c.Size())
	}
	return size
}

// most is the length of that many vectors that fit in memory together, at least 1.
func (k *known[E]) most(vectors int) int { return max(1, memory.Limit()/k.size()/vectors) }

// fit is an error unless that many vectors of batch times n elements, n > 0, fit in memory.
func (k *known[E]) fit(vectors, batch, n int) error {
	if batch > k.most(vectors)/n { // the product may be no int
		return fmt.Errorf("galfft: %w: %d vectors of %d × %d elements, have %d bytes",
			field.ErrMemory, vectors, batch, n, memory.Limit())
	}
	return nil
}

// cached is the length of three vectors that share a first-level cache of 32 KiB, the least that machines have:
// a power of two.
func (k *known[E]) cached() int {
	return 1 << (bits.Len(uint(max(1, 32<<10/(3*k.size())))) - 1)
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

// random returns n random elements.
func random[E any](ctx context.Context, s field.Sampler[E], r *rand.Rand, n int) ([]E, error) {
	x := make([]E, n)
	return x, each(ctx, n, func(i int) error {
		s.Random(&x[i], r)
		return nil
	})
}

// copy sets z to x, through Set because E may hold pointers.
func (k *known[E]) copy(z, x []E) {
	for i := range x {
		k.f.Set(&z[i], &x[i])
	}
}
