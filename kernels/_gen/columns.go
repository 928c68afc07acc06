package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
)

// columnCounts lists how many columns the kernels of columns take: powers of two up to the words of a vector.
func columnCounts(lanes int) (list []int) {
	for k := 2; k <= lanes; k *= 2 {
		list = append(list, k)
	}
	return list
}

// otherCounts are the other counts below a line of words of 64 bits. AVX2 alone has kernels of them, which AVX-512 uses
// too: they blend by constants.
var otherCounts = []int{3, 5, 6, 7}

func columnsName(what string, word, k int, suffix string) string {
	return fmt.Sprintf("%s%d%sx%d", what, 8*word, suffix, k)
}

func columnsDoc(back bool, lanes, k int) string {
	do := fmt.Sprintf("copies %d columns of n words to rows d words apart, for n a multiple of %d", k, lanes)
	if back {
		do = fmt.Sprintf("copies %d rows of n words, d words apart, to columns, for n a multiple of %d", k, lanes)
	}
	if k != lanes {
		return do + ". The columns touch; s is not used."
	}
	return do + ". Words of a column are s words apart."
}

// columns writes the ways between columns and rows. As many columns as a vector has words go by tiles of a transposing
// copy; fewer, which touch, are taken apart by halves: those of even and of odd numbers first.
func (g *machine) columns(suffix string) {
	counts := columnCounts(g.lanes())
	if !g.avx512 {
		g.oddTables()
		counts = append(counts, otherCounts...)
	}
	for _, k := range counts {
		for _, back := range []bool{false, true} {
			what := "split"
			if back {
				what = "join"
			}
			g.function(columnsName(what, g.word, k, suffix), columnsDoc(back, g.lanes(), k),
				fmt.Sprintf("rows, columns *%s, n, d, s int", g.goWord()))
			g.columnsOf(k, back)
		}
	}
}

func (g *machine) columnsOf(k int, back bool) {
	lanes := g.lanes()
	row, column, n, d := g.param("rows"), g.param("columns"), g.param("n"), g.param("d")
	shift := operand.Imm(uint64(bits.Len(uint(g.word)) - 1))
	g.SHLQ(shift, d)
	whole := k == lanes
	var step [8]gp
	next := operand.Op(operand.U32(k * g.bytes))
	if whole {
		sd := g.param("s")
		g.SHLQ(shift, sd)
		step = g.multiples(sd)
		all := g.GP64()
		g.MOVQ(sd, all)
		g.SHLQ(operand.Imm(uint64(bits.Len(uint(lanes))-1)), all)
		next = all
	}
	s, by := g.interleaver(!back && !whole), g.multiples(d)
	g.Label("block")
	rows := g.addresses(row, by, k)
	var columns []operand.Mem
	if whole {
		columns = g.addresses(column, step, k)
	} else {
		for i := range k {
			columns = append(columns, operand.Mem{Base: column, Disp: i * g.bytes})
		}
	}
	from, to := columns, rows
	if back {
		from, to = rows, columns
	}
	x := make([]vec, k)
	for i := range x {
		x[i] = g.load(from[i])
	}
	switch {
	case whole:
		x = s.transpose(x)
	case back:
		x = s.join(x)
	default:
		x = s.split(x)
	}
	for i := range x {
		g.store(x[i], to[i])
	}
	g.ADDQ(operand.U32(g.bytes), row)
	g.ADDQ(next, column)
	g.SUBQ(operand.U32(lanes), n)
	g.JNE(operand.LabelRef("block"))
	g.end()
}

// split takes vectors of columns side by side, and returns those of each column.
func (s *interleaver) split(x []vec) []vec {
	if len(x) == 1 {
		return x
	}
	if len(x)%2 != 0 {
		return s.splitOdd(x)
	}
	half := len(x) / 2
	even, odd := make([]vec, half), make([]vec, half)
	for i := range half {
		even[i], odd[i] = s.separate(x[2*i], x[2*i+1])
	}
	even, odd = s.split(even), s.split(odd)
	for i := range half {
		x[2*i], x[2*i+1] = even[i], odd[i]
	}
	return x
}

