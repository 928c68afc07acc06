package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// oddParams are those of a DFT of odd length: see the kernel's doc.
const oddParams = "z, v, w, q, m, s *%s, h, width, stride int"

func (g *machine) oddDoc() string {
	return fmt.Sprintf("does DFT_n, n = 2h + 1, on columns: n rows of width words, %s, stride words apart, to those of "+
		"z, which is v or apart from it. With the sums u and differences v of the rows j and n − j, 0 < j ≤ h, it sets "+
		"row 0 to the sum of all, and the rows k and n − k to the sum and the difference of x_0 + Σ c_jk·u_j and "+
		"Σ s_jk·v_j. w and q are the multipliers: h of c and h of s for each k = 1 … h in turn, of a root of order n. "+
		"s is %s vectors that it uses up. Wide to wide.", g.widths(), map[bool]string{false: "n", true: "2n"}[g.avx512])
}

// widths is which widths of rows kernels take that mask the last columns.
func (g *machine) widths() string {
	if g.avx512 {
		return "any number"
	}
	return fmt.Sprint("a multiple of ", g.lanes())
}

// odd writes DFT_n on columns, for odd n, by sums and differences of the rows j and n − j, as package prime of the
// schemes has it. A vector of columns goes through s, which stays in the first-level cache: sums first, then
// differences, then row 0.
func (g *machine) odd(fresh func(*machine) arithmetic, name string) {
	a := fresh(g)
	word, bytes := operand.Imm(uint64(g.word)), operand.Imm(uint64(g.bytes))
	g.function(name+"Odd", g.oddDoc(), fmt.Sprintf(oddParams, g.goWord()))
	v, s, stride, m := g.param("v"), g.param("s"), g.param("stride"), g.param("m")
	z := g.param("z")
	w, q, height, width := g.frame("w"), g.frame("q"), g.frame("h"), g.frame("width")
	shift := operand.Imm(uint64(bits.Len(uint(g.word)) - 1))
	g.SHLQ(shift, stride)
	g.SHLQ(shift, width)
	a.begin(m)
	g.oddBySums(a, height, w, q, width, z, v, s, stride, m, "terms")
	half, tables := g.GP64(), g.GP64() // the bytes of h vectors and of h multipliers
	g.MOVQ(height, half)
	g.MOVQ(half, tables)
	g.IMUL3Q(bytes, half, half)
	g.SHLQ(shift, tables)
	rows := g.allColumns(width)

	up, down := g.GP64(), g.GP64() // rows j and n − j
	ends := func(v gp) {
		g.MOVQ(height, down)
		g.IMULQ(stride, down)
		g.LEAQ(operand.Mem{Base: v, Index: down, Scale: 2}, down)
		g.LEAQ(operand.Mem{Base: v, Index: stride, Scale: 1}, up)
	}
	inward := func() {
		g.ADDQ(stride, up)
		g.SUBQ(stride, down)
	}
	at, j := g.GP64(), g.GP64() // in s
	begin := func() {
		g.MOVQ(s, at)
		g.MOVQ(height, j)
	}
	sums, differences := operand.Mem{Base: at}, operand.Mem{Base: at, Index: half, Scale: 1}
	first := operand.Mem{Base: s, Index: half, Scale: 2}
	plain := func(x, y vec) (s, d vec) {
		return g.cross("PLAIN", "x + y", "x − y", func(x, y vec, _ pair) (s, d vec) { return a.plain(x, y) }, x, y, pair{})
	}

	load := func(p gp) vec { return fromMemory(a, rows.load(operand.Mem{Base: p})) }
	put := func(x vec, p gp) { rows.store(toMemory(a, x), operand.Mem{Base: p}) }
	g.Label("column")
	rows.next()
	g.Comment("Sums and differences, and the sum of all rows.")
	ends(v)
	begin()
	sum := g.vec()
	g.set(sum, load(v))
	g.store(sum, first)
	g.Label("fold")
	x, y := plain(load(up), load(down))
	g.store(x, sums)
	g.store(y, differences)
	g.set(sum, a.accumulate(sum, a.narrow(x)))
	inward()
	g.ADDQ(bytes, at)
	g.DECQ(j)
	g.JNE(operand.LabelRef("fold"))
	put(sum, z)

	g.Comment("Values k and n − k.")
	ends(z)
	wp, qp, k := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(w, wp)
	g.MOVQ(q, qp)
	g.MOVQ(height, k)
	g.Label("value")
	begin()
	even, odd := g.load(first), g.vec()
	if g.avx512 {
		g.VPXORQ(odd, odd, odd)
	} else {
		g.VPXOR(odd, odd, odd)
	}
	g.Label("term")
	for _, t := range []struct {
		sum  vec
		at   operand.Mem
		w, q operand.Mem
	}{
		{even, sums, operand.Mem{Base: wp}, operand.Mem{Base: qp}},
		{odd, differences, operand.Mem{Base: wp, Index: tables, Scale: 1},
			operand.Mem{Base: qp, Index: tables, Scale: 1}},
	} {
		f := g.pairAt(a, t.w, t.q, 1)
		u := g.value("TERM", "xw", func(x vec) vec { return a.term(x, f) }, g.load(t.at), f)
		g.set(t.sum, a.accumulate(t.sum, u))
	}
	g.ADDQ(word, wp)
	g.ADDQ(word, qp)
	g.ADDQ(bytes, at)
	g.DECQ(j)
	g.JNE(operand.LabelRef("term"))
	g.ADDQ(tables, wp)
	g.ADDQ(tables, qp)
	x, y = plain(even, odd)
	put(x, up)
	put(y, down)
	inward()
	g.DECQ(k)
	g.JNE(operand.LabelRef("value"))
	g.ADDQ(bytes, v)
	g.ADDQ(bytes, z)
	g.SUBQ(bytes, width)
	g.JGT(operand.LabelRef("column"))
	g.end()
}

