package main

// least is the length up to which products of polynomials are by all products of coefficients.
const least = 8

// times sets c, of 2n − 1 values, to the product of the polynomials a and b of n, or adds it where add is set: by
// Karatsuba's method, the upper halves first where early is not set. The order is what leaves few values alive at once.
func (p *program) times(a, b, c []value, add, early bool) {
	n := len(a)
	if n <= least {
		for i := range a {
			for j := range b {
				if !add && (i == 0 || j == n-1) {
					c[i+j] = p.and(a[i], b[j])
				} else {
					c[i+j] = p.andXor(c[i+j], a[i], b[j])
				}
			}
		}
		return
	}
	h := n / 2
	s, t := make([]value, h), make([]value, h)
	sums := func() {
		for i := range s {
			s[i], t[i] = p.xor(a[i], a[h+i]), p.xor(b[i], b[h+i])
		}
	}
	low, high := make([]value, n-1), make([]value, n-1)
	p.times(a[:h], b[:h], low, false, false)
	if early {
		sums()
	}
	p.times(a[h:], b[h:], high, false, early)
	if !early {
		sums()
	}
	// The lower product goes to c and c + h, the upper one to c + h and c + n, and that of the sums to c + h.
	for i := range h {
		last := i == h-1
		switch {
		case !add && !last:
			c[i], c[n+h+i] = low[i], high[h+i]
			c[h+i], c[n+i] = p.xor3(low[h+i], low[i], high[i]), p.xor3(high[i], high[h+i], low[h+i])
		case !add:
			c[i], c[h+i], c[n+i] = low[i], p.xor(low[i], high[i]), high[i]
		case !last:
			both := p.xor(low[h+i], high[i])
			c[i], c[n+h+i] = p.xor(c[i], low[i]), p.xor(c[n+h+i], high[h+i])
			c[h+i], c[n+i] = p.xor3(c[h+i], both, low[i]), p.xor3(c[n+i], both, high[h+i])
		default:
			c[i], c[h+i], c[n+i] = p.xor(c[i], low[i]), p.xor3(c[h+i], low[i], high[i]), p.xor(c[n+i], high[i])
		}
	}
	p.times(s, t, c[h:h+n-1], true, true)
}

// product32 is modulo x^32 + x^7 + x^3 + x^2 + 1.
func product32() *program {
	p := newProgram("sliced_product32", 32, 1)
	c := make([]value, 63)
	p.times(p.x, p.y, c, false, true)
	h := c[32:] // of degree 30; what goes beyond degree 31 comes round twice
	h[0] = p.xor(p.xor3(h[0], h[25], h[29]), h[30])
	h[1] = p.xor3(h[1], h[26], h[30])
	for i := 2; i < 6; i++ {
		h[i] = p.xor(h[i], h[25+i])
	}
	p.result = make([]value, 32)
	for i := 31; i >= 0; i-- {
		x := c[i]
		switch {
		case i >= 3:
			x = p.xor3(x, h[i-2], h[i-3])
		case i == 2:
			x = p.xor(x, h[0])
		}
		switch {
		case i == 31:
			x = p.xor(x, h[24])
		case i >= 7:
			x = p.xor3(x, h[i], h[i-7])
		default:
			x = p.xor(x, h[i])
		}
		p.result[i] = x
	}
	return p
}

// product64 is modulo x^64 + x^4 + x^3 + x + 1, by two lanes: each multiplies the halves that it has, and one half of
// the product of the sums.
func product64() *program {
	p := newProgram("sliced_product64", 64, 2)
	const n, h = 32, 16
	a, b := p.x, p.y
	s, t := make([]value, h), make([]value, n)
	for i := range s {
		s[i] = p.xor(p.either(a[h+i], a[i]), p.other(p.either(a[i], a[h+i])))
	}
	for i := range t {
		t[i] = p.xor(b[i], p.other(b[i]))
	}
	m, g, c := make([]value, n+h-1), make([]value, n-1), make([]value, 2*n-1)
	p.times(s, t[:h], m[:n-1], false, false)
	p.times(s, t[h:], g, false, true)
	for i := range g {
		if i < h-1 {
			m[h+i] = p.xor(m[h+i], g[i])
		} else {
			m[h+i] = g[i]
		}
	}
	p.times(a, b, c, false, true)
	// The first lane makes words 64 to 95 of the whole product, the second 32 to 63.
	k, d := make([]value, n), make([]value, n)
	for i := range n {
		if i == n-1 {
			d[i], k[i] = p.xor(c[i], p.inFirst(m[i])), p.inSecond(c[i])
		} else {
			d[i] = p.xor3(c[i], c[n+i], p.either(m[h+i], m[i]))
			k[i] = p.either(c[i], c[n+i])
		}
		if i < h-1 {
			k[i] = p.do(xorNot, k[i], p.upper, m[n+i])
		} else if i >= h {
			k[i] = p.andXor(k[i], p.upper, m[i-h])
		}
	}
	for i := range k {
		k[i] = p.xor(k[i], p.other(d[i]))
	}
	var e [4]value // the first lane gets words 124 to 126, the second 92 to 95
	for i := range e {
		if i < 3 {
			e[i] = p.other(p.either(c[60+i], k[28+i]))
		} else {
			e[i] = p.other(p.inFirst(k[31]))
		}
	}
	q := make([]value, 4+n) // this lane's words of the upper half, behind the four below
	for i := range e {
		q[i] = p.inSecond(e[i])
	}
	for i := range n {
		if i < n-1 {
			q[4+i] = p.either(c[n+i], k[i])
		} else {
			q[4+i] = p.inFirst(k[i])
		}
	}
	for i, twice := range []value{p.xor(e[0], e[1]), p.xor(e[1], e[2]), e[2]} {
		q[4+i] = p.do(xorNot, q[4+i], p.upper, twice)
	}
	y := make([]value, 3+n)
	for i := range y {
		y[i] = p.xor(q[1+i], q[i])
	}
	p.result = make([]value, n)
	for i := range n {
		p.result[i] = p.xor3(p.either(k[i], c[i]), y[3+i], y[i])
	}
	return p
}
