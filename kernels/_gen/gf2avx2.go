package main

import (
	"fmt"
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// halves writes the kernels of package gf2 for vectors of 32 bytes, half a plane, and 16 registers. What does not fit
// in registers is in the frame, and what is the same for many planes is a loop over them.
type halves struct {
	*planes
	bytewise
	suffix string
}

// bytewise is the arithmetic of bytes in vectors of 32.
type bytewise interface {
	// declare declares what the arithmetic has in memory.
	declare()
	// split returns x in the form in which constants multiply it, of so many vectors, and join adds y to a form.
	vectors() int
	split(x vec) form
	join(x, y form) form
	joinTo(x, y form)
	// constant writes the byte at w to memory as a factor, in constantBytes.
	constant(w, to operand.Mem)
	// times adds the product of x and a factor to each of sums.
	times(x form, factor operand.Mem, sums ...vec)
	// enter returns bytes in the form in which they multiply each other, and leave goes back. Sums are the same.
	enter(x vec) vec
	leave(x vec) vec
	// preparePair loads what pair needs, which multiplies bytes that have entered.
	preparePair()
	pair(x, y vec) vec
	// byY0 returns the product of bytes that have entered by Y_0.
	byY0(x vec) vec
	// image returns the images of vectors by one part of a map, which has mapBytes.
	image(x []operand.Mem, m operand.Mem) []vec
	mapBytes() int
}

// form is bytes that constants multiply: in one vector, or in one for each four bits.
type form []vec

const (
	half          = 32 // bytes of a vector
	constantBytes = 32 // of a factor
)

// writeHalves writes a file of kernels: those of the arithmetic, and those that only move bytes and add them where move
// is set.
func writeHalves(dir, name, suffix string, arithmetic func(m *machine) bytewise, move bool) error {
	m := newMachine(half, 8, false)
	g := &halves{planes: &planes{machine: m}, bytewise: arithmetic(m), suffix: suffix}
	g.ConstraintExpr("amd64,!purego")
	g.declare()
	g.bytesAt("low"+g.suffix, many(half, func(i int) int { return 255 * (1 - i%2) }))
	for k, most := range []int{3, 2, 1, 1} {
		for count := 1; count <= most; count++ {
			g.layers(k, count, false)
			g.layers(k, count, true)
		}
		g.tail(k, false)
		g.tail(k, true)
		g.addTimes(k)
	}
	for k := range 5 {
		g.mul(k)
		g.pack(k)
		g.unpack(k)
	}
	if move {
		g.moves()
	}
	asm, stubs, err := g.print("gf2")
	if err != nil {
		return err
	}
	return writeFiles(filepath.Join(dir, name), asm, stubs)
}

// moves writes what moves bytes and adds them.
func (g *halves) moves() {
	g.places()
	for k := range 5 {
		g.spread(k)
		g.fold(k, false)
		g.fold(k, true)
	}
	for _, back := range []bool{false, true} {
		g.turn(back)
		for count := 1; count <= 3; count++ {
			g.foldRows(fmt.Sprintf("expand%d", 2<<count)+g.suffix, "Expand", 2<<count, expansion(count), back)
		}
		g.foldRows("sixteen"+g.suffix, "Sixteen", 16, []fold{{16, 2}, {8, 1}, {4, 1}, {16, 4}}, back)
	}
	g.mixLanes()
	g.addPlanes()
}

// bytesAt declares bytes in memory.
func (g *machine) bytesAt(name string, list []byte) {
	g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, b := range list {
		g.AddDatum(i, operand.U8(b))
	}
}

func symbol(name string, at int) operand.Mem {
	return operand.NewDataAddr(operand.NewStaticSymbol(name), at)
}

// many returns f of the numbers below n.
func many(n int, f func(i int) int) (list []byte) {
	for i := range n {
		list = append(list, byte(f(i)))
	}
	return list
}

const nowhere = 0x80 // an index of VPSHUFB that makes a zero

// places declares what moves lanes.
func (g *halves) places() {
	var spreads, carries, quarters []byte
	for s := range 7 {
		spreads = append(spreads, many(half, func(i int) int { return i >> s })...)
	}
	for t := range 6 { // the last 2^t lanes of a plane go to the first ones of the next
		n := 1 << t
		dword, from := 4, func(i int) int { return 16 - n + i }
		if n == half {
			dword, from = 0, func(i int) int { return i % 16 }
		}
		carries = append(carries, many(half, func(i int) int { return (i/4 + dword) % 8 * (1 - min(1, i%4)) })...)
		carries = append(carries, many(half, func(i int) int {
			if i >= n {
				return nowhere
			}
			return from(i)
		})...)
		carries = append(carries, many(half, func(i int) int { return 255 * min(1, i/n) })...)
	}
	for from := range 4 { // 16 lanes of a plane, seen from those of a vector
		quarters = append(quarters, many(half, func(i int) int {
			q := 2*(from/2) + (i/16 ^ from%2)
			return 16 * q
		})...)
	}
	g.bytesAt("spread"+g.suffix, spreads)
	g.bytesAt("carry"+g.suffix, carries)
	g.bytesAt("quarter"+g.suffix, quarters)
	g.bytesAt("bits"+g.suffix, many(half, func(i int) int { return 1 << (i % 8) }))
	g.bytesAt("bytes"+g.suffix, many(half, func(i int) int { return i / 8 }))
	g.bytesAt("beyond"+g.suffix, many(half, func(int) int { return 0x70 }))
}

func at(p reg.Register, disp int) operand.Mem { return operand.Mem{Base: p, Disp: disp} }

func (g *halves) clear() vec {
	z := g.vec()
	g.VPXOR(z, z, z)
	return z
}

// loop does body for so many bytes from 0 on, by steps, with the number of bytes in a register.
func (g *halves) loop(label string, bytes, step int, body func(i gp)) {
	i := g.GP64()
	g.XORQ(i, i)
	g.Label(label)
	body(i)
	g.ADDQ(operand.U32(step), i)
	g.CMPQ(i, operand.U32(bytes))
	g.JNE(operand.LabelRef(label))
}

func indexed(p gp, i gp, disp int) operand.Mem {
	return operand.Mem{Base: p, Index: i, Scale: 1, Disp: disp}
}

// factors writes count constants of level k at w, as factors in the frame, and returns where.
func (g *halves) factors(w gp, k, count int) func(constant, i int) operand.Mem {
	n := parts(k)
	r := g.room(count * n * constantBytes)
	place := func(constant, i int) operand.Mem { return at(r, (constant*n+i)*constantBytes) }
	for c := range count {
		for i := range n {
			g.constant(at(w, c*constantSize(k)+i), place(c, i))
		}
	}
	return place
}

type factor func(i int) operand.Mem

// level1 adds the products of two planes and the constant whose bytes are factors from i on. Where last is set the
// planes are not needed any more.
func (g *halves) level1(x, y form, f factor, i int, last bool, toX, toY []vec) {
	g.times(x, f(i), toX...)
	g.times(y, f(i+2), toY...)
	s := x
	if last {
		g.joinTo(s, y)
	} else {
		s = g.join(x, y)
	}
	g.times(s, f(i+1), append(append([]vec(nil), toX...), toY...)...)
}

// level2 adds those of four planes.
func (g *halves) level2(plane func(i int) vec, f factor, i int, u []vec) {
	one := func(j int) []vec { return u[j : j+1] }
	x, y := g.split(plane(0)), g.split(plane(1))
	g.level1(x, y, f, i, false, one(0), one(1))
	v, w := g.split(plane(2)), g.split(plane(3))
	g.level1(v, w, f, i+6, false, one(2), one(3))
	g.joinTo(x, v)
	g.joinTo(y, w)
	g.level1(x, y, f, i+3, true, []vec{u[0], u[2]}, []vec{u[1], u[3]})
}

// accumulate adds to planes u in memory the products of planes v by a constant, at most of level 3; done gets the sums.
func (g *halves) accumulate(k int, u, v func(i int) operand.Mem, f factor, temp gp, done func(i int, z vec)) {
	load := func(from, n int, more func(i int, z vec)) (list []vec) {
		for i := range n {
			z := g.load(u(from + i))
			more(i, z)
			list = append(list, z)
		}
		return list
	}
	none := func(int, vec) {}
	plane := func(from int) func(i int) vec { return func(i int) vec { return g.load(v(from + i)) } }
	var z []vec
	switch k {
	case 0:
		z = load(0, 1, none)
		g.times(g.split(plane(0)(0)), f(0), z...)
	case 1:
		z = load(0, 2, none)
		g.level1(g.split(plane(0)(0)), g.split(plane(0)(1)), f, 0, true, z[:1], z[1:])
	case 2:
		z = load(0, 4, none)
		g.level2(plane(0), f, 0, z)
	case 3:
		var sums []vec
		for range 4 {
			sums = append(sums, g.clear())
		}
		g.level2(func(i int) vec {
			z := g.load(v(i))
			g.addTo(z, v(4+i))
			return z
		}, f, 9, sums)
		for i, s := range sums {
			g.store(s, at(temp, i*half))
		}
		for _, from := range []int{0, 4} {
			z := load(from, 4, func(i int, z vec) { g.addTo(z, at(temp, i*half)) })
			g.level2(plane(from), f, from/4*18, z)
			for i := range z {
				done(from+i, z[i])
			}
		}
		return
	}
	for i := range z {
		done(i, z[i])
	}
}

// rowsAt returns where rows are.
func (g *halves) rowsAt(v, stride gp, rows int) (row func(r, disp int) operand.Mem, pointers []gp) {
	var three gp
	pointers = []gp{v}
	if rows > 2 {
		three = g.GP64()
		g.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	}
	if rows > 4 {
		high := g.GP64()
		g.LEAQ(operand.Mem{Base: v, Index: stride, Scale: 4}, high)
		pointers = append(pointers, high)
	}
	return func(r, disp int) operand.Mem {
		m := at(pointers[r/4], disp)
		switch r % 4 {
		case 1:
			m.Index, m.Scale = stride, 1
		case 2:
			m.Index, m.Scale = stride, 2
		case 3:
			m.Index, m.Scale = three, 1
		}
		return m
	}, pointers
}

// bothHalves does body for both halves of planes at pointers, which are at the second half behind it.
func (g *halves) bothHalves(body func(), pointers ...gp) {
	i := g.GP64()
	g.MOVQ(operand.U32(2), i)
	g.JMP(operand.LabelRef("half"))
	g.Label("second")
	for _, p := range pointers {
		g.ADDQ(operand.Imm(half), p)
	}
	g.Label("half")
	body()
	g.DECQ(i)
	g.JNZ(operand.LabelRef("second"))
}

func (g *halves) layers(k, count int, back bool) {
	rows, d := 1<<count, 1<<k
	name := fmt.Sprintf("layers%dRadix%d%s%s", k, rows, g.suffix, backName(back))
	g.function(name, "is Set.Layers"+backName(back)+": see there.", "v *byte, stride, n int, w *byte")
	v, stride, n := g.param("v"), g.param("stride"), g.param("n")
	var temp gp
	if k == 3 {
		temp = g.room(4 * half)
	}
	f := g.factors(g.param("w"), k, rows-1)
	row, pointers := g.rowsAt(v, stride, rows)
	g.Label("group")
	g.bothHalves(func() {
		if k < 2 {
			g.inRegisters(k, count, row, f, back)
			return
		}
		u, w := func(i int) operand.Mem { return row(0, i*plane) }, func(i int) operand.Mem { return row(1, i*plane) }
		if back {
			for i := range d {
				z := g.load(w(i))
				g.addTo(z, u(i))
				g.store(z, w(i))
			}
		}
		g.accumulate(k, u, w, func(i int) operand.Mem { return f(0, i) }, temp, func(i int, z vec) {
			g.store(z, u(i))
			if !back {
				g.addTo(z, w(i))
				g.store(z, w(i))
			}
		})
	}, pointers...)
	for _, p := range pointers {
		g.ADDQ(operand.U32(d*plane-half), p)
	}
	g.SUBQ(operand.U32(d*plane), n)
	g.JNZ(operand.LabelRef("group"))
	g.end()
}

// inRegisters does layers to rows of planes that stay in registers.
func (g *halves) inRegisters(k, count int, row func(r, disp int) operand.Mem,
	f func(constant, i int) operand.Mem, back bool) {
	rows, d := 1<<count, 1<<k
	x := make([][]vec, rows)
	for r := range x {
		for i := range d {
			x[r] = append(x[r], g.load(row(r, i*plane)))
		}
	}
	for step := range count {
		l := step
		if back {
			l = count - 1 - step
		}
		h := rows >> (l + 1)
		for b := range 1 << l {
			part := func(i int) operand.Mem { return f(1<<l-1+b, i) }
			for r := 2 * h * b; r < 2*h*b+h; r++ {
				u, v := x[r], x[r+h]
				add := func() {
					for i := range v {
						g.addTo(v[i], u[i])
					}
				}
				if back {
					add()
				}
				if k == 0 {
					g.times(g.split(v[0]), part(0), u[0])
				} else {
					g.level1(g.split(v[0]), g.split(v[1]), part, 0, true, u[:1], u[1:])
				}
				if !back {
					add()
				}
			}
		}
	}
	for r := range x {
		for i, z := range x[r] {
			g.store(z, row(r, i*plane))
		}
	}
}

func (g *halves) addTimes(k int) {
	g.function(fmt.Sprintf("addTimes%d%s", k, g.suffix), "is Set.AddTimes: see there.",
		"u, v *byte, groups, step int, w *byte")
	u, v, groups, step := g.param("u"), g.param("v"), g.param("groups"), g.param("step")
	var temp gp
	if k == 3 {
		temp = g.room(4 * half)
	}
	f := g.factors(g.param("w"), k, 1)
	g.SUBQ(operand.Imm(half), step)
	g.Label("group")
	g.bothHalves(func() {
		to, from := func(i int) operand.Mem { return at(u, i*plane) }, func(i int) operand.Mem { return at(v, i*plane) }
		g.accumulate(k, to, from, func(i int) operand.Mem { return f(0, i) }, temp, func(i int, z vec) {
			g.store(z, to(i))
		})
	}, u, v)
	g.ADDQ(step, u)
	g.ADDQ(step, v)
	g.DECQ(groups)
	g.JNZ(operand.LabelRef("group"))
	g.end()
}

// digit returns digit j of i to the base 3, and place where plane i of 2^k stands among 3^k sums of planes.
func digit(i, j int) int { return i / parts(j) % 3 }

func spot(k, i, one int) (p int) {
	for j := range k {
		p += i >> j & 1 * one * parts(j)
	}
	return p
}

// sums adds planes, of which plane i stands at spot(k, i, 2): where digit j is 1 comes the sum of where it is 0 and 2.
func (g *halves) planeSums(k int, m func(p int) operand.Mem) {
	for j := range k {
		for p := range parts(k) {
			above := false // whether a digit above j is 1
			for i := j + 1; i < k; i++ {
				above = above || digit(p, i) == 1
			}
			if digit(p, j) == 1 && !above {
				z := g.load(m(p - parts(j)))
				g.addTo(z, m(p+parts(j)))
				g.store(z, m(p))
			}
		}
	}
}

// ofPlane lists the products of sums of planes that are added to plane i in a product by a constant.
func ofPlane(k, i int) []int {
	list := []int{0}
	for j := range k {
		var next []int
		for _, p := range list {
			next = append(next, p+(i>>j&1)*2*parts(j), p+parts(j))
		}
		list = next
	}
	return list
}

// tail writes the layers inside pairs of tiles, which go between the tiles and the frame, with an exchange behind each.
// Where layers are fewer, exchanges without any bring lanes to their places: seven change nothing.
func (g *halves) tail(k int, back bool) {
	d, n := 1<<k, parts(k)
	size := (tailLayers*n + plane - 1) &^ (plane - 1) // of base, and of parts of delta
	name := fmt.Sprintf("tail%d%s%s", k, g.suffix, backName(back))
	g.function(name, "is Set.Tail"+backName(back)+": see there.",
		"v *byte, pairs, groups, layers int, lanes, base, delta *byte, at int")
	v := g.param("v")
	scratch := tailLayers * n * plane // from where on the frame has other things than constants
	leaves := scratch + 2*d*plane
	products := leaves + n*plane
	sum := products + n*plane
	room, tile := g.room(sum+size), g.GP64()
	base := g.GP64()
	g.MOVQ(g.frame("base"), base)
	for i := 0; i < size; i += half {
		g.store(g.load(at(base, i)), at(room, sum+i))
	}
	g.MOVQ(g.frame("groups"), tile)
	g.SHLQ(operand.Imm(uint64(6+k)), tile)

	g.Label("pair")
	{
		left, c, from, next := g.GP64(), g.GP64(), g.GP64(), g.GP64()
		g.MOVQ(g.frame("layers"), left)
		g.IMUL3Q(operand.U32(n), left, left)
		g.MOVQ(room, c)
		g.MOVQ(g.frame("lanes"), from)
		g.LEAQ(at(room, sum), next)
		g.Label("constant")
		z := g.vec()
		g.VPBROADCASTB(at(next, 0), z)
		for h := 0; h < plane; h += half {
			g.store(g.enter(g.xor(z, at(from, h))), at(c, h))
		}
		g.INCQ(next)
		g.ADDQ(operand.Imm(plane), from)
		g.ADDQ(operand.Imm(plane), c)
		g.DECQ(left)
		g.JNZ(operand.LabelRef("constant"))
	}
	groups := g.GP64()
	g.MOVQ(g.frame("groups"), groups)
	g.Label("group")
	other := g.GP64()
	g.LEAQ(indexed(v, tile, 0), other)
	g.loop("enter", d*plane, half, func(i gp) {
		g.store(g.enter(g.load(indexed(v, i, 0))), indexed(room, i, scratch))
		g.store(g.enter(g.load(indexed(other, i, 0))), indexed(room, i, scratch+d*plane))
	})
	xs, ys, xd, yd, c, left := g.GP64(), g.GP64(), g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.LEAQ(at(room, scratch), xs)
	g.LEAQ(at(room, scratch+d*plane), ys)
	g.MOVQ(v, xd)
	g.MOVQ(other, yd)
	g.MOVQ(room, c)
	moves := func() { // exchanges alone
		g.MOVQ(operand.U32(tailLayers), left)
		g.SUBQ(g.frame("layers"), left)
		g.JZ(operand.LabelRef("moved"))
		g.Label("turn")
		if back {
			g.separateAll("move", d, xs, ys, xd, yd, false)
		} else {
			g.interleaveAll(d, xs, ys, xd, yd)
		}
		g.XCHGQ(xs, xd)
		g.XCHGQ(ys, yd)
		g.DECQ(left)
		g.JNZ(operand.LabelRef("turn"))
		g.Label("moved")
	}
	if back {
		moves()
		last := g.GP64()
		g.MOVQ(g.frame("layers"), last)
		g.IMUL3Q(operand.U32(n*plane), last, last)
		g.LEAQ(operand.Mem{Base: c, Index: last, Scale: 1, Disp: -n * plane}, c)
	}
	g.MOVQ(g.frame("layers"), left)
	g.Label("layer")
	source := ys
	if back {
		g.separateAll("separate", d, xs, ys, xd, yd, true)
		source = yd
	}
	sums := func(i gp) func(p int) operand.Mem {
		return func(p int) operand.Mem { return indexed(room, i, leaves+p*plane) }
	}
	g.loop("sums", plane, half, func(i gp) {
		m := sums(i)
		for j := range d {
			g.store(g.load(indexed(source, i, j*plane)), m(spot(k, j, 2)))
		}
		g.planeSums(k, m)
	})
	g.preparePair()
	g.loop("products", n*plane, half, func(i gp) {
		g.store(g.pair(g.load(indexed(room, i, leaves)), g.load(indexed(c, i, 0))), indexed(room, i, products))
	})
	g.loop("add", plane, half, func(i gp) {
		for j := range d {
			x := g.vec()
			first := indexed(xs, i, j*plane)
			if back {
				first = indexed(xd, i, j*plane)
			}
			g.VMOVDQU(first, x)
			for _, p := range ofPlane(k, j) {
				g.addTo(x, indexed(room, i, products+p*plane))
			}
			if back {
				g.store(x, first)
				continue
			}
			y := g.xor(x, indexed(ys, i, j*plane))
			a, b := g.interleaved(x, y)
			g.store(a, at(xd, j*plane))
			g.store(b, at(xd, j*plane+half))
		}
		if !back {
			g.XCHGQ(xd, yd)
		}
	})
	g.XCHGQ(xs, xd)
	g.XCHGQ(ys, yd)
	if back {
		g.SUBQ(operand.U32(n*plane), c)
	} else {
		g.ADDQ(operand.U32(n*plane), c)
	}
	g.DECQ(left)
	g.JNZ(operand.LabelRef("layer"))
	if !back {
		moves()
	}
	g.loop("leave", d*plane, half, func(i gp) {
		for _, p := range []gp{v, other} {
			g.store(g.leave(g.load(indexed(p, i, 0))), indexed(p, i, 0))
		}
	})
	g.ADDQ(operand.U32(d*plane), v)
	g.DECQ(groups)
	g.JNZ(operand.LabelRef("group"))
	g.ADDQ(tile, v)

	pairs := g.frame("pairs")
	g.DECQ(pairs)
	g.JZ(operand.LabelRef("done"))
	number, zeros := g.GP64(), g.GP64()
	g.MOVQ(g.frame("at"), number)
	g.INCQ(number)
	g.MOVQ(number, g.frame("at"))
	g.BSFQ(number, zeros)
	g.IMUL3Q(operand.U32(size), zeros, zeros)
	g.ADDQ(g.frame("delta"), zeros)
	for i := 0; i < size; i += half {
		z := g.load(at(room, sum+i))
		g.addTo(z, at(zeros, i))
		g.store(z, at(room, sum+i))
	}
	g.JMP(operand.LabelRef("pair"))
	g.Label("done")
	g.end()
}

// interleaved returns the bytes of x and y in turn.
func (g *halves) interleaved(x, y vec) (a, b vec) {
	lo, hi := g.op2(g.ctx3(g.VPUNPCKLBW), y, x), g.op2(g.ctx3(g.VPUNPCKHBW), y, x)
	a, b = g.vec(), g.vec()
	g.VPERM2I128(operand.Imm(0x20), hi, lo, a)
	g.VPERM2I128(operand.Imm(0x31), hi, lo, b)
	return a, b
}

// separated returns the even bytes of x and y, one behind the other, and the odd ones.
func (g *halves) separated(x, y vec) (a, b vec) {
	low := symbol("low"+g.suffix, 0)
	a, b = g.vec(), g.vec()
	g.VPACKUSWB(g.op2(g.ctx3(g.VPAND), low, y), g.op2(g.ctx3(g.VPAND), low, x), a)
	g.VPERMQ(operand.Imm(0xd8), a, a)
	s, t := g.vec(), g.vec()
	g.VPSRLW(operand.Imm(8), x, s)
	g.VPSRLW(operand.Imm(8), y, t)
	g.VPACKUSWB(t, s, b)
	g.VPERMQ(operand.Imm(0xd8), b, b)
	return a, b
}

// separateAll separates d planes of two tiles, at xs and ys, to xd and yd, and may add the first of them to the second.
func (g *halves) separateAll(label string, d int, xs, ys, xd, yd gp, add bool) {
	from := g.GP64()
	g.MOVQ(xs, from)
	g.loop(label, plane, half, func(i gp) {
		for j := range d {
			a, b := g.separated(g.load(at(from, j*plane)), g.load(at(from, j*plane+half)))
			if add {
				g.addTo(b, a)
			}
			g.store(a, indexed(xd, i, j*plane))
			g.store(b, indexed(yd, i, j*plane))
		}
		g.MOVQ(ys, from)
	})
}

// interleaveAll interleaves d planes of two tiles, at xs and ys, to xd and yd.
func (g *halves) interleaveAll(d int, xs, ys, xd, yd gp) {
	to := g.GP64()
	g.MOVQ(xd, to)
	g.loop("interleave", plane, half, func(i gp) {
		for j := range d {
			a, b := g.interleaved(g.load(indexed(xs, i, j*plane)), g.load(indexed(ys, i, j*plane)))
			g.store(a, at(to, j*plane))
			g.store(b, at(to, j*plane+half))
		}
		g.MOVQ(yd, to)
	})
}

// mul writes products of elements, as sums of products of 3^k sums of planes.
func (g *halves) mul(k int) {
	d, n := 1<<k, parts(k)
	g.function(fmt.Sprintf("mul%d%s", k, g.suffix), "is Set.Mul: see there.", "z, x, y *byte, tiles int")
	z, x, y, tiles := g.param("z"), g.param("x"), g.param("y"), g.param("tiles")
	room := g.room(2 * n * half)
	other := func(p int) operand.Mem { return at(room, (n+p)*half) }
	product := func(p int) operand.Mem { return at(room, p*half) }
	g.Label("tile")
	g.bothHalves(func() {
		for i := range d {
			g.store(g.enter(g.load(at(x, i*plane))), product(spot(k, i, 2)))
			g.store(g.enter(g.load(at(y, i*plane))), other(spot(k, i, 2)))
		}
		g.planeSums(k, product)
		g.planeSums(k, other)
		g.preparePair()
		g.loop("products", n*half, half, func(i gp) {
			g.store(g.pair(g.load(indexed(room, i, 0)), g.load(indexed(room, i, n*half))), indexed(room, i, 0))
		})
		for j := range k {
			g.combine(k, j, product)
		}
		for i := range d {
			g.store(g.leave(g.load(product(spot(k, i, 1)))), at(z, i*plane))
		}
	}, z, x, y)
	for _, p := range []gp{z, x, y} {
		g.ADDQ(operand.U32(d*plane-half), p)
	}
	g.DECQ(tiles)
	g.JNZ(operand.LabelRef("tile"))
	g.end()
}

// combine makes products of level j + 1 of three of level j each, p, m and q, where digit j is 0, 1 and 2 and those
// below are bits of the plane: p + q comes to 0 and m + p + q + Y_j·q to 1.
func (g *halves) combine(k, j int, m func(p int) operand.Mem) {
	for block := range parts(k - j - 1) {
		first := block * parts(j+1)
		q := func(i int) operand.Mem { return m(first + spot(j, i, 1) + 2*parts(j)) }
		for i := range 1 << j {
			lo := g.load(m(first + spot(j, i, 1)))
			g.addTo(lo, q(i))
			hi := g.xor(lo, m(first+spot(j, i, 1)+parts(j)))
			g.store(lo, m(first+spot(j, i, 1)))
			list, byY0 := byGenerator(j, i)
			for _, t := range list {
				g.addTo(hi, q(t))
			}
			if byY0 {
				g.addTo(hi, g.byY0(g.load(q(i))))
			}
			g.store(hi, m(first+spot(j, i, 1)+parts(j)))
		}
	}
}

// byGenerator lists the planes whose sum is plane i of the product by Y_j, and whether Y_0 times the plane is added.
func byGenerator(j, i int) (list []int, y0 bool) {
	if j == 0 {
		return nil, true
	}
	h := 1 << (j - 1)
	if i < h {
		return []int{h + i}, false
	}
	list, y0 = byGenerator(j-1, i-h)
	for x := range list {
		list[x] += h
	}
	return append(list, i-h), y0
}

// spread writes elements of a tile 2^s times each, from lane at on.
func (g *halves) spread(k int) {
	d := 1 << k
	g.function(fmt.Sprintf("spread%d%s", k, g.suffix),
		"sets tile z to elements of tile w from a lane on, 2^s times each, 0 < s < 7: lane at + (i >> s) to lane i.",
		"z, w *byte, s, at int")
	z, w, s, first := g.param("z"), g.param("w"), g.param("s"), g.param("at")
	table, step := g.GP64(), g.GP64()
	g.LEAQ(symbol("spread"+g.suffix, 0), table)
	g.MOVQ(operand.U32(half), step)
	g.SHRXQ(s, step, step)
	g.SHLQ(operand.Imm(5), s)
	g.ADDQ(s, table)
	g.bothHalves(func() {
		low, from := g.GP64(), g.GP64()
		g.MOVQ(first, low)
		g.ANDQ(operand.Imm(15), low)
		g.MOVQ(first, from)
		g.SUBQ(low, from)
		g.ADDQ(w, from)
		x, index := g.XMM(), g.vec()
		g.VMOVQ(low, x)
		g.VPBROADCASTB(x, index)
		g.VPADDB(at(table, 0), index, index)
		for i := range d {
			t := g.vec()
			g.VBROADCASTI128(at(from, i*plane), t)
			g.VPSHUFB(index, t, t)
			g.store(t, at(z, i*plane))
		}
		g.ADDQ(step, first)
	}, z)
	g.end()
}

// steps exchanges bytes between planes in memory whose numbers differ in bit b.
func (g *halves) step(d, b int, from, to gp, back bool) {
	for i := range d {
		if i>>b&1 == 1 {
			continue
		}
		x, y := i*plane, (i|1<<b)*plane
		a, e := g.load(at(from, x)), g.load(at(from, x+half))
		c, f := g.load(at(from, y)), g.load(at(from, y+half))
		if back {
			p, q := g.interleaved(a, c)
			r, s := g.interleaved(e, f)
			g.store(p, at(to, x))
			g.store(q, at(to, x+half))
			g.store(r, at(to, y))
			g.store(s, at(to, y+half))
			continue
		}
		p, q := g.separated(a, e)
		r, s := g.separated(c, f)
		g.store(p, at(to, x))
		g.store(r, at(to, x+half))
		g.store(q, at(to, y))
		g.store(s, at(to, y+half))
	}
}

// matrix writes the products of the planes at x by the matrix at m to z, which may be x; parts has room for two planes
// for each.
func (g *halves) matrix(d int, x, z, m, forms gp) {
	width := g.vectors()
	g.loop("form", d*plane, half, func(i gp) {
		to := g.GP64()
		g.IMUL3Q(operand.U32(width), i, to)
		g.ADDQ(forms, to)
		for j, part := range g.split(g.load(indexed(x, i, 0))) {
			g.store(part, at(to, j*half))
		}
	})
	row, to, left := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(m, row)
	g.MOVQ(z, to)
	g.MOVQ(operand.U32(d), left)
	g.Label("plane")
	var sums []vec
	for j := range d {
		for part := range width {
			var x []operand.Mem
			for h := range 2 {
				x = append(x, at(forms, ((2*j+h)*width+part)*half))
			}
			images := g.image(x, at(row, (width*j+part)*g.mapBytes()))
			if sums == nil {
				sums = images
				continue
			}
			for h, z := range images {
				g.addTo(sums[h], z)
			}
		}
	}
	for h, sum := range sums {
		g.store(sum, at(to, h*half))
	}
	g.ADDQ(operand.U32(width*g.mapBytes()*d), row)
	g.ADDQ(operand.Imm(plane), to)
	g.DECQ(left)
	g.JNZ(operand.LabelRef("plane"))
}

func (g *halves) pack(k int) {
	d := 1 << k
	g.function(fmt.Sprintf("pack%d%s", k, g.suffix), "is Set.Pack: see there.", "z, x *byte, tiles int, m *uint64")
	z, x, tiles, m := g.param("z"), g.param("x"), g.param("tiles"), g.param("m")
	t := g.room(3 * d * plane)
	forms := g.GP64()
	g.LEAQ(at(t, d*plane), forms)
	g.Label("tile")
	from := x
	for b := range k {
		g.step(d, b, from, t, false)
		from = t
	}
	g.matrix(d, from, z, m, forms)
	g.nextTile(d, tiles, z, x)
}

func (g *halves) unpack(k int) {
	d := 1 << k
	g.function(fmt.Sprintf("unpack%d%s", k, g.suffix), "is Set.Unpack: see there.", "z, x *byte, tiles int, m *uint64")
	z, x, tiles, m := g.param("z"), g.param("x"), g.param("tiles"), g.param("m")
	t := g.room(3 * d * plane)
	forms := g.GP64()
	g.LEAQ(at(t, d*plane), forms)
	g.Label("tile")
	to := t
	if k == 0 {
		to = z
	}
	g.matrix(d, x, to, m, forms)
	for b := k - 1; b >= 0; b-- {
		to := t
		if b == 0 {
			to = z
		}
		g.step(d, b, t, to, true)
	}
	g.nextTile(d, tiles, z, x)
}

// turn writes the exchange of a tail by itself.
func (g *halves) turn(back bool) {
	name := "interleavePlanes"
	if back {
		name = "separatePlanes"
	}
	g.function(name+g.suffix, "is that of Set: see there.", "x, y *byte, planes int")
	x, y, n := g.param("x"), g.param("y"), g.param("planes")
	g.Label("plane")
	a, b := g.load(at(x, 0)), g.load(at(x, half))
	c, d := g.load(at(y, 0)), g.load(at(y, half))
	if back {
		p, q := g.separated(a, b)
		r, s := g.separated(c, d)
		a, b, c, d = p, r, q, s
	} else {
		p, q := g.interleaved(a, c)
		r, s := g.interleaved(b, d)
		a, b, c, d = p, q, r, s
	}
	g.store(a, at(x, 0))
	g.store(b, at(x, half))
	g.store(c, at(y, 0))
	g.store(d, at(y, half))
	g.ADDQ(operand.Imm(plane), x)
	g.ADDQ(operand.Imm(plane), y)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("plane"))
	g.end()
}

