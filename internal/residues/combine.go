package residues

import (
	"math/big"
	"math/bits"

	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/kernels/rns"
)

// Combiner takes residues modulo primes q_0, q_1, … of product M to the integer x that has them, modulo p: to that of
// least absolute value, or to the one of [0, M). It uses the explicit Chinese remainder theorem (P. L. Montgomery and
// R. D. Silverman, "An FFT extension to the P−1 factoring algorithm", Math. Comp. 54 (1990); D. J. Bernstein and J. P.
// Sorenson, "Modular exponentiation via the explicit Chinese remainder theorem", Math. Comp. 76 (2007)). With digits
// d_i = r_i·(M/q_i)^−1 mod q_i,
//
//	x = Σ d_i·(M/q_i) − a·M,  a = Σ d_i/q_i to the nearest integer, or rounded down,
//
// where M/q_i and M stand modulo p, so that nothing is longer than p by more than two words. Fractions 1/q_i in one
// word are too small, and their sum by less than 2^−40. So a is right for |x| ≤ (1/2 − 2^−marginBits)·M, and where it
// is rounded down, for 0 ≤ x ≤ (1 − 2^−marginBits)·M: half of the margin is added to the sum before. Two steps of
// Montgomery's reduction are part of the sum: each is one more digit, a multiple of p that clears the lowest word, and
// constants have the factor that this takes away.
//
// Words of constants have 52 bits where kernels run and 64 elsewhere. It is immutable.
type Combiner struct {
	set       *rns.Set // nil: none serve
	words     int      // of numbers
	primes    []uint64
	scale     [][3]uint64 // (M/q_i)^−1 mod q_i, its quotient and q_i, as the arithmetic wants them
	fractions []uint64    // 1/q_i
	point     int         // the place of 1 in sums of digits by fractions, which fill a word
	up        int         // 2^−up is added to these sums, which are then rounded down
	columns   [][]uint64  // word j of the constants of all digits: M/q_i, −M, p and p moved up by a word
	p         []uint64    // in words of the constants
	clear     [2]uint64   // p[0], and −1/p[0] modulo a word
	joins     []uint64
	short     *[2]uint64 // p for rns.Dot, where that takes sums modulo p as they stand; or nil
	rows      int        // of a number, with those that joins needs above it
}

// Kernels reports whether kernels run: for primes of KernelBits, at most MostPrimes.
func Kernels() bool { return rns.Active() != nil }

// MostPrimes is the most primes for kernels.
const MostPrimes = rns.Most - digitsMore

// digitsMore is the digits that are none of primes: a, and the two multiples of p.
const digitsMore = 3

// marginBits says how far from the ends of their range integers are.
const marginBits = 20

// NewCombiner returns that for distinct primes of the size that Kernels tells and an odd p, in numbers of so many
// words: to integers of either sign, or to those of [0, M).
func NewCombiner(primes []uint64, p *big.Int, words int, signed bool) *Combiner {
	c := &Combiner{set: rns.Active(), words: words, primes: primes, point: rns.QuotientBits, up: marginBits + 1}
	if signed {
		c.up = 1
	}
	size := c.wordBits()
	if c.set == nil {
		c.point = 64 + bits.Len64(primes[0]) - 1
	}
	limbs := max(2, p.BitLen()/size+1) // of numbers below 2p, and as many as are cleared
	M, k := big.NewInt(1), len(primes)
	for _, q := range primes {
		M.Mul(M, new(big.Int).SetUint64(q))
	}
	c.p = split(p, size, limbs)
	c.clear = [2]uint64{c.p[0], -arith.Newton(c.p[0]) & (1<<(size-1)<<1 - 1)}
	constants := make([][]uint64, k+digitsMore)
	lifted := func(x *big.Int) []uint64 { return split(x.Mod(x.Lsh(x, uint(2*size)), p), size, limbs+1) }
	rest, part, Q := new(big.Int), new(big.Int), new(big.Int)
	for i, q := range primes {
		part.Quo(M, Q.SetUint64(q))
		w := arith.Inverse(rest.Mod(part, Q).Uint64(), q)
		if c.set != nil {
			c.scale = append(c.scale, *rns.Multiplier(w, q))
		} else {
			quotient, _ := bits.Div64(w, 0, q)
			c.scale = append(c.scale, [3]uint64{w, quotient, q})
		}
		fraction, _ := bits.Div64(1<<(c.point-64), 0, q)
		c.fractions = append(c.fractions, fraction)
		constants[i] = lifted(part)
	}
	constants[k] = lifted(M.Neg(M))
	constants[k+1] = split(p, size, limbs+1)
	constants[k+2] = split(new(big.Int).Lsh(p, uint(size)), size, limbs+1)
	for j := range limbs + 1 {
		first, last := 0, min(k+1+j, k+digitsMore) // the multiples of p are known after the columns that they clear
		if j == limbs {
			first = k + 2 // p moved up is longer than all others
		}
		var column []uint64
		for _, digit := range constants[first:last] {
			column = append(column, digit[j])
		}
		c.columns = append(c.columns, column)
	}
	if c.set != nil {
		c.joins, c.rows = rns.Joins(words)
		if words == 1 && p.BitLen() <= rns.PrimeBits && c.p[0] > rns.Least {
			c.short = rns.Constants(c.p[0])
		}
	}
	c.rows = max(c.rows, limbs)
	return c
}

