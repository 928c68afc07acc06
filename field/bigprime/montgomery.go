package bigprime

import "math/bits"

// mont sets z = xy/R; z may be x or y. It is P. Montgomery's product ("Modular multiplication without trial division",
// Math. Comp. 44 (1985)), a word of y at a time: x·y_i and a multiple of p that clears the lowest word are added in one
// loop. What is added up stays below 2p between words.
func (f *modulus) mont(z, x, y []uint64) {
	switch {
	case f.w == 2:
		mont2((*[2]uint64)(z), (*[2]uint64)(x), (*[2]uint64)(y), (*[2]uint64)(f.p), f.inv)
	case f.w == 4:
		mont4((*[4]uint64)(z), (*[4]uint64)(x), (*[4]uint64)(y), (*[4]uint64)(f.p), f.inv)
	case f.w == 6:
		mont6((*[6]uint64)(z), (*[6]uint64)(x), (*[6]uint64)(y), (*[6]uint64)(f.p), f.inv)
	case f.w <= 10: // to clear more words takes a noticeable part of the time
		var t [10]uint64
		f.montLoop(z, x, y, t[:f.w])
	default:
		var t [most]uint64
		f.montLoop(z, x, y, t[:f.w])
	}
}

// montLoop is mont with room t for w words, which are 0.
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
	var t0, t1, top uint64
	for _, d := range y {
		c, l := mulAdd(x[0], d, t0, 0)
		m := l * inv
		e, _ := mulAdd(m, p[0], l, 0)
		c, l = mulAdd(x[1], d, t1, c)
		e, t0 = mulAdd(m, p[1], l, e)
		t1, top = sum3(c, e, top)
	}
	s0, b := bits.Sub64(t0, p[0], 0)
	s1, b := bits.Sub64(t1, p[1], b)
	mask := b&^top - 1 // all ones for the difference
	z[0] = t0 ^ (t0^s0)&mask
	z[1] = t1 ^ (t1^s1)&mask
}

// sum3 returns a + b + c, of which the high word is 0 or 1.
func sum3(a, b, c uint64) (l, h uint64) {
	l, h = bits.Add64(a, b, 0)
	l, o := bits.Add64(l, c, 0)
	return l, h + o
}

// mont4 is mont for four words.
func mont4(z, x, y, p *[4]uint64, inv uint64) {
	var t0, t1, t2, t3, top uint64
	for _, d := range y {
		c, l := mulAdd(x[0], d, t0, 0)
		m := l * inv
		e, _ := mulAdd(m, p[0], l, 0)
		c, l = mulAdd(x[1], d, t1, c)
		e, t0 = mulAdd(m, p[1], l, e)
		c, l = mulAdd(x[2], d, t2, c)
		e, t1 = mulAdd(m, p[2], l, e)
		c, l = mulAdd(x[3], d, t3, c)
		e, t2 = mulAdd(m, p[3], l, e)
		t3, top = sum3(c, e, top)
	}
	s0, b := bits.Sub64(t0, p[0], 0)
	s1, b := bits.Sub64(t1, p[1], b)
	s2, b := bits.Sub64(t2, p[2], b)
	s3, b := bits.Sub64(t3, p[3], b)
	mask := b&^top - 1
	z[0] = t0 ^ (t0^s0)&mask
	z[1] = t1 ^ (t1^s1)&mask
	z[2] = t2 ^ (t2^s2)&mask
	z[3] = t3 ^ (t3^s3)&mask
}

// mont6 is mont for six words.
func mont6(z, x, y, p *[6]uint64, inv uint64) {
	var t0, t1, t2, t3, t4, t5, top uint64
	for _, d := range y {
		c, l := mulAdd(x[0], d, t0, 0)
		m := l * inv
		e, _ := mulAdd(m, p[0], l, 0)
		c, l = mulAdd(x[1], d, t1, c)
		e, t0 = mulAdd(m, p[1], l, e)
		c, l = mulAdd(x[2], d, t2, c)
		e, t1 = mulAdd(m, p[2], l, e)
		c, l = mulAdd(x[3], d, t3, c)
		e, t2 = mulAdd(m, p[3], l, e)
		c, l = mulAdd(x[4], d, t4, c)
		e, t3 = mulAdd(m, p[4], l, e)
		c, l = mulAdd(x[5], d, t5, c)
		e, t4 = mulAdd(m, p[5], l, e)
		t5, top = sum3(c, e, top)
	}
	s0, b := bits.Sub64(t0, p[0], 0)
	s1, b := bits.Sub64(t1, p[1], b)
	s2, b := bits.Sub64(t2, p[2], b)
	s3, b := bits.Sub64(t3, p[3], b)
	s4, b := bits.Sub64(t4, p[4], b)
	s5, b := bits.Sub64(t5, p[5], b)
	mask := b&^top - 1
	z[0] = t0 ^ (t0^s0)&mask
	z[1] = t1 ^ (t1^s1)&mask
	z[2] = t2 ^ (t2^s2)&mask
	z[3] = t3 ^ (t3^s3)&mask
	z[4] = t4 ^ (t4^s4)&mask
	z[5] = t5 ^ (t5^s5)&mask
}