// fold writes a fold of elements of level k by less than a tile: what stays in a plane comes by loads that are not
// aligned.
func (g *halves) fold(k int, back bool) {
	d := 1 << k
	g.function(fmt.Sprintf("fold%d%s%s", k, g.suffix, backName(back)), "is Set.Fold"+backName(back)+": see there.",
		"v *byte, blocks, half, from, to, t int")
	v, blocks, size := g.param("v"), g.param("blocks"), g.param("half")
	table, t, shift := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(g.frame("t"), t)
	g.MOVQ(operand.U32(1), shift)
	g.SHLXQ(t, shift, shift)
	g.NEGQ(shift)
	g.IMUL3Q(operand.Imm(3*half), t, t)
	g.LEAQ(symbol("carry"+g.suffix, 0), table)
	g.ADDQ(t, table)
	dwords, index, mask := g.load(at(table, 0)), g.load(at(table, half)), g.load(at(table, 2*half))
	g.SHLQ(operand.Imm(uint64(6+k)), size)

	g.Label("block")
	b, first := g.GP64(), g.GP64()
	g.LEAQ(indexed(v, size, 0), b)
	carry := func(from gp, disp int, to gp) {
		for i := range d {
			x := g.vec()
			g.VPERMD(at(from, disp+i*plane+half), dwords, x)
			g.VPSHUFB(index, x, x)
			g.addTo(x, at(to, i*plane))
			g.store(x, at(to, i*plane))
		}
	}
	top := func() {
		end := g.GP64()
		g.LEAQ(indexed(b, size, 0), end)
		carry(end, -d*plane, b)
	}
	if !back {
		g.CMPQ(g.frame("from"), operand.Imm(0))
		g.JNE(operand.LabelRef("inside"))
		top()
		g.Label("inside")
	}
	g.MOVQ(g.frame("from"), first)
	left := g.GP64()
	g.MOVQ(g.frame("to"), left)
	g.SUBQ(first, left)
	a, from := g.GP64(), g.GP64()
	offset := g.GP64()
	g.MOVQ(first, offset)
	g.SHLQ(operand.Imm(uint64(6+k)), offset)
	g.LEAQ(indexed(v, offset, 0), a)
	g.LEAQ(indexed(b, offset, 0), from)
	g.Label("tile")
	for i := range d {
		x := g.load(indexed(from, shift, i*plane))
		g.VPAND(mask, x, x)
		g.addTo(x, at(a, i*plane))
		g.store(x, at(a, i*plane))
		y := g.load(indexed(from, shift, i*plane+half))
		g.addTo(y, at(a, i*plane+half))
		g.store(y, at(a, i*plane+half))
	}
	g.TESTQ(first, first)
	g.JZ(operand.LabelRef("start"))
	carry(from, -d*plane, a)
	g.Label("start")
	g.INCQ(first)
	g.ADDQ(operand.U32(d*plane), a)
	g.ADDQ(operand.U32(d*plane), from)
	g.DECQ(left)
	g.JNZ(operand.LabelRef("tile"))
	if back {
		last := g.GP64()
		g.MOVQ(g.frame("to"), last)
		g.CMPQ(last, g.frame("half"))
		g.JNE(operand.LabelRef("next"))
		top()
		g.Label("next")
	}
	g.LEAQ(operand.Mem{Base: v, Index: size, Scale: 2}, v)
	g.DECQ(blocks)
	g.JNZ(operand.LabelRef("block"))
	g.end()
}

