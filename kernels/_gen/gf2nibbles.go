package main

import "github.com/mmcloughlin/avo/operand"

// nibbles is the arithmetic of bytes by VPSHUFB, which looks four bits up. A factor is the products of the sixteen low
// halves of bytes and of the high ones. Bytes that multiply each other are a + bY_0, with a in the low bits and b in
// the high ones, as in Wiedemann's tower: their products are three in GF(16) (Karatsuba), by logarithms.
type nibbles struct {
	m                                *machine
	suffix                           string
	logs, low, middle, high, fifteen vec
}

// timesByte returns the product in GF(2^8).
func timesByte(x, y int) (z int) {
	for ; y > 0; y >>= 1 {
		z ^= x * (y & 1)
		if x <<= 1; x > 255 {
			x ^= 0x11b
		}
	}
	return z
}

// tower returns the bytes of those of Wiedemann's tower, and the other way round.
func tower() (bytes, back [256]int) {
	images := []int{1}
	for _, y := range []int{0xbc, 0x0c, towerY0} { // as package gf2 has them
		for _, x := range images {
			images = append(images, timesByte(x, y))
		}
	}
	for x := range bytes {
		for i, image := range images {
			bytes[x] ^= x >> i & 1 * image
		}
	}
	for x, y := range bytes {
		back[y] = x
	}
	return bytes, back
}

const noLog = 0xc0 // of zero: sums with it make a zero

func (g *nibbles) declare() {
	bytes, back := tower()
	linear := func(name string, f func(x int) int) {
		g.m.bytesAt(name+g.suffix, many(64, func(i int) int { return f(i % 16 << (i / 32 * 4)) }))
	}
	linear("enter", func(x int) int { return back[x] })
	linear("leave", func(x int) int { return bytes[x] })
	linear("byY0", func(x int) int { return back[timesByte(bytes[x], towerY0)] })
	g.m.bytesAt("nibble"+g.suffix, many(half, func(int) int { return 15 }))
	powers := []int{1} // of a generator of GF(16), in the tower
	generator := 3
	for range 16 {
		generator = timesByte(generator, 3)
	}
	for len(powers) < 16 {
		powers = append(powers, timesByte(powers[len(powers)-1], generator))
	}
	log := map[int]int{0: noLog}
	for i, x := range powers[:15] {
		log[back[x]] = i
	}
	g.m.bytesAt("log"+g.suffix, many(half, func(i int) int { return log[i%16] }))
	power := func(name string, f func(x int) int) {
		g.m.bytesAt(name+g.suffix, many(half, func(i int) int { return back[f(powers[i%16])] }))
	}
	power("powerLow", func(x int) int { return x ^ timesByte(x, towerY0) })
	power("powerMiddle", func(x int) int { return timesByte(x, towerY0) })
	power("powerHigh", func(x int) int { return x ^ timesByte(timesByte(x, 1^0x0c), towerY0) })
	// The factor of a byte is the sum of a line of each: of its low half, and of its high one.
	g.m.bytesAt("factorLow"+g.suffix, many(16*constantBytes, func(i int) int {
		return timesByte(i/constantBytes, i%16<<(i%32/16*4))
	}))
	g.m.bytesAt("factorHigh"+g.suffix, many(16*constantBytes, func(i int) int {
		return timesByte(i/constantBytes<<4, i%16<<(i%32/16*4))
	}))
}

func (g *nibbles) vectors() int { return 2 }

func (g *nibbles) split(x vec) form {
	mask := symbol("nibble"+g.suffix, 0)
	lo, hi := g.m.vec(), g.m.vec()
	g.m.VPAND(mask, x, lo)
	g.m.VPSRLQ(operand.Imm(4), x, hi)
	g.m.VPAND(mask, hi, hi)
	return form{lo, hi}
}

func (g *nibbles) join(x, y form) (z form) {
	for i := range x {
		z = append(z, g.m.op2(g.m.ctx3(g.m.VPXOR), y[i], x[i]))
	}
	return z
}

