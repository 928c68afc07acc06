package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
)

// cyclic is DFT_7, DFT_11 and DFT_13 by 8, 20 and 23 products. With a generator g of the units modulo n up to sign,
// what the sums of rows g^i and −g^i add to value g^−m is a product by a matrix of the cosines at g^(i−m), and likewise
// for differences and sines (C. Rader, Proc. IEEE 56 (1968)). By its parts such a matrix takes three products in place
// of four:
//
//	| mid   right |   | a |   | (mid + right)·b + mid·(a − b) |
//	| left  mid   | · | b | = | (mid + left)·a  − mid·(a − b) |
//
// and where its rows are turns of the first, the last column goes with the sum of a row, and the last row with the
// differences to all other rows.
type cyclic struct {
	*fewProducts
	room  int // words of each list
	scale vec // 1/p modulo a word, of Montgomery's products; nil: companions are quotients
}

// The lists of multipliers in s, which the first of s leaves: words, companions, and the remainders of these.
const (
	listWords = iota
	listCompanions
	listRemainders
	lists
)

// base is a multiplier of the table: the cosine or the sine at k, or its opposite.
type base struct {
	k           int
	sine, minus bool
}

func (t *cyclic) n() int { return 2*t.h + 1 }

// unit is g^e modulo n, −2n + 2 ≤ e. Where h is odd, g has order h, so that there are no opposites.
func (t *cyclic) unit(e int) int {
	g, z := 2, 1
	if t.n() == 11 {
		g = 3
	}
	for range (e + 2*t.n() - 2) % (t.n() - 1) {
		z = z * g % t.n()
	}
	return z
}

// bases are the multipliers at powers of g.
func (t *cyclic) bases(sine bool, exponents ...int) (list []base) {
	for _, e := range exponents {
		list = append(list, base{t.unit(e), sine, false})
	}
	return list
}

// prepare puts multipliers into s, by sums of such as are so far apart.
func (t *cyclic) prepare(m gp) {
	p := t.broadcast(t.at(m, 0))
	if t.strict {
		t.scale = t.broadcast(t.at(m, t.word/4)) // behind p and, of 64 bits, 2p
	}
	t.room = 2 * t.n() * t.lanes() / lists
	var used int
	switch t.n() {
	case 7:
		t.take(p, t.bases(false, -1, 0, 1), t.bases(true, -1, 0, 1))
		t.join(6, 0, 1, 5, p)
		t.join(11, 9, 5, 1, p)
		used = 12
	case 11:
		t.take(p, t.bases(false, -3, -2, -1, 0, 1, 2, 3), t.bases(true, -3, -2, -1, 0, 1, 2, 3))
		t.join(14, 0, 2, 12, p)
		t.join(26, 0, 1, 25, p)
		t.join(51, 48, 12, 1, p)
		used = 52
	case 13:
		halves := [2][]base{t.bases(false, 2, 0, 1, 2, 0, 1), t.bases(false, 5, 3, 4, 5, 3, 4)}
		less := t.bases(true, 17, 9, 13)
		halves[0][5].minus, halves[1][3].minus, halves[1][4].minus = true, true, true
		for i := range less {
			less[i].minus = true
		}
		t.take(p, halves[0], halves[1], t.bases(true, 8, 0, 4, 17, 9, 13), less)
		t.join(21, 0, 6, 6, p)
		t.halve(21, 6)
		t.join(27, 21, 22, 5, p)
		t.join(32, 30, 26, 1, p)
		t.join(33, 12, 13, 8, p)
		t.join(41, 33, 14, 7, p)
		for i, other := range []int{3, 6} {
			t.join(48+4*i, 13, 13+other, 1, p)
			t.join(49+4*i, 33, 33+other, 2, p)
			t.join(51+4*i, 41, 41+other, 1, p)
		}
		used = 56
	}
	for i := 0; i < used && t.scale != nil; i += t.lanes() {
		c := t.some(i, used)
		c.store(t.mullo(c.load(t.list(listWords, i)), t.scale), t.list(listCompanions, i))
	}
	t.MOVQ(t.oddSums.s, t.w)
	t.LEAQ(t.list(listCompanions, 0), t.q)
}

// list is place i of a list.
func (t *cyclic) list(list, i int) operand.Mem {
	return operand.Mem{Base: t.oddSums.s, Disp: (list*t.room + i) * t.word}
}

// some is the words from i on, before end, a vector at most.
func (t *cyclic) some(i, end int) *rowsMasked {
	return &rowsMasked{machine: t.machine, mask: t.mask(1<<min(t.lanes(), end-i) - 1)}
}