func (c *Combiner) wordBits() int {
	if c.set != nil {
		return rns.Limb
	}
	return 64
}

// split returns n words of size bits of x ≥ 0.
func split(x *big.Int, size, n int) []uint64 {
	z, t := make([]uint64, n), new(big.Int)
	mask := new(big.Int).SetUint64(1<<(size-1)<<1 - 1)
	for i := range z {
		z[i] = t.And(t.Rsh(x, uint(i*size)), mask).Uint64()
	}
	return z
}

// Bytes is the memory of c.
func (c *Combiner) Bytes() int {
	return 8 * ((len(c.columns)+4)*(len(c.primes)+digitsMore) + len(c.joins))
}

// RoomBytes is the memory of a room.
func (c *Combiner) RoomBytes() int {
	digits := len(c.primes) + digitsMore
	return 8 * (tiles(digits)*digits + c.rows + c.words) * rns.Block
}

// CombinerRoom is the memory of a call.
type CombinerRoom struct {
	digits  []uint64
	limbs   []uint64
	numbers []uint64 // a block
}

// NewRoom returns what a call needs.
func (c *Combiner) NewRoom() *CombinerRoom {
	digits := len(c.primes) + digitsMore
	r := &CombinerRoom{digits: make([]uint64, tiles(digits)*digits*rns.Block), limbs: make([]uint64, c.rows*rns.Block)}
	if c.set != nil {
		r.numbers = make([]uint64, c.words*rns.Block)
	}
	return r
}

// Combine sets the packed numbers z to the integers whose residues are in the rows of r from one place on, modulo p.
// With kernels, rows have whole blocks of rns.Block words from there on: what is beyond the numbers of z may be
// anything below 2^52.
func (c *Combiner) Combine(room *CombinerRoom, z []uint64, r [][]uint64, from int) {
	digits := len(c.primes) + digitsMore
	for len(z) > 0 {
		n := min(tiles(digits)*rns.Block, len(z)/c.words)
		switch {
		case c.set != nil:
			c.vectors(room, z[:n*c.words], r, from)
		case c.words == 1 && len(c.primes) <= mostWord:
			c.word(z[:n], r, from)
		default:
			c.numbers(room, z[:n*c.words], r, from)
		}
		z, from = z[n*c.words:], from+n
	}
}

// vectors is Combine for as many numbers as the room has digits of.
func (c *Combiner) vectors(room *CombinerRoom, z []uint64, r [][]uint64, from int) {
	k := len(c.primes)
	rows, limbs, block := (k+digitsMore)*rns.Block, len(c.p), c.words*rns.Block
	count := (len(z) + block - 1) / block
	for i := range c.scale {
		x := r[i][from:][:count*rns.Block]
		c.set.Scale(&room.digits[i*rns.Block], &x[0], &c.scale[i], rows, count)
	}
	row := func(i int) *uint64 { return &room.limbs[i*rns.Block] }
	carry := row(limbs - 1)
	for t := range count {
		d := room.digits[t*rows:][:rows]
		a, first, second := &d[k*rns.Block], &d[(k+1)*rns.Block], &d[(k+2)*rns.Block]
		c.set.Quotient(a, &d[0], &c.fractions[0], k, 1<<(rns.QuotientBits-rns.Limb-c.up))
		to := z[t*block:]
		if len(to) < block {
			to = room.numbers
		}
		if c.short != nil {
			c.set.Dot(&to[0], &d[0], &c.columns[0][0], c.short, k+1)
			if len(z) < (t+1)*block {
				copy(z[t*block:], to)
			}
			continue
		}
		clear(room.limbs[(limbs-1)*rns.Block:])
		c.set.Clear(first, carry, &d[0], &c.columns[0][0], &c.clear, k+1)
		c.set.Clear(second, carry, &d[0], &c.columns[1][0], &c.clear, k+2)
		for j := 2; j < limbs; j++ {
			c.set.Limb(row(j-2), carry, &d[0], &c.columns[j][0], k+digitsMore)
		}
		c.set.Limb(row(limbs-2), carry, second, &c.columns[limbs][0], 1)
		c.set.Join(&to[0], row(0), &c.p[0], &c.joins[0], c.words, limbs)
		if len(z) < (t+1)*block {
			copy(z[t*block:], to)
		}
	}
}

