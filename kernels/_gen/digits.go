package main

import (
	"fmt"
	"path/filepath"

	"github.com/mmcloughlin/avo/operand"
)

// digits writes the kernels of package digits: tiles of eight elements of Z/(r^k + 1), digit i of the eight in row i of
// 64 bytes. With AVX2 a vector is half a row. A digit's address is a base and an offset that runs to kb = 64k.
type digits struct {
	*machine
	r, one vec
	labels int
}

// writeDigits writes the files of package digits.
func writeDigits(dir string) error {
	for _, avx512 := range []bool{true, false} {
		m := &machine{instructions: newInstructions(), bytes: 64, word: 8, avx512: avx512}
		m.ConstraintExpr("amd64,!purego")
		g, name := &digits{machine: m}, "zavx512"
		if !avx512 {
			m.bytes, name = 32, "zavx2"
			m.constants()
		}
		g.add()
		g.subtract()
		g.cross()
		g.shift()
		g.doubleProducts()
		if avx512 {
			g.products()
			g.residues()
			for _, vectors := range []int{1, 2, 4, 8} {
				g.packed(false, vectors)
				g.packed(true, vectors)
			}
			g.tileMoves()
			g.shuffles()
			g.rows()
		}
		asm, stubs, err := m.print("digits")
		if err == nil {
			err = writeFiles(filepath.Join(dir, name), asm, stubs)
		}
		if err != nil {
			return err
		}
	}
	return writeNEONDigits(dir)
}

// suffix names the instructions in the names of functions.
func (g *digits) suffix() string {
	if g.avx512 {
		return "AVX512"
	}
	return "AVX2"
}

// label returns a name for a place in this function.
func (g *digits) label(name string) string {
	g.labels++
	return fmt.Sprintf("%s%d", name, g.labels)
}

func (g *digits) at(base gp, offset gp) operand.Mem {
	return operand.Mem{Base: base, Index: offset, Scale: 1}
}

// begin starts a kernel that takes the radix r and runs body for each of n tiles, after which the pointers move on.
func (g *digits) begin(name, doc, params string) {
	name += g.suffix()
	g.function(name, doc, params)
	if !g.avx512 {
		g.halvesConstants()
	}
	g.r, g.one = g.broadcast(g.frame("r")), g.constant(1)
	g.zero = g.constant(0)
}

// count returns the bytes of k rows.
func (g *digits) count() gp {
	kb := g.param("k")
	g.SHLQ(operand.Imm(6), kb)
	return kb
}

// tiles runs body n times, moving the pointers by a tile; with half a row in a vector, twice for each tile.
func (g *digits) tiles(kb gp, pointers []gp, body func()) {
	n, step, other := g.param("n"), kb, gp(nil)
	if !g.avx512 {
		g.SHLQ(operand.Imm(1), n)
		step, other = g.GP64(), g.GP64()
		g.MOVQ(operand.U64(32), step)
		g.MOVQ(kb, other)
		g.SUBQ(step, other)
	}
	g.Label("tile")
	body()
	for _, p := range pointers {
		g.ADDQ(step, p)
	}
	if !g.avx512 {
		g.XCHGQ(step, other)
	}
	g.DECQ(n)
	g.JNE(operand.LabelRef("tile"))
	g.end()
}

// each runs body for every row offset from that in i up to the bytes in end; there is at least one.
func (g *digits) each(i, end gp, body func()) {
	l := g.label("digit")
	g.Label(l)
	body()
	g.ADDQ(operand.Imm(64), i)
	g.CMPQ(i, end)
	g.JNE(operand.LabelRef(l))
}

// zeroGP returns a register that holds 0.
func (g *digits) zeroGP() gp {
	i := g.GP64()
	g.XORQ(i, i)
	return i
}

// sum adds digits with a carry: its lanes are those that are not in nc. x + y + c < r is x < r − c − y.
func (g *digits) sum(x, y, less vec, nc mask) vec {
	t := g.sub(less, y) // r − 1 − y
	g.addOne(nc, t)
	g.isLess(nc, x, t)
	return g.addIn(nc, g.sub(x, t), g.r)
}

// difference subtracts digits with a borrow.
func (g *digits) difference(x, y vec, b mask) vec {
	t := g.mov(y)
	g.addOne(b, t)
	g.isLess(b, x, t)
	return g.addIn(b, g.sub(x, t), g.r)
}

// ripple changes digit 0 of the lanes of m, and further ones while change returns lanes that have a carry: it is seldom
// that any have.
func (g *digits) ripple(z, kb gp, m mask, change func(v vec, m mask) vec, last func(m mask)) {
	done, next := g.label("done"), g.label("next")
	i := g.zeroGP()
	g.Label(next)
	v := change(g.load(g.at(z, i)), m)
	g.store(v, g.at(z, i))
	g.jumpNone(m, done)
	g.ADDQ(operand.Imm(64), i)
	g.CMPQ(i, kb)
	g.JNE(operand.LabelRef(next))
	last(m)
	g.Label(done)
}

// minusOne makes the last digit r in the lanes of m, whose other digits are 0.
func (g *digits) minusOne(z, kb gp, m mask) {
	v := g.load(operand.Mem{Base: z, Index: kb, Scale: 1, Disp: -64})
	g.setIn(m, v, g.r)
	g.store(v, operand.Mem{Base: z, Index: kb, Scale: 1, Disp: -64})
}

