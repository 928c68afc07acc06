package bigprime

import (
	"math/bits"
)

// mont sets z = xy/R; z may be x or y. It is P. Montgomery's product ("Modular multiplication without trial division",
// Math. Comp. 44 (1985)), a word of y at a time: x·y_i is added up, and a multiple of p that clears the lowest word.
// What is left stays below 2p between words.
func (f *modulus) mont(z, x, y []uint64) {
	switch {
	case f.kernels != nil:
		f.kernels.Product(z, x, y)
	case f.w == 2:
		mont2((*[2]uint64)(z), (*[2]uint64)(x), (*[2]uint64)(y), (*[2]uint64)(f.p), f.inv)
	case f.w == 4:
		mont4((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y), (*[4]uint64)(f.p), f.inv)
	case f.w == 6:
		mont6((*[6]uint64)(z), (*[6]uint64)(x), (*[6]uint64)(y), (*[6]uint64)(f.p), f.inv)
	case f.w <= 12: // to clear more words takes a noticeable part of the time
		var t [12]uint64
		f.montLoop(z, x, y, t[:f.w])
	default:
		var t [most]uint64
		f.montLoop(z, x, y, t[:f.w])
	}
}

// montLoop is mont with room t for w words, which are 0. Both products of a word go in one loop.
func (f *modulus) montLoop(z, x, y, t []uint64) {
	p := f.p[:len(t)]
	x, y, z = x[:len(t)], y[:len(t)], z[:len(t)]
	var top uint64
	for _, d := range y {
		c, l := mulAdd(x[0], d, t[0], 0)
		m := l * f.inv
		e, _ := mulAdd(m, p[0], l, 0)
		for j := 1; j < len(t); j++ {
			c, l = mulAdd(x[j], d, t[j], c)
			e, t[j-1] = mulAdd(m, p[j], l, e)
		}
		var over uint64
		c, over = bits.Add64(c, top, 0)
		t[len(t)-1], c = bits.Add64(c, e, 0)
		top = over + c
	}
	var b uint64
	for i, d := range p {
		_, b = bits.Sub64(t[i], d, b)
	}
	mask := -(top | (1 - b))
	b = 0
	for i, d := range p {
		z[i], b = bits.Sub64(t[i], d&mask, b)
	}
}

// mulAdd returns xy + a + b.
func mulAdd(x, y, a, b uint64) (h, l uint64) {
	h, l = bits.Mul64(x, y)
	l, c := bits.Add64(l, a, 0)
	h += c
	l, c = bits.Add64(l, b, 0)
	return h + c, l
}

// mont2 is mont for two words.
func mont2(z, x, y, p *[2]uint64, inv uint64) {
	var t0, t1, top, over, c uint64
	for _, d := range y {
		h0, l0 := bits.Mul64(x[0], d)
		h1, l1 := bits.Mul64(x[1], d)
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		top += c
		t1, c = bits.Add64(t1, h0, 0)
		top, over = bits.Add64(top, h1, c)
		m := t0 * inv
		h0, l0 = bits.Mul64(p[0], m)
		h1, l1 = bits.Mul64(p[1], m)
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(top, 0, c)
		top = over + c
		t0, c = bits.Add64(t0, h0, 0)
		t1, c = bits.Add64(t1, h1, c)
		top += c
	}
	s0, c := bits.Sub64(t0, p[0], 0)
	s1, c := bits.Sub64(t1, p[1], c)
	mask := c&^top - 1 // all ones for the difference
	z[0] = t0 ^ (t0^s0)&mask
	z[1] = t1 ^ (t1^s1)&mask
}

