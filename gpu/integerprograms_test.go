package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint"
)

// randomExpr is an expression of so many operations on operands below a number.
func randomExpr(r *rand.Rand, operations, operands int) *midint.Expr {
	if operations == 0 {
		return midint.Operand(r.IntN(operands))
	}
	left := r.IntN(operations)
	a := randomExpr(r, left, operands)
	switch r.IntN(4) {
	case 0:
		return randomExpr(r, operations-1, operands).Squared()
	case 1:
		return a.Plus(randomExpr(r, operations-1-left, operands))
	case 2:
		return a.Minus(randomExpr(r, operations-1-left, operands))
	}
	return a.Times(randomExpr(r, operations-1-left, operands))
}

// Programs are the processor's, bit for bit, in one launch where values fit a block, and else in one for each step: the
// polynomial, operands alone and random expressions, 1,000 for each width where the device is real.
func TestIntegerPrograms(t *testing.T) {
	g := integersOn(t)
	plain, err := midint.New()
	require.NoError(t, err)
	on, err := midint.New(midint.WithDevice(g))
	require.NoError(t, err)
	a, b := midint.Operand(0), midint.Operand(1)
	r := rand.New(rand.NewPCG(10, 35))
	for _, m := range []int{1, 3, 9, 16, 33, 48, 100} {
		list := []*midint.Expr{a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b)), a, a.Minus(b),
			a.Times(a), a.Times(b).Minus(b.Times(a)).Minus(b)}
		count := 1000
		if emulator.Emulates() || testing.Short() {
			count = 5
		}
		for range count {
			list = append(list, randomExpr(r, 1+r.IntN(16), 8))
		}
		for i, x := range list {
			n := 1 + r.IntN(40)
			p, err := plain.Compile(x, 32*m, 0)
			require.NoError(t, err)
			q, err := on.Compile(x, 32*m, 0)
			require.NoError(t, err)
			if m <= 48 {
				require.Contains(t, q.Explain(), "device: 1 launches by words")
			}
			var both [2]*midint.Batch
			var operands []*midint.Batch
			for j := range both {
				both[j], err = midint.NewBatch(32*m, n)
				require.NoError(t, err)
			}
			for j := range 8 {
				v, err := midint.NewBatch(32*m, n)
				require.NoError(t, err)
				require.NoError(t, v.SetUint32s(integerWords(r, n, m, j)))
				operands = append(operands, v)
			}
			for count := 1; ; count++ { // as many as it has
				if err = p.Run(t.Context(), both[0], operands[:count]...); err == nil {
					operands = operands[:count]
					break
				}
				require.ErrorIs(t, err, field.ErrLength)
			}
			require.NoError(t, q.Run(t.Context(), both[1], operands...))
			require.Equal(t, both[0].Words(), both[1].Words(), "%d words, program %d\n%s", m, i, q.Explain())
			require.NoError(t, q.Run(t.Context(), operands[0], operands...))
			require.Equal(t, both[0].Words(), operands[0].Words(), "%d words, program %d over an operand", m, i)
		}
	}
}

// Sums alone are one launch to 65536 bits, and steps with products to 2^18 bits: by words to 1536, then on tensor cores
// and by transforms. Others are launches for each step: above 2^18 bits two for a sum, and for a product those of its
// passes. ExplainProgram says which.
func TestIntegerProgramLaunches(t *testing.T) {
	g := integersOn(t)
	sums := [][4]int{{integersAdd, 2, 0, 1}, {integersSub, 3, 2, 1}}
	products := [][4]int{{integersMul, 2, 0, 1}, {integersAdd, 2, 2, 1}}
	again := [][4]int{{integersMul, 2, 0, 1}, {integersAdd, 2, 2, 1}, {integersMul, 3, 2, 0}}
	for _, c := range []struct {
		bits, sums, products int
		how                  string
	}{{32, 1, 1, "by words, 2 values in shared"}, {512, 1, 1, "by words"}, {1536, 1, 1, "by words"},
		{2048, 1, 1, "on tensor cores, 1 values in shared memory, 0 in memory"},
		{8192, 1, 1, "on tensor cores, 1 values in shared memory, 0 in memory"},
		{1 << 14, 1, 1, "on tensor cores, 0 values in shared memory, 1 in memory"},
		{1 << 16, 1, 1, "of 5 transforms, 1 values in memory"}, {1<<16 + 32, 2, 1, "of 5 transforms"},
		{1<<18 + 32, 4, 14, "26 launches, each product"}, {33, 0, 0, ""}, {0, 0, 0, ""}} {
		require.Equal(t, c.sums, g.Launches(sums, c.bits), "%d bits", c.bits)
		if g.can(byTensors, 64, false) {
			require.Equal(t, c.products, g.Launches(products, c.bits), "%d bits", c.bits)
			require.Contains(t, g.ExplainProgram(again, c.bits), c.how)
		}
	}
	require.Zero(t, (*Integers)(nil).Launches(sums, 32))
	r := rand.New(rand.NewPCG(11, 35))
	for _, m := range []int{257, 2048, 2049} { // of blocks of several warps, and pieces
		x, y, z := integerWords(r, 5, m, 0), integerWords(r, 5, m, 1), make([]uint32, 5*m)
		require.NoError(t, g.Program(t.Context(), sums, z, [][]uint32{x, y}, 32*m))
		require.Equal(t, x, z, "%d words", m)
	}
}

