package main

import "github.com/mmcloughlin/avo/operand"

// fewProducts is DFT_n of lengths whose sums of products share most of them: DFT_3 takes 1, DFT_5 5, DFT_9 10 and
// DFT_15, as five of DFT_3 and three of DFT_5 without factors between them, 20, where the definition has 2, 8, 32 and
// 98. A value is a row in registers, below a modulus, which is p or 2p; an open one is wide.
type fewProducts struct {
	*oddSums
	by       arithmetic
	w        gp
	m        vec // the modulus
	one      vec
	half     vec // (p + 1)/2
	strict   bool
	narrower bool // products are below 2p, and values below p
}

// fewest lists the h of lengths that an arithmetic does by few products, n = 2h + 1: goldilocks has no roots of order 9.
func fewest(a arithmetic) []int {
	if _, ok := a.(*goldilocks); ok {
		return []int{1, 2, 7}
	}
	return []int{1, 2, 4, 7}
}

// few returns fewProducts of a; nil: there is none.
func (o *oddSums) few(a arithmetic) *fewProducts {
	f := &fewProducts{oddSums: o, by: a}
	if !o.avx512 {
		return nil // too few registers
	}
	switch a := a.(type) {
	case *ifma50:
		f.m = a.p2
	case *shoup62:
		f.m = a.p2
	case *shoup30:
		f.m = a.p2
	case *shoup63:
		f.m, f.narrower = a.p, true
	case *shoup31:
		f.m, f.narrower = a.p, true
	case *mont64:
		f.m, f.strict = a.p, true
	case *mont32:
		f.m, f.strict = a.p, true
	case *goldilocks:
		f.m, f.strict = a.p, true
	default:
		return nil
	}
	return f
}

// constants are made of p, the first that m has.
func (f *fewProducts) constants(m gp) {
	p := f.broadcast(f.at(m, 0))
	f.half = f.shiftedRight(p)
	if f.one = f.constant(1); f.word == 4 {
		f.one = f.constant(1<<32 + 1)
	}
	f.set(f.half, f.add(f.half, f.one))
}

func (f *fewProducts) shiftedRight(x vec) vec {
	return f.op2(f.pick(f.ctx3(f.VPSRLD), f.ctx3(f.VPSRLQ)), operand.Imm(1), x)
}

func (f *fewProducts) sum(x, y vec) vec {
	if f.strict {
		return strictSum(f.machine, x, y, f.m)
	}
	return leastSum(f.machine, x, y, f.m)
}

func (f *fewProducts) difference(x, y vec) vec {
	if f.strict {
		return strictDifference(f.machine, x, y, f.m)
	}
	return leastDifference(f.machine, x, y, f.m)
}

func (f *fewProducts) openSum(x, y vec) vec {
	switch a := f.by.(type) {
	case *goldilocks:
		return a.wideSum(x, y)
	case *mont64, *mont32:
		return f.sum(x, y)
	}
	return f.add(x, y)
}

func (f *fewProducts) openDifference(x, y vec) vec {
	switch a := f.by.(type) {
	case *goldilocks:
		return a.wideDifference(x, y)
	case *mont64, *mont32:
		return f.difference(x, y)
	}
	return f.sub(f.add(x, f.m), y)
}

// ends are the value pairs x + y and x − y, or open ones.
func (f *fewProducts) ends(x, y vec, open bool) (s, d vec) {
	if open {
		return f.openSum(x, y), f.openDifference(x, y)
	}
	return f.sum(x, y), f.difference(x, y)
}

// halved is x/2: x, or x + p, shifted.
func (f *fewProducts) halved(x vec) vec {
	k := f.K()
	f.pick(f.VPTESTMD, f.VPTESTMQ)(f.one, x, k)
	return f.addWhere(k, f.shiftedRight(x), f.half)
}

// enter makes a value of a wide word.
func (f *fewProducts) enter(x vec) vec {
	if f.narrower {
		return f.by.canon(x)
	}
	return f.by.narrow(x)
}

// times is the product of an open value and the multiplier at place i.
func (f *fewProducts) times(x vec, i int) vec {
	at := i * f.word
	t := f.pairAt(f.by, operand.Mem{Base: f.w, Disp: at}, operand.Mem{Base: f.q, Disp: at}, 1)
	x = f.value("TERM", "xw", func(x vec) vec { return f.by.term(x, t) }, x, t)
	if f.narrower {
		return f.reduce(x, f.m)
	}
	return x
}

// c and s are the places of the multipliers of the first values: those of all others are among them, or their opposites.
func (f *fewProducts) c(j int) int { return j - 1 }
func (f *fewProducts) s(j int) int { return f.h + j - 1 }

// three is DFT_3 of the root of which s has the place.
func (f *fewProducts) three(x []vec, s int, open bool) []vec {
	u, v := f.sum(x[1], x[2]), f.openDifference(x[1], x[2])
	even, odd := f.difference(x[0], f.halved(u)), f.times(v, s)
	total := f.total(open, x[0], u)
	a, b := f.ends(even, odd, open)
	return []vec{total, a, b}
}

