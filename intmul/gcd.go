package intmul

import (
	"context"
	"math/big"
)

// GCD sets z to the greatest common divisor of x and y, which is not negative, as z.GCD(nil, nil, x, y) does: 0 where
// both are 0. Errors are those of Mul.
//
// It halves the lengths of the higher bits by quotients that depend on these alone, gathers the quotients in a matrix,
// and applies it to the whole numbers by products, recursively (N. Möller, On Schönhage's algorithm and subquadratic
// integer GCD computation, Mathematics of Computation 77, 2008).
func (a *Arithmetic) GCD(ctx context.Context, z, x, y *big.Int) error {
	if err := a.begin(ctx, z, x, y); err != nil {
		return err
	}
	u, v := new(big.Int).Abs(x), new(big.Int).Abs(y)
	for {
		if err := stopped(ctx); err != nil {
			return err
		}
		if u.Cmp(v) < 0 {
			u, v = v, u
		}
		if v.Sign() == 0 || u.BitLen() <= a.least.gcd {
			z.GCD(nil, nil, u, v)
			return nil
		}
		low := u.BitLen() / 3 * 2
		m, err := a.reduce(ctx, u, v, low)
		if err == nil && m == nil { // a quotient that is too long for half of the bits
			err = a.QuoRem(ctx, new(big.Int), u, u, v)
		}
		if err != nil {
			return err
		}
	}
}

// steps is a matrix of natural numbers with the determinant 1: the product of those of quotients q, (1, q; 0, 1) and
// (1, 0; q, 1). Of two numbers before these divisions, (x, y) = M·(x', y').
type steps [2][2]*big.Int

func noSteps() *steps {
	return &steps{{big.NewInt(1), new(big.Int)}, {new(big.Int), big.NewInt(1)}}
}

// half is the length that numbers of n bits keep more than when halve ends.
func half(n int) int { return n/2 + 1 }

// halve divides x and y, the longer one of n bits, one by the other in turn, as far as both keep more than half(n)
// bits, and returns the matrix of the quotients; nil where there are none.
//
// Higher parts tell the quotients of whole numbers: let x and y without their low p bits have at most k bits, and let
// halve take these to x' and y', both at least 2^half(k), by M. Entries of M are below 2^(k−half(k)) ≤ 2^(half(k)−1),
// as x' and y' times an entry are at most what they come from. By M⁻¹ the numbers themselves become 2^p·x' and 2^p·y'
// but for less than 2^(p+half(k)−1), so that both are positive and keep at least p + half(k) bits. This is more than
// half(n) for p = n/2, and later, where r bits are left, for p = 2·half(n) + 1 − r.
func (a *Arithmetic) halve(ctx context.Context, x, y *big.Int) (*steps, error) {
	n := max(x.BitLen(), y.BitLen())
	least := half(n)
	if min(x.BitLen(), y.BitLen()) <= least {
		return nil, nil
	}
	if n <= a.least.euclid {
		return a.halveShort(ctx, x, y, least)
	}
	m, err := a.reduce(ctx, x, y, n/2)
	if err != nil {
		return nil, err
	}
	ok := true
	for ok && max(x.BitLen(), y.BitLen()) > n/4*3+1 {
		if m, ok, err = a.divide(ctx, x, y, least, m); err != nil {
			return nil, err
		}
	}
	if left := max(x.BitLen(), y.BitLen()); ok && left > least+2 {
		next, err := a.reduce(ctx, x, y, 2*least+1-left)
		if err != nil {
			return nil, err
		}
		if m, err = a.join(ctx, m, next); err != nil {
			return nil, err
		}
	}
	for ok {
		if m, ok, err = a.divide(ctx, x, y, least, m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// reduce halves x and y without their low bits and applies the quotients to the whole numbers.
func (a *Arithmetic) reduce(ctx context.Context, x, y *big.Int, low int) (*steps, error) {
	u, v := new(big.Int).Rsh(x, uint(low)), new(big.Int).Rsh(y, uint(low))
	m, err := a.halve(ctx, u, v)
	if err != nil || m == nil {
		return nil, err
	}
	mask := new(big.Int).Lsh(big.NewInt(1), uint(low))
	mask.Sub(mask, big.NewInt(1))
	r, s := new(big.Int).And(x, mask), new(big.Int).And(y, mask)
	// M⁻¹ = (m₁₁, −m₀₁; −m₁₀, m₀₀).
	if err := a.minus(ctx, x, u, low, [2]*big.Int{m[1][1], r}, [2]*big.Int{m[0][1], s}); err != nil {
		return nil, err
	}
	return m, a.minus(ctx, y, v, low, [2]*big.Int{m[0][0], s}, [2]*big.Int{m[1][0], r})
}

// minus sets z to 2^low·high plus one product less another.
func (a *Arithmetic) minus(ctx context.Context, z, high *big.Int, low int, plus, less [2]*big.Int) error {
	p, q := new(big.Int), new(big.Int)
	if err := a.mul(ctx, p, plus[0], plus[1]); err != nil {
		return err
	}
	if err := a.mul(ctx, q, less[0], less[1]); err != nil {
		return err
	}
	z.Lsh(high, uint(low))
	z.Add(z, p.Sub(p, q))
	return nil
}

// divide divides the larger one of x and y by the other, by the greatest quotient that leaves both more than least
// bits, and adds it to m. It is false, and nothing is changed, where the quotient is 0.
func (a *Arithmetic) divide(ctx context.Context, x, y *big.Int, least int, m *steps) (*steps, bool, error) {
	column := 0 // that the quotient multiplies
	if x.Cmp(y) < 0 {
		x, y, column = y, x, 1
	}
	q, r := new(big.Int), new(big.Int)
	if err := a.QuoRem(ctx, q, r, x, y); err != nil {
		return m, false, err
	}
	if r.BitLen() <= least {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	if q.Sign() == 0 {
		return m, false, nil
	}
	x.Set(r)
	if m == nil {
		m = noSteps()
	}
	for i := range m {
		p := new(big.Int)
		if err := a.mul(ctx, p, m[i][column], q); err != nil {
			return m, false, err
		}
		m[i][1-column].Add(m[i][1-column], p)
	}
	return m, true, nil
}

// join returns the product of two matrices, of which nil is one without steps.
func (a *Arithmetic) join(ctx context.Context, m, next *steps) (*steps, error) {
	switch {
	case m == nil:
		return next, nil
	case next == nil:
		return m, nil
	}
	z := noSteps()
	for i := range z {
		for j := range z[i] {
			err := a.MulAdd(ctx, z[i][j], m[i][:], []*big.Int{next[0][j], next[1][j]})
			if err != nil {
				return nil, err
			}
		}
	}
	return z, nil
}

// halveShort is halve for numbers whose quotients come from words: of their highest 64 bits, or of fewer near the end.
func (a *Arithmetic) halveShort(ctx context.Context, x, y *big.Int, least int) (m *steps, err error) {
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	for ok := true; ok; {
		n := max(x.BitLen(), y.BitLen())
		low := max(n-64, 2*least+1-n)
		w, some := halveWords(top(x, low), top(y, low))
		if !some { // a long quotient, or none
			if m, ok, err = a.divide(ctx, x, y, least, m); err != nil {
				return nil, err
			}
			continue
		}
		if m == nil {
			m = noSteps()
		}
		w.inverse(x, y)
		w.after(m[0][0], m[0][1])
		w.after(m[1][0], m[1][1])
	}
	return m, nil
}

// top returns the bits of x from bit low on, of which there are at most 64.
func top(x *big.Int, low int) uint64 { return new(big.Int).Rsh(x, uint(low)).Uint64() }