// Programs that make no sense are errors, and nothing is written.
func TestIntegerProgramErrors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	x, z := make([]uint32, 6), []uint32{1, 2, 3, 4, 5, 6}
	for _, steps := range [][][4]int{nil, {{integersNeg, 1, 0, 0}}, {{integersAdd, 0, 0, 0}}, {{integersAdd, 2, 0, 0}},
		{{integersAdd, 1, 1, 0}}, {{integersAdd, 1, -1, 0}}, {{integersAdd, 1, 0, 3}},
		{{integersAdd, 1, 0, 0}, {integersMul, 1, 1, 0}}} {
		require.ErrorIs(t, g.Program(ctx, steps, z, [][]uint32{x}, 96), field.ErrSpec, fmt.Sprint(steps))
	}
	sum := [][4]int{{integersAdd, 1, 0, 0}}
	require.ErrorIs(t, g.Program(ctx, sum, z, nil, 96), field.ErrSpec)
	require.ErrorIs(t, g.Program(ctx, sum, z, [][]uint32{x}, 33), field.ErrSpec)
	require.ErrorIs(t, g.Program(ctx, sum, z, [][]uint32{x[:3]}, 96), field.ErrLength)
	require.ErrorIs(t, (*Integers)(nil).Program(ctx, sum, z, [][]uint32{x}, 96), field.ErrSpec)
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, g.Program(stopped, sum, z, [][]uint32{x}, 96), context.Canceled)
	require.Equal(t, []uint32{1, 2, 3, 4, 5, 6}, z)
	require.NoError(t, g.Program(ctx, sum, nil, [][]uint32{nil}, 96))
}

// Programs on vectors are those on words, in place too and on a queue, by words, by tensor cores and by transforms.
func TestIntegerProgramVectors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	steps := [][4]int{{integersMul, 2, 0, 0}, {integersAdd, 2, 2, 1}, {integersMul, 3, 1, 2}, {integersAdd, 2, 3, 2},
		{integersSub, 2, 2, 0}, {integersMul, 3, 1, 2}}
	q, err := (*Device)(g.d).NewQueue()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(13, 35))
	for _, m := range []int{3, 100, 1100} {
		if m > 100 && emulator.Emulates() {
			continue
		}
		const n = 3
		rows := [][]uint32{integerWords(r, n, m, 0), integerWords(r, n, m, 1)}
		want := make([]uint32, n*m)
		require.NoError(t, g.Program(ctx, steps, want, rows, 32*m))
		for _, on := range []*Queue{nil, q} {
			var v [3]field.Vec
			for i := range v {
				if v[i], err = g.NewVec(n * m); on != nil {
					v[i], err = g.NewVecIn(on, n*m)
				}
				require.NoError(t, err)
			}
			for i, row := range rows {
				require.NoError(t, g.LoadVec(v[i], row))
			}
			z := make([]uint32, n*m)
			for _, to := range []int{2, 1} {
				require.NoError(t, g.ProgramVec(ctx, steps, v[to], v[:2], 32*m))
				require.NoError(t, g.StoreVec(z, v[to]))
				require.Equal(t, want, z, "%d words, in %d", m, to)
			}
			for _, one := range v {
				require.NoError(t, one.Close())
			}
		}
	}
	require.NoError(t, q.Close())
}

// Vectors that do not fit together, and programs that make no sense, are errors, and nothing is written.
func TestIntegerProgramVectorErrors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	steps := [][4]int{{integersAdd, 1, 0, 0}}
	var v [3]field.Vec
	for i, words := range []int{6, 6, 3} {
		var err error
		v[i], err = g.NewVec(words)
		require.NoError(t, err)
	}
	words := []uint32{1, 2, 3, 4, 5, 6}
	require.NoError(t, g.LoadVec(v[0], words))
	of := func(operands ...field.Vec) []field.Vec { return operands }
	require.ErrorIs(t, (*Integers)(nil).ProgramVec(ctx, steps, v[0], of(v[1]), 96), field.ErrSpec)
	require.ErrorIs(t, g.ProgramVec(ctx, steps, nil, of(v[1]), 96), field.ErrVec)
	require.ErrorIs(t, g.ProgramVec(ctx, steps, v[0], of(nil), 96), field.ErrVec)
	require.ErrorIs(t, g.ProgramVec(ctx, steps, v[0], of(v[2]), 96), field.ErrLength)
	require.ErrorIs(t, g.ProgramVec(ctx, steps, v[0], of(v[1]), 33), field.ErrSpec)
	require.ErrorIs(t, g.ProgramVec(ctx, nil, v[0], of(v[1]), 96), field.ErrSpec)
	require.ErrorIs(t, g.ProgramVec(ctx, steps, v[0], nil, 96), field.ErrSpec)
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, g.ProgramVec(stopped, steps, v[0], of(v[1]), 96), context.Canceled)
	got := make([]uint32, 6)
	require.NoError(t, g.StoreVec(got, v[0]))
	require.Equal(t, words, got)
}
