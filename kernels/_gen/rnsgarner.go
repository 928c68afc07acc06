package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// Primes of 50 bits, of which the products of the first j have 50j bits, for so many primes.
const (
	garnerBits  = 50
	garnerLeast = 2
	garnerMost  = 9
)

// garner goes from residues modulo k primes to words: the digits of dot, the sums of limb and the shifts of words in
// one kernel, whose values stay in registers. Digits of one vector, or of two for as long as registers are enough,
// depend on all before them, so that processors work on the next vectors beside.
func (g *rns) garner(k int) {
	g.function(fmt.Sprintf("garner%dIFMA", k), fmt.Sprintf("sets rows z to the words of 32 numbers with the residues "+
		"r[i][from], r[i][from+1], … modulo %d primes, of which the products of the first j have %d·j bits. c has for each "+
		"prime but the first the constants that dot takes, p and −1/p modulo 2^52, and then for each limb the words that "+
		"limb takes.", k, garnerBits), "z *uint64, r *[]uint64, c *uint64, from int")
	g.product.begin()
	mask := g.mask52()
	list, from, rows := g.param("r"), g.param("from"), make([]gp, k)
	for i := range rows {
		rows[i] = g.GP64()
		g.MOVQ(operand.Mem{Base: list, Disp: 24 * i}, rows[i])
		g.LEAQ(operand.Mem{Base: rows[i], Index: from, Scale: 8}, rows[i])
	}
	z, c, at := g.param("z"), g.param("c"), g.GP64()
	g.XORQ(at, at)
	vectors := 2
	if k > 7 {
		vectors = 1
	}
	g.Label("vectors")
	place := 0
	next := func() vec { // the next word of c
		place += 8
		return g.broadcast(operand.Mem{Base: c, Disp: place - 8})
	}
	zeros := func() []vec {
		z := make([]vec, vectors)
		for v := range z {
			z[v] = g.mov(g.zero)
		}
		return z
	}
	digits := make([][]vec, k)
	for i := range digits {
		for v := range vectors {
			digits[i] = append(digits[i], g.load(operand.Mem{Base: rows[i], Index: at, Scale: 1, Disp: g.bytes * v}))
		}
		if i == 0 {
			continue
		}
		low, high := zeros(), zeros()
		for j := range i + 1 { // the last digit, which is late, comes last
			w := next()
			for v := range vectors {
				g.product.add(w, digits[(i+j)%(i+1)][v], low[v], high[v])
			}
		}
		p := next()
		step := &montgomery{g, p, next(), mask}
		for v := range vectors {
			_, above := step.clear(low[v])
			_, above = step.clear(g.addq(high[v], above))
			digits[i][v] = g.reduce(above, p)
		}
	}
	words, carry := 0, zeros()
	var limbs [][]vec
	for bit := 0; bit < garnerBits*k; bit += 52 {
		low, high := carry, zeros()
		for i := garnerFirst(bit); i < k; i++ {
			w := next()
			for v := range vectors {
				g.product.add(w, digits[i][v], low[v], high[v])
			}
		}
		limb := make([]vec, vectors)
		for v := range vectors {
			limb[v] = g.and(low[v], mask)
			carry[v] = g.addq(high[v], g.srlq(low[v], 52))
		}
		limbs = append(limbs, limb)
		for last := bit+52 >= garnerBits*k; 64*words+64 <= bit+52 || last && 64*words < garnerBits*k; words++ {
			for v := range vectors {
				first, shift := 64*words/52, 64*words%52
				x := limbs[first][v]
				if shift > 0 {
					x = g.srlq(x, uint64(shift))
				}
				for up := 52 - shift; up < 64 && first+1 < len(limbs); up += 52 {
					first++
					x = g.or(x, g.sllq(limbs[first][v], uint64(up)))
				}
				g.store(x, operand.Mem{Base: z, Index: at, Scale: 1, Disp: rowBytes*words + g.bytes*v})
			}
		}
	}
	g.ADDQ(operand.Imm(uint64(g.bytes*vectors)), at)
	g.CMPQ(at, operand.U32(rowBytes))
	g.JNE(operand.LabelRef("vectors"))
	g.end()
}

// garnerFirst is the first of the products of j primes that has the limb from a bit on.
func garnerFirst(bit int) int {
	if bit == 0 {
		return 0
	}
	return bit/garnerBits + 1
}
