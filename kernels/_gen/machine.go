package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type (
	vec = reg.VecVirtual
	gp  = reg.GPVirtual
)

// machine writes functions for vectors of one width, split into words of one size.
type machine struct {
	instructions
	bytes  int  // of a vector, 64 or 32
	word   int  // of a word, 8 or 4
	avx512 bool // with masks and permutations of AVX-512; AVX2 otherwise

	// Constants that the arithmetic of a function needs; it loads them.
	zero, one vec               // 0 and 1 in 64-bit lanes
	low, sign operand.Op        // 2^32 − 1 and 2^63 in 64-bit lanes; AVX2 has them in memory, because registers are few
	part      reg.OpmaskVirtual // a half of each 64-bit lane
	limb      vec               // 2^52 − 1 in 64-bit lanes

	loaded map[vec]loaded // vectors that pattern has made

	rounding operand.Mem // where it is kept, while the processor rounds towards zero

	name    string                 // of the function
	renamed map[string]map[vec]vec // by function: results to be made in the register of another
	noted   map[string][]note      // by function: registers that its comment is to name, and its macros

	operations map[string][]operation // by function: what may become macros
	text       string                 // of macros besides
}

// note is the name of a register that a function keeps.
type note struct {
	name string
	reg  reg.Register
}

func newMachine(bytes, word int, avx512 bool) *machine {
	return &machine{instructions: newInstructions(), bytes: bytes, word: word, avx512: avx512,
		renamed: map[string]map[vec]vec{}, noted: map[string][]note{}, operations: map[string][]operation{}}
}

// note has the function's comment name a register.
func (g *machine) note(name string, r reg.Register) {
	if g.noted != nil {
		g.noted[g.name] = append(g.noted[g.name], note{name, r})
	}
}

// comment begins f with the names of registers, which have been found.
func (g *machine) comment(f *ir.Function) {
	var list []string
	for _, n := range g.noted[f.Name] {
		if r := f.Allocation.LookupRegister(n.reg); r != nil {
			list = append(list, n.name+" "+r.Asm())
		}
	}
	if len(list) > 0 {
		f.Nodes = slices.Insert(f.Nodes, 0, ir.Node(ir.NewComment("Registers: "+strings.Join(list, ", ")+".")))
	}
}

// loaded is a vector of count words at m, repeated.
type loaded struct {
	m     operand.Mem
	count int
}

func (g *machine) lanes() int { return g.bytes / g.word }

func (g *machine) vec() vec {
	switch g.bytes {
	case 64:
		return g.ZMM()
	case 32:
		return g.YMM()
	}
	return g.XMM()
}

// ofBytes is g for vectors of another size.
func (g *machine) ofBytes(n int) *machine {
	h := *g
	h.bytes = n
	return &h
}

// function begins a kernel; doc follows its name in the comment of its Go declaration, which has params.
func (g *machine) function(name, doc, params string) {
	g.Function(name)
	g.Attributes(attr.NOSPLIT)
	g.SignatureExpr("func(" + params + ")")
	g.Pragma("noescape")
	g.Doc(wrap(name + " " + doc)...)
	g.zero, g.one, g.low, g.sign, g.part, g.limb = nil, nil, nil, nil, nil, nil
	g.rounding = operand.Mem{}
	g.loaded = map[vec]loaded{}
	g.name = name
}

// towardsZero sets how the processor rounds, until the end of the kernel.
func (g *machine) towardsZero(t reg.Register) {
	g.rounding = g.AllocLocal(8)
	g.STMXCSR(g.rounding)
	g.MOVL(g.rounding, t)
	g.ORL(operand.U32(0x6000), t)
	g.MOVL(t, g.rounding.Offset(4))
	g.LDMXCSR(g.rounding.Offset(4))
}

func (g *machine) end() {
	if g.rounding.Base != nil {
		g.LDMXCSR(g.rounding)
	}
	g.VZEROUPPER()
	g.RET()
}