// mixLanes writes sums of lanes of each plane, one step for all planes after the other. A lane comes from one of four
// quarters of a plane: from either half, out of the same or the other 16 bytes of a vector.
func (g *halves) mixLanes() {
	g.function("mixLanes"+g.suffix, "is Set.Lanes: see there.", "v *byte, planes int, steps *byte, count int")
	step, count := g.param("steps"), g.param("count")
	indexes := g.room(2 * 4 * 2 * half)
	index := func(to, from, part int) operand.Mem { return at(indexes, ((2*to+part)*4+from)*half) }
	g.Label("step")
	far := g.vec() // what comes from outside of 16 bytes: ones where nothing does
	g.VPCMPEQB(far, far, far)
	for to := range 2 {
		for part := range 2 {
			mask, bit := g.vec(), symbol("bits"+g.suffix, 0)
			g.VPBROADCASTD(at(step, 2*plane+8*part+4*to), mask)
			g.VPSHUFB(symbol("bytes"+g.suffix, 0), mask, mask)
			g.VPAND(bit, mask, mask)
			g.VPCMPEQB(bit, mask, mask) // ones where a lane is added
			lanes := g.load(at(step, plane*part+half*to))
			for from := range 4 {
				x := g.xor(lanes, symbol("quarter"+g.suffix, from*half))
				g.VPADDUSB(symbol("beyond"+g.suffix, 0), x, x)
				none, all := g.vec(), g.vec()
				g.VPCMPEQB(all, all, all)
				g.VPXOR(mask, all, none)
				g.VPOR(none, x, x)
				g.store(x, index(to, from, part))
				if from != 2*to {
					g.VPAND(x, far, far)
				}
			}
		}
	}
	v, n, some := g.GP64(), g.GP64(), g.GP32()
	g.MOVQ(g.frame("v"), v)
	g.MOVQ(g.frame("planes"), n)
	g.VPMOVMSKB(far, some)
	apply := func(x vec, to, from int, sum vec) {
		for part := range 2 {
			t := g.vec()
			g.VPSHUFB(index(to, from, part), x, t)
			g.addTo(sum, t)
		}
	}
	g.CMPL(some, operand.I32(-1))
	g.JEQ(operand.LabelRef("near"))
	g.Label("plane")
	x := []vec{g.load(at(v, 0)), g.load(at(v, half))}
	sums := []vec{g.mov(x[0]), g.mov(x[1])}
	for from := range 4 {
		s := x[from/2]
		if from%2 == 1 {
			g.VPERMQ(operand.Imm(0x4e), s, s)
		}
		for to := range 2 {
			apply(s, to, from, sums[to])
		}
	}
	g.store(sums[0], at(v, 0))
	g.store(sums[1], at(v, half))
	g.ADDQ(operand.Imm(plane), v)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("plane"))
	g.JMP(operand.LabelRef("next"))
	g.Label("near")
	for to := range 2 {
		x := g.load(at(v, half*to))
		sum := g.mov(x)
		apply(x, to, 2*to, sum)
		g.store(sum, at(v, half*to))
	}
	g.ADDQ(operand.Imm(plane), v)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("near"))
	g.Label("next")
	g.ADDQ(operand.U32(stepSize), step)
	g.DECQ(count)
	g.JNZ(operand.LabelRef("step"))
	g.end()
}

// addPlanes writes a sum of vectors.
func (g *halves) addPlanes() {
	g.function("addPlanes"+g.suffix, "is Set.Add: see there.", "z, x *byte, planes int")
	z, x, n := g.param("z"), g.param("x"), g.param("planes")
	g.Label("plane")
	for o := 0; o < plane; o += half {
		y := g.load(at(x, o))
		g.addTo(y, at(z, o))
		g.store(y, at(z, o))
	}
	g.ADDQ(operand.Imm(plane), z)
	g.ADDQ(operand.Imm(plane), x)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("plane"))
	g.end()
}
