package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
)

// modulus is a prime of the proof.
type modulus uint64

// moduli are 2^61 − 1 and the largest prime of 64 bits.
var moduli = [...]modulus{1<<61 - 1, 1<<64 - 59}

var errWrong = errors.New("wrong")

// prove checks that what is left over is in its range, and every step modulo each prime. text is the digits without the
// point.
func (s *steps) prove(ctx context.Context, text []byte) error {
	twice := new(big.Int).Lsh(s.root, 1)
	for name, r := range map[string][2]*big.Int{
		"root": {s.rootRest, twice.Add(twice, big.NewInt(1))}, "quotient": {s.rest, s.t}, "digits": {s.tail, s.cutoff}} {
		if r[0].Sign() < 0 || r[0].Cmp(r[1]) >= 0 {
			return fmt.Errorf("%w: what the %s leaves over is out of range", errWrong, name)
		}
	}
	for _, m := range moduli {
		q, t, err := m.sum(ctx, s.terms)
		if err != nil {
			return err
		}
		printed, err := m.text(ctx, text)
		if err != nil {
			return err
		}
		root, quotient, ten := m.of(s.root), m.of(s.quotient), m.pow(10, uint64(s.k))
		for _, c := range []struct {
			name      string
			got, want uint64
		}{
			{"product of the terms", m.of(s.q), q},
			{"sum of the terms", m.of(s.t), t},
			{"root", m.add(m.mul(root, root), m.of(s.rootRest)), m.mul(radicand, m.mul(ten, ten))},
			{"quotient", m.add(m.mul(quotient, t), m.of(s.rest)), m.mul(scale, m.mul(q, root))},
			{"text", m.add(m.mul(printed, m.pow(10, guard)), m.of(s.tail)), quotient},
		} {
			if c.got != c.want {
				return fmt.Errorf("%w: the %s is %d modulo %d, want %d", errWrong, c.name, c.got, m, c.want)
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

// sum returns Q and T of so many terms, one after the other.
func (m modulus) sum(ctx context.Context, terms int) (q, t uint64, err error) {
	q = 1
	p := uint64(1)
	for k := range uint64(terms) {
		if k%glance == 0 {
			if err := ctx.Err(); err != nil {
				return 0, 0, err
			}
		}
		if k > 0 { // all below 2^63
			p = m.minus(m.mul(m.mul(p, 6*k-5), m.mul(2*k-1, 6*k-1)))
			by := m.mul(m.mul(k*k, k), cube)
			q, t = m.mul(q, by), m.mul(t, by)
		}
		t = m.add(t, m.mul(p, first+step*k))
	}
	return q, t, nil
}

// text returns the number of a text.
func (m modulus) text(ctx context.Context, text []byte) (uint64, error) {
	var r uint64
	for i, c := range text {
		if i%glance == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		r = m.add(m.mul(r, 10), uint64(c-'0'))
	}
	return r, nil
}

// of returns the residue of x, which is not negative.
func (m modulus) of(x *big.Int) uint64 {
	p := new(big.Int).SetUint64(uint64(m))
	return p.Mod(x, p).Uint64()
}

// mul returns x·y, for any words.
func (m modulus) mul(x, y uint64) uint64 {
	h, l := bits.Mul64(x, y)
	return bits.Rem64(h, l, uint64(m))
}

// add returns x + y, for residues.
func (m modulus) add(x, y uint64) uint64 {
	if p := uint64(m); y >= p-x {
		return y - (p - x)
	}
	return x + y
}

// minus returns −x, for a residue.
func (m modulus) minus(x uint64) uint64 {
	if x == 0 {
		return 0
	}
	return uint64(m) - x
}

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
