package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint"
)

// caught is a device that keeps the steps of a program.
type caught struct{ steps [][4]int }

func (c *caught) Compute(context.Context, int, []uint32, []uint32, []uint32, int) error { return nil }
func (c *caught) Compare(context.Context, []int8, []uint32, []uint32, int) error        { return nil }
func (c *caught) ExplainProgram([][4]int, int) string                                   { return "" }
func (c *caught) Program(_ context.Context, steps [][4]int, _ []uint32, _ [][]uint32, _ int) error {
	c.steps = steps
	return nil
}

// stepsOf is the steps of an expression, how many operands it has, and its values of rows of operands.
func stepsOf(t *testing.T, x *midint.Expr, rows [][]uint32, m int) (steps [][4]int, operands int, want []uint32) {
	c := new(caught)
	plain, err := midint.New()
	require.NoError(t, err)
	on, err := midint.New(midint.WithDevice(c))
	require.NoError(t, err)
	p, err := plain.Compile(x, 32*m, 0)
	require.NoError(t, err)
	q, err := on.Compile(x, 32*m, 0)
	require.NoError(t, err)
	n := len(rows[0]) / m
	z, err := midint.NewBatch(32*m, n)
	require.NoError(t, err)
	var batches []*midint.Batch
	for _, row := range rows {
		b, err := midint.NewBatch(32*m, n)
		require.NoError(t, err)
		require.NoError(t, b.SetUint32s(row))
		batches = append(batches, b)
	}
	for operands = 1; ; operands++ {
		if err = p.Run(t.Context(), z, batches[:operands]...); err == nil {
			break
		}
		require.ErrorIs(t, err, field.ErrLength)
	}
	require.NoError(t, q.Run(t.Context(), batches[0], batches[:operands]...))
	return c.steps, operands, z.Words()
}

// ran is what a plan makes of rows of operands.
func ran(t *testing.T, g *Integers, p programPlan, rows [][]uint32, m int) []uint32 {
	words := len(rows[0])
	r, err := g.newProgram(p, words/m, m)
	require.NoError(t, err)
	memory, err := g.d.Make((p.operands+1)*aligned(4*words) + r.bytes())
	require.NoError(t, err)
	defer func() { require.NoError(t, memory.Release()) }()
	for i, row := range rows[:p.operands] {
		r.operands = append(r.operands, memory.At+uint64(i*aligned(4*words)))
		require.NoError(t, g.d.CopyIn(r.operands[i], unsafe.Pointer(&row[0]), 4*words))
	}
	r.z = memory.At + uint64(p.operands*aligned(4*words))
	r.work = r.z + uint64(aligned(4*words))
	memory.Did(r.start(memory.Queue()))
	require.NoError(t, g.d.Wait(t.Context(), memory))
	z := make([]uint32, words)
	require.NoError(t, g.d.CopyOut(unsafe.Pointer(&z[0]), r.z, 4*words))
	return z
}

// programExpressions are those of tests: the polynomial of the tables, sums of products and of squares, differences,
// and random ones.
func programExpressions(r *rand.Rand, count int) []*midint.Expr {
	a, b, c, d := midint.Operand(0), midint.Operand(1), midint.Operand(2), midint.Operand(3)
	list := []*midint.Expr{
		a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b)),
		a.Times(b).Plus(c.Times(d)),
		a.Times(b).Minus(c.Times(d)).Minus(a),
		a.Squared().Plus(a.Times(b)).Plus(a.Times(c)).Plus(b.Times(c)),
		a.Times(b).Minus(b.Times(a)).Minus(b),
		a.Plus(b).Times(a.Plus(b)).Plus(a.Plus(b)),
	}
	for range count {
		list = append(list, randomExpr(r, 1+r.IntN(16), 8))
	}
	return list
}

// Programs by transforms in one launch, and those by launches, are the processor's bit for bit, for operands of which
// every other has the largest coefficients.
func TestIntegerProgramKinds(t *testing.T) {
	g := integersOn(t)
	r := rand.New(rand.NewPCG(12, 35))
	for _, c := range []struct{ m, n int }{{9, 3}, {256, 2}, {257, 2}, {512, 2}, {700, 1}, {1024, 140}, {1500, 2},
		{2048, 3}, {4096, 2}, {5000, 2}, {8192, 133}} {
		count := 1000
		few := emulator.Emulates() || testing.Short()
		if few {
			if count = 8; c.m > 256 {
				count = 1
			}
			if c.m > 700 && emulator.Emulates() {
				continue
			}
		}
		if !g.can(byTransforms, c.m, false) {
			continue // of blocks with less shared memory
		}
		list := programExpressions(r, count)
		if few && c.m > 700 { // sanitizers see every kernel once
			list, c.n = list[:1], 1
		}
		for i, x := range list {
			var rows [][]uint32
			n := c.n
			if i > 15 { // a batch of one is enough for most
				n = 1
			}
			for j := range 8 {
				row := integerWords(r, n, c.m, i+j)
				if i%2 == 0 {
					for k := range row {
						row[k] = 1<<32 - 1
					}
				}
				rows = append(rows, row)
			}
			steps, operands, want := stepsOf(t, x, rows, c.m)
			p := programPlan{operands: operands, kind: byTransforms,
				transforms: flowOf(steps, operands, 16).transforms()}
			require.Equal(t, want, ran(t, g, p, rows, c.m), "by transforms, %d words, program %d", c.m, i)
			f := flowOf(steps, operands, 1)
			p = f.byLaunches()
			require.Equal(t, want, ran(t, g, p, rows, c.m), "by launches, %d words, program %d", c.m, i)
		}
	}
}

