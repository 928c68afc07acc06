package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/operand"
)

// mostSums is the greatest h for which DFT_n, n = 2h + 1, keeps sums and differences in registers.
const mostSums = 7

// summing is an arithmetic that adds up products and reduces the sum once: a product takes two thirds of the
// instructions of Shoup's or less, and its reduction none. Multipliers are Montgomery's, w times 2^52 or 2^32 modulo p.
// A value is what stands for a row in registers.
type summing interface {
	constants(m gp)
	multiplier(q vec) vec     // of the companion q, which is its quotient
	value(x vec) vec          // of a wide word
	pair(x, y vec) (u, v vec) // the values x + y and x − y
	total(x vec, u []vec) vec // the wide sum
	first(x vec) vec          // the value x, as end takes it
	split(x vec) [2]vec       // the factors of products by x
	begin(first vec) *sumOf   // no products yet
	product([2]vec, operand.Mem, *sumOf)
	end(first vec, even, odd *sumOf, h int) (x, y vec) // wide: first and even, plus and minus odd, of h products each
}

// sumOf is sums of products: of high and low halves, or of even and odd lanes. bound is what both are below, in units
// of the arithmetic.
type sumOf struct {
	x, y  vec
	bound int
}

// summing returns how a adds up products; nil: not at all.
func (g *machine) summing(a arithmetic) summing {
	switch a := a.(type) {
	case *ifma50:
		return &sums52{ifma50: a}
	case *shoup31:
		return sums31(g, a, false)
	case *shoup30:
		return sums31(g, &a.shoup31, true)
	}
	return nil
}

func sums31(g *machine, a *shoup31, lazy bool) summing {
	if !g.avx512 {
		return nil // too few registers
	}
	return &sums32{shoup31: a, lazy: lazy}
}

// oddSums is DFT_n for h ≤ mostSums. Sums and differences are in registers, multipliers in s, whose n vectors have room
// for 2h² of them.
type oddSums struct {
	*machine
	a                summing
	z, v, q, s       gp // rows of results, and others
	width            gp
	stride, up, down gp
	h                int
	rest             *rowsMasked // the last columns; nil: all are there
}

// oddBySums writes the code for each h that it does, and jumps past all of it for others.
func (g *machine) oddBySums(by arithmetic, height, w, q, width operand.Mem, z, v, s, stride, m gp, others string) {
	o := &oddSums{machine: g, a: g.summing(by), z: z, v: v, s: s, width: g.GP64(), stride: stride, up: g.GP64(),
		down: g.GP64(), q: g.GP64()}
	few := o.few(by)
	if few == nil {
		return
	}
	h := o.up
	g.MOVQ(height, h)
	g.MOVQ(q, o.q)
	g.MOVQ(width, o.width)
	var list []int
	for i := 1; i <= fermatHalf; i++ {
		if (o.a == nil || i > mostSums) && !slices.Contains(g.fewest(by), i) {
			continue
		}
		list = append(list, i)
		g.CMPQ(h, operand.Imm(uint64(i)))
		g.JEQ(operand.LabelRef(fmt.Sprint("sums", i)))
	}
	g.JMP(operand.LabelRef(others))
	for _, o.h = range list {
		o.Label(fmt.Sprint("sums", o.h))
		if slices.Contains(g.fewest(by), o.h) {
			few.w = g.GP64()
			g.MOVQ(w, few.w)
			few.constants(m)
			switch o.h {
			case 3, 5, 6:
				few.cyclic = &cyclic{fewProducts: few}
				few.cyclic.prepare(m)
			case fermatHalf:
				few.fermat = &fermat{few}
				few.fermat.prepare()
			}
			o.length(few.column)
			continue
		}
		o.a.constants(m)
		o.multipliers()
		o.length(o.column)
	}
	g.Label(others)
}

// length does all columns of one n.
func (o *oddSums) length(column func()) {
	loop, last, rest := fmt.Sprint("all", o.h), fmt.Sprint("last", o.h), fmt.Sprint("done", o.h)
	bytes := operand.Imm(uint64(o.bytes))
	o.CMPQ(o.width, bytes)
	o.JL(operand.LabelRef(last))
	o.Label(loop)
	column()
	o.ADDQ(bytes, o.v)
	o.ADDQ(bytes, o.z)
	o.SUBQ(bytes, o.width)
	o.CMPQ(o.width, bytes)
	o.JGE(operand.LabelRef(loop))
	o.Label(last)
	o.CMPQ(o.width, operand.Imm(0))
	o.JEQ(operand.LabelRef(rest))
	k := o.K()
	o.firstOf(o.width, k)
	o.rest = &rowsMasked{machine: o.machine, mask: k}
	column()
	o.rest = nil
	o.Label(rest)
	o.end()
}