// join undoes split.
func (s *interleaver) join(x []vec) []vec {
	if len(x) == 1 {
		return x
	}
	if len(x)%2 != 0 {
		return s.joinOdd(x)
	}
	half := len(x) / 2
	even, odd := make([]vec, half), make([]vec, half)
	for i := range half {
		even[i], odd[i] = x[2*i], x[2*i+1]
	}
	even, odd = s.join(even), s.join(odd)
	for i := range half {
		x[2*i], x[2*i+1] = s.interleave(even[i], odd[i])
	}
	return x
}

// Word i of column c of k columns side by side, k odd, is word k·i + c of k vectors: as i goes over the words of a
// vector, each of its places comes once. So the words of a column are blended into one vector, and turned into order.

// splitOdd is split for an odd number of columns.
func (s *interleaver) splitOdd(x []vec) []vec {
	y := make([]vec, len(x))
	for c := range x {
		y[c] = s.turn(s.blend(x, func(place int) int {
			for i := range s.lanes() {
				if at := len(x)*i + c; at%s.lanes() == place {
					return at / s.lanes()
				}
			}
			panic("an even number of columns")
		}), len(x), c, false)
	}
	return y
}

// joinOdd undoes splitOdd.
func (s *interleaver) joinOdd(x []vec) []vec {
	y, z := make([]vec, len(x)), make([]vec, len(x))
	for c := range x {
		y[c] = s.turn(x[c], len(x), c, true)
	}
	for j := range x {
		z[j] = s.blend(y, func(place int) int { return (s.lanes()*j + place) % len(x) })
	}
	return z
}

// blend returns a vector of which each word is that of x[of(place)] in its place.
func (s *interleaver) blend(x []vec, of func(place int) int) vec {
	first := x[of(0)]
	z := first
	for i := range x {
		var bits uint64
		for place := range s.lanes() {
			if of(place) == i {
				bits |= (1<<(s.word/4) - 1) << (s.word / 4 * place)
			}
		}
		if i != of(0) && bits != 0 {
			if z == first {
				z = s.vec()
				s.VPBLENDD(operand.Imm(bits), x[i], first, z)
				continue
			}
			s.VPBLENDD(operand.Imm(bits), x[i], z, z)
		}
	}
	return z
}

// turned lists where each word of a vector comes from in a turn of column c of k.
func turned(lanes, k, c int, back bool) []int {
	list := make([]int, lanes)
	for i := range list {
		at := (k*i + c) % lanes
		if back {
			list[at] = i
		} else {
			list[i] = at
		}
	}
	return list
}

// turn puts blended words of column c into order, or back.
func (s *interleaver) turn(x vec, k, c int, back bool) vec {
	y := s.vec()
	if s.word == 4 {
		s.VPERMD(x, s.load(operand.NewDataAddr(operand.NewStaticSymbol(turnName(k, c, back)), 0)), y)
		return y
	}
	var places uint64
	for i, from := range turned(s.lanes(), k, c, back) {
		places |= uint64(from) << (2 * i)
	}
	s.VPERMQ(operand.Imm(places), x, y)
	return y
}

func turnName(k, c int, back bool) string {
	if back {
		return fmt.Sprintf("turn%dx%dback", k, c)
	}
	return fmt.Sprintf("turn%dx%d", k, c)
}

// oddTables declares what turns of words of 32 bits read.
func (g *machine) oddTables() {
	for _, k := range otherCounts {
		for c := 0; c < k && k%2 != 0 && g.word == 4; c++ {
			for _, back := range []bool{false, true} {
				g.table(turnName(k, c, back), turned(g.lanes(), k, c, back))
			}
		}
	}
}
