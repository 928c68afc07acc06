package intmul

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// QuoRem sets q to the quotient x/y truncated toward zero and r to the remainder x − q·y, which has the sign of x, as
// big.Int.QuoRem does. q and r are two integers, each of which may be x or y.
//
// It takes the reciprocal of y by Newton's iteration, to half as many bits as the quotient has or fewer, and two
// products for each part of the quotient of so many bits. Of products whose higher part is known, transforms have half
// the length. Errors are field.ErrNotInvertible where y is 0, field.ErrOverlap where q and r are one, and those of Mul.
func (a *Arithmetic) QuoRem(ctx context.Context, q, r, x, y *big.Int) error {
	if err := a.begin(ctx, q, r, x, y); err != nil {
		return err
	}
	if q == r {
		return fmt.Errorf("intmul: %w: quotient and remainder are one integer", field.ErrOverlap)
	}
	if y.Sign() != 0 && x.BitLen() < a.least.divisor {
		q.QuoRem(x, y, r)
		return nil
	}
	k := part(y.BitLen(), x.BitLen()-y.BitLen()+1)
	d, err := a.divisor(ctx, y, k)
	if err != nil {
		return err
	}
	defer d.close()
	return d.quoRem(ctx, q, r, x)
}

// part returns the bits of a part of a quotient of m bits by a divisor of n bits, if the divisor is prepared for it
// alone. With p parts of k = m/p bits, a reciprocal takes transforms of 10k bits, and of 2k once more; a part takes two
// of 2k bits, and two of n bits for its remainder.
func part(n, m int) int {
	best, least := 0, 0
	n, m = max(1, n), max(1, m)
	for p := (m + n - 1) / n; best == 0 || p < 16; p++ {
		k := (m + p - 1) / p
		if cost := 12*k + p*(4*k+2*n); best == 0 || cost < least {
			best, least = k, cost
		}
	}
	return best
}

// DivExact sets q = x/y, where y divides x. For other x it is field.ErrRange.
func (a *Arithmetic) DivExact(ctx context.Context, q, x, y *big.Int) error {
	var quotient, r big.Int
	if err := a.begin(ctx, q, x, y); err != nil {
		return err
	}
	if err := a.QuoRem(ctx, &quotient, &r, x, y); err != nil {
		return err
	}
	if r.Sign() != 0 {
		return fmt.Errorf("intmul: %w: the divisor does not divide the dividend", field.ErrRange)
	}
	q.Set(&quotient)
	return nil
}

// Divisor is an integer prepared for many divisions. It is immutable, safe for concurrent use, and valid with the
// arithmetic that made it: nil and the zero Divisor with none.
type Divisor struct {
	a *Arithmetic
	y *big.Int // its absolute value
	n int      // bits of y
	k int      // bits of a part of a quotient, a multiple of 64
	// 2^(n+k)/y within 2, and y, both prepared for products; nil where math/big divides.
	inverse, operand *factor
	negative         bool
}

// Divisor prepares y, which it does not keep, for divisions. Errors are those of QuoRem.
func (a *Arithmetic) Divisor(ctx context.Context, y *big.Int) (*Divisor, error) {
	if err := a.begin(ctx, y); err != nil {
		return nil, err
	}
	return a.divisor(ctx, new(big.Int).Set(y), y.BitLen())
}

// divisor is Divisor for parts of quotients of so many bits. It keeps y.
func (a *Arithmetic) divisor(ctx context.Context, y *big.Int, k int) (*Divisor, error) {
	if y.Sign() == 0 {
		return nil, fmt.Errorf("intmul: %w: a divisor that is 0", field.ErrNotInvertible)
	}
	d := &Divisor{a: a, y: new(big.Int).SetBits(y.Bits()), n: y.BitLen(), k: a.least.divisor, negative: y.Sign() < 0}
	if float64(k)*float64(d.n) < float64(a.least.divisor)*float64(a.least.divisor) {
		return d, nil
	}
	d.k = max(1, (k+63)/64) * 64
	z, err := a.reciprocal(ctx, d.y, d.k)
	if err != nil {
		return nil, err
	}
	// Numbers of d.k + guard + 1 bits each.
	if d.inverse, err = a.factor(ctx, z, 2*(d.k+guard+2), d.k+guard+2); err != nil {
		return nil, err
	}
	// The quotient of a part is off by at most 4, so that the remainder is below 5y.
	if d.operand, err = a.factor(ctx, d.y, d.n+4, min(d.n, d.k+2)); err != nil {
		d.inverse.close()
	}
	return d, err
}

// close gives the memory of a divisor back that nobody uses any longer.
func (d *Divisor) close() {
	if d.inverse != nil {
		d.inverse.close()
		d.operand.close()
		d.a.free(d.inverse.x)
	}
}

// guard is the bits that numbers have beyond those asked for, so that what is cut off counts for little.
const guard = 16

