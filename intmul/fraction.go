package intmul

import (
	"context"
	"math/big"
	"math/bits"
)

// fractions takes numbers of at most so many words of 64 bits to digits of radix 10^19, as the digits of x/10^(19n) and
// of its fractions times powers of ten (D. J. Bernstein, Scaled remainder trees, 2004): a half of the digits comes from
// the higher half of the words, and the other half from those in the middle of a product, which is taken modulo
// 2^(64·w) − 1 with few words more than the fraction has.
//
// A number f of n + 1 words stands for f/2^(64·(n+1)), and times 10^(19n) for X and a fraction, X an integer. A unit of
// f counts for less than 2^−64 of X's last digit. All that is cut off makes f smaller, so that what comes of f is X or,
// where the fraction is next to 0, X − 1. For the first f it is about 1/2. For a higher half the product tells X modulo
// 2^64, and the lowest digit tells what has come of it modulo 2^19, which divides 10^19.
type fractions struct {
	a       *Arithmetic
	leaf    int        // digits that come one by one
	digits  int        // leaf·2^levels
	powers  []*factor  // of 10^(19·leaf·2^i)
	product []big.Int  // with each of them where math/big multiplies
	window  [][]uint64 // of the product with each of them
	inverse *factor    // 2^(64·(digits+1)+shift)/10^(19·digits) within 2
	shift   int
}

// halves returns how often n digits are halved, and how many are left then.
func (c *crossovers) halves(n int) (levels, leaf int) {
	for leaf = max(1, n); leaf > c.digits; levels++ {
		leaf = (leaf + 1) / 2
	}
	return levels, leaf
}

// powersOf returns x^(leaf·2^i) for 0 ≤ i < count.
func (a *Arithmetic) powersOf(ctx context.Context, x uint64, leaf, count int) ([]*big.Int, error) {
	list := []*big.Int{new(big.Int).Exp(new(big.Int).SetUint64(x), big.NewInt(int64(leaf)), nil)}
	for len(list) < count {
		last := list[len(list)-1]
		next := a.integer(2 * last.BitLen())
		if err := a.mul(ctx, next, last, last); err != nil {
			return nil, err
		}
		list = append(list, next)
	}
	return list, nil
}