func (g *machine) param(name string) gp {
	r := g.Load(g.Param(name), g.GP64()).(gp)
	if name != "m" && name != "c" { // these are not kept
		g.note(name, r)
	}
	return r
}

// frame returns the place of a parameter.
func (g *machine) frame(name string) operand.Mem {
	b, err := g.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// load, store move whole vectors, of any alignment.
func (g *machine) load(m operand.Mem) vec {
	z := g.vec()
	if g.avx512 {
		g.VMOVDQU64(m, z)
	} else {
		g.VMOVDQU(m, z)
	}
	return z
}

func (g *machine) store(z vec, m operand.Mem) {
	if g.avx512 {
		g.VMOVDQU64(z, m)
	} else {
		g.VMOVDQU(z, m)
	}
}

func (g *machine) mov(x vec) vec {
	z := g.vec()
	g.set(z, x)
	return z
}

func (g *machine) set(z, x vec) {
	if g.avx512 {
		g.VMOVDQA64(x, z)
	} else {
		g.VMOVDQA(x, z)
	}
}

// become has x made in the register of z, which holds nothing else meanwhile: a move that costs nothing.
func (g *machine) become(z, x vec) {
	if g.renamed[g.name] == nil {
		g.renamed[g.name] = map[vec]vec{}
	}
	g.renamed[g.name][x] = z
}

// forget drops the notes of registers that f does not read.
func (g *machine) forget(f *ir.Function) {
	used := map[reg.ID]bool{}
	for _, i := range f.Instructions() {
		for _, r := range i.InputRegisters() {
			used[r.ID()] = true
		}
	}
	unread := func(n note) bool { return !used[n.reg.(reg.Virtual).ID()] }
	if g.noted != nil {
		g.noted[f.Name] = slices.DeleteFunc(g.noted[f.Name], unread)
	}
}

// rename does what become has noted.
func (g *machine) rename(f *ir.Function) {
	to := g.renamed[f.Name]
	for _, i := range f.Instructions() {
		for _, ops := range [][]operand.Op{i.Operands, i.Inputs, i.Outputs} {
			for j, op := range ops {
				for x, ok := op.(vec); ok && to[x] != nil; x = to[x] {
					ops[j] = to[x]
				}
			}
		}
	}
}

// broadcast returns lanes that all hold the word at m.
func (g *machine) broadcast(m operand.Mem) vec {
	z := g.vec()
	if g.word == 8 {
		g.VPBROADCASTQ(m, z)
	} else {
		g.VPBROADCASTD(m, z)
	}
	return z
}

// pattern returns count words at m, repeated.
func (g *machine) pattern(m operand.Mem, count int) vec {
	z := g.repeat(m, count)
	g.loaded[z] = loaded{m, count}
	return z
}

func (g *machine) repeat(m operand.Mem, count int) vec {
	z := g.vec()
	switch size := count * g.word; {
	case count == 1:
		return g.broadcast(m)
	case size == g.bytes:
		return g.load(m)
	case size == 8:
		g.VPBROADCASTQ(m, z)
	case size == 16 && g.avx512:
		g.VBROADCASTI32X4(m, z)
	case size == 16:
		g.VBROADCASTI128(m, z)
	case size == 32:
		g.VBROADCASTI64X4(m, z)
	default:
		panic(fmt.Sprintf("pattern of %d words", count))
	}
	return z
}

type binary func(ops ...operand.Op)

func (g *machine) op2(f binary, b, a operand.Op) vec { // f's destination comes last, its first operand second
	z := g.vec()
	f(b, a, z)
	return z
}

func (g *machine) pick(d, q binary) binary {
	if g.word == 8 {
		return q
	}
	return d
}

func (g *machine) add(a, b vec) vec { return g.op2(g.pick(g.ctx3(g.VPADDD), g.ctx3(g.VPADDQ)), b, a) }
func (g *machine) sub(a, b vec) vec { return g.op2(g.pick(g.ctx3(g.VPSUBD), g.ctx3(g.VPSUBQ)), b, a) }

// ctx3 makes one type of avo's methods, some of which are variadic.
func (g *machine) ctx3(f any) binary {
	switch f := f.(type) {
	case func(...operand.Op):
		return f
	case func(a, b, c operand.Op):
		return func(ops ...operand.Op) { f(ops[0], ops[1], ops[2]) }
	}
	panic("operands")
}

func (g *machine) and(a vec, b operand.Op) vec {
	if g.avx512 {
		return g.op2(g.ctx3(g.VPANDQ), b, a)
	}
	return g.op2(g.ctx3(g.VPAND), b, a)
}

func (g *machine) srlq(a vec, n uint64) vec { return g.op2(g.ctx3(g.VPSRLQ), operand.Imm(n), a) }
func (g *machine) sllq(a vec, n uint64) vec { return g.op2(g.ctx3(g.VPSLLQ), operand.Imm(n), a) }

// addq and subq work on 64-bit lanes, whatever the word.
func (g *machine) addq(a, b vec) vec { return g.op2(g.ctx3(g.VPADDQ), b, a) }
func (g *machine) subq(a, b vec) vec { return g.op2(g.ctx3(g.VPSUBQ), b, a) }

// high returns the high half of each 64-bit lane, in the low half. The high half is undefined.
//
// Where a comes from memory in one piece, so does the result: loads that repeat do not take the ports of arithmetic.
func (g *machine) high(a vec) vec {
	z := g.vec()
	switch at, ok := g.loaded[a]; {
	case ok && at.count*g.word == 8:
		at.m.Disp += 4
		g.VPBROADCASTD(at.m, z)
	case ok && at.count*g.word == g.bytes:
		g.VMOVSHDUP(at.m, z)
	default:
		g.VMOVSHDUP(a, z)
	}
	return z
}

// halves returns the 64-bit products of the low halves of the 64-bit lanes.
func (g *machine) halves(a, b vec) vec { return g.op2(g.ctx3(g.VPMULUDQ), b, a) }

// mullo returns the low words of products.
func (g *machine) mullo(a, b vec) vec {
	switch {
	case g.word == 4:
		return g.op2(g.ctx3(g.VPMULLD), b, a)
	case g.avx512:
		return g.op2(g.ctx3(g.VPMULLQ), b, a)
	}
	return g.mulloHalves(a, g.high(a), b, g.high(b))
}

// mulloHalves is mullo for 64-bit words whose high halves are known.
func (g *machine) mulloHalves(a, a2, b, b2 vec) vec {
	if g.avx512 {
		return g.mullo(a, b)
	}
	cross := g.addq(g.halves(a2, b), g.halves(a, b2))
	return g.addq(g.halves(a, b), g.sllq(cross, 32))
}

// lowDifference returns the low words of ab − cd.
func (g *machine) lowDifference(a, a2, b, b2, c, d, d2 vec) vec {
	if g.avx512 {
		return g.sub(g.mullo(a, b), g.mullo(c, d))
	}
	cross := g.subq(g.addq(g.halves(a2, b), g.halves(a, b2)), g.halves(c, d2))
	low := g.subq(g.halves(a, b), g.halves(c, d))
	cross = g.subq(cross, g.halves(g.high(c), d))
	return g.addq(low, g.sllq(cross, 32))
}

// reduce returns x mod m for x < 2m, where x and x − m are less than half the range of words apart from 0: x less m, or
// x where that wraps.
func (g *machine) reduce(x, m vec) vec { return g.lesser(x, g.sub(x, m)) }

// lesser returns x where t = x − m wrapped, and t elsewhere.
func (g *machine) lesser(x, t vec) vec {
	switch {
	case g.word == 4:
		return g.op2(g.ctx3(g.VPMINUD), t, x)
	case g.avx512:
		return g.op2(g.ctx3(g.VPMINUQ), t, x)
	}
	z := g.vec()
	g.VBLENDVPD(t, x, t, z)
	return z
}

// less returns the words in which a < b, unsigned.
func (g *machine) less(a, b vec) reg.OpmaskVirtual {
	k := g.K()
	if g.word == 4 {
		g.VPCMPUD(operand.Imm(1), b, a, k)
	} else {
		g.VPCMPUQ(operand.Imm(1), b, a, k)
	}
	return k
}

// addWhere adds b to a in the words of k.
func (g *machine) addWhere(k reg.OpmaskVirtual, a, b vec) vec {
	g.pick(g.VPADDD, g.VPADDQ)(b, a, k, a)
	return a
}

func (g *machine) subWhere(k reg.OpmaskVirtual, a, b vec) vec {
	g.VPSUBQ(b, a, k, a)
	return a
}

// addIf returns a + b where x < y, and a elsewhere, word by word.
func (g *machine) addIf(x, y, a, b vec) vec {
	switch {
	case g.avx512:
		return g.addWhere(g.less(x, y), a, b)
	case g.word == 4: // the greater of both is x
		k := g.op2(g.ctx3(g.VPCMPEQD), x, g.op2(g.ctx3(g.VPMAXUD), y, x))
		return g.add(a, g.op2(g.ctx3(g.VPANDN), b, k))
	}
	return g.addq(a, g.and(b, g.lessMask(x, y)))
}

func (g *machine) subIf(x, y, a, b vec) vec {
	if g.avx512 {
		return g.subWhere(g.less(x, y), a, b)
	}
	return g.subq(a, g.and(b, g.lessMask(x, y)))
}

// halvesConstants loads what works on halves of 64-bit lanes, and comparisons, need.
func (g *machine) halvesConstants() {
	if g.avx512 {
		low := g.constant(1<<32 - 1)
		g.note("low", low)
		g.low = low
		return
	}
	g.low = operand.NewDataAddr(operand.NewStaticSymbol("low"), 0)
	g.sign = operand.NewDataAddr(operand.NewStaticSymbol("sign"), 0)
}

// constants declares those in memory.
func (g *machine) constants() {
	if g.avx512 {
		return
	}
	for _, c := range []struct {
		name string
		x    uint64
	}{{"low", 1<<32 - 1}, {"sign", 1 << 63}} {
		g.StaticGlobal(c.name)
		g.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range g.bytes / 8 {
			g.AddDatum(8*i, operand.U64(c.x))
		}
	}
}

// lessMask compares as signed numbers after a flip of the sign bits.
func (g *machine) lessMask(a, b vec) vec {
	z := g.vec()
	x, y := g.op2(g.ctx3(g.VPXOR), g.sign, a), g.op2(g.ctx3(g.VPXOR), g.sign, b)
	g.VPCMPGTQ(x, y, z)
	return z
}

// constant returns 64-bit lanes that hold c.
func (g *machine) constant(c uint64) vec {
	z, r := g.vec(), g.GP64()
	g.MOVQ(operand.U64(c), r)
	x := g.XMM()
	g.VMOVQ(r, x)
	g.VPBROADCASTQ(x, z)
	return z
}

// merge returns the high halves of even's 64-bit lanes in low halves, and the high halves of odd's.
func (g *machine) merge(even, odd vec) vec {
	if g.avx512 {
		g.VMOVSHDUP(even, g.part, odd)
		return odd
	}
	z := g.high(even)
	g.VPBLENDD(operand.Imm(0xaa), odd, z, z)
	return z
}

// mask returns a mask of 32-bit lanes.
func (g *machine) mask(bits uint64) reg.OpmaskVirtual {
	r, k := g.GP32(), g.K()
	g.MOVL(operand.U32(bits), r)
	g.KMOVW(r, k)
	return k
}