func (g *nibbles) joinTo(x, y form) {
	for i := range x {
		g.m.VPXOR(y[i], x[i], x[i])
	}
}

func (g *nibbles) constant(w, to operand.Mem) {
	lo, hi, table, other := g.m.GP64(), g.m.GP64(), g.m.GP64(), g.m.GP64()
	g.m.MOVBQZX(w, lo)
	g.m.MOVQ(lo, hi)
	g.m.ANDQ(operand.Imm(15), lo)
	g.m.ANDQ(operand.U32(0xf0), hi)
	g.m.SHLQ(operand.Imm(5), lo)
	g.m.LEAQ(symbol("factorLow"+g.suffix, 0), table)
	g.m.LEAQ(symbol("factorHigh"+g.suffix, 0), other)
	z := g.m.load(operand.Mem{Base: table, Index: lo, Scale: 1})
	g.m.VPXOR(operand.Mem{Base: other, Index: hi, Scale: 2}, z, z)
	g.m.store(z, to)
}

func (g *nibbles) times(x form, factor operand.Mem, sums ...vec) {
	var products []vec
	for i, part := range x {
		m := factor
		m.Disp += 16 * i
		z := g.m.vec()
		g.m.VBROADCASTI128(m, z)
		g.m.VPSHUFB(part, z, z)
		if len(sums) == 1 {
			g.m.VPXOR(z, sums[0], sums[0])
		}
		products = append(products, z)
	}
	if len(sums) > 1 {
		g.m.VPXOR(products[1], products[0], products[0])
		for _, s := range sums {
			g.m.VPXOR(products[0], s, s)
		}
	}
}

// linear returns the images of bytes by a map in memory.
func (g *nibbles) linear(name string, x vec) vec {
	f := g.split(x)
	for i, part := range f {
		t := g.m.load(symbol(name+g.suffix, half*i))
		g.m.VPSHUFB(part, t, part)
	}
	g.m.VPXOR(f[1], f[0], f[0])
	return f[0]
}

func (g *nibbles) mapBytes() int { return 16 }

func (g *nibbles) image(x []operand.Mem, m operand.Mem) (list []vec) {
	t := g.m.vec()
	g.m.VBROADCASTI128(m, t)
	for _, from := range x {
		z := g.m.vec()
		g.m.VPSHUFB(from, t, z)
		list = append(list, z)
	}
	return list
}

func (g *nibbles) enter(x vec) vec { return g.linear("enter", x) }
func (g *nibbles) leave(x vec) vec { return g.linear("leave", x) }
func (g *nibbles) byY0(x vec) vec  { return g.linear("byY0", x) }

func (g *nibbles) preparePair() {
	g.logs = g.m.load(symbol("log"+g.suffix, 0))
	g.low, g.middle = g.m.load(symbol("powerLow"+g.suffix, 0)), g.m.load(symbol("powerMiddle"+g.suffix, 0))
	g.high, g.fifteen = g.m.load(symbol("powerHigh"+g.suffix, 0)), g.m.load(symbol("nibble"+g.suffix, 0))
}

func (g *nibbles) pair(x, y vec) vec {
	a, b := g.split(x), g.split(y)
	product := func(x, y, powers vec) vec {
		s, t := g.m.vec(), g.m.vec()
		g.m.VPSHUFB(x, g.logs, s)
		g.m.VPSHUFB(y, g.logs, t)
		g.m.VPADDUSB(t, s, s)
		g.m.VPSUBB(g.fifteen, s, t)
		g.m.VPMINUB(t, s, s)
		g.m.VPSHUFB(s, powers, s)
		return s
	}
	z := product(a[0], b[0], g.low)
	w := product(a[1], b[1], g.high)
	g.m.VPXOR(w, z, z)
	g.joinTo(form{a[0], b[0]}, form{a[1], b[1]})
	m := product(a[0], b[0], g.middle)
	g.m.VPXOR(m, z, z)
	return z
}
