package main

import "fmt"

// sum adds values, three at a time.
func (p *program) sum(list ...value) value {
	for len(list) > 2 {
		list = append(list[3:], p.xor3(list[0], list[1], list[2]))
	}
	if len(list) == 2 {
		return p.xor(list[0], list[1])
	}
	return list[0]
}

// terms are the bits of x times the generator of its field, each as a list to be added up: (a + bX)X is b + (a + Yb)X.
func terms(x []value) [][]value {
	if len(x) == 1 {
		return [][]value{x}
	}
	h := len(x) / 2
	var list [][]value
	for i := range h {
		list = append(list, []value{x[h+i]})
	}
	for i, t := range terms(x[h:]) {
		list = append(list, append([]value{x[i]}, t...))
	}
	return list
}

// inTower is the product of two elements of the tower of len(x) bits, a power of two: (a + bX)(c + dX) is
// ac + bd + ((a + b)(c + d) + ac + bd + Ybd)X.
func (p *program) inTower(x, y []value) []value {
	h := len(x) / 2
	a, b, c, d := x[:h], x[h:], y[:h], y[h:]
	switch h {
	case 0:
		return []value{p.and(x[0], y[0])}
	case 1:
		return []value{p.andXor(p.and(a[0], c[0]), b[0], d[0]), p.andXor(p.do(andSum, b[0], c[0], d[0]), a[0], d[0])}
	}
	s, t := make([]value, h), make([]value, h)
	for i := range s {
		s[i], t[i] = p.xor(a[i], b[i]), p.xor(c[i], d[i])
	}
	low, high := p.inTower(a, c), p.inTower(b, d)
	z := make([]value, h)
	for i := range z {
		z[i] = p.xor(low[i], high[i])
	}
	middle := p.inTower(s, t)
	for i, more := range terms(high) {
		z = append(z, p.sum(append([]value{middle[i], z[i]}, more...)...))
	}
	return z
}

// productOfTower is that of the tower of so many bits, by one lane.
func productOfTower(n int) *program {
	p := newProgram(fmt.Sprint("sliced_tower", n), n, 1)
	p.tower = true
	p.result = p.inTower(p.x, p.y)
	return p
}

// productOfTower64 is that of 64 bits by two lanes, which have a and c, and b and d. Each multiplies these, has one of
// the halves' products for (a + b)(c + d), and makes the third of them.
func productOfTower64() *program {
	p := newProgram("sliced_tower64", 64, 2)
	p.tower = true
	const n, h = 32, 16
	own := p.inTower(p.x, p.y)
	halves := func(v []value) (half, both []value) {
		for i := range h {
			half = append(half, p.xor(p.either(v[h+i], v[i]), p.other(p.either(v[i], v[h+i]))))
			sum := p.xor(v[i], v[h+i])
			both = append(both, p.xor(sum, p.other(sum)))
		}
		return half, both
	}
	s, r := halves(p.x)
	t, u := halves(p.y)
	part, third := p.inTower(s, t), p.inTower(r, u)
	// What follows is right in the second lane, whose products are bd and that of the upper halves of the sums.
	var middle [][]value
	for i := range h {
		middle = append(middle, []value{p.xor(part[i], p.other(part[i]))})
	}
	for i, more := range terms(part) {
		middle = append(middle, append([]value{middle[i][0], third[i]}, more...))
	}
	for i, more := range terms(own) {
		low := p.xor(own[i], p.other(own[i])) // ac + bd
		p.result = append(p.result, p.andXor(low, p.upper, p.sum(append(middle[i], more...)...)))
	}
	return p
}
