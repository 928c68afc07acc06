package main

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/galfft/fft/intmul"
)

// fibonacci returns F(n). From F = F(k), G = F(k − 1) it goes to 2k by two squares,
//
//	F(2k + 1) = 4F² − G² + 2·(−1)^k,  F(2k − 1) = F² + G²,  F(2k) = F(2k + 1) − F(2k − 1),
//
// and to 2k + 1 with two of the three (D. Takahashi, A fast algorithm for computing large Fibonacci numbers, 2000).
func fibonacci(ctx context.Context, a *intmul.Arithmetic, n uint64) (*intmul.Decimal, error) {
	c := &calculator{ctx: ctx, a: a}
	f, g, two := new(intmul.Decimal), new(intmul.Decimal), new(intmul.Decimal) // F(0) and F(−1)
	c.err = errors.Join(a.ParseDecimal(ctx, g, []byte("1")), a.ParseDecimal(ctx, two, []byte("2")))
	for i := bits.Len64(n) - 1; i >= 0 && c.err == nil; i-- {
		odd := n>>(i+1)&1 == 1
		square, other := c.square(f), c.square(g)
		below := c.add(square, other) // F(2k − 1)
		above := c.add(square, square)
		above = c.sub(c.add(above, above), other) // F(2k + 1) without its last term
		if odd {
			above = c.sub(above, two)
		} else {
			above = c.add(above, two)
		}
		if f = c.sub(above, below); n>>i&1 == 0 {
			g = below
		} else {
			f, g = above, f
		}
	}
	return f, c.err
}

// calculator keeps the first error.
type calculator struct {
	ctx context.Context
	a   *intmul.Arithmetic
	err error
}

func (c *calculator) square(x *intmul.Decimal) *intmul.Decimal {
	z := new(intmul.Decimal)
	if c.err == nil {
		c.err = c.a.SqrDecimal(c.ctx, z, x)
	}
	return z
}

func (c *calculator) add(x, y *intmul.Decimal) *intmul.Decimal {
	z := new(intmul.Decimal)
	if c.err == nil {
		c.err = c.a.AddDecimal(c.ctx, z, x, y)
	}
	return z
}

func (c *calculator) sub(x, y *intmul.Decimal) *intmul.Decimal {
	z := new(intmul.Decimal)
	if c.err == nil {
		c.err = c.a.SubDecimal(c.ctx, z, x, y)
	}
	return z
}

// primes are those of the proof: 2^61 − 1 and the largest of 64 bits.
var primes = [...]uint64{1<<61 - 1, 1<<64 - 59}

var errWrong = errors.New("the digits are wrong")

// prove compares the number of a text with F(n), modulo each prime.
func prove(ctx context.Context, text []byte, n uint64) error {
	for _, p := range primes {
		got, err := residue(ctx, text, p)
		if err != nil {
			return err
		}
		if want := modulo(n, p); got != want {
			return fmt.Errorf("%w: they are %d modulo %d, and F(%d) is %d", errWrong, got, p, n, want)
		}
	}
	return nil
}

// residue returns the number of a text modulo p.
func residue(ctx context.Context, text []byte, p uint64) (uint64, error) {
	const block, glance = 18, 1 << 20
	var r uint64
	for i := 0; i < len(text); {
		if i%glance < block {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		var v uint64
		power := uint64(1)
		for end := min(len(text), i+block); i < end; i++ {
			v, power = 10*v+uint64(text[i]-'0'), 10*power
		}
		r = add(mul(r, power, p), v%p, p)
	}
	return r, nil
}

// modulo returns F(n) modulo p by the matrix of the recurrence, and by none of the formulas of fibonacci: of a power of
// it, (F(k + 1), F(k); F(k), F(k − 1)), it needs the first row.
func modulo(n, p uint64) uint64 {
	type matrix struct{ a, b, d uint64 } // (a, b; b, d)
	times := func(x, y matrix) matrix {
		return matrix{
			add(mul(x.a, y.a, p), mul(x.b, y.b, p), p),
			add(mul(x.a, y.b, p), mul(x.b, y.d, p), p),
			add(mul(x.b, y.b, p), mul(x.d, y.d, p), p),
		}
	}
	power, step := matrix{1, 0, 1}, matrix{1, 1, 0}
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			power = times(power, step)
		}
		step = times(step, step)
	}
	return power.b
}

func add(x, y, p uint64) uint64 {
	if y >= p-x {
		return y - (p - x)
	}
	return x + y
}

func mul(x, y, p uint64) uint64 {
	h, l := bits.Mul64(x, y)
	return bits.Rem64(h, l, p)
}
