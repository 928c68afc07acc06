package intmul

import "math/big"

// borrow returns n words with anything in them, which lend and free give back for others: words that come from the
// collector take as long to get as products of a step take to compute, and make it run while rooms are idle.
func (a *Arithmetic) borrow(n int) []uint64 {
	for _, more := range [...]int{n / 8, n} { // the longest ones go to those who need them
		if w, ok := a.scratch.Get(func(w []uint64) bool { return cap(w) >= n && cap(w)-n <= more }); ok {
			return w[:n]
		}
	}
	return uncleared(n)
}

// lend takes words that nobody else has.
func (a *Arithmetic) lend(w []uint64) {
	if cap(w) >= leastScratch {
		a.scratch.Put(w[:0])
	}
}

// leastScratch is the words from which on the collector is not asked.
const leastScratch = 1 << 10

// integer returns 0 with borrowed words, for a result of so many bits.
func (a *Arithmetic) integer(bits int) *big.Int {
	const more = 8 // of which math/big takes some
	if perWord > 1 {
		return new(big.Int)
	}
	return new(big.Int).SetBits(fromWords(a.borrow(bits/64 + more))[:0])
}

// free takes the words of an integer that nobody else has.
func (a *Arithmetic) free(x *big.Int) {
	if b := x.Bits(); perWord == 1 {
		a.lend(toWords(b[:cap(b)]))
	}
}

// own sets z to borrowed words and a sign, so that free gives all of them back.
func own(z *big.Int, words []uint64, negative bool) {
	b := fromWords(words[:cap(words)])
	if z.SetBits(b[:len(b)/cap(words)*len(words)]); negative {
		z.Neg(z)
	}
}

// result sets z to words that nobody else has, and a sign: in the memory of z where it has room and where none of the
// others shares it, so that results that come again take no more memory.
func (a *Arithmetic) result(z *big.Int, words []uint64, negative bool, others ...*big.Int) {
	words = trim(words)
	if cap(z.Bits()) < perWord*len(words) || perWord > 1 || shares(z, others) {
		set(z, words, negative)
		return
	}
	w := toWords(z.Bits()[:len(words)])
	copy(w, words)
	a.lend(words)
	set(z, w, negative)
}

// shares reports whether the memory of z is that of another integer, too.
func shares(z *big.Int, others []*big.Int) bool {
	b := z.Bits()
	for _, x := range others {
		if c := x.Bits(); x != z && cap(b) > 0 && cap(c) > 0 && &b[:cap(b)][cap(b)-1] == &c[:cap(c)][cap(c)-1] {
			return true
		}
	}
	return false
}
