package intmul

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// Exp sets z = x^y, or x^y modulo |m| in [0, |m|) where m is neither nil nor 0. Errors are field.ErrRange where y is
// negative, field.ErrMemory where the power is beyond the limit, which is found beforehand, and those of Mul.
func (a *Arithmetic) Exp(ctx context.Context, z, x, y, m *big.Int) error {
	if err := a.begin(ctx, z, x, y); err != nil {
		return err
	}
	if y.Sign() < 0 {
		return fmt.Errorf("intmul: %w: a negative exponent", field.ErrRange)
	}
	reduce := func(*big.Int) error { return nil }
	if m != nil && m.Sign() != 0 {
		if n := float64(len(of(m))); n*n*float64(y.BitLen()) < schoolWords {
			z.Exp(x, y, new(big.Int).Abs(m))
			return nil
		}
		d, err := a.Divisor(ctx, m)
		if err != nil {
			return err
		}
		q := new(big.Int)
		reduce = func(p *big.Int) error {
			err := d.quoRem(ctx, q, p, p)
			if err == nil && p.Sign() < 0 {
				p.Add(p, d.y)
			}
			return err
		}
	} else if x.BitLen() > 1 {
		// The power has at least (BitLen − 1)·y bits.
		bits := new(big.Int).Mul(big.NewInt(int64(x.BitLen()-1)), y)
		if bits.Cmp(big.NewInt(int64(a.limit))) > 0 {
			return fmt.Errorf("intmul: %w: a power of at least 2^%d bits", field.ErrMemory, bits.BitLen()-1)
		}
	}
	base, p := new(big.Int).Set(x), big.NewInt(1)
	if err := reduce(base); err != nil {
		return err
	}
	for i := y.BitLen() - 1; i >= 0; i-- {
		err := a.mul(ctx, p, p, p)
		if err == nil {
			err = reduce(p)
		}
		if err == nil && y.Bit(i) == 1 {
			if err = a.mul(ctx, p, p, base); err == nil {
				err = reduce(p)
			}
		}
		if err != nil {
			return err
		}
	}
	if err := reduce(p); err != nil { // of 1 modulo 1
		return err
	}
	z.Set(p)
	return nil
}

// Product sets z to the product of all integers of the list, 1 where there are none, by a tree.
func (a *Arithmetic) Product(ctx context.Context, z *big.Int, list []*big.Int) error {
	if err := a.begin(ctx, append([]*big.Int{z}, list...)...); err != nil {
		return err
	}
	p, err := a.tree(ctx, len(list), func(i int) *big.Int { return list[i] })
	if err != nil {
		return err
	}
	z.Set(p)
	return nil
}

// MulRange sets z to the product of the integers from first to last, both included, as big.Int.MulRange does: 1 where
// first is above last, and 0 where 0 is between.
func (a *Arithmetic) MulRange(ctx context.Context, z *big.Int, first, last int64) error {
	if err := a.begin(ctx, z); err != nil {
		return err
	}
	const leaf = 64
	if first > last || first <= 0 && last >= 0 || last-first < leaf {
		z.MulRange(first, last)
		return nil
	}
	leaves := int((uint64(last-first) + leaf) / leaf)
	p, err := a.tree(ctx, leaves, func(i int) *big.Int {
		from := first + leaf*int64(i)
		return new(big.Int).MulRange(from, from+min(leaf-1, last-from))
	})
	if err != nil {
		return err
	}
	z.Set(p)
	return nil
}

// tree returns the product of n integers.
func (a *Arithmetic) tree(ctx context.Context, n int, at func(i int) *big.Int) (*big.Int, error) {
	var product func(from, to int) (*big.Int, error)
	product = func(from, to int) (*big.Int, error) {
		switch to - from {
		case 0:
			return big.NewInt(1), nil
		case 1:
			return at(from), nil
		}
		middle := (from + to) / 2
		x, err := product(from, middle)
		if err != nil {
			return nil, err
		}
		y, err := product(middle, to)
		if err != nil {
			return nil, err
		}
		z := new(big.Int)
		return z, a.mul(ctx, z, x, y)
	}
	return product(0, n)
}
