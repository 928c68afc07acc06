package midint

import (
	"math/big"
	"math/bits"
)

// room is the scratch of a worker.
type room struct {
	x, y, z []big.Word
	t, u    []uint32
	a, b, c big.Int // over x, y and z
	form    *form   // of the last products
	tiles   residues
	residue residue
}

// perWord is the words of 32 bits in one of the machine.
const perWord = bits.UintSize / wordBits

// machineWords is how many of the machine hold m of 32 bits.
func machineWords(m int) int { return (m + perWord - 1) / perWord }

// widen sets z to the words of x, and what is above them to 0.
func widen(z []big.Word, x []uint32) {
	for i := range z {
		var w uint64
		switch k := i * perWord; {
		case k+perWord <= len(x):
			w = uint64(x[k])
			if perWord == 2 {
				w = pair(x[k], x[k+perWord-1])
			}
		case k < len(x):
			w = uint64(x[k])
		}
		z[i] = big.Word(w)
	}
}

// narrow sets z to the low words of x, and what is above them to 0.
func narrow(z []uint32, x []big.Word) {
	n := min(len(z)/perWord, len(x))
	for i, w := range x[:n] {
		z[i*perWord] = uint32(w)
		if perWord == 2 {
			z[i*perWord+perWord-1] = uint32(uint64(w) >> 32)
		}
	}
	rest := z[n*perWord:]
	if len(rest) > 0 && n < len(x) { // one half of a word
		rest[0] = uint32(x[n])
		rest = rest[1:]
	}
	clear(rest)
}

// resize makes x n words long, with any content.
func resize[W any](x []W, n int) []W {
	if cap(x) < n {
		return make([]W, n)
	}
	return x[:n]
}

// sixWords is the words of integers that go through six sums together: they stay in the nearest cache.
const sixWords = 1 << 10

// sixAdds sets integers of m words, one behind the other, to 6x + 10y by six sums. z may be x or y.
func (r *room) sixAdds(z, x, y []uint32, m int) {
	some := max(1, sixWords/m) * m
	r.t, r.u = resize(r.t, some), resize(r.u, some)
	for len(z) > 0 {
		n := min(some, len(z))
		t, u := r.t[:n], r.u[:n]
		adds(t, x[:n], y[:n], m)
		adds(t, t, t, m)
		adds(t, t, y[:n], m)
		adds(u, t, t, m)
		adds(t, u, t, m)
		adds(z[:n], t, y[:n], m)
		z, x, y = z[n:], x[n:], y[n:]
	}
}

// products sets integers from, …, to − 1 of z to those of x·y: by tiles, and where there are no kernels for them or too
// few integers are left, one by one.
func (r *room) products(z, x, y *Batch, from, to int) {
	set := productSet(x.each())
	if r.form == nil || r.form.words != x.each() || r.form.set != nil && r.form.set != set {
		r.form = newForm(set, x.each(), 0)
	}
	for f := r.form; f.set != nil && to-from >= f.set.LeastCount; from += lanes {
		end := min(from+lanes, to)
		f.mul(z.span(from, end), x.span(from, end), y.span(from, end), &x.words[0] == &y.words[0])
	}
	for ; from < to; from++ {
		r.mul(z.of(from), x.of(from), y.of(from))
	}
}

// mul sets z to x·y, or to its low words, where z is as short as x. z may be x or y.
func (r *room) mul(z, x, y []uint32) {
	k := machineWords(len(x))
	same := &x[0] == &y[0]
	r.x = resize(r.x, k)
	widen(r.x, x)
	v := r.x
	if !same {
		r.y = resize(r.y, k)
		widen(r.y, y)
		v = r.y
	}
	r.z = resize(r.z, 2*k)
	switch {
	case len(z) == len(x) && k <= mostLow:
		mulLow(r.z[:k], r.x, v)
		narrow(z, r.z[:k])
	case k <= mostWide:
		mulWide(r.z, r.x, v)
		narrow(z, r.z)
	default:
		r.a.SetBits(r.x)
		b := &r.a
		if !same {
			b = r.b.SetBits(r.y)
		}
		r.c.SetBits(r.z[:0]).Mul(&r.a, b)
		r.z = r.c.Bits() // which may have grown
		narrow(z, r.z)
	}
}

// Up to so many words of the machine products are taken here, and those of more words by math/big.
const (
	mostLow  = 24
	mostWide = 8
)

// mulLow sets z to the low words of x·y, all of one length.
func mulLow(z, x, y []big.Word) {
	clear(z)
	for i, w := range x {
		addProduct(z[i:], y[:len(z)-i], w)
	}
}

// mulWide sets z to x·y, of two words for each of x.
func mulWide(z, x, y []big.Word) {
	clear(z)
	for i, w := range x {
		z[i+len(y)] = addProduct(z[i:i+len(y)], y, w)
	}
}

// addProduct adds y·w to z, and returns the carry. The carry is below 2^b, for words of b bits: (2^b − 1)² and twice
// 2^b − 1 are 2^2b − 1.
func addProduct(z, y []big.Word, w big.Word) big.Word {
	var c uint
	for i := range z {
		high, low := bits.Mul(uint(w), uint(y[i]))
		low, carry := bits.Add(low, uint(z[i]), 0)
		high += carry
		low, carry = bits.Add(low, c, 0)
		z[i], c = big.Word(low), high+carry
	}
	return big.Word(c)
}
