package intmul

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// Sqrt sets z = ⌊√x⌋. It takes the root and its reciprocal by Newton's iteration, whose last step is for the root
// alone. Errors are field.ErrRange where x is negative, and those of Mul.
func (a *Arithmetic) Sqrt(ctx context.Context, z, x *big.Int) error {
	return a.SqrtRem(ctx, z, new(big.Int), x)
}

// SqrtRem sets z = ⌊√x⌋ and r = x − z², which Sqrt computes as well. z and r are two integers, each of which may be x.
// Errors are those of Sqrt, and field.ErrOverlap where z and r are one.
func (a *Arithmetic) SqrtRem(ctx context.Context, z, r, x *big.Int) error {
	if err := a.begin(ctx, z, r, x); err != nil {
		return err
	}
	if z == r {
		return fmt.Errorf("intmul: %w: root and remainder are one integer", field.ErrOverlap)
	}
	if x.Sign() < 0 {
		return fmt.Errorf("intmul: %w: the root of a negative integer", field.ErrRange)
	}
	s, _, err := a.root(ctx, x, (x.BitLen()+1)/2, false)
	if err != nil {
		return err
	}
	m := s.BitLen()
	e, err := a.minusSquare(ctx, x, s, m+8)
	if err != nil {
		return err
	}
	one, t := big.NewInt(1), new(big.Int)
	for range corrections {
		switch {
		case e.Sign() < 0: // x − (s − 1)² = e + 2s − 1
			e.Add(e, t.Lsh(s, 1))
			e.Sub(e, one)
			s.Sub(s, one)
		case e.Cmp(t.Lsh(s, 1)) > 0: // x − (s + 1)² = e − 2s − 1
			e.Sub(e, t)
			e.Sub(e, one)
			s.Add(s, one)
		default:
			z.SetBits(s.Bits())
			r.SetBits(e.Bits())
			return nil
		}
	}
	panic("intmul: a root is further off than its bound: a product is wrong")
}

// root returns s, which is the root of x·4^(k−m) within 2, where x has 2m bits or 2m − 1 and k ≤ m, and with inverse
// also v, which is 4^k over that root within 8.
//
// With X = x/4^m, 1/4 ≤ X < 1, let s' and v' be those of h bits, 2h ≥ k + guard, and e = ⌊X·4^h⌋ − s'². Then |e| is
// below 2^(h+3), and
//
//	2^k·√X = 2^(k−h)·s' + e·v'·2^(k−3h−1) + … ,
//
// where what is left out, and the part of X that is, are below 64·2^(k−2h): the errors of s' and v', at most 2·2^−h and
// 8·2^−h, come in products of two. With f = s·v' − 2^(k+h), which is below 2^(k+4), as v' is 1/√X within its error,
//
//	2^k/√X = 2^(k−h)·v' − v'·f/4^h + … ,
//
// where what is left out is below 200·2^(k−2h) beside the error of s, below 1.1, which counts four times. f is cut
// where it counts for less than 2^−guard. e·v' and v'·f have 2h + 9 bits at most after that cut, so that they and s·v',
// of which the higher part is known, share the transform of v'.
func (a *Arithmetic) root(ctx context.Context, x *big.Int, k int, inverse bool) (s, v *big.Int, err error) {
	m := (x.BitLen() + 1) / 2
	if k <= max(a.least.root, 4*guard) {
		if err := stopped(ctx); err != nil {
			return nil, nil, err
		}
		s = new(big.Int).Rsh(x, uint(2*(m-k)))
		s.Sqrt(s)
		if inverse {
			v = new(big.Int).Lsh(big.NewInt(1), uint(2*k))
			v.Quo(v, s)
		}
		return s, v, nil
	}
	h := (k + guard + 1) / 2
	s, v, err = a.root(ctx, x, h, true)
	if err != nil {
		return nil, nil, err
	}
	e, err := a.minusSquare(ctx, new(big.Int).Rsh(x, uint(2*(m-h))), s, h+5)
	if err != nil {
		return nil, nil, err
	}
	f, err := a.factor(ctx, v, 2*h+12, h+6)
	if err != nil {
		return nil, nil, err
	}
	defer f.close()
	if e, err = f.shifted(ctx, e, 0, 3*h+1-k); err != nil {
		return nil, nil, err
	}
	s.Lsh(s, uint(k-h))
	s.Add(s, e)
	if !inverse {
		return s, nil, nil
	}
	e, err = f.difference(ctx, e.Lsh(big.NewInt(1), uint(k+h)), s) // −f
	if err != nil {
		return nil, nil, err
	}
	cut := h - 2 - guard
	if e, err = f.shifted(ctx, e, cut, 2*h-cut); err != nil {
		return nil, nil, err
	}
	v = e.Add(e, new(big.Int).Lsh(v, uint(k-h)))
	return s, v, nil
}
