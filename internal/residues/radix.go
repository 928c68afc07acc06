package residues

import (
	"math/bits"

	"github.com/galfft/fft/kernels/rns"
)

// Radix is a number of 64 bits, 2^63 or more, that is the base of digits of a word each, with
// ⌊(2^128 − 1)/radix⌋ − 2^64 (N. Möller, T. Granlund, Improved division by invariant integers, 2011).
type Radix struct{ n, inverse uint64 }

// NewRadix returns that of n, which is at least 2^63.
func NewRadix(n uint64) Radix {
	q, _ := bits.Div64(^n, ^uint64(0), n)
	return Radix{n, q}
}

// Div returns quotient and remainder of high·2^64 + low by the radix, where high is below it. It is algorithm 4 of the
// paper.
func (r Radix) Div(high, low uint64) (q, rest uint64) {
	q, fraction := bits.Mul64(r.inverse, high)
	fraction, carry := bits.Add64(fraction, low, 0)
	q += high + carry + 1
	rest = low - q*r.n
	if rest > fraction {
		q--
		rest += r.n
	}
	if rest >= r.n {
		q++
		rest -= r.n
	}
	return q, rest
}

// Add returns the digit of x + y and the carry, for x and y below the radix.
func (r Radix) Add(x, y uint64) (sum, carry uint64) {
	d, borrow := bits.Sub64(x, r.n-y, 0)
	return d + r.n&-borrow, 1 - borrow
}

// AddTo adds the digits x to z, without what is beyond the end of z.
func (r Radix) AddTo(z, x []uint64) {
	var carry uint64
	for i := range z {
		var v, c uint64
		if i < len(x) {
			v = x[i]
		} else if carry == 0 {
			return
		}
		v, c = r.Add(z[i], v)
		v, carry = r.Add(v, carry)
		z[i], carry = v, carry|c
	}
}

// RadixSum adds up numbers whose places are a digit apart, and gives the digits of the sum one by one: digit j is that
// of number j, the second one of the number before, the third one of that before it, and the carry.
type RadixSum struct {
	Radix                        Radix
	second, third, before, carry uint64
}

// Next takes the next number, of three words, low first, which is below the radix' square times 2^62, and returns the
// digit at its place.
func (s *RadixSum) Next(x0, x1, x2 uint64) uint64 {
	r := s.Radix
	high, rest := r.Div(x2, x1)
	low, first := r.Div(rest, x0)
	third, second := r.Div(high, low)
	sum, c1 := r.Add(first, s.second)
	sum, c2 := r.Add(sum, s.before)
	sum, c3 := r.Add(sum, s.carry)
	s.second, s.third, s.before, s.carry = second, third, s.third, c1+c2+c3
	return sum
}

// CarryRadix is Carry for coefficients of the powers of a radix, below its square times 2^62, modulo three primes or
// more: digit j of z belongs to coefficient j. It leaves three digits in rest, whose place is to.
func (d *Digits) CarryRadix(z, rest []uint64, r [][]uint64, from, to int, radix Radix) (at int) {
	room := d.rooms.Get().(*digitsRoom)
	sum := RadixSum{Radix: radix}
	for ; from < to; from += rns.Block {
		n := min(rns.Block, to-from)
		rows := d.rows(room, r, from, n)
		for j := range n {
			rows[j] = sum.Next(rows[j], rows[rns.Block+j], rows[2*rns.Block+j])
		}
		if from < len(z) {
			copy(z[from:], rows[:n])
		}
	}
	d.rooms.Put(room)
	clear(rest)
	for j := range 3 {
		rest[j] = sum.Next(0, 0, 0)
	}
	return to
}
