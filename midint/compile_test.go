package midint_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/midint"
)

// tree is an expression with its definition.
type tree struct {
	x     *midint.Expr
	value func(operands []*big.Int) *big.Int
	text  string
}

func leaf(i int) tree {
	return tree{midint.Operand(i), func(v []*big.Int) *big.Int { return v[i] }, fmt.Sprintf("x%d", i)}
}

func join(op byte, a, b tree) tree {
	both := func(x *midint.Expr, f func(z, x, y *big.Int) *big.Int) tree {
		return tree{x, func(v []*big.Int) *big.Int { return f(new(big.Int), a.value(v), b.value(v)) },
			fmt.Sprintf("(%s %c %s)", a.text, op, b.text)}
	}
	switch op {
	case '+':
		return both(a.x.Plus(b.x), (*big.Int).Add)
	case '-':
		return both(a.x.Minus(b.x), (*big.Int).Sub)
	case '*':
		return both(a.x.Times(b.x), (*big.Int).Mul)
	}
	b = a
	return both(a.x.Squared(), (*big.Int).Mul)
}

// grown is a random tree of so many operations.
func grown(r *rand.Rand, operations, operands int) tree {
	if operations == 0 {
		return leaf(r.IntN(operands))
	}
	op := "+-**s"[r.IntN(5)]
	if op == 's' {
		return join(op, grown(r, operations-1, operands), tree{})
	}
	left := r.IntN(operations)
	return join(op, grown(r, left, operands), grown(r, operations-1-left, operands))
}

// poly is (a·a + b)·(b·b + b) + a·b.
func poly() tree {
	a, b := leaf(0), leaf(1)
	return join('+', join('*', join('+', join('*', a, a), b), join('+', join('s', b, b), b)), join('*', a, b))
}

// programs are what each test compiles.
func programs(r *rand.Rand, count int) []tree {
	a, b, c, d := leaf(0), leaf(1), leaf(2), leaf(3)
	list := []tree{a, poly(), join('+', join('*', a, b), join('*', c, d)), join('-', a, b), join('-', a, a),
		join('-', join('*', a, b), join('*', b, a)), join('s', a, a), join('+', join('s', join('-', a, b), a), c),
		join('+', join('s', a, a), join('s', a, a))}
	for range count {
		list = append(list, grown(r, 1+r.IntN(16), 1+r.IntN(8)))
	}
	return list
}

// Programs are what math/big has, modulo 2^n and exactly, by one worker and by three: a result that does not fit is an
// error that leaves it as it was.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 35))
	for _, width := range []int{32, 96, 512, 1056} {
		for k, tr := range programs(r, 12*testscale.Of(t)) {
			n := []int{1, 9, 70}[k%3]
			e, err := midint.New(midint.WithWorkers(1 + k%2*2))
			require.NoError(t, err)
			where := fmt.Sprintf("%s of %d bits, %d integers", tr.text, width, n)
			var operands [8]*midint.Batch
			var values [8][]*big.Int
			for i := range operands {
				for j := range n {
					v := random(r, width)
					if i == 0 && j == 0 { // at the bound
						values[i] = append(values[i], ones(width))
						continue
					}
					if p := patterns(width); (i+j)%4 == 0 {
						v = p[r.IntN(len(p))]
					}
					values[i] = append(values[i], v)
				}
				operands[i] = batchOf(t, width, values[i])
			}
			var exact []*big.Int
			most, negative := 0, false
			for i := range n {
				var v []*big.Int
				for _, x := range values {
					v = append(v, x[i])
				}
				exact = append(exact, new(big.Int).Set(tr.value(v)))
				most, negative = max(most, exact[i].BitLen()), negative || exact[i].Sign() < 0
			}
			wrapped(t, e, tr, width, operands, exact, where)
			if most > 20000 {
				continue
			}
			fits := max(1, (most+31)/32) * 32
			checked(t, e, tr, [2]int{width, fits}, operands, exact, negative, where)
			checked(t, e, tr, [2]int{width, fits + 64}, operands, exact, negative, where)
			if fits > 32 {
				checked(t, e, tr, [2]int{width, fits - 32}, operands, exact, true, where)
			}
		}
	}
}

// needs is the operands that a program takes.
func needs(p *midint.Program, operands [8]*midint.Batch) []*midint.Batch {
	for n := range operands {
		if strings.HasPrefix(p.Explain(), fmt.Sprintf("%d operands", n+1)) {
			return operands[:n+1]
		}
	}
	return nil
}

