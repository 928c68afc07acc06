package verbs

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// known is a field with its element type in sight, as the verbs work with it.
type known[E any] struct{ Described[E] }

// field is the field itself, with all that plans find in it.
func (k known[E]) field() field.Field[E] { return k.Described }

// codec is what files need.
func (k known[E]) codec() (field.Codec[E], error) {
	if c, ok := k.Described.(field.Codec[E]); ok {
		return c, nil
	}
	return nil, fmt.Errorf("galfft: field %s has no encoding of elements (field.Codec)", k.Name())
}

// sampler is what checks and measurements need.
func (k known[E]) sampler() (field.Sampler[E], error) {
	if s, ok := k.Described.(field.Sampler[E]); ok {
		return s, nil
	}
	return nil, fmt.Errorf("galfft: field %s draws no random elements (field.Sampler)", k.Name())
}

// text shows an element in a message.
func (k known[E]) text(x *E) string {
	if c, ok := k.Described.(field.Codec[E]); ok {
		return string(c.AppendText(nil, x))
	}
	return fmt.Sprint(*x)
}

// size is the bytes that an element takes, the larger of E and its encoding where E holds pointers.
func (k known[E]) size() int {
	var e E
	size := int(unsafe.Sizeof(e))
	if c, ok := k.Described.(field.Codec[E]); ok {
		size = max(size, c.Size())
	}
	return size
}

// fit is an error unless that many vectors of batch times n elements, n > 0, fit in memory.
func (k known[E]) fit(vectors, batch, n int) error {
	limit := memory.Limit()
	if batch > limit/k.size()/vectors/n { // the product may be no int
		return fmt.Errorf("galfft: %w: %d vectors of %d × %d elements, have %d bytes", field.ErrMemory, vectors, batch, n, limit)
	}
	return nil
}

// cached is the length of three vectors that share a first-level cache of 32 KiB, the least that machines have:
// a power of two.
func (k known[E]) cached() int {
	return 1 << (bits.Len(uint(max(1, 32<<10/(3*k.size())))) - 1)
}

// newRand returns a source of numbers that two numbers determine.
func newRand(seed, n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }

// random returns n random elements.
func random[E any](s field.Sampler[E], r *rand.Rand, n int) []E {
	x := make([]E, n)
	for i := range x {
		s.Random(&x[i], r)
	}
	return x
}

// clone returns a copy of x, through Set because E may hold pointers.
func (k known[E]) clone(x []E) []E {
	z := make([]E, len(x))
	k.copy(z, x)
	return z
}

func (k known[E]) copy(z, x []E) {
	for i := range x {
		k.Set(&z[i], &x[i])
	}
}