// take puts multipliers of the table at the front of the lists.
func (t *cyclic) take(p vec, parts ...[]base) {
	all := slices.Concat(parts...)
	for i, b := range all {
		k := min(b.k, t.n()-b.k)
		at := t.c(k)
		if b.sine {
			at = t.fewProducts.s(k)
		}
		t.copyWord(operand.Mem{Base: t.w, Disp: at * t.word}, t.list(listWords, i))
		if t.scale == nil {
			t.copyWord(operand.Mem{Base: t.q, Disp: at * t.word}, t.list(listCompanions, i))
		}
	}
	zero := t.vec()
	t.VPXORQ(zero, zero, zero)
	for i := 0; i < len(all); i += t.lanes() {
		var minus uint64
		for j, b := range all[i:min(i+t.lanes(), len(all))] {
			if (b.sine && b.k > t.h) != b.minus {
				minus |= 1 << j
			}
		}
		c := t.some(i, len(all))
		opposite := func(list int, x, from vec) {
			if minus != 0 {
				t.pick(t.VPSUBD, t.VPSUBQ)(x, from, t.mask(minus), x)
			}
			c.store(x, t.list(list, i))
		}
		opposite(listWords, c.load(t.list(listWords, i)), p)
		if t.scale == nil {
			q := c.load(t.list(listCompanions, i))
			r := t.sub(zero, t.mullo(q, p))
			opposite(listCompanions, q, t.sub(zero, t.one))
			opposite(listRemainders, r, p)
		}
	}
}

func (t *cyclic) copyWord(from, to operand.Mem) {
	if t.word == 4 {
		t.MOVL(from, t.up.As32())
		t.MOVL(t.up.As32(), to)
		return
	}
	t.MOVQ(from, t.up)
	t.MOVQ(t.up, to)
}

// join sets count multipliers from to on to the sums of those from a and from b on. The remainder of a quotient of
// w·2^64 is that modulo p: where those of a sum reach p, its quotient is one more.
func (t *cyclic) join(to, a, b, count int, p vec) {
	for i := 0; i < count; i += t.lanes() {
		c := t.some(i, count)
		both := func(list int) (x, y vec) { return c.load(t.list(list, a+i)), c.load(t.list(list, b+i)) }
		x, y := both(listWords)
		c.store(t.modular(x, y, p), t.list(listWords, to+i))
		if t.scale != nil {
			continue
		}
		x, y = both(listCompanions)
		q := t.add(t.add(x, y), t.one)
		x, y = both(listRemainders)
		r := t.add(x, y)
		c.store(t.reduce(r, p), t.list(listRemainders, to+i))
		c.store(t.subWhere(t.less(r, p), q, t.one), t.list(listCompanions, to+i))
	}
}

func (t *cyclic) modular(x, y, p vec) vec {
	if t.strict {
		return strictSum(t.machine, x, y, p)
	}
	return leastSum(t.machine, x, y, p)
}

// halve halves count multipliers, of at most a vector. The quotient of w + p is 2^64 more than that of w.
func (t *cyclic) halve(at, count int) {
	c := t.some(at, at+count)
	w := c.load(t.list(listWords, at))
	k := t.odds(w)
	c.store(t.halved(w), t.list(listWords, at))
	if t.scale != nil {
		return
	}
	c.store(t.halved(c.load(t.list(listRemainders, at))), t.list(listRemainders, at))
	top := t.constant(1 << 63)
	c.store(t.addWhere(k, t.shiftedRight(c.load(t.list(listCompanions, at))), top), t.list(listCompanions, at))
}

// blocks are values of several vectors each.
type blocks [][]vec

func singles(x []vec) (b blocks) {
	for _, x := range x {
		b = append(b, []vec{x})
	}
	return b
}

// zip does an operation on the vectors of two values.
func zip(do func(x, y vec) vec, x, y []vec) []vec {
	z := make([]vec, len(x))
	for i := range x {
		z[i] = do(x[i], y[i])
	}
	return z
}

// byPlace is the product by the multiplier that i stands for.
type byPlace func(x []vec, i int) []vec

func (t *cyclic) alone(x []vec, i int) []vec { return []vec{t.times(x[0], i)} }

// halves is the product by a matrix with its mid, right and left at three places, the last two with mid added.
func (t *cyclic) halves(a, b []vec, at [3]int, by byPlace) (x, y []vec) {
	difference := t.difference
	if len(a) == 1 {
		difference = t.openDifference
	}
	mid := by(zip(difference, a, b), at[0])
	return zip(t.sum, by(b, at[1]), mid), zip(t.difference, by(a, at[2]), mid)
}

// pairs is the product by the two by two matrix of the multipliers at corners[i].
func (t *cyclic) pairs(corners ...[3]int) byPlace {
	return func(x []vec, i int) []vec {
		y, z := t.halves(x[:1], x[1:], corners[i], t.alone)
		return append(y, z...)
	}
}

// fours is the product by a matrix of four rows with mid, right and left of two.
func (t *cyclic) fours(mid, right, left [3]int) byPlace {
	return func(x []vec, _ int) []vec {
		y, z := t.halves(x[:2], x[2:], [3]int{0, 1, 2}, t.pairs(mid, right, left))
		return append(y, z...)
	}
}