func (f *fewProducts) total(open bool, x ...vec) vec {
	t, last := x[0], len(x)-1
	for _, x := range x[1:last] {
		t = f.sum(t, x)
	}
	if open {
		return f.openSum(t, x[last])
	}
	return f.sum(t, x[last])
}

// five is DFT_5 of the root whose multipliers stand at c1, s1 and s2. As c_1 + c_2 is −1/2, the cosines have one product
// by c_1.
func (f *fewProducts) five(x []vec, c1, s1, s2 int, open bool) []vec {
	u1, v1 := f.sum(x[1], x[4]), f.openDifference(x[1], x[4])
	u2, v2 := f.sum(x[2], x[3]), f.openDifference(x[2], x[3])
	t := f.times(f.openDifference(u1, u2), c1)
	even1 := f.sum(f.difference(x[0], f.halved(u2)), t)
	even2 := f.difference(f.difference(x[0], f.halved(u1)), t)
	total := f.total(open, x[0], u1, u2)
	odd1 := f.sum(f.times(v1, s1), f.times(v2, s2))
	a, d := f.ends(even1, odd1, open)
	odd2 := f.difference(f.times(v1, s2), f.times(v2, s1))
	b, c := f.ends(even2, odd2, open)
	return []vec{total, a, b, c, d}
}

// nine is DFT_9. As c_1 + c_2 + c_4 and s_1 − s_2 + s_4 are 0, and c_3 is −1/2, three sums of cosines have four
// products, and three sums of sines four and one that they share.
func (f *fewProducts) nine(x []vec) []vec {
	var u, v [5]vec
	for j := 1; j <= 4; j++ {
		u[j], v[j] = f.sum(x[j], x[9-j]), f.difference(x[j], x[9-j])
	}
	a, b := f.openDifference(u[1], u[4]), f.openDifference(u[2], u[4])
	e1 := f.sum(f.times(a, f.c(1)), f.times(b, f.c(2)))
	e2 := f.sum(f.times(a, f.c(2)), f.times(b, f.c(4)))
	rest := f.total(false, u[1], u[2], u[4])
	third := f.sum(x[0], u[3])
	base := f.difference(x[0], f.halved(u[3]))
	e4 := f.difference(base, f.sum(e1, e2))
	e1, e2 = f.sum(base, e1), f.sum(base, e2)
	e3 := f.difference(third, f.halved(rest))
	z := make([]vec, 9)
	z[0] = f.openSum(third, rest)

	y := f.openSum(f.difference(v[1], v[2]), v[4])
	a, b = f.openDifference(v[1], v[4]), f.openSum(v[2], v[4])
	z[3], z[6] = f.ends(e3, f.times(y, f.s(3)), true)
	p1 := f.sum(f.times(a, f.s(1)), f.times(b, f.s(2)))
	p2 := f.sum(f.times(a, f.s(2)), f.times(b, f.s(4)))
	t := f.times(v[3], f.s(3))
	z[4], z[5] = f.ends(e4, f.sum(f.difference(p2, p1), t), true)
	z[1], z[8] = f.ends(e1, f.sum(p1, t), true)
	z[2], z[7] = f.ends(e2, f.difference(p2, t), true)
	return z
}

// fifteen is DFT_15 by the factors 3 and 5, which have no common one: element 5a + 3b goes to value 10a' + 6b', modulo
// 15.
func (f *fewProducts) fifteen(x []vec) []vec {
	var rows [3][]vec
	for b := range 5 {
		y := f.three([]vec{x[3*b%15], x[(5+3*b)%15], x[(10+3*b)%15]}, f.s(5), false)
		for a := range 3 {
			rows[a] = append(rows[a], y[a])
		}
	}
	z := make([]vec, 15)
	for a := range 3 {
		for b, y := range f.five(rows[a], f.c(3), f.s(3), f.s(6), true) {
			z[(10*a+6*b)%15] = y
		}
	}
	return z
}

// column does DFT_n on a vector of columns.
func (f *fewProducts) column() {
	row := func(put func(at gp)) {
		put(f.up)
		f.ADDQ(f.stride, f.up)
	}
	var x []vec
	f.MOVQ(f.v, f.up)
	for range 2*f.h + 1 {
		row(func(at gp) { x = append(x, f.enter(f.read(at))) })
	}
	var z []vec
	switch f.h {
	case 1:
		z = f.three(x, f.s(1), true)
	case 2:
		z = f.five(x, f.c(1), f.s(1), f.s(2), true)
	case 4:
		z = f.nine(x)
	case 7:
		z = f.fifteen(x)
	}
	f.MOVQ(f.v, f.up)
	for _, z := range z {
		row(func(at gp) { f.put(z, at) })
	}
}
