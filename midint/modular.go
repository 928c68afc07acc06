package midint

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// Moduli is odd moduli, with what Montgomery products modulo them take. Engines share it: it never changes, and is safe
// for concurrent use.
type Moduli struct {
	m     *Batch
	form  *form    // of tiles, where there are kernels for them
	tiles []uint64 // for each tile −1/m modulo R, m and R² modulo m; of one modulus in all lanes
	words []words  // where there are none, for each modulus
}

// words is what products modulo m by words of the machine take: −1/m modulo 2^b, for words of b bits, and R² modulo m.
type words struct {
	m, square []big.Word
	inverse   big.Word
}

// NewModuli returns the moduli of a batch, which are copied: one for all integers of a call, where the batch has one,
// or one for each. A modulus that is even is field.ErrModulus, and a batch without any is field.ErrLength. A batch of
// another width than the later operands' has to be converted before.
func NewModuli(m *Batch) (*Moduli, error) {
	if err := m.made("the batch of moduli"); err != nil {
		return nil, err
	}
	if m.n == 0 {
		return nil, fmt.Errorf("midint: %w: no moduli", field.ErrLength)
	}
	for i := range m.n {
		if m.of(i)[0]%2 == 0 {
			return nil, fmt.Errorf("midint: %w: modulus %d is even, want odd ones for Montgomery products", field.ErrModulus, i)
		}
	}
	if len(m.words) > memory.Limit()/32 {
		return nil, fmt.Errorf("midint: %w: %d moduli of %d bits", field.ErrMemory, m.n, m.bits)
	}
	r := &Moduli{m: &Batch{m.bits, m.n, append([]uint32(nil), m.words...)}}
	if f := newForm(productSet(m.each()), m.each(), spareBits); f.set != nil {
		r.form = f
		r.makeTiles()
	} else {
		r.makeWords()
	}
	return r, nil
}

// Bits is the width of the moduli; 0 of a nil one or the zero value.
func (r *Moduli) Bits() int {
	if r == nil {
		return 0
	}
	return r.m.Bits()
}

// Len is the number of moduli: 1 stands for all integers of a call. It is 0 of a nil one or the zero value.
func (r *Moduli) Len() int {
	if r == nil {
		return 0
	}
	return r.m.Len()
}

// of is modulus i, in the order of the rows of a call.
func (r *Moduli) of(i int) []uint32 {
	if r.m.n == 1 {
		i = 0
	}
	return r.m.of(i)
}

func (r *Moduli) makeWords() {
	k := machineWords(r.m.each())
	v := new(big.Int)
	for i := range r.m.n {
		w := words{m: make([]big.Word, k), square: make([]big.Word, k)}
		widen(w.m, r.m.of(i))
		inverse := w.m[0] // of three bits, and of twice as many each time
		for b := 3; b < bits.UintSize; b *= 2 {
			inverse *= 2 - inverse*w.m[0]
		}
		w.inverse = -inverse
		v.Lsh(v.SetInt64(1), uint(2*k*bits.UintSize))
		copy(w.square, v.Mod(v, new(big.Int).SetBits(w.m)).Bits())
		r.words = append(r.words, w)
	}
}

// MulMod sets z to x·y modulo the moduli, one for all integers or one for each, of the operands' width. Integers of x
// or y that are not below their modulus are field.ErrRange, and moduli of another width or number are field.ErrLength.
// A device of package gpu takes moduli of up to 8192 bits; others go to the processor. Time depends on the values.
func (e *Engine) MulMod(ctx context.Context, z, x, y *Batch, m *Moduli) error {
	if err := e.checkModular(ctx, z, x, y, m); err != nil {
		return err
	}
	return e.run(state{ctx: ctx, op: opMulMod, z: z, x: x, y: y, moduli: m})
}

// Exp sets z to x to the power of y modulo the moduli, as MulMod does. Exponents have any width, and there is one for
// all integers or one for each, or the error is field.ErrLength; with an exponent of 0 the power is 1. A call looks at
// its context between products. Exponents are not kept secret: time and memory that is read depend on them.
func (e *Engine) Exp(ctx context.Context, z, x, y *Batch, m *Moduli) error {
	if err := e.checkModular(ctx, z, x, x, m); err != nil {
		return err
	}
	if err := y.made("y"); err != nil {
		return err
	}
	if y.n != 1 && y.n != x.n {
		return lengthError("exponents", x.n, y.n)
	}
	return e.run(state{ctx: ctx, op: opExp, z: z, x: x, y: y, moduli: m, ladder: newLadder(y)})
}

func (e *Engine) checkModular(ctx context.Context, z, x, y *Batch, m *Moduli) error {
	if err := e.check(ctx, z, x, y, x.Bits()); err != nil {
		return err
	}
	if m.Len() == 0 {
		return fmt.Errorf("midint: %w: moduli that are nil or not of NewModuli", field.ErrSpec)
	}
	if m.m.bits != x.bits || m.m.n != 1 && m.m.n != x.n {
		return fmt.Errorf("midint: %w: %d moduli of %d bits, want one or %d of %d", field.ErrLength, m.m.n, m.m.bits, x.n,
			x.bits)
	}
	for _, v := range []*Batch{x, y} {
		for i := range v.n {
			if i%glance == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if compare(v.of(i), m.of(i)) >= 0 {
				return fmt.Errorf("midint: %w: integer %d is not below its modulus", field.ErrRange, i)
			}
		}
	}
	return nil
}
