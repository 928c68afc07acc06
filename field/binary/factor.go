package binary

// polynomial is one over the field, coefficient i in words i·w to (i + 1)·w, without a leading 0.
type polynomial []uint64

// rootOf returns a root of the modulus of another field of the same degree m. For a basis element c, the trace of cX is
// 0 at half of the roots or at all: its greatest common divisor with what is left of the modulus has fewer roots for
// one c or another. E. Berlekamp, "Factoring polynomials over large finite fields", Math. Comp. 24 (1970), section 7.
func (c *core) rootOf(from *core) []uint64 {
	h := make(polynomial, (c.m+1)*c.w)
	for i := range c.m {
		h[i*c.w] = from.of2.tail[i/64] >> (i % 64) & 1
	}
	h[c.m*c.w] = 1
	powers := make([][]uint64, c.m) // x^(2^i) in the other field
	x := make([]uint64, c.w)
	copy(x, from.generator())
	for i := range powers {
		powers[i] = append([]uint64(nil), x...)
		from.square(x, x)
	}
	for i := 0; len(h) > 2*c.w; i++ {
		t := c.traceOfMultiples(c.unit(i), powers)
		d := c.common(h, t)
		if len(d) <= c.w || len(d) == len(h) { // no root or all
			continue
		}
		if rest := len(h) - len(d) + c.w; rest < len(d) {
			t[0] ^= 1 // where the trace is 1
			d = c.common(h, t)
		}
		h = d
	}
	root := make([]uint64, c.w) // h is x + root but for a factor
	c.invert(root, h[c.w:])
	c.mul(root, root, h[:c.w])
	return root
}

// traceOfMultiples is the trace of uX, the sum of (uX)^(2^i), where X^(2^i) is given modulo the modulus.
func (c *core) traceOfMultiples(u []uint64, powers [][]uint64) polynomial {
	t := make(polynomial, c.m*c.w)
	for _, p := range powers {
		for j := range c.m {
			if p[j/64]>>(j%64)&1 == 1 {
				xor(t[j*c.w:][:c.w], u)
			}
		}
		c.square(u, u)
	}
	return c.trim(t)
}

func (c *core) trim(p polynomial) polynomial {
	for len(p) > 0 && isZero(p[len(p)-c.w:]) {
		p = p[:len(p)-c.w]
	}
	return p
}

// common returns the greatest common divisor, of which no leading coefficient is asked for.
func (c *core) common(x, y polynomial) polynomial {
	x, y = append(polynomial(nil), x...), append(polynomial(nil), y...)
	q, t := make([]uint64, c.w), make([]uint64, c.w)
	for len(y) > 0 {
		over := make([]uint64, c.w)
		c.invert(over, y[len(y)-c.w:])
		for len(x) >= len(y) {
			c.mul(q, x[len(x)-c.w:], over)
			for i := 0; i < len(y); i += c.w {
				c.mul(t, y[i:][:c.w], q)
				xor(x[len(x)-len(y)+i:][:c.w], t)
			}
			x = c.trim(x)
		}
		x, y = y, x
	}
	return x
}
