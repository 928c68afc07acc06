package main

import (
	"fmt"
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// byteMaps writes the kernels of package linear: sums of linear maps of the bytes of rows.
type byteMaps struct {
	*machine
	affine bool // maps are matrices of GFNI, and not tables for halves of bytes
	mask   vec
}

const (
	mapOutputs = 4  // of one kernel at most
	mapBytes   = 64 // of a row, in a step

	// mapAhead is how far ahead of what is read rows are fetched: processors do so by themselves, but begin anew with
	// each page, and there are many rows.
	mapAhead = 512
)

// writeLinear writes the files of package linear.
func writeLinear(dir string) error {
	for _, k := range []struct {
		file, suffix string
		g            *byteMaps
		layers       [2]int // of a pass of symbols of one byte, and of two
	}{
		{"zavx2", "AVX2", &byteMaps{machine: newMachine(32, 8, false)}, [2]int{3, 2}},
		{"zgfniavx512", "GFNI", &byteMaps{machine: newMachine(64, 8, true), affine: true}, [2]int{4, 3}},
	} {
		k.g.ConstraintExpr("amd64,!purego")
		if !k.g.affine {
			k.g.StaticGlobal("lowHalves")
			k.g.DataAttributes(attr.RODATA | attr.NOPTR)
			for i := range 32 {
				k.g.AddDatum(i, operand.U8(15))
			}
		}
		for outputs := 1; outputs <= mapOutputs; outputs++ {
			k.g.sums(fmt.Sprintf("sums%d%s", outputs, k.suffix), "Sums", outputs)
			k.g.sums(fmt.Sprintf("sums%dStream%s", outputs, k.suffix), "Stream", outputs)
		}
		for bytes, layers := range k.layers {
			(&symbolMaps{byteMaps: k.g, bytes: bytes + 1, layers: layers, suffix: k.suffix}).all()
		}
		k.g.gather(k.suffix)
		asm, stubs, err := k.g.print("linear")
		if err == nil {
			err = writeFiles(filepath.Join(dir, k.file), asm, stubs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sums writes a kernel for so many rows of results, which stay in registers for all inputs. Those of the field Stream
// go around the caches.
func (g *byteMaps) sums(name, field string, outputs int) {
	stream := field == "Stream"
	g.function(name, fmt.Sprintf("is Set.%s[%d]: see there.", field, outputs-1), "z, x **byte, count int, m *byte, n int")
	z, x, count, m, n := g.param("z"), g.param("x"), g.param("count"), g.param("m"), g.param("n")
	if !g.affine {
		g.mask = g.load(operand.NewDataAddr(operand.NewStaticSymbol("lowHalves"), 0))
	}
	at, i, maps, row := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.XORQ(at, at)
	steps := []int{1} // at once
	if g.affine {
		// A matrix that is loaded serves four vectors, as there are fewer loads in a cycle than products, or no more.
		steps = []int{4, 2, 1}
	}
	all := make([]vec, outputs*steps[0]*mapBytes/g.bytes)
	for j := range all {
		all[j] = g.vec()
	}
	for _, k := range steps {
		label := func(s string) string { return fmt.Sprint(s, k) }
		g.Label(label("step"))
		if k > 1 {
			g.MOVQ(n, row)
			g.SUBQ(at, row)
			g.CMPQ(row, operand.I32(k*mapBytes))
			g.JLT(operand.LabelRef(label("end")))
		} else if len(steps) > 1 {
			g.CMPQ(at, n)
			g.JEQ(operand.LabelRef(label("end")))
		}
		parts := k * mapBytes / g.bytes
		sums := all[:outputs*parts]
		for _, sum := range sums {
			g.clear(sum)
		}
		g.MOVQ(m, maps)
		g.XORQ(i, i)
		input := func(i operand.Mem) (list []vec) {
			g.MOVQ(i, row)
			for p := range parts {
				m := operand.Mem{Base: row, Index: at, Scale: 1, Disp: p * g.bytes}
				list = append(list, g.load(m))
				if m.Disp%mapBytes == 0 {
					g.PREFETCHT0(m.Offset(mapAhead))
				}
			}
			return list
		}
		first := operand.Mem{Base: x, Index: i, Scale: 8}
		if g.affine {
			g.TESTQ(operand.I32(1), count)
			g.JZ(operand.LabelRef(label("even")))
			size := g.add(sums, input(first), maps, outputs)
			g.ADDQ(operand.I32(size), maps)
			g.INCQ(i)
			g.CMPQ(i, count)
			g.JEQ(operand.LabelRef(label("store")))
			g.Label(label("even"))
			one, second := input(first), first
			second.Disp = 8
			size = g.addPair(sums, one, input(second), maps, outputs)
			g.ADDQ(operand.I32(size), maps)
			g.ADDQ(operand.Imm(2), i)
			g.CMPQ(i, count)
			g.JNE(operand.LabelRef(label("even")))
			g.Label(label("store"))
		} else {
			g.Label("input")
			size := g.add(sums, input(first), maps, outputs)
			g.ADDQ(operand.I32(size), maps)
			g.INCQ(i)
			g.CMPQ(i, count)
			g.JNE(operand.LabelRef("input"))
		}
		for o := range outputs {
			g.MOVQ(operand.Mem{Base: z, Disp: 8 * o}, row)
			for p := range parts {
				to := operand.Mem{Base: row, Index: at, Scale: 1, Disp: p * g.bytes}
				if stream {
					g.VMOVNTDQ(sums[o*parts+p], to)
				} else {
					g.store(sums[o*parts+p], to)
				}
			}
		}
		g.ADDQ(operand.I32(k*mapBytes), at)
		if len(steps) > 1 {
			g.JMP(operand.LabelRef(label("step")))
			g.Label(label("end"))
			continue
		}
		g.CMPQ(at, n)
		g.JNE(operand.LabelRef(label("step")))
	}
	if stream {
		g.SFENCE()
	}
	g.end()
}

func (g *byteMaps) clear(x vec) {
	if g.avx512 {
		g.VPXORQ(x, x, x)
	} else {
		g.VPXOR(x, x, x)
	}
}

// addPair adds the maps of two inputs, which are matrices, with one sum for both.
func (g *byteMaps) addPair(sums, one, two []vec, maps gp, outputs int) int {
	for o := range outputs {
		first, second := g.vec(), g.vec()
		g.VPBROADCASTQ(operand.Mem{Base: maps, Disp: 8 * o}, first)
		g.VPBROADCASTQ(operand.Mem{Base: maps, Disp: 8 * (outputs + o)}, second)
		for p := range one {
			s, t := g.vec(), g.vec()
			g.VGF2P8AFFINEQB(operand.Imm(0), first, one[p], s)
			g.VGF2P8AFFINEQB(operand.Imm(0), second, two[p], t)
			g.VPTERNLOGQ(operand.Imm(ternaryXor), s, t, sums[o*len(one)+p])
		}
	}
	return 16 * outputs
}

// add adds the maps of one input, and returns how many bytes they take.
func (g *byteMaps) add(sums, in []vec, maps gp, outputs int) int {
	if g.affine {
		for o := range outputs {
			for p, x := range in {
				t := g.vec()
				g.VGF2P8AFFINEQB_BCST(operand.Imm(0), operand.Mem{Base: maps, Disp: 8 * o}, x, t)
				g.VPXORQ(t, sums[o*len(in)+p], sums[o*len(in)+p])
			}
		}
		return 8 * outputs
	}
	var halves [2][]vec
	for _, x := range in {
		high := g.vec()
		g.VPSRLQ(operand.Imm(4), x, high)
		g.VPAND(high, g.mask, high)
		g.VPAND(x, g.mask, x)
		halves[0], halves[1] = append(halves[0], x), append(halves[1], high)
	}
	for o := range outputs {
		for half, list := range halves {
			table := g.vec()
			g.VBROADCASTI128(operand.Mem{Base: maps, Disp: 32*o + 16*half}, table)
			for p, x := range list {
				t := g.vec()
				g.VPSHUFB(x, table, t)
				g.VPXOR(t, sums[o*len(in)+p], sums[o*len(in)+p])
			}
		}
	}
	return 32 * outputs
}