// multipliers puts those of n into s.
func (o *oddSums) multipliers() {
	count := 2 * o.h * o.h
	for i := 0; i < count; i += o.lanes() {
		from := &rowsMasked{machine: o.machine, mask: o.mask(1<<min(o.lanes(), count-i) - 1)}
		w := o.a.multiplier(from.load(operand.Mem{Base: o.q, Disp: i * o.word}))
		o.store(w, operand.Mem{Base: o.s, Disp: i * o.word})
	}
}

func (o *oddSums) read(p gp) vec {
	at := operand.Mem{Base: p}
	if o.rest != nil {
		return o.rest.load(at)
	}
	return o.load(at)
}

func (o *oddSums) get(p gp) vec { return o.a.value(o.read(p)) }

func (o *oddSums) put(x vec, p gp) {
	at := operand.Mem{Base: p}
	if o.rest != nil {
		o.rest.store(x, at)
		return
	}
	o.store(x, at)
}

// column does DFT_n on a vector of columns.
func (o *oddSums) column() {
	ends := func(v gp) {
		o.LEAQ(operand.Mem{Base: v, Index: o.stride, Scale: 1}, o.up)
		o.IMUL3Q(operand.Imm(uint64(2*o.h)), o.stride, o.down)
		o.ADDQ(v, o.down)
	}
	inward := func() {
		o.ADDQ(o.stride, o.up)
		o.SUBQ(o.stride, o.down)
	}
	ends(o.v)
	x := o.get(o.v)
	var us, vs []vec
	for range o.h {
		u, v := o.a.pair(o.get(o.up), o.get(o.down))
		us, vs = append(us, u), append(vs, v)
		inward()
	}
	o.put(o.a.total(x, us), o.z)
	first := o.a.first(x)
	ends(o.z)
	const together = 2 // values k, for chains of additions that do not wait for each other
	for k := 0; k < o.h; k += together {
		n := min(together, o.h-k)
		var evens, odds [together]*sumOf
		for i := range n {
			evens[i], odds[i] = o.a.begin(first), o.a.begin(nil)
		}
		for j := range o.h {
			u, v := o.a.split(us[j]), o.a.split(vs[j])
			for i := range n {
				at := 2*o.h*(k+i) + j
				o.a.product(u, operand.Mem{Base: o.s, Disp: at * o.word}, evens[i])
				o.a.product(v, operand.Mem{Base: o.s, Disp: (at + o.h) * o.word}, odds[i])
			}
		}
		for i := range n {
			x, y := o.a.end(first, evens[i], odds[i], o.h)
			o.put(x, o.up)
			o.put(y, o.down)
			inward()
		}
	}
}

// sums52 is of products of 52 bits. Values are below 4p.
type sums52 struct {
	*ifma50
	inverse, p4, p8, p16 vec
}

func (a *sums52) constants(m gp) {
	a.inverse = a.broadcast(a.at(m, 3))
	a.p4 = a.add(a.p2, a.p2)
	a.p8 = a.add(a.p4, a.p4)
	a.p16 = a.add(a.p8, a.p8)
}

// multiplier is −qp modulo 2^52.
func (a *sums52) multiplier(q vec) vec {
	w := a.mov(a.zero)
	a.VPMADD52LUQ(a.minus, q, w)
	return w
}

func (a *sums52) value(x vec) vec { return x }

// below4 takes x below bound·p below 4p.
func (a *sums52) below4(x vec, bound int) vec {
	for _, step := range []struct {
		times int
		m     vec
	}{{16, a.p16}, {8, a.p8}, {4, a.p4}} {
		if bound > step.times {
			x, bound = a.reduce(x, step.m), step.times
		}
	}
	return x
}

// minus4 is x − y below 4p.
func (a *sums52) minus4(x, y vec) vec {
	d := a.sub(x, y)
	return a.lesser(d, a.add(d, a.p4))
}

func (a *sums52) pair(x, y vec) (u, v vec) { return a.below4(a.add(x, y), 8), a.minus4(x, y) }

func (a *sums52) total(x vec, u []vec) vec {
	for _, u := range u {
		x = a.add(x, u)
	}
	return a.below4(x, 4*(len(u)+1))
}

