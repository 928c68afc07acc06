package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fewProducts is DFT_n of lengths whose sums of products share many of them: DFT_3 takes 1, DFT_5 5, DFT_9 10 and
// DFT_15, as five of DFT_3 and three of DFT_5 without factors between them, 20, where the definition has 2, 8, 32 and
// 98. DFT_7, DFT_11 and DFT_13 are cyclic, where products are not added up, and DFT_17 of goldilocks is fermat. A value
// is a row in registers, below a modulus, which is p or 2p; an open one is wide.
type fewProducts struct {
	*oddSums
	by       arithmetic
	w        gp
	m        vec // the modulus
	one      vec
	half     vec // (p + 1)/2
	strict   bool
	narrower bool // products are below 2p, and values below p
	cyclic   *cyclic
	fermat   *fermat
}

// fewest lists the h of lengths that an arithmetic does by few products, n = 2h + 1. Goldilocks has no roots of order
// 7, 9, 11 and 13.
func (g *machine) fewest(a arithmetic) []int {
	if _, ok := a.(*goldilocks); ok {
		return []int{1, 2, 7, fermatHalf}
	}
	if g.summing(a) != nil {
		return []int{1, 2, 4, 7}
	}
	return []int{1, 2, 3, 4, 5, 6, 7}
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
	k := f.odds(x)
	return f.addWhere(k, f.shiftedRight(x), f.half)
}

// odds is which words are odd.
func (f *fewProducts) odds(x vec) reg.OpmaskVirtual {
	k := f.K()
	f.pick(f.VPTESTMD, f.VPTESTMQ)(f.one, x, k)
	return k
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

// c and s are the places of the multipliers of the first values: those of all others are among them, or their
// opposites.
func (f *fewProducts) c(j int) int { return j - 1 }
func (f *fewProducts) s(j int) int { return f.h + j - 1 }

// prime is DFT_q, q = len(x) a prime, of the root w^step, into put. As the c_jk of one j, and of one k, add up to −1/2,
// the sums of cosines have (h − 1)² products, of differences to the last u, and the last of them none.
func (f *fewProducts) prime(x []vec, step int, open bool, put func(k int, x vec)) {
	q := len(x)
	h := q / 2
	var u, v []vec
	for j := 1; j <= h; j++ {
		u = append(u, f.sum(x[j], x[q-j]))
		v = append(v, f.openDifference(x[j], x[q-j]))
	}
	put(0, f.total(open, append([]vec{x[0]}, u...)...))
	last := u[h-1]
	base := f.difference(x[0], f.halved(last))
	evens := make([]vec, h)
	evens[h-1] = base
	for j := range h - 1 {
		u[j] = f.difference(u[j], last)
		evens[h-1] = f.difference(evens[h-1], f.halved(u[j]))
	}
	for k := 1; k < h; k++ {
		var even vec
		for j := 1; j < h; j++ {
			m := j * k % q
			even = f.plus(even, f.times(u[j-1], f.c(step*min(m, q-m))), false)
		}
		evens[h-1] = f.difference(evens[h-1], even)
		evens[k-1] = f.sum(base, even)
	}
	for k := 1; k <= h; k++ {
		var odd vec
		for j := 1; j <= h; j++ {
			m := j * k % q
			odd = f.plus(odd, f.times(v[j-1], f.s(step*min(m, q-m))), m > h)
		}
		y, z := f.ends(evens[k-1], odd, open)
		put(k, y)
		put(q-k, z)
	}
}

// plus is x + y, or x − y with less, for x that may be nil, where y comes first.
func (f *fewProducts) plus(x, y vec, less bool) vec {
	switch {
	case x == nil:
		return y
	case less:
		return f.difference(x, y)
	}
	return f.sum(x, y)
}

// total is the sum of all x, of which there are two or more.
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

// nine is DFT_9. As c_1 + c_2 + c_4 and s_1 − s_2 + s_4 are 0, and c_3 is −1/2, three sums of cosines have four
// products, and three sums of sines four and one that they share.
func (f *fewProducts) nine(x []vec, put func(k int, x vec)) {
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
	put(0, f.openSum(third, rest))
	pair := func(k int, even, odd vec) {
		x, y := f.ends(even, odd, true)
		put(k, x)
		put(9-k, y)
	}

	y := f.openSum(f.difference(v[1], v[2]), v[4])
	a, b = f.openDifference(v[1], v[4]), f.openSum(v[2], v[4])
	pair(3, e3, f.times(y, f.s(3)))
	p1 := f.sum(f.times(a, f.s(1)), f.times(b, f.s(2)))
	p2 := f.sum(f.times(a, f.s(2)), f.times(b, f.s(4)))
	t := f.times(v[3], f.s(3))
	pair(4, e4, f.sum(f.difference(p2, p1), t))
	pair(1, e1, f.sum(p1, t))
	pair(2, e2, f.difference(p2, t))
}

// fifteen is DFT_15 by the factors 3 and 5, which have no common one: element 5a + 3b goes to value 10a' + 6b', modulo
// 15.
func (f *fewProducts) fifteen(x []vec, put func(k int, x vec)) {
	var rows [3][5]vec
	for b := range 5 {
		y := []vec{x[3*b%15], x[(5+3*b)%15], x[(10+3*b)%15]}
		f.prime(y, 5, false, func(a int, x vec) { rows[a][b] = x })
	}
	for a := range 3 {
		f.prime(rows[a][:], 3, true, func(b int, x vec) { put((10*a+6*b)%15, x) })
	}
}

// column does DFT_n on a vector of columns.
func (f *fewProducts) column() {
	n := 2*f.h + 1
	var x []vec
	f.MOVQ(f.v, f.up)
	for range n {
		x = append(x, f.enter(f.read(f.up)))
		f.ADDQ(f.stride, f.up)
	}
	put := func(k int, x vec) {
		f.IMUL3Q(operand.Imm(uint64(k)), f.stride, f.up)
		f.ADDQ(f.z, f.up)
		f.put(x, f.up)
	}
	switch n {
	case 7, 11, 13:
		f.cyclic.column(x, put)
	case 9:
		f.nine(x, put)
	case fermatPrime:
		f.fermat.column(x, put)
	case 15:
		f.fifteen(x, put)
	default:
		f.prime(x, 1, true, put)
	}
}