// The polynomial takes seven transforms, as written and as Compile has it; sums of products have one transform back,
// and a value is transformed once. That is what the host makes of steps: no kernel runs.
func TestTransformPrograms(t *testing.T) {
	a, b, c, d := midint.Operand(0), midint.Operand(1), midint.Operand(2), midint.Operand(3)
	rows := make([][]uint32, 8)
	for i := range rows {
		rows[i] = make([]uint32, 1)
	}
	of := func(x *midint.Expr) transformProgram {
		steps, operands, _ := stepsOf(t, x, rows, 1)
		return flowOf(steps, operands, len(steps)).transforms()
	}
	require.Equal(t, 7, of(a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b))).transforms)
	written := [][4]int{{integersMul, 2, 0, 0}, {integersAdd, 2, 2, 1}, {integersMul, 3, 1, 1}, {integersAdd, 3, 3, 1},
		{integersMul, 4, 2, 3}, {integersMul, 2, 0, 1}, {integersAdd, 2, 4, 2}}
	p := flowOf(written, 2, len(written)).transforms()
	require.Equal(t, [3]int{7, 2, 2}, [3]int{p.transforms, p.values, p.slots})
	p = of(a.Times(b).Plus(c.Times(d)))
	require.Equal(t, [4]int{5, 0, 2, 2}, [4]int{p.transforms, p.values, p.slots, p.count})
	p = of(a.Times(b).Plus(b.Times(c)).Plus(c.Times(d)).Plus(d.Times(a)))
	require.Equal(t, 6, p.transforms) // b·(a + c) + c·d + d·a
	p = of(a.Times(b).Minus(c.Times(d)))
	require.Equal(t, 6, p.transforms)
}

// BenchmarkIntegerPrograms prints the times of the polynomial and of a low product, of integers that are on the device
// with 2^28 bits an operand.
func BenchmarkIntegerPrograms(b *testing.B) {
	realDevice(b)
	g := integersOn(b)
	const total = 1 << 28
	words := make([]uint32, total/32)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range words {
		words[i] = r.Uint32()
	}
	require.NoError(b, g.load(total/8, words, slices.Clone(words)))
	z, x, y := g.memory[0].At, g.memory[1].At, g.memory[2].At
	steps := [][4]int{{integersMul, 2, 0, 0}, {integersAdd, 2, 2, 1}, {integersMul, 3, 1, 2}, {integersAdd, 2, 3, 2},
		{integersAdd, 2, 2, 0}, {integersMul, 3, 1, 2}} // y·((x² + y)·y + x² + y + x)
	for _, bits := range []int{512, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 65536, 131072, 1 << 18} {
		m, n := bits/32, total/bits
		low := measured(b, g.d, func() error { return g.run(g.d.Stream(), integersMul, z, x, y, 0, n, m, m) })
		fmt.Printf("midint mullow %d bits x %d: %.4f ms\n", bits, n, low)
		chosen := g.planFor(steps, 2, m)
		f := flowOf(steps, 2, 1)
		for _, p := range []programPlan{f.byLaunches(), f.byTensors(m),
			{operands: 2, kind: byTransforms, transforms: flowOf(steps, 2, len(steps)).transforms()}, chosen} {
			name := "one launch by words"
			switch {
			case len(p.list) > 0:
				name = fmt.Sprintf("%d launches", len(p.list))
			case p.kind == byTransforms && !g.can(byTransforms, m, false) || p.kind == byTensors && m > 2048:
				continue
			case p.kind == byTensors:
				shared, _ := tensorProgramShape(p, m)
				kernel, _, _ := tensorShape(m)
				use, err := g.tensors[kernel][1].Use(32*tensorIntegers, shared)
				require.NoError(b, err)
				name = fmt.Sprintf("one launch on tensor cores, %+v", use)
			case p.kind == byTransforms:
				name = fmt.Sprintf("one launch, %d transforms", p.transforms.transforms)
			}
			run, err := g.newProgram(p, n, m)
			require.NoError(b, err)
			require.NoError(b, g.grow(&g.values, &g.valueBytes, run.bytes()))
			run.z, run.work, run.operands = z, g.values.At, []uint64{x, y}
			ms := measured(b, g.d, func() error { return run.start(g.values.Queue()) })
			fmt.Printf("midint poly %d bits x %d by %s: %.4f ms, %.2f of a low product\n", bits, n, name, ms, ms/low)
		}
		fmt.Printf("midint poly %d bits takes %d launches\n", bits, max(1, len(chosen.list)))
	}
	for lg := leastTransform; lg <= mostTransform; lg++ {
		threads, shared := transformShape(lg, false)
		use, err := g.transforms[lg][2].Use(threads, shared)
		require.NoError(b, err)
		fmt.Printf("midfft_program_%d: %d threads, %d bytes, %+v\n", lg, threads, shared, use)
	}
}
