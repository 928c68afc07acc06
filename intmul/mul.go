package intmul

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/residues"
)

// Mul sets z = x·y and returns z, as z.Mul(x, y) does: z may be x or y. It takes the caller's goroutine alone.
//
// It panics where one of them is nil, as there.
func Mul(z, x, y *big.Int) *big.Int {
	if measured.small(binary, len(x.Bits())/perWord, len(y.Bits())/perWord, x == y) {
		return z.Mul(x, y)
	}
	if err := plain().Mul(context.Background(), z, x, y); err != nil {
		return z.Mul(x, y) // which has its own way to fail
	}
	return z
}

// Sqr sets z = x² and returns z, as Mul(z, x, x).
func Sqr(z, x *big.Int) *big.Int { return Mul(z, x, x) }

// plain is the arithmetic of functions.
var plain = sync.OnceValue(func() *Arithmetic {
	a, err := New()
	if err != nil {
		panic(err)
	}
	return a
})

// Mul sets z = x·y. Where x and y are one integer, it is Sqr.
func (a *Arithmetic) Mul(ctx context.Context, z, x, y *big.Int) error {
	if err := a.begin(ctx, z, x, y); err != nil {
		return err
	}
	return a.mul(ctx, z, x, y)
}

// Sqr sets z = x², with a transform less than Mul takes.
func (a *Arithmetic) Sqr(ctx context.Context, z, x *big.Int) error { return a.Mul(ctx, z, x, x) }

// mul is Mul with checked arguments.
func (a *Arithmetic) mul(ctx context.Context, z, x, y *big.Int) error {
	u, v := of(x), of(y)
	if x == y {
		v = u
	}
	if a.least.small(binary, len(u), len(v), x == y) && len(u)*len(v) < schoolWords {
		if err := stopped(ctx); err != nil {
			return err
		}
		z.Mul(x, y)
		return nil
	}
	negative := x.Sign() != y.Sign()
	a.collect(len(u) + len(v))
	h, err := a.halves(ctx, len(u), len(v), x == y)
	if err != nil {
		return err
	}
	if h != nil {
		w, err := h.product(ctx, u, v)
		if err != nil {
			return err
		}
		a.leave(z, w)
		set(z, w, negative)
		return nil
	}
	w := room64(ctx, z, len(u)+len(v), x, y)
	if cuts(len(u), len(v)) || a.least.small(binary, len(u), len(v), x == y) { // which read operands to the end
		w = make([]uint64, len(u)+len(v))
	}
	if err := a.product(ctx, binary, w, u, v); err != nil {
		return err
	}
	a.leave(z, w)
	set(z, w, negative)
	return nil
}

// Results of more than direct words have memory of their own where a context may end, so that z keeps its value. What
// they take the place of is garbage then, which the collector may leave until there is as much as all the rest. leave
// tells that z loses its memory to w, and collect collects before a result of n words takes more: products by the
// second one on need the memory of two results, and not more with each.
func (a *Arithmetic) leave(z *big.Int, w []uint64) {
	b := z.Bits()
	if cap(b)/perWord > direct && unsafe.Pointer(unsafe.SliceData(b)) != unsafe.Pointer(unsafe.SliceData(w)) {
		a.garbage.Store(true)
	}
}

// collect is what leave tells.
func (a *Arithmetic) collect(n int) {
	if n > direct && a.garbage.Swap(false) {
		runtime.GC()
	}
}

// MulWords sets z = x·y, for natural numbers in words as big.Int.Bits has them, low first, with zeros on top or
// without. z has len(x) + len(y) words (field.ErrLength) and shares no memory with x and y (field.ErrOverlap). On an
// error of the context z has anything.
func (a *Arithmetic) MulWords(ctx context.Context, z, x, y []big.Word) error {
	if err := a.begin(ctx); err != nil {
		return err
	}
	if want := len(x) + len(y); len(z) != want {
		return fmt.Errorf("intmul: %w: %d words for a product of %d and %d, want %d", field.ErrLength, len(z), len(x),
			len(y), want)
	}
	for _, y := range [][]big.Word{x, y} {
		if shared, _ := memory.Overlap(z, y); shared {
			return fmt.Errorf("intmul: %w: the product shares memory with a factor", field.ErrOverlap)
		}
	}
	u, v := toWords(x), toWords(y)
	if len(x) == len(y) && len(x) > 0 && &x[0] == &y[0] {
		v = u
	}
	w := toWords(z)
	if err := a.product(ctx, binary, w, u, v); err != nil {
		return err
	}
	if perWord > 1 {
		copy(z, fromWords(w))
	}
	return nil
}

