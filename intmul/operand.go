package intmul

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/galfft/fft/field"
)

// Operand is an integer transformed once, for many products. It is immutable, safe for concurrent use, and valid with
// the arithmetic that prepared it: nil and the zero Operand with none.
type Operand struct {
	a        *Arithmetic
	radix    radix
	x        []uint64
	negative bool
	e        *engine // nil: math/big multiplies
	most     int     // words of factors that need no cut
	r        *room   // values of x
}

// Prepare transforms x, which it does not keep, for products with integers of at most so many bits; longer ones are cut
// into pieces of so many. A product takes two transforms then, where Mul takes three.
//
// Errors are field.ErrRange for bits below 1, and those of Mul.
func (a *Arithmetic) Prepare(ctx context.Context, x *big.Int, bits int) (*Operand, error) {
	if err := a.begin(ctx, x); err != nil {
		return nil, err
	}
	if bits < 1 {
		return nil, fmt.Errorf("intmul: %w: an operand for products with integers of %d bits, want at least 1",
			field.ErrRange, bits)
	}
	o := &Operand{a: a, negative: x.Sign() < 0}
	if err := o.prepare(ctx, slices.Clone(of(x)), (bits-1)/64+1); err != nil {
		return nil, err
	}
	if o.r != nil {
		o.r.others = nil // which nobody else gets
	}
	return o, nil
}

// prepare sets o to x, which it keeps, for factors of at most so many words.
func (o *Operand) prepare(ctx context.Context, x []uint64, most int) error {
	o.x, o.most = x, most
	if o.a.least.few(o.radix, len(x), most) {
		return nil
	}
	e, err := o.a.fitting(ctx, o.radix, 1, 64*len(x), 64*most)
	if err != nil {
		return err
	}
	if err := e.check(e.primes + e.tasks()); err != nil {
		return err
	}
	o.e, o.r = e, e.room(0)
	return e.loadAll(ctx, o.r.rows, x)
}

// close gives the memory of an operand back that nobody uses any longer, but for that of its number.
func (o *Operand) close() {
	if o.e != nil {
		o.e.rooms.Put(o.r)
		o.e = nil
	}
}

// MulOperand sets z = x·o.
//
// Errors are field.ErrVec where o is nil or of another arithmetic, and those of Mul.
func (a *Arithmetic) MulOperand(ctx context.Context, z, x *big.Int, o *Operand) error {
	if err := a.begin(ctx, z, x); err != nil {
		return err
	}
	if o == nil || o.a != a {
		return fmt.Errorf("intmul: %w: an operand that is nil or of another arithmetic, want one of Prepare",
			field.ErrVec)
	}
	return o.mul(ctx, z, x)
}

// mul is MulOperand with checked arguments.
func (o *Operand) mul(ctx context.Context, z, x *big.Int) error {
	u, negative := of(x), (x.Sign() < 0) != o.negative
	w := make([]uint64, len(u)+len(o.x))
	if err := o.times(ctx, w, u); err != nil {
		return err
	}
	set(z, w, negative)
	return nil
}

// times sets z to x times o, modulo radix^len(z). z shares no memory with x.
func (o *Operand) times(ctx context.Context, z, x []uint64) error {
	if o.e == nil || o.a.least.few(o.radix, len(x), len(o.x)) {
		return o.a.product(ctx, o.radix, z, x, o.x)
	}
	e := o.e
	if err := e.check(e.primes); err != nil {
		return err
	}
	r := e.room(0)
	defer e.rooms.Put(r)
	if len(x) <= o.most {
		if err := o.values(ctx, r, x); err != nil {
			return err
		}
		return e.finish(ctx, z, r)
	}
	part := o.a.borrow(o.most + len(o.x))
	defer o.a.lend(part)
	clear(z)
	for at := 0; at < len(x); at += o.most {
		block := x[at:min(len(x), at+o.most)]
		if err := o.values(ctx, r, block); err != nil {
			return err
		}
		p := part[:len(block)+len(o.x)]
		if err := e.finish(ctx, p, r); err != nil {
			return err
		}
		if at < len(z) {
			o.radix.addTo(z[at:], p)
		}
	}
	return nil
}

// values sets r to the coefficients of the product of x, of few words enough, and o.
func (o *Operand) values(ctx context.Context, r *room, x []uint64) error {
	count, err := o.e.cut(ctx, r.rows, x)
	if err != nil {
		return err
	}
	return o.e.each(func(i, _ int) error {
		return o.e.product(ctx, i, r.rows[i], o.r.rows[i], count, transformed)
	})
}