func wrapped(t *testing.T, e *midint.Engine, tr tree, width int, operands [8]*midint.Batch, exact []*big.Int,
	where string) {
	p, err := e.Compile(tr.x, width, 0)
	require.NoError(t, err, where)
	z := empty(t, width, len(exact))
	require.NoError(t, p.Run(t.Context(), z, needs(p, operands)...), where)
	var want []*big.Int
	for _, v := range exact {
		want = append(want, new(big.Int).And(v, ones(width)))
	}
	requireBatch(t, want, z, "%s", where)
	own := needs(p, operands)
	last := len(own) - 1
	own[last] = empty(t, width, len(exact))
	copy(own[last].Words(), operands[last].Words())
	require.NoError(t, p.Run(t.Context(), own[last], own...), where)
	requireBatch(t, want, own[last], "in place, %s", where)
}

func checked(t *testing.T, e *midint.Engine, tr tree, widths [2]int, operands [8]*midint.Batch, exact []*big.Int,
	refused bool, where string) {
	p, err := e.Compile(tr.x, widths[0], widths[1])
	require.NoError(t, err, where)
	z := empty(t, widths[1], len(exact))
	err = p.Run(t.Context(), z, needs(p, operands)...)
	if refused {
		require.ErrorIs(t, err, field.ErrRange, where)
		require.Equal(t, empty(t, widths[1], len(exact)).Words(), z.Words(), where)
		return
	}
	require.NoError(t, err, where)
	requireBatch(t, exact, z, "result of %d bits, %s", widths[1], where)
}

// The polynomial has three products, as b is a factor of all of it, and three sums, and one pass; parts that are there
// twice are computed once.
func TestProgramExplain(t *testing.T) {
	e, err := midint.New()
	require.NoError(t, err)
	a, b := midint.Operand(0), midint.Operand(1)
	p, err := e.Compile(a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b)), 2048, 0)
	require.NoError(t, err)
	require.Contains(t, p.Explain(), "3 products, 3 sums; 2 values of 2048 bits at once\nprocessor: one pass")
	require.Contains(t, p.Explain(), "v0 = x0²\nv0 = v0 + x1\nv1 = x1·v0\n")
	p, err = e.Compile(a.Times(b).Plus(a.Times(b)), 1024, 2080)
	require.NoError(t, err)
	require.Contains(t, p.Explain(), "always fits; 1 products, 1 sums")
	require.Contains(t, p.Explain(), "whole, of 1024 bits")
	p, err = e.Compile(a.Minus(b), 64, 64)
	require.NoError(t, err)
	require.Contains(t, p.Explain(), "checked")
}

// Sums with a common factor are products of a sum, where that leaves fewer products, and of no more operations than
// expressions have. Exact values are as they were written.
func TestProgramFactors(t *testing.T) {
	e, err := midint.New()
	require.NoError(t, err)
	a, b, c, d := midint.Operand(0), midint.Operand(1), midint.Operand(2), midint.Operand(3)
	long := a.Times(b)
	for range 7 {
		long = long.Plus(c).Times(d)
	}
	for i, l := range []struct {
		x              *midint.Expr
		products, sums int
	}{
		{a.Times(b).Plus(a.Times(c)), 1, 1},
		{a.Times(b).Minus(c.Times(a)), 1, 1},
		{a.Squared().Minus(a.Times(c)), 1, 1},
		{a.Squared().Plus(a), 1, 1},
		{a.Minus(a.Times(b)), 1, 1},
		{a.Minus(a.Times(b)).Times(c).Plus(a.Times(d)), 3, 2},
		{a.Times(b).Plus(c.Times(d)), 2, 1},
		{a.Times(b).Plus(c.Times(d)).Plus(a.Times(d)), 3, 2}, // of terms that do not stand together
		{a.Times(b).Times(c).Plus(b.Times(d)).Minus(b.Squared()), 2, 2},
		{a.Plus(b).Times(c).Plus(a.Plus(b).Times(d)), 1, 2},
		{a.Plus(b).Squared().Minus(a.Squared()), 2, 2},
		{long, 8, 7},
	} {
		p, err := e.Compile(l.x, 96, 0)
		require.NoError(t, err)
		require.Contains(t, p.Explain(), fmt.Sprintf("; %d products, %d sums;", l.products, l.sums), "%d\n%s", i, p.Explain())
	}
	p, err := e.Compile(a.Times(b).Plus(a.Times(c)), 96, 224)
	require.NoError(t, err)
	require.Contains(t, p.Explain(), "2 products, 1 sums")
}

