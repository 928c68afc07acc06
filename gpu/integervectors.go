package gpu

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
)

// integerVector is words of integers in the memory of a device.
type integerVector struct {
	g     *Integers // nil when it is closed
	m     *device.Memory
	words int
	ahead bool // it is of a queue of the caller's
}

func (v *integerVector) Len() int { return v.words }

func (v *integerVector) Close() error {
	if v.g == nil {
		return errClosed
	}
	v.g = nil
	return v.m.Release()
}

// NewVec makes a vector of so many words of 32 bits on the device, all 0, for ComputeVec: it stays there from one call
// to the next. The words are those of integers side by side, as Words of a midint.Batch has them, of any width that
// divides them; its Len is the words. A negative number is field.ErrLength, and too little memory field.ErrMemory.
func (g *Integers) NewVec(words int) (field.Vec, error) {
	return g.newVec(words, false, func(bytes int) (*device.Memory, error) { return g.d.Make(bytes) })
}

// NewVecIn is NewVec on a queue of the same device. ComputeVec returns when its work is in the stream of such a result,
// and StoreVec when that is over: see [Queue].
func (g *Integers) NewVecIn(q *Queue, words int) (field.Vec, error) {
	if q.none() {
		return nil, errQueue
	}
	return g.newVec(words, true, func(bytes int) (*device.Memory, error) {
		if q.q.Device() != g.d {
			return nil, fmt.Errorf("gpu: %w: the integers are not on the device of the queue", field.ErrSpec)
		}
		return q.q.Make(bytes)
	})
}

func (g *Integers) newVec(words int, ahead bool, get func(bytes int) (*device.Memory, error)) (field.Vec, error) {
	if g == nil || g.d == nil {
		return nil, errIntegers
	}
	if words < 0 {
		return nil, fmt.Errorf("gpu: %w: %d words, want at least 0", field.ErrLength, words)
	}
	m, err := get(4 * words)
	if err != nil {
		return nil, err
	}
	return &integerVector{g, m, words, ahead}, nil
}

var errIntegers = fmt.Errorf("gpu: %w: integers of no device", field.ErrSpec)

// own is a vector of so many words of these integers.
func (g *Integers) own(v field.Vec) (*integerVector, error) {
	if g == nil || g.d == nil {
		return nil, errIntegers
	}
	own, ok := v.(*integerVector)
	if !ok || own == nil || own.g != g {
		return nil, fmt.Errorf("gpu: %w: it is closed, or of no integers, or of others", field.ErrVec)
	}
	return own, nil
}

// LoadVec sets a vector of NewVec to words, as many as it has (field.ErrLength). Another vector is field.ErrVec.
func (g *Integers) LoadVec(v field.Vec, words []uint32) error {
	own, err := g.sized(v, words)
	if err != nil || len(words) == 0 {
		return err
	}
	return own.m.CopyIn(own.m.At, unsafe.Pointer(unsafe.SliceData(words)), 4*len(words))
}

// StoreVec sets words to those of a vector of NewVec, when what has been put on it is over. Errors are those of
// LoadVec, and those of what failed before.
func (g *Integers) StoreVec(words []uint32, v field.Vec) error {
	own, err := g.sized(v, words)
	if err != nil || len(words) == 0 {
		return err
	}
	if err := g.d.Wait(context.Background(), own.m); err != nil {
		return err
	}
	return own.m.CopyOut(unsafe.Pointer(unsafe.SliceData(words)), own.m.At, 4*len(words))
}

func (g *Integers) sized(v field.Vec, words []uint32) (*integerVector, error) {
	own, err := g.own(v)
	if err == nil && own.words != len(words) {
		err = &field.LengthError{What: "words of the vector", Want: own.words, Got: len(words)}
	}
	return own, err
}

// ComputeVec is Compute for vectors of NewVec, with no copies from the host and back. z may be x or y where it has
// their length. It returns when z is there, or begun where z is of a queue. Vectors of others are field.ErrVec, and
// those of lengths that do not fit field.ErrLength; nothing is written then. Where the device fails z holds anything.
func (g *Integers) ComputeVec(ctx context.Context, op int, z, x, y field.Vec, bits int) error {
	var v [3]*integerVector
	for i, of := range [3]field.Vec{z, x, y} {
		own, err := g.own(of)
		if err != nil {
			return err
		}
		v[i] = own
	}
	words := v[1].words
	if err := g.fit(ctx, bits, words, v[2].words); err != nil {
		return err
	}
	if err := fitResult(op, v[0].words, words); err != nil || words == 0 {
		return err
	}
	to := v[0].m
	for _, o := range v[1:] {
		to.Reads(o.m)
		to.NoteFrom(o.m)
	}
	to.Did(g.begin(op, v, bits/32))
	for _, o := range v[1:] { // for copies into an operand, that wait for what is done to it alone
		if o.m != to {
			o.m.Did(nil)
		}
	}
	if v[0].ahead {
		return to.Take()
	}
	return g.d.Wait(ctx, to)
}

// begin puts an operation on integers of m words on the stream of the result.
func (g *Integers) begin(op int, v [3]*integerVector, m int) error {
	z, x, y := v[0].m, v[1].m.At, v[2].m.At
	n := v[1].words / m
	out := v[0].words / n
	g.mu.Lock() // for the table of roots
	defer g.mu.Unlock()
	kind := g.productFor(m, out, x == y)
	if op == integersMul && kind == byTransforms {
		if err := g.needRoots(); err != nil {
			return err
		}
		z.Reads(g.roots)
	}
	if op != integersMul || z.At != x && z.At != y || kind != byPieces {
		return z.Queue().Scratch(g.workBytes(op, n, m, out, x == y), func(work uint64) error {
			return g.run(z.Stream(), op, z.At, x, y, work, n, m, out)
		})
	}
	return z.Queue().Scratch(4*v[0].words, func(at uint64) error { // pieces read what earlier ones would have written
		if err := g.run(z.Stream(), op, at, x, y, 0, n, m, out); err != nil {
			return err
		}
		return g.run(z.Stream(), integersCopy, z.At, at, at, 0, n, out, out)
	})
}