// mostWord is the most primes of word: sums of their fractions fill two words.
const mostWord = 3

// word is vectors one by one, for numbers of one word.
func (c *Combiner) word(z []uint64, r [][]uint64, from int) {
	type digit struct {
		row                                   []uint64
		factor, quotient, q, fraction, column uint64
	}
	p, inv, up, k := c.p[0], c.clear[1], c.point-64, len(c.scale)
	var all [mostWord]digit
	digits := all[:k]
	for i, s := range c.scale {
		digits[i] = digit{r[i][from:][:len(z)], s[0], s[1], s[2], c.fractions[i], c.columns[0][i]}
	}
	whole := c.columns[0][k]
	for j := range z {
		quotient, part := uint64(1)<<(up-c.up), uint64(0)
		over, h, l := uint64(0), uint64(0), uint64(0)
		for i := range digits {
			s := &digits[i]
			x := s.row[j]
			high, _ := bits.Mul64(x, s.quotient)
			d := x*s.factor - high*s.q // below 2q
			high, low := bits.Mul64(d, s.fraction)
			part, low = bits.Add64(part, low, 0)
			quotient += high + low
			high, low = bits.Mul64(d, s.column)
			l, low = bits.Add64(l, low, 0)
			h, low = bits.Add64(h, high, low)
			over += low
		}
		high, low := bits.Mul64(quotient>>up, whole)
		l, low = bits.Add64(l, low, 0)
		h, low = bits.Add64(h, high, low)
		over += low
		high, low = bits.Mul64(l*inv, p)
		_, low = bits.Add64(l, low, 0)
		h, low = bits.Add64(h, high, low)
		over += low
		high, low = bits.Mul64(h*inv, p)
		_, low = bits.Add64(h, low, 0)
		x, carry := bits.Add64(over, high, low)
		if carry != 0 || x >= p {
			x -= p
		}
		z[j] = x
	}
}

// numbers is vectors one by one.
func (c *Combiner) numbers(room *CombinerRoom, z []uint64, r [][]uint64, from int) {
	k, words := len(c.primes), c.words
	for i, s := range c.scale {
		w, quotient, q := s[0], s[1], s[2]
		for j, x := range r[i][from:][:len(z)/words] {
			h, _ := bits.Mul64(x, quotient)
			room.digits[j*(k+digitsMore)+i] = x*w - h*q // below 2q
		}
	}
	for j := range len(z) / words {
		c.number(z[j*words:][:words], room.limbs, room.digits[j*(k+digitsMore):][:k+digitsMore])
	}
}

// number sets z to the number with digits d, of which the last three are made here, by way of its words t.
func (c *Combiner) number(z, t, d []uint64) {
	k, limbs := len(c.primes), len(c.p)
	over, top, _ := Dot(0, 0, d[:k], c.fractions)
	up := 128 - c.point
	top, carry := bits.Add64(top, 1<<(64-up-c.up), 0)
	d[k] = (over+carry)<<up | top>>(64-up)
	h, l := uint64(0), uint64(0)
	for j := range 2 {
		over, h, l = Dot(h, l, d[:k+1+j], c.columns[j])
		m := l * c.clear[1]
		high, low := bits.Mul64(m, c.p[0])
		_, carry := bits.Add64(l, low, 0)
		l, carry = bits.Add64(h, high, carry)
		h, d[k+1+j] = over+carry, m
	}
	for j := 2; j <= limbs; j++ {
		x := d
		if j == limbs {
			x = d[k+2:]
		}
		over, h, l = Dot(h, l, x, c.columns[j])
		t[j-2], l, h = l, h, over
	}
	t[limbs-1] = l
	var borrow uint64
	for i, p := range c.p {
		_, borrow = bits.Sub64(t[i], p, borrow)
	}
	keep := -borrow
	borrow = 0
	for i, p := range c.p {
		t[i], borrow = bits.Sub64(t[i], p&^keep, borrow)
	}
	clear(z[copy(z, t[:limbs]):])
}