// fractions returns those of numbers of at most count words.
func (a *Arithmetic) fractions(ctx context.Context, count int) (*fractions, error) {
	levels, leaf := a.least.halves(decimalWords(count))
	c := &fractions{a: a, leaf: leaf, digits: leaf << levels}
	powers, err := a.powersOf(ctx, wordRadix, leaf, levels+1)
	if err != nil {
		return nil, err
	}
	k := 64*(c.digits+1) + guard
	c.shift = powers[levels].BitLen() + guard
	w, err := a.reciprocal(ctx, powers[levels], k)
	if err != nil {
		return nil, err
	}
	for i, p := range powers[:levels] {
		n := leaf << i
		f, err := a.factor(ctx, p, 64*(2*n+2), 64*n)
		if err != nil {
			c.close()
			return nil, err
		}
		c.powers, c.window = append(c.powers, f), append(c.window, make([]uint64, n+2))
	}
	c.product = make([]big.Int, levels)
	if c.inverse, err = a.factor(ctx, w, k+3+64*count, 64*count+2); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// close gives memory back.
func (c *fractions) close() {
	for _, f := range c.powers {
		f.close()
	}
	if c.inverse != nil {
		c.inverse.close()
	}
}

// convert returns the digits of x, c.digits of them.
func (c *fractions) convert(ctx context.Context, x []uint64) ([]uint64, error) {
	t := c.a.integer(64*len(x) + 1)
	t.SetBit(t.Lsh(new(big.Int).SetBits(fromWords(x)), 1), 0, 1) // (x + 1/2)/10^(19·digits)
	f, err := c.inverse.mul(ctx, t)
	c.a.free(t)
	if err != nil {
		return nil, err
	}
	words, z := c.a.borrow(c.digits+1), c.a.borrow(c.digits)
	clear(words[copy(words, of(f.Rsh(f, uint(c.shift+1)))):])
	c.a.free(f)
	defer c.a.lend(words)
	if err := c.split(ctx, z, words, len(c.powers)); err != nil {
		return nil, err
	}
	settle(z, x[0])
	return z, nil
}

// split sets z to the digits of f, which it overwrites.
func (c *fractions) split(ctx context.Context, z, f []uint64, level int) error {
	if level == 0 {
		leafOf(z, f)
		return stopped(ctx)
	}
	n := len(z) / 2
	window, err := c.times(ctx, f, level-1)
	if err != nil {
		return err
	}
	if err := c.split(ctx, z[n:], f[n:], level-1); err != nil {
		return err
	}
	settle(z[n:], window[n+1])
	return c.split(ctx, z[:n], window[:n+1], level-1)
}

// times returns f times the power of a level: n + 1 words of the fraction, and one of the integer.
//
// Modulo 2^(64·w) − 1, w ≥ 2n + 2, the 3n + 1 words of the product overlap below word n, which may carry there. So one
// is taken off, but where all is 0: f is below 2^(−64·n) then, which the carry does not reach, or the integer is not 0.
func (c *fractions) times(ctx context.Context, f []uint64, level int) ([]uint64, error) {
	p, z, window := c.powers[level], &c.product[level], c.window[level]
	var x big.Int
	x.SetBits(fromWords(f))
	n := len(f) / 2
	words, around := []uint64(nil), p.e != nil
	if around {
		w, err := p.residue(ctx, f)
		if err != nil {
			return nil, err
		}
		defer c.a.lend(w)
		words = w
	} else {
		if err := c.a.mul(ctx, z, &x, p.x); err != nil {
			return nil, err
		}
		words = of(z)
	}
	clear(window)
	copy(window, words[min(n, len(words)):])
	if around && (len(trim(window)) > 0 || len(trim(f[n+1:])) > 0) {
		for i := range window {
			if window[i]--; window[i] != ^uint64(0) {
				break
			}
		}
	}
	return window, nil
}

// settle adds 1 to z where its lowest digit says that it is one less than a number that ends with the bits of low.
func settle(z []uint64, low uint64) {
	switch (low - z[0]) & (1<<19 - 1) {
	case 0:
	case 1:
		ten.AddTo(z, []uint64{1})
	default:
		panic("intmul: digits are further off than their bound: a product is wrong")
	}
}

// leafOf sets z to the digits of f, one by one, and overwrites f.
func leafOf(z, f []uint64) {
	for i := range z {
		var carry uint64
		for j, w := range f {
			h, l := bits.Mul64(w, wordRadix)
			l, c := bits.Add64(l, carry, 0)
			f[j], carry = l, h+c
		}
		z[len(z)-1-i], f = carry, f[1:]
	}
}

// joins takes digits of radix 10^19 to words, by products of the higher halves with powers of five, and shifts.
type joins struct {
	a      *Arithmetic
	leaf   int
	powers []*Operand // of 5^(19·leaf·2^i)
}

// joins returns those of so many digits.
func (a *Arithmetic) joins(ctx context.Context, digits int) (*joins, error) {
	levels, leaf := a.least.halves(digits)
	c, ok := a.joiners.Get(func(c *joins) bool { return c.leaf == leaf && len(c.powers) == levels })
	if ok {
		return c, nil
	}
	c = &joins{a: a, leaf: leaf}
	powers, err := a.powersOf(ctx, wordRadix>>wordDigits, leaf, max(1, levels))
	if err != nil {
		return nil, err
	}
	for i, p := range powers[:levels] {
		o := &Operand{a: a}
		if err := o.prepare(ctx, of(p), leaf<<i); err != nil {
			return nil, err
		}
		c.powers = append(c.powers, o)
	}
	return c, nil
}

// close gives memory back.
func (c *joins) close() {
	for _, o := range c.powers {
		o.close()
		c.a.lend(o.x)
	}
}

// join sets z to the number with digits x, which it takes to have the level's number of digits or fewer: z has as many
// words as x, and room so many again and the level's number.
func (c *joins) join(ctx context.Context, z, x, room []uint64, level int) error {
	if level == 0 {
		joinLeaf(z, x)
		return stopped(ctx)
	}
	n := c.leaf << (level - 1)
	if len(x) <= n {
		return c.join(ctx, z, x, room, level-1)
	}
	low, high, rest := room[:n], room[n:len(x)], room[len(x):]
	if err := c.join(ctx, low, x[:n], rest, level-1); err != nil {
		return err
	}
	if err := c.join(ctx, high, x[n:], rest, level-1); err != nil {
		return err
	}
	p, high := c.powers[level-1], trim(high)
	product := z[:min(len(z), len(high)+len(p.x))]
	if err := p.times(ctx, product, high); err != nil {
		return err
	}
	clear(z[len(product):])
	shiftLeft(z, product, wordDigits*n)
	binary.addTo(z, low)
	return nil
}

// shiftLeft sets z to x·2^s, where x is the low part of z, and of z everything above it is 0. What is beyond z is 0.
func shiftLeft(z, x []uint64, s int) {
	words, left := s/64, uint(s%64)
	for i := min(len(z)-1, len(x)+words); i >= words; i-- {
		var high, low uint64
		if at := i - words; at < len(x) {
			high = x[at]
		}
		if at := i - words - 1; at >= 0 && at < len(x) {
			low = x[at]
		}
		z[i] = high<<left | low>>1>>(63-left)
	}
	clear(z[:min(len(z), words)])
}

// joinLeaf sets z to the number with digits x, two at a time: a step goes over half as many words then.
func joinLeaf(z, x []uint64) {
	high, low := bits.Mul64(wordRadix, wordRadix)
	n := len(x) % 2 // words so far
	copy(z[:n], x[len(x)-n:])
	for ; n < len(x); n += 2 {
		next := x[len(x)-n-2:][:2]
		c1, c0 := bits.Mul64(next[1], wordRadix)
		c0, carry := bits.Add64(c0, next[0], 0)
		c1 += carry
		for j, w := range z[:n] { // what is carried, c0 + 2^64·c1, stays below the square of the radix
			h0, l0 := bits.Mul64(w, low)
			h1, l1 := bits.Mul64(w, high)
			z[j], carry = bits.Add64(l0, c0, 0)
			h0, carry = bits.Add64(h0, c1, carry)
			h1 += carry
			c0, carry = bits.Add64(h0, l1, 0)
			c1 = h1 + carry
		}
		z[n], z[n+1] = c0, c1
	}
}
