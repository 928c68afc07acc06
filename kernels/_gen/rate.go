package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/operand"
)

// chains is how many sums a loop of package rate adds to in turn: more than the multipliers of a processor times the
// cycles that a product takes.
const chains = 12

// writeRate writes the loops of package rate, one for each instruction that multiplies numbers of 52 bits or more.
func writeRate(dir string) error {
	for _, l := range []struct {
		name, tier    string
		bytes         int
		multiply, add func(g *machine) binary
	}{
		{"fma", "AVX2", 32, fma, sum},
		{"fma", "AVX512", 64, fma, sum},
		{"madd52", "IFMA", 64, madd52, func(g *machine) binary { return g.ctx3(g.VPADDQ) }},
	} {
		g := newMachine(l.bytes, 8, l.bytes == 64)
		g.ConstraintExpr("amd64,!purego")
		g.rate(l.name+l.tier, l.multiply(g), l.add(g))
		asm, stubs, err := g.print("rate")
		if err == nil {
			err = writeFiles(filepath.Join(dir, "z"+l.name+strings.ToLower(l.tier)), asm, stubs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func fma(g *machine) binary    { return g.ctx3(g.VFMADD231PD) }
func madd52(g *machine) binary { return g.ctx3(g.VPMADD52LUQ) }
func sum(g *machine) binary    { return g.ctx3(g.VADDPD) }

// rate adds products of x and x to sums that begin at z, and what they become to one of them.
func (g *machine) rate(name string, multiply, add binary) {
	g.function(name, fmt.Sprintf("sets each of %d lanes z to %d(z + steps·x²), for steps > 0.", g.lanes(), chains),
		"z, x *uint64, steps int")
	z, steps := g.param("z"), g.param("steps")
	x := g.load(operand.Mem{Base: g.param("x")})
	var sums [chains]vec
	for i := range sums {
		sums[i] = g.load(operand.Mem{Base: z})
	}
	g.Label("step")
	for _, s := range sums {
		multiply(x, x, s)
	}
	g.DECQ(steps)
	g.JNZ(operand.LabelRef("step"))
	for _, s := range sums[1:] {
		add(s, sums[0], sums[0])
	}
	g.store(sums[0], operand.Mem{Base: z})
	g.end()
}
