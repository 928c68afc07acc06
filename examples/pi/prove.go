package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

// modulus is a prime of the proof, with 2^64 modulo it, which is small. Residues are words of any size.
type modulus struct{ p, over uint64 }

// moduli are 2^61 − 1 and the largest prime of 64 bits.
var moduli = [...]modulus{{1<<61 - 1, 8}, {1<<64 - 59, 59}}

var errWrong = errors.New("wrong")

// residues are those of a number modulo each prime.
type residues [len(moduli)]uint64

func residuesOf(x *big.Int) (r residues) {
	for i, m := range moduli {
		r[i] = m.of(x)
	}
	return r
}

// prove checks that what is left over is in its range, and every step modulo each prime. text is the digits without the
// point.
func (s *steps) prove(ctx context.Context, text []byte) error {
	twice := new(big.Int).Lsh(s.root, 1)
	for name, r := range map[string][2]*big.Int{
		"root": {s.rootRest, twice.Add(twice, big.NewInt(1))}, "quotient": {s.rest, s.t.x}, "digits": {s.tail, s.cutoff}} {
		if r[0].Sign() < 0 || r[0].Cmp(r[1]) >= 0 {
			return fmt.Errorf("%w: what the %s leaves over is out of range", errWrong, name)
		}
	}
	for _, c := range []cut{s.p1, s.q1, s.t1, s.q2, s.t2, s.q, s.t} {
		if c.out {
			return fmt.Errorf("%w: bits that were cut off are out of range", errWrong)
		}
	}
	for i, m := range moduli {
		p1, q1, t1, err := m.sum(ctx, 0, s.middle)
		if err != nil {
			return err
		}
		_, q2, t2, err := m.sum(ctx, s.middle, s.terms)
		if err != nil {
			return err
		}
		printed, err := m.text(ctx, text)
		if err != nil {
			return err
		}
		type check struct {
			name      string
			got, want uint64
		}
		var checks []check
		whole := func(name string, c cut, want uint64) (short uint64) {
			short = m.of(c.x)
			checks = append(checks, check{name, c.whole[i], want},
				check{name + " without its low bits", m.add(m.mul(short, m.pow(2, uint64(c.shift))), c.low[i]), c.whole[i]})
			return short
		}
		p1, q1, t1 = whole("first product p", s.p1, p1), whole("first product q", s.q1, q1), whole("first sum", s.t1, t1)
		q2, t2 = whole("second product q", s.q2, q2), whole("second sum", s.t2, m.minus(t2))
		q := whole("product of the terms", s.q, m.mul(q1, q2))
		t := whole("sum of the terms", s.t, m.add(m.mul(t1, q2), m.minus(m.mul(p1, t2))))
		root, quotient, ten := m.of(s.root), m.of(s.quotient), m.pow(10, uint64(s.k))
		for _, c := range append(checks,
			check{"root", m.add(m.mul(root, root), m.of(s.rootRest)), m.mul(radicand, m.mul(ten, ten))},
			check{"quotient", m.add(m.mul(quotient, t), m.of(s.rest)), m.mul(scale, m.mul(q, root))},
			check{"text", m.add(m.mul(printed, m.pow(10, guard)), m.of(s.tail)), quotient}) {
			if got, want := c.got%m.p, c.want%m.p; got != want {
				return fmt.Errorf("%w: the %s is %d modulo %d, want %d", errWrong, c.name, got, m.p, want)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// glance is the number of terms and digits between two looks at a context.
const glance = 1 << 20

// sum returns P, Q and T of terms with their signs, one after the other.
func (m modulus) sum(ctx context.Context, from, to int) (p, q, t uint64, err error) {
	p, q = 1, 1
	for k := uint64(from); k < uint64(to); k++ {
		if k%glance == 0 {
			if err := ctx.Err(); err != nil {
				return 0, 0, 0, err
			}
		}
		if k > 0 { // all below 2^63
			p = m.mul(p, m.mul((6*k-5)*(2*k-1), m.p-(6*k-1)))
			by := m.mul(m.mul(k*k, k*base), square)
			q, t = m.mul(q, by), m.mul(t, by)
		}
		t = m.add(t, m.mul(p, first+step*k))
	}
	return p, q, t, nil
}

// text returns the number of a text, by parts of as many digits as a word holds.
func (m modulus) text(ctx context.Context, text []byte) (uint64, error) {
	const part = 19
	var r uint64
	for i := 0; i < len(text); {
		if i%glance < part {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		v, power := uint64(0), uint64(1)
		for _, c := range text[i:min(i+part, len(text))] {
			v, power = 10*v+uint64(c-'0'), 10*power
		}
		r = m.add(m.mul(r, power), v)
		i += part
	}
	return r, nil
}

// of returns the residue of x, which is not negative.
func (m modulus) of(x *big.Int) uint64 {
	var r uint64
	words := x.Bits()
	for i := len(words) - 1; i >= 0; i-- {
		if bits.UintSize == 64 {
			h, l := bits.Mul64(r, m.over)
			l, c := bits.Add64(l, uint64(words[i]), 0)
			r = m.fold(h+c, l)
		} else {
			r = m.add(m.mul(r, 1<<32), uint64(words[i]))
		}
	}
	return r
}

// fold returns h·2^64 + l, where h is small.
func (m modulus) fold(h, l uint64) uint64 {
	l, c := bits.Add64(l, h*m.over, 0)
	return l + c*m.over
}

// mul returns x·y.
func (m modulus) mul(x, y uint64) uint64 {
	h, l := bits.Mul64(x, y)
	h, low := bits.Mul64(h, m.over)
	l, c := bits.Add64(l, low, 0)
	return m.fold(h+c, l)
}

// add returns x + y.
func (m modulus) add(x, y uint64) uint64 {
	l, c := bits.Add64(x, y, 0)
	return m.fold(c, l)
}

// minus returns −x.
func (m modulus) minus(x uint64) uint64 { return m.p - x%m.p }

func (m modulus) pow(x, e uint64) uint64 {
	z := uint64(1)
	for ; e > 0; e /= 2 {
		if e%2 == 1 {
			z = m.mul(z, x)
		}
		x = m.mul(x, x)
	}
	return z
}
