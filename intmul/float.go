package intmul

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// MulFloat sets z to the rounded product x·y and returns z, as z.Mul(x, y) does, with the same precision, rounding and
// accuracy: z may be x or y. It takes the caller's goroutine alone.
//
// It panics where z.Mul(x, y) does: where one of them is nil, and with big.ErrNaN where one is 0 and the other
// infinite.
func MulFloat(z, x, y *big.Float) *big.Float {
	if simple(x, y) || plain().MulFloat(context.Background(), z, x, y) != nil {
		return z.Mul(x, y)
	}
	return z
}

// MulFloat sets z to the rounded product x·y, as z.Mul(x, y) does, by the product of the mantissas. Errors are
// field.ErrRange where one is 0 and the other infinite, and those of Mul.
func (a *Arithmetic) MulFloat(ctx context.Context, z, x, y *big.Float) error {
	if err := a.begin(ctx); err != nil {
		return err
	}
	switch {
	case z == nil || x == nil || y == nil:
		return fmt.Errorf("intmul: %w: a float is nil", field.ErrSpec)
	case x.IsInf() && y.Sign() == 0 || x.Sign() == 0 && y.IsInf():
		return fmt.Errorf("intmul: %w: the product of 0 and an infinity", field.ErrRange)
	case simple(x, y):
		z.Mul(x, y)
		return nil
	}
	u, exp := mantissa(x)
	v, e := u, exp
	if x != y {
		v, e = mantissa(y)
	}
	p := new(big.Int)
	if err := a.mul(ctx, p, u, v); err != nil {
		return err
	}
	prec := z.Prec()
	if prec == 0 {
		prec = max(x.Prec(), y.Prec())
	}
	exact := new(big.Float).SetInt(p) // which has the precision of p, or 64 bits
	z.SetPrec(0)
	z.SetPrec(prec).Set(exact.SetMantExp(exact, exp+e))
	return nil
}

// simple reports whether math/big multiplies: short mantissas, zeros, infinities, and exponents of which the product
// could be out of range.
func simple(x, y *big.Float) bool {
	const most = big.MaxExp / 4
	ex, ey := x.MantExp(nil), y.MantExp(nil)
	return measured.small(binary, int(x.MinPrec()/64), int(y.MinPrec()/64), x == y) || max(ex, ey) > most ||
		min(ex, ey) < -most
}

// mantissa returns x as an odd integer times a power of two.
func mantissa(x *big.Float) (m *big.Int, exp int) {
	bits := int(x.MinPrec())
	exp = x.MantExp(nil) - bits
	m, _ = new(big.Float).SetMantExp(x, -exp).Int(nil)
	return m, exp
}