// reciprocal returns 2^(n+k)/y within 2, where y has n bits.
//
// Bits of y below its highest k + guard change it by less than 2^(2−guard). With w = 2^(n+h)/y − ε, |ε| ≤ 2, and
// e = 2^(n+h) − y·w = ε·y,
//
//	2^(n+k)/y = 2^(k−h)·w/(1 − e/2^(n+h)) = 2^(k−h)·w + w·e/2^(n+2h−k) + … ,
//
// where what is left out is below 2^(k+1−2h)·ε², which is less than 2^(3−2·guard) for h = ⌊k/2⌋ + guard. The lowest
// bits of e, up to bit n + h − k − guard, count for less than 2^(1−guard), and the last shift for less than 1.
//
// e is below 2^(n+1), so that y·w is taken modulo a number of n + 2 bits; w·e has little more after its cut, and both
// share the transform of w.
func (a *Arithmetic) reciprocal(ctx context.Context, y *big.Int, k int) (*big.Int, error) {
	n := y.BitLen()
	if cut := n - k - guard; cut > 0 {
		y, n = a.integer(n-cut).Rsh(y, uint(cut)), n-cut
		defer a.free(y)
	}
	if k <= max(a.least.reciprocal, 4*guard) {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		z := new(big.Int)
		return z.Quo(z.Lsh(big.NewInt(1), uint(n+k)), y), nil
	}
	h := k/2 + guard
	w, err := a.reciprocal(ctx, y, h)
	if err != nil {
		return nil, err
	}
	cut := max(0, n+h-k-guard)
	f, err := a.factor(ctx, w, max(n+2, n+1-cut+h+2)+1, h+2)
	if err != nil {
		return nil, err
	}
	defer f.close()
	defer a.free(w)
	t := a.integer(n + h)
	defer a.free(t)
	e, err := f.difference(ctx, t.Lsh(big.NewInt(1), uint(n+h)), y)
	if err != nil {
		return nil, err
	}
	if e, err = f.shifted(ctx, e, cut, n+2*h-k-cut); err != nil {
		return nil, err
	}
	defer a.free(e)
	z := a.integer(k + guard)
	return z.Add(z.Lsh(w, uint(k-h)), e), nil
}

// QuoRem sets q and r as Arithmetic.QuoRem does for the divisor.
func (d *Divisor) QuoRem(ctx context.Context, q, r, x *big.Int) error {
	if d == nil || d.a == nil {
		return fmt.Errorf("intmul: %w: a divisor that is nil or zero, want one of Arithmetic.Divisor", field.ErrSpec)
	}
	if err := d.a.begin(ctx, q, r, x); err != nil {
		return err
	}
	if q == r {
		return fmt.Errorf("intmul: %w: quotient and remainder are one integer", field.ErrOverlap)
	}
	return d.quoRem(ctx, q, r, x)
}

// quoRem is QuoRem with checked arguments. It goes from the highest bits of x down, by k bits of the quotient at a
// time.
func (d *Divisor) quoRem(ctx context.Context, q, r, x *big.Int) error {
	words := of(x)
	step := d.k / 64
	parts := max(1, (x.BitLen()-d.n+d.k)/d.k)
	above := func() []uint64 { return words[min(len(words), parts*step):] } // of what has been divided
	rest := new(big.Int).SetBits(fromWords(above()))
	if rest.Cmp(d.y) >= 0 {
		parts++ // so that quotients of parts are below 2^k
		rest.SetBits(fromWords(above()))
	}
	quotient := d.a.borrow(parts * step)
	for i := parts - 1; i >= 0; i-- {
		t := d.a.borrow(step + len(of(rest)))
		clear(t[copy(t[:step], words[min(len(words), i*step):]):step])
		copy(t[step:], of(rest))
		if i < parts-1 {
			d.a.free(rest)
		}
		p, next, err := d.part(ctx, new(big.Int).SetBits(fromWords(t)))
		if err != nil {
			return err
		}
		z := quotient[i*step:][:step]
		clear(z[copy(z, of(p)):])
		d.a.lend(t)
		d.a.free(p)
		rest = next
	}
	negative := x.Sign() < 0
	d.a.result(q, quotient, negative != d.negative, x, d.y, r)
	d.a.result(r, of(rest), negative, x, d.y, q)
	return nil
}

// part returns quotient and remainder of t in borrowed words: t is below 2^k·y.
//
// q = ⌊⌊t/2^(n−guard)⌋·z/2^(k+guard)⌋ differs from t/y by less than 4: for z being within 2, as t is below 2^(n+k), for
// the bits of t that are left out, and for the shift.
func (d *Divisor) part(ctx context.Context, t *big.Int) (q, r *big.Int, err error) {
	if err := stopped(ctx); err != nil {
		return nil, nil, err
	}
	if d.inverse == nil {
		q, r = new(big.Int), new(big.Int)
		q.QuoRem(t, d.y, r)
		return q, r, nil
	}
	high := d.a.integer(d.k + guard)
	q, err = d.inverse.mul(ctx, high.Rsh(t, uint(d.n-guard)))
	d.a.free(high)
	if err != nil {
		return nil, nil, err
	}
	q.Rsh(q, uint(d.k+guard))
	if r, err = d.operand.difference(ctx, t, q); err != nil {
		return nil, nil, err
	}
	one := big.NewInt(1)
	for range corrections {
		switch {
		case r.Sign() < 0:
			q.Sub(q, one)
			r.Add(r, d.y)
		case r.Cmp(d.y) >= 0:
			q.Add(q, one)
			r.Sub(r, d.y)
		default:
			return q, r, nil
		}
	}
	panic("intmul: a quotient is further off than its bound: a product is wrong")
}

// corrections are more than a quotient of part ever takes: wrong products end there, and not after years.
const corrections = 8