// product sets z to x·y, modulo radix^len(z): as engine.multiply, and never into a factor where cuts says so or where
// no transforms multiply.
func (a *Arithmetic) product(ctx context.Context, in radix, z, x, y []uint64) error {
	if len(x) < len(y) {
		x, y = y, x
	}
	if a.least.small(in, len(x), len(y), same(x, y)) {
		if in == decimal {
			return schoolDecimal(ctx, z, x, y)
		}
		return school(ctx, z, x, y)
	}
	if cuts(len(x), len(y)) {
		parts := (len(x) + blockLength*len(y) - 1) / (blockLength * len(y))
		o := &Operand{a: a, radix: in}
		err := o.prepare(ctx, y, (len(x)+parts-1)/parts)
		if errors.Is(err, field.ErrMemory) {
			return a.pieces(ctx, in, z, x, y)
		}
		if err != nil {
			return err
		}
		defer o.close()
		return o.times(ctx, z, x)
	}
	if in == binary {
		h, err := a.halves(ctx, len(x), len(y), same(x, y))
		if err != nil {
			return err
		}
		if h != nil {
			w, err := h.product(ctx, x, y)
			copy(z, w)
			return err
		}
	}
	if in == binary && len(z) == len(x)+len(y) {
		if s, ok := chooseOverlap(len(x), len(y)); ok && a.holds(s, len(z)) {
			err := a.overlapped(ctx, s, z, x, y)
			if !errors.Is(err, field.ErrMemory) { // of which nothing has been written
				return err
			}
		}
	}
	e, err := a.fitting(ctx, in, 1, 64*len(x), 64*len(y))
	if err != nil {
		return err
	}
	return e.multiply(ctx, z, x, y)
}

// pieces sets z to x·y, modulo radix^len(z), by products of y and parts of x as long.
func (a *Arithmetic) pieces(ctx context.Context, in radix, z, x, y []uint64) error {
	part := make([]uint64, 2*len(y))
	clear(z)
	for at := 0; at < min(len(x), len(z)); at += len(y) {
		block := x[at:min(len(x), at+len(y))]
		p := part[:len(block)+len(y)]
		if err := a.product(ctx, in, p, block, y); err != nil {
			return err
		}
		in.addTo(z[at:], p)
	}
	return nil
}

// schoolWords is the number of products of words between two looks at a context.
const schoolWords = 1 << 22

// school sets z to x·y, modulo 2^(64·len(z)), by products of math/big with parts of x, the longer one.
func school(ctx context.Context, z, x, y []uint64) error {
	clear(z)
	var p, u, v big.Int
	v.SetBits(fromWords(y))
	step := schoolWords / max(1, len(y))
	if perWord == 1 && len(x) <= step && len(z) >= len(x)+len(y) { // in place
		u.SetBits(fromWords(x))
		p.SetBits(fromWords(z)[:0])
		copy(z, of(p.Mul(&u, &v)))
		return stopped(ctx)
	}
	for at := 0; at < min(len(x), len(z)); at += step {
		if err := stopped(ctx); err != nil {
			return err
		}
		u.SetBits(fromWords(x[at:min(len(x), at+step)]))
		residues.AddTo(z[at:], of(p.Mul(&u, &v)))
	}
	return nil
}

// Where a factor is cutLength times as long as the other, it is cut into blocks about blockLength times as long.
const (
	cutLength   = 8
	blockLength = 7
)

// cuts reports whether a product of x and y words goes by blocks.
func cuts(x, y int) bool { return max(x, y) > cutLength*min(x, y) }

// fitting returns the engine of sums of so many products of numbers of x and y bits in words of a radix, of decimal
// ones for one product alone, or field.ErrMemory.
func (a *Arithmetic) fitting(ctx context.Context, in radix, terms, x, y int) (*engine, error) {
	s, ok := choose(terms, x, y)
	if in == decimal {
		s, ok = chooseDecimal(x/64, y/64)
	}
	if bytes := s.roomBytes(1); !ok || bytes > a.limit {
		return nil, a.tooLarge(fmt.Sprintf("a product of %d and %d bits", x, y), bytes)
	}
	return a.engine(ctx, s)
}