// mont4 is mont for four words.
func mont4(z, x, y, p *[4]uint64, inv uint64) {
	var t0, t1, t2, t3, top, over, c uint64
	for _, d := range y {
		h0, l0 := bits.Mul64(x[0], d)
		h1, l1 := bits.Mul64(x[1], d)
		h2, l2 := bits.Mul64(x[2], d)
		h3, l3 := bits.Mul64(x[3], d)
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		t2, c = bits.Add64(t2, l2, c)
		t3, c = bits.Add64(t3, l3, c)
		top += c
		t1, c = bits.Add64(t1, h0, 0)
		t2, c = bits.Add64(t2, h1, c)
		t3, c = bits.Add64(t3, h2, c)
		top, over = bits.Add64(top, h3, c)
		m := t0 * inv
		h0, l0 = bits.Mul64(p[0], m)
		h1, l1 = bits.Mul64(p[1], m)
		h2, l2 = bits.Mul64(p[2], m)
		h3, l3 = bits.Mul64(p[3], m)
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(t2, l2, c)
		t2, c = bits.Add64(t3, l3, c)
		t3, c = bits.Add64(top, 0, c)
		top = over + c
		t0, c = bits.Add64(t0, h0, 0)
		t1, c = bits.Add64(t1, h1, c)
		t2, c = bits.Add64(t2, h2, c)
		t3, c = bits.Add64(t3, h3, c)
		top += c
	}
	s0, c := bits.Sub64(t0, p[0], 0)
	s1, c := bits.Sub64(t1, p[1], c)
	s2, c := bits.Sub64(t2, p[2], c)
	s3, c := bits.Sub64(t3, p[3], c)
	mask := c&^top - 1 // all ones for the difference
	z[0] = t0 ^ (t0^s0)&mask
	z[1] = t1 ^ (t1^s1)&mask
	z[2] = t2 ^ (t2^s2)&mask
	z[3] = t3 ^ (t3^s3)&mask
}

// mont6 is mont for six words.
func mont6(z, x, y, p *[6]uint64, inv uint64) {
	var t0, t1, t2, t3, t4, t5, top, over, c uint64
	for _, d := range y {
		h0, l0 := bits.Mul64(x[0], d)
		h1, l1 := bits.Mul64(x[1], d)
		h2, l2 := bits.Mul64(x[2], d)
		h3, l3 := bits.Mul64(x[3], d)
		h4, l4 := bits.Mul64(x[4], d)
		h5, l5 := bits.Mul64(x[5], d)
		t0, c = bits.Add64(t0, l0, 0)
		t1, c = bits.Add64(t1, l1, c)
		t2, c = bits.Add64(t2, l2, c)
		t3, c = bits.Add64(t3, l3, c)
		t4, c = bits.Add64(t4, l4, c)
		t5, c = bits.Add64(t5, l5, c)
		top += c
		t1, c = bits.Add64(t1, h0, 0)
		t2, c = bits.Add64(t2, h1, c)
		t3, c = bits.Add64(t3, h2, c)
		t4, c = bits.Add64(t4, h3, c)
		t5, c = bits.Add64(t5, h4, c)
		top, over = bits.Add64(top, h5, c)
		m := t0 * inv
		h0, l0 = bits.Mul64(p[0], m)
		h1, l1 = bits.Mul64(p[1], m)
		h2, l2 = bits.Mul64(p[2], m)
		h3, l3 = bits.Mul64(p[3], m)
		h4, l4 = bits.Mul64(p[4], m)
		h5, l5 = bits.Mul64(p[5], m)
		_, c = bits.Add64(t0, l0, 0)
		t0, c = bits.Add64(t1, l1, c)
		t1, c = bits.Add64(t2, l2, c)
		t2, c = bits.Add64(t3, l3, c)
		t3, c = bits.Add64(t4, l4, c)
		t4, c = bits.Add64(t5, l5, c)
		t5, c = bits.Add64(top, 0, c)
		top = over + c
		t0, c = bits.Add64(t0, h0, 0)
		t1, c = bits.Add64(t1, h1, c)
		t2, c = bits.Add64(t2, h2, c)
		t3, c = bits.Add64(t3, h3, c)
		t4, c = bits.Add64(t4, h4, c)
		t5, c = bits.Add64(t5, h5, c)
		top += c
	}
	s0, c := bits.Sub64(t0, p[0], 0)
	s1, c := bits.Sub64(t1, p[1], c)
	s2, c := bits.Sub64(t2, p[2], c)
	s3, c := bits.Sub64(t3, p[3], c)
	s4, c := bits.Sub64(t4, p[4], c)
	s5, c := bits.Sub64(t5, p[5], c)
	mask := c&^top - 1 // all ones for the difference
	z[0] = t0 ^ (t0^s0)&mask
	z[1] = t1 ^ (t1^s1)&mask
	z[2] = t2 ^ (t2^s2)&mask
	z[3] = t3 ^ (t3^s3)&mask
	z[4] = t4 ^ (t4^s4)&mask
	z[5] = t5 ^ (t5^s5)&mask
}
