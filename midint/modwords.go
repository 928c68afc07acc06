package midint

import (
	"context"
	"math/big"
	"math/bits"
)

// residue multiplies modulo one modulus, by words of the machine.
type residue struct {
	ctx    context.Context
	w      *words
	k      int
	places []big.Word
	z      []big.Word // of a product
	unit   [1]uint32
	climb  climb
}

func (r *residue) at(i int) []big.Word { return r.places[i*r.k : (i+1)*r.k : (i+1)*r.k] }

// product is x·y/R, below m, for R = 2^(b·k) and words of b bits.
func (r *residue) product(z, x, y int) {
	mulWide(r.z, r.at(x), r.at(y))
	m := r.w.m
	var over uint
	for i := range m {
		c := addProduct(r.z[i:i+r.k], m, r.z[i]*r.w.inverse)
		s, carry := bits.Add(uint(r.z[i+r.k]), uint(c), over)
		r.z[i+r.k], over = big.Word(s), carry
	}
	high, to := r.z[r.k:], r.at(z)
	var borrow uint
	for i := range m {
		var d uint
		d, borrow = bits.Sub(uint(high[i]), uint(m[i]), borrow)
		to[i] = big.Word(d)
	}
	if over < borrow {
		copy(to, high)
	}
}

func (r *residue) gather(z int, digits *[lanes]int) { copy(r.at(z), r.at(digits[0])) }
func (r *residue) stopped() bool                    { return r.ctx.Err() != nil }

// set has room for so many places modulo modulus i of s, with x, the unit and R² behind a table of so many.
func (r *residue) set(s *state, i, table int) {
	if s.moduli.m.n == 1 {
		i = 0
	}
	r.ctx, r.w = s.ctx, &s.moduli.words[i]
	r.k = len(r.w.m)
	r.places = resize(r.places, r.k*(table+placesBehind))
	r.z = resize(r.z, 2*r.k)
	r.unit[0] = 1
	widen(r.at(table+placeUnit), r.unit[:])
	copy(r.at(table+placeSquare), r.w.square)
}

// modular computes integers from, …, to − 1 of a call by words.
func (r *residue) modular(s *state, from, to int) {
	table := 1 << s.ladder.window
	for i := from; i < to && s.ctx.Err() == nil; i++ {
		r.set(s, i, table)
		x, power := table+placeX, table+placePower
		widen(r.at(x), s.x.of(i))
		if s.op == opMulMod {
			widen(r.at(power), s.y.of(i))
			r.product(x, x, table+placeSquare)
			r.product(power, x, power)
		} else {
			for k := range r.climb.exponents {
				r.climb.exponents[k] = s.exponent(i)
			}
			s.ladder.run(r, &r.climb)
		}
		narrow(s.z.of(i), r.at(power))
	}
	r.ctx, r.climb = nil, climb{}
}

// exponent is that of integer i.
func (s *state) exponent(i int) []uint32 {
	if s.y.n == 1 {
		i = 0
	}
	return s.y.of(i)
}