// first adds p, as a reduction takes up to p away.
func (a *sums52) first(x vec) vec { return a.add(x, a.p) }

func (a *sums52) split(x vec) [2]vec { return [2]vec{x} }

func (a *sums52) begin(first vec) *sumOf {
	if first == nil {
		first = a.p
	}
	return &sumOf{x: a.mov(first), y: a.mov(a.zero)}
}

func (a *sums52) product(x [2]vec, w operand.Mem, to *sumOf) {
	a.VPMADD52HUQ_BCST(w, x[0], to.x)
	a.VPMADD52LUQ_BCST(w, x[0], to.y)
}

// once is a sum over 2^52, less up to p.
func (a *sums52) once(s *sumOf) vec {
	q, c := a.mov(a.zero), a.mov(a.zero)
	a.VPMADD52LUQ(a.inverse, s.y, q)
	a.VPMADD52HUQ(a.p, q, c)
	return a.sub(a.add(s.x, a.srlq(s.y, 52)), c)
}

// end has products below p·2^52, as values are below 2^52.
func (a *sums52) end(_ vec, even, odd *sumOf, h int) (x, y vec) {
	e, d := a.below4(a.once(even), 5+h), a.below4(a.once(odd), 1+h)
	return a.below4(a.add(e, d), 8), a.minus4(e, d)
}

// sums32 is of products of even and of odd words apart. Values are canonical, so that products are below p·2^31, half
// of what a Montgomery reduction takes, or p·2^30, a quarter.
type sums32 struct {
	*shoup31
	lazy bool // wide words are below 4p
	high vec  // p·2^32
}

func (a *sums32) constants(gp) { a.high = a.sllq(a.p, 32) }

// multiplier is −qp modulo 2^32.
func (a *sums32) multiplier(q vec) vec {
	z := a.vec()
	a.VPXORQ(z, z, z)
	return a.sub(z, a.mullo(q, a.p))
}

func (a *sums32) value(x vec) vec {
	if a.lazy {
		x = a.reduce(x, a.p2)
	}
	return a.reduce(x, a.p)
}

func (a *sums32) pair(x, y vec) (u, v vec) {
	d := a.sub(x, y)
	return a.reduce(a.add(x, y), a.p), a.lesser(d, a.add(d, a.p))
}

func (a *sums32) total(x vec, u []vec) vec {
	for i, u := range u {
		if i > 0 {
			x = a.reduce(x, a.p)
		}
		x = a.add(x, u)
	}
	return x
}

func (a *sums32) first(x vec) vec { return x }

func (a *sums32) split(x vec) [2]vec { return [2]vec{x, a.srlq(x, 32)} }

func (a *sums32) begin(vec) *sumOf { return new(sumOf) }

// mostBound is 2^33·p, and what a reduction takes half of it, in units of 2^30·p.
const mostBound = 8

// product keeps sums below 2^33·p, which is four products, or eight.
func (a *sums32) product(x [2]vec, w operand.Mem, to *sumOf) {
	one := 2
	if a.lazy {
		one = 1
	}
	if to.bound == mostBound {
		to.x, to.y, to.bound = a.reduceWide(to.x), a.reduceWide(to.y), mostBound/2
	}
	s, t := a.vec(), a.vec()
	a.VPMULUDQ_BCST(w, x[0], s)
	a.VPMULUDQ_BCST(w, x[1], t)
	if to.bound > 0 {
		s, t = a.addq(to.x, s), a.addq(to.y, t)
	}
	to.x, to.y = s, t
	to.bound += one
}

// reduceWide takes x below 2^33·p below 2^32·p.
func (a *sums32) reduceWide(x vec) vec {
	return a.op2(a.ctx3(a.VPMINUQ), a.subq(x, a.high), x)
}

// once is a sum over 2^32.
func (a *sums32) once(s *sumOf) vec {
	inverse := a.broadcast(a.at(a.m, 2))
	half := func(x vec) vec { // the high half is above −p and below p
		if s.bound > mostBound/2 {
			x = a.reduceWide(x)
		}
		return a.subq(x, a.halves(a.halves(x, inverse), a.p))
	}
	z := a.merge(half(s.x), half(s.y))
	return a.lesser(z, a.add(z, a.p))
}

func (a *sums32) end(first vec, even, odd *sumOf, _ int) (x, y vec) {
	e, d := a.reduce(a.add(first, a.once(even)), a.p), a.once(odd)
	return a.add(e, d), a.sub(a.add(e, a.p), d)
}