// dec subtracts 1 in the lanes of m.
func (g *digits) dec(z, kb gp, m mask) {
	g.ripple(z, kb, m, func(v vec, m mask) vec {
		zero := g.zeroIn(m, v)
		g.subOne(m, v)
		g.addIn(zero, v, g.r)
		g.copyMask(zero, m)
		return v
	}, func(m mask) { // all digits were 0
		i := g.zeroGP()
		g.each(i, kb, func() {
			v := g.load(g.at(z, i))
			g.setIn(m, v, g.zero)
			g.store(v, g.at(z, i))
		})
		g.minusOne(z, kb, m)
	})
}

// inc adds 1 in the lanes of m.
func (g *digits) inc(z, kb gp, m mask) {
	g.ripple(z, kb, m, func(v vec, m mask) vec {
		g.addOne(m, v)
		full := g.equalIn(m, v, g.r)
		g.setIn(full, v, g.zero)
		g.copyMask(full, m)
		return v
	}, func(m mask) { g.minusOne(z, kb, m) })
}

func (g *digits) add() {
	g.begin("add", "sets n tiles z to x + y.", "z, x, y *uint64, r uint64, k, n int")
	less := g.sub(g.r, g.one)
	z, x, y, kb := g.param("z"), g.param("x"), g.param("y"), g.count()
	g.tiles(kb, []gp{z, x, y}, func() {
		i, nc := g.zeroGP(), g.all()
		g.each(i, kb, func() {
			g.store(g.sum(g.load(g.at(x, i)), g.load(g.at(y, i)), less, nc), g.at(z, i))
		})
		g.not(nc)
		g.dec(z, kb, nc)
	})
}

func (g *digits) subtract() {
	g.begin("sub", "sets n tiles z to x − y.", "z, x, y *uint64, r uint64, k, n int")
	z, x, y, kb := g.param("z"), g.param("x"), g.param("y"), g.count()
	g.tiles(kb, []gp{z, x, y}, func() {
		i, b := g.zeroGP(), g.none()
		g.each(i, kb, func() {
			g.store(g.difference(g.load(g.at(x, i)), g.load(g.at(y, i)), b), g.at(z, i))
		})
		g.inc(z, kb, b)
	})
}

func (g *digits) cross() {
	g.begin("cross", "sets n tiles s to x + y and d to x − y.", "s, d, x, y *uint64, r uint64, k, n int")
	less := g.sub(g.r, g.one)
	s, d, x, y, kb := g.param("s"), g.param("d"), g.param("x"), g.param("y"), g.count()
	g.tiles(kb, []gp{s, d, x, y}, func() {
		i, nc, b := g.zeroGP(), g.all(), g.none()
		g.each(i, kb, func() {
			u, v := g.load(g.at(x, i)), g.load(g.at(y, i))
			g.store(g.sum(u, v, less, nc), g.at(s, i))
			g.store(g.difference(u, v, b), g.at(d, i))
		})
		g.not(nc)
		g.dec(s, kb, nc)
		g.inc(d, kb, b)
	})
}

// shift moves the last digits to the first places, where they change their sign, as r^k = −1; from r^k on all change it
// once more.
func (g *digits) shift() {
	g.begin("shift", "sets n tiles z, which are not x, to x·r^s, 0 ≤ s < 2k.", "z, x *uint64, r uint64, s, k, n int")
	z, x, s, kb := g.param("z"), g.param("x"), g.param("s"), g.count()
	g.SHLQ(operand.Imm(6), s)
	low := g.GP64() // rows that go to the first places, in bytes
	g.MOVQ(s, low)
	g.CMPQ(s, kb)
	g.JLT(operand.LabelRef("once"))
	g.SUBQ(kb, low)
	g.Label("once")

	negative := func(from, i, end gp, b mask) {
		g.each(i, end, func() {
			v := g.load(g.at(from, i))
			g.addOne(b, v)
			g.isLess(b, g.zero, v)
			g.store(g.addIn(b, g.sub(g.zero, v), g.r), g.at(z, i))
		})
	}
	g.tiles(kb, []gp{z, x}, func() {
		// Digit i of z is digit i + k − low of x in the first places, and i − low above them.
		first, rest := g.GP64(), g.GP64()
		g.LEAQ(operand.Mem{Base: x, Index: kb, Scale: 1}, first)
		g.SUBQ(low, first)
		g.MOVQ(x, rest)
		g.SUBQ(low, rest)
		i, b := g.zeroGP(), g.none()
		g.CMPQ(s, kb)
		g.JGE(operand.LabelRef("above"))

		g.TESTQ(low, low)
		g.JEQ(operand.LabelRef("high"))
		negative(first, i, low, b)
		g.Label("high")
		g.each(i, kb, func() {
			v := g.load(g.at(rest, i))
			none := g.zeroIn(b, v)
			g.subOne(b, v)
			g.store(g.addIn(none, v, g.r), g.at(z, i))
			g.copyMask(none, b)
		})
		g.JMP(operand.LabelRef("carry"))

		// The digit r of −1, which is the last of the first places, becomes 1 at the next one, where all is 0.
		g.Label("above")
		unit := g.none()
		g.TESTQ(low, low)
		g.JEQ(operand.LabelRef("minus"))
		g.each(i, low, func() {
			v := g.load(g.at(first, i))
			g.copyMask(g.equalIn(g.all(), v, g.r), unit)
			g.setIn(unit, v, g.zero)
			g.store(v, g.at(z, i))
		})
		g.Label("minus")
		negative(rest, i, kb, b)
		v := g.load(g.at(z, low))
		g.addOne(unit, v)
		g.store(v, g.at(z, low))
		g.Label("carry")
		g.inc(z, kb, b)
	})
}