// Expressions with a nil part, too many of them, and wrong sizes are errors, and write nothing.
func TestProgramErrors(t *testing.T) {
	e, err := midint.New()
	require.NoError(t, err)
	a := midint.Operand(0)
	sixteen := a
	for range 16 {
		sixteen = sixteen.Plus(a)
	}
	compile := func(x *midint.Expr, bits, result int) error { _, err := e.Compile(x, bits, result); return err }
	require.NoError(t, compile(sixteen, 64, 0))
	for _, x := range []*midint.Expr{nil, new(midint.Expr), a.Plus(nil), (*midint.Expr)(nil).Squared(),
		midint.Operand(8), midint.Operand(-1), sixteen.Plus(a), a.Times(sixteen)} {
		require.ErrorIs(t, compile(x, 64, 0), field.ErrSpec)
	}
	deep := a
	for range 16 {
		deep = deep.Squared()
	}
	require.NoError(t, compile(deep, 64, 0))
	require.ErrorIs(t, compile(deep, 1<<20, 64), field.ErrMemory)
	require.ErrorIs(t, compile(a, 33, 0), field.ErrSpec)
	require.ErrorIs(t, compile(a, 64, -32), field.ErrSpec)
	p, err := e.Compile(a.Plus(midint.Operand(1)), 64, 0)
	require.NoError(t, err)
	x, z, other := empty(t, 64, 3), empty(t, 64, 3), empty(t, 96, 3)
	ctx := t.Context()
	require.ErrorIs(t, p.Run(ctx, z, x), field.ErrLength)
	require.ErrorIs(t, p.Run(ctx, z, x, x, x), field.ErrLength)
	require.ErrorIs(t, p.Run(ctx, z, x, other), field.ErrLength)
	require.ErrorIs(t, p.Run(ctx, z, x, empty(t, 64, 2)), field.ErrLength)
	require.ErrorIs(t, p.Run(ctx, other, x, x), field.ErrLength)
	require.ErrorIs(t, p.Run(ctx, z, x, nil), field.ErrSpec)
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, p.Run(stopped, z, x, x), context.Canceled)
	require.Equal(t, empty(t, 64, 3).Words(), z.Words())
}

// A program serves calls at the same time, which allocate nothing once warm.
func TestProgramShared(t *testing.T) {
	ctx := context.Background()
	e, err := midint.New()
	require.NoError(t, err)
	for _, result := range []int{0, 2080, 4096} {
		p, err := e.Compile(poly().x, 512, result)
		require.NoError(t, err)
		x, y := empty(t, 512, 40), empty(t, 512, 40)
		z := empty(t, max(512, result), 40)
		require.NoError(t, p.Run(ctx, z, x, y))
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				own := empty(t, max(512, result), 40)
				if p.Run(ctx, own, x, y) != nil || fmt.Sprint(own.Words()) != fmt.Sprint(z.Words()) {
					t.Error("another result")
				}
			})
		}
		all.Wait()
		allocs := testing.AllocsPerRun(60, func() {
			if p.Run(ctx, z, x, y) != nil {
				panic("a call failed")
			}
		})
		if !raceEnabled {
			require.Less(t, allocs, 1.0)
		}
	}
}

// calls is a device without values of its own, whose products are not in place.
type calls struct {
	t *testing.T
	e *midint.Engine
}

func (d calls) Compute(ctx context.Context, op int, z, x, y []uint32, bits int) error {
	var b [3]*midint.Batch
	for i, w := range [][]uint32{z, x, y} {
		b[i] = empty(d.t, bits, 32*len(w)/bits)
		require.NoError(d.t, b[i].SetUint32s(w))
		require.False(d.t, op == 5 && i > 0 && &w[0] == &z[0], "a product in place")
	}
	run := map[int]func(context.Context, *midint.Batch, *midint.Batch, *midint.Batch) error{0: d.e.Add, 1: d.e.Sub,
		5: d.e.MulLow, 4: func(ctx context.Context, z, x, _ *midint.Batch) error { return d.e.Convert(ctx, z, x) }}[op]
	if err := run(ctx, b[0], b[1], b[2]); err != nil {
		return err
	}
	return b[0].Uint32s(z)
}

func (d calls) Compare(context.Context, []int8, []uint32, []uint32, int) error { return nil }

// Programs for devices that have no values of their own are calls, with the same results.
func TestProgramDevice(t *testing.T) {
	plain, err := midint.New()
	require.NoError(t, err)
	e, err := midint.New(midint.WithDevice(calls{t, plain}))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(8, 35))
	for _, tr := range programs(r, 20) {
		var operands [8]*midint.Batch
		for i := range operands {
			operands[i] = batchOf(t, 96, []*big.Int{random(r, 96), random(r, 96), ones(96)})
		}
		var both [2]*midint.Batch
		for i, engine := range []*midint.Engine{plain, e} {
			p, err := engine.Compile(tr.x, 96, 0)
			require.NoError(t, err)
			both[i] = empty(t, 96, 3)
			require.NoError(t, p.Run(t.Context(), both[i], needs(p, operands)...))
		}
		require.Equal(t, both[0].Words(), both[1].Words(), tr.text)
	}
}