// around is the product by a matrix whose rows are turns of the first, which adds up to the multiplier at sum. inner is
// the product by all of it but the last row and column.
func (t *cyclic) around(v blocks, inner func(d blocks) blocks, by byPlace, sum int) blocks {
	last := len(v) - 1
	var d blocks
	all := v[last]
	for _, v := range v[:last] {
		d = append(d, zip(t.difference, v, all))
	}
	for _, v := range v[:last] {
		all = zip(t.sum, all, v)
	}
	z := inner(d)
	all, each := by(all, sum), by(v[last], sum)
	for i := range z {
		z[i] = zip(t.sum, z[i], each)
		all = zip(t.difference, all, z[i])
	}
	return append(z, all)
}

// singly makes the product by a matrix one of single values.
func singly(by byPlace) func(d blocks) blocks {
	return func(d blocks) blocks { return singles(by(slices.Concat(d...), 0)) }
}

// cosines is x_0 and the product by a matrix whose rows are turns of the first, which adds up to −1 over 2^halvings.
func (t *cyclic) cosines(x0 vec, u []vec, halvings int, inner byPlace) []vec {
	part := func(x vec) vec {
		for range halvings {
			x = t.halved(x)
		}
		return x
	}
	last := len(u) - 1
	var d []vec
	for _, x := range u[:last] {
		d = append(d, t.difference(x, u[last]))
	}
	base := t.difference(x0, part(u[last]))
	rest := t.difference(base, part(t.total(false, d...)))
	z := inner(d, 0)
	for i := range z {
		rest = t.difference(rest, z[i])
		z[i] = t.sum(base, z[i])
	}
	return append(z, rest)
}

// thirteen has halves of cosines 0 to 2 and 3 to 5 places from the first, the sums of which are turns of each other,
// and their differences but for signs; and of sines a matrix of three by three blocks, which are turns of the first.
func (t *cyclic) thirteen(x0 vec, u []vec, v blocks) (evens []vec, odds blocks) {
	var a, b []vec
	for i := range 3 {
		a = append(a, t.sum(u[i], u[i+3]))
		if i == 1 {
			b = append(b, t.difference(u[i+3], u[i]))
		} else {
			b = append(b, t.difference(u[i], u[i+3]))
		}
	}
	b = slices.Concat(t.around(singles(b), singly(t.pairs([3]int{25, 31, 30})), t.alone, 32)...)
	a = t.cosines(x0, a, 2, t.pairs([3]int{22, 28, 27}))
	a = append(a, a...)
	for i := range 3 {
		x, y := t.sum(a[i], b[i]), t.difference(a[i], b[i])
		if i == 1 {
			x, y = y, x
		}
		a[i], a[i+3] = x, y
	}
	by := t.pairs([3]int{13, 48, 52}, [3]int{34, 50, 54}, [3]int{33, 49, 53}, [3]int{41, 51, 55})
	return a, t.around(v, func(d blocks) blocks {
		x, y := t.halves(d[0], d[1], [3]int{0, 1, 2}, by)
		return blocks{x, y}
	}, by, 3)
}

// column does DFT_n on rows.
func (t *cyclic) column(x []vec, put func(k int, x vec)) {
	var u []vec
	for i := range t.h {
		k := t.unit(i)
		u = append(u, t.sum(x[k], x[t.n()-k]))
	}
	exponents := make([]int, t.h)
	for i := range exponents {
		if exponents[i] = i; t.n() == 13 {
			exponents[i] = (4*(i/2) + 9*(i%2)) % 12
		}
	}
	var v []vec
	for _, e := range exponents {
		k := t.unit(e)
		v = append(v, t.difference(x[k], x[t.n()-k]))
	}
	put(0, t.total(true, append([]vec{x[0]}, u...)...))
	var evens []vec
	var odds blocks
	switch t.n() {
	case 7:
		evens = t.cosines(x[0], u, 1, t.pairs([3]int{1, 7, 6}))
		odds = t.around(singles(v), singly(t.pairs([3]int{4, 10, 9})), t.alone, 11)
	case 11:
		evens = t.cosines(x[0], u, 1, t.fours([3]int{3, 29, 28}, [3]int{17, 43, 42}, [3]int{15, 41, 40}))
		odds = t.around(singles(v), singly(t.fours([3]int{10, 36, 35}, [3]int{24, 50, 49}, [3]int{22, 48, 47})),
			t.alone, 51)
	case 13:
		evens, odds = t.thirteen(x[0], u, blocks{v[:2], v[2:4], v[4:]})
	}
	for i, odd := range slices.Concat(odds...) {
		k := t.unit(-exponents[i])
		y, z := t.ends(evens[exponents[i]%t.h], odd, true)
		put(k, y)
		put(t.n()-k, z)
	}
}
