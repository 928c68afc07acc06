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

func columnsName(what string, word, k int, suffix string) string {
	return fmt.Sprintf("%s%d%sx%d", what, 8*word, suffix, k)
}

func columnsDoc(back bool, lanes, k int) string {
	do := fmt.Sprintf("copies %d columns of n words to rows d words apart, for n a multiple of %d", k, lanes)
	if back {
		do = fmt.Sprintf("copies %d rows of n words, d words apart, to columns, for n a multiple of %d", k, lanes)
	}
	if k < lanes {
		return do + ". The columns touch; s is not used."
	}
	return do + ". Words of a column are s words apart."
}

// columns writes the ways between columns and rows. As many columns as a vector has words go by tiles of a transposing
// copy; fewer, which touch, are taken apart by halves: those of even and of odd numbers first.
func (g *machine) columns(suffix string) {
	for _, k := range columnCounts(g.lanes()) {
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
