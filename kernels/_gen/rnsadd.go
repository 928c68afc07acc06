package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// Numbers that are added have so many words.
const (
	addLeast = 2
	addMost  = 8
)

// adding adds numbers of so many words, of which rows have one each, at their places. Shifts and LEA leave the carry
// alone, which goes through all words of a number.
func (g *rns) adding(words int) {
	g.function(fmt.Sprintf("add%d", words), fmt.Sprintf("adds 0 < n ≤ 32 numbers of %d words to sum, of so many words: "+
		"the first one at bit, each of the others size bits above the one before. Word w of number j is element j of row w. "+
		"What is carried beyond the end of sum is dropped.", words), "sum, rows *uint64, n, bit, size, length int")
	sum, end, rows, n, bit, size := g.param("sum"), g.param("length"), g.param("rows"), g.param("n"), g.param("bit"),
		g.param("size")
	g.LEAQ(operand.Mem{Base: sum, Index: end, Scale: 8}, end)
	one, at, p, rest := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(operand.U64(1), one)
	g.Label("number")
	g.MOVQ(bit, at)
	g.SHRQ(operand.Imm(6), at)
	g.LEAQ(operand.Mem{Base: sum, Index: at, Scale: 8}, p)
	g.MOVQ(bit, rest) // 63 − bit modulo 64
	g.NOTQ(rest)
	var before gp
	for w := range words + 1 {
		to := operand.Mem{Base: p, Disp: 8 * w}
		var high gp // bits of the word before
		if w > 0 {
			high = g.GP64()
			g.SHRXQ(one, before, high)
			g.SHRXQ(rest, high, high)
		}
		if w == words {
			g.ADCQ(high, to)
			break
		}
		x, low := g.GP64(), g.GP64()
		g.MOVQ(operand.Mem{Base: rows, Disp: rowBytes * w}, x)
		g.SHLXQ(bit, x, low)
		if w == 0 {
			g.ADDQ(low, to)
		} else {
			g.LEAQ(operand.Mem{Base: low, Index: high, Scale: 1}, low)
			g.ADCQ(low, to)
		}
		before = x
	}
	g.JCS(operand.LabelRef("ripple"))
	g.Label("next")
	g.ADDQ(operand.Imm(8), rows)
	g.ADDQ(size, bit)
	g.DECQ(n)
	g.JNE(operand.LabelRef("number"))
	g.end()
	g.Label("ripple")
	g.ADDQ(operand.U32(8*(words+1)), p)
	g.Label("carry")
	g.CMPQ(p, end)
	g.JCC(operand.LabelRef("next"))
	g.ADDQ(operand.Imm(1), operand.Mem{Base: p})
	g.LEAQ(operand.Mem{Base: p, Disp: 8}, p)
	g.JCS(operand.LabelRef("carry"))
	g.JMP(operand.LabelRef("next"))
}