// rowsMasked is how rows are read and written: with AVX-512 by a mask, for the last columns may fill no vector.
type rowsMasked struct {
	*machine
	width operand.Mem // the bytes that are left
	mask  reg.OpmaskVirtual
}

func (g *machine) allColumns(width operand.Mem) *rowsMasked {
	c := &rowsMasked{machine: g, width: width}
	if g.avx512 {
		c.mask = g.K()
		all := g.GP64()
		g.MOVQ(operand.U32(1<<g.lanes()-1), all)
		g.KMOVW(all.As32(), c.mask)
	}
	return c
}

// next begins a vector of columns.
func (c *rowsMasked) next() {
	if !c.avx512 {
		return
	}
	c.CMPQ(c.width, operand.Imm(uint64(c.bytes)))
	c.JGE(operand.LabelRef("whole"))
	c.firstOf(c.width, c.mask)
	c.Label("whole")
}

// firstOf makes the mask of as many words as n bytes, less than a vector.
func (g *machine) firstOf(n operand.Op, k reg.OpmaskVirtual) {
	count := g.GP64()
	g.MOVQ(n, count)
	g.SHRQ(operand.Imm(uint64(bits.Len(uint(g.word))-1)), count)
	g.firstWords(count, k)
}

// firstWords makes the mask of the first words of a vector.
func (g *machine) firstWords(count gp, k reg.OpmaskVirtual) {
	all := g.GP64()
	g.MOVQ(operand.U32(1<<g.lanes()-1), all)
	g.BZHIQ(count, all, all)
	g.KMOVW(all.As32(), k)
}

func (c *rowsMasked) load(m operand.Mem) vec {
	switch {
	case !c.avx512:
		return c.machine.load(m)
	case c.word == 4:
		z := c.vec()
		c.VMOVDQU32_Z(m, c.mask, z)
		return z
	}
	z := c.vec()
	c.VMOVDQU64_Z(m, c.mask, z)
	return z
}

func (c *rowsMasked) store(x vec, m operand.Mem) {
	switch {
	case !c.avx512:
		c.machine.store(x, m)
	case c.word == 4:
		c.VMOVDQU32(x, c.mask, m)
	default:
		c.VMOVDQU64(x, c.mask, m)
	}
}
