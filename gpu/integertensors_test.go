package gpu

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint"
)

// bigSteps is the result of steps on integers by math/big, modulo 2^32m.
func bigSteps(steps [][4]int, operands []*big.Int, m int) *big.Int {
	mask := new(big.Int).Lsh(big.NewInt(1), uint(32*m))
	mask.Sub(mask, big.NewInt(1))
	values := map[int]*big.Int{}
	for i, x := range operands {
		values[i] = x
	}
	var z *big.Int
	for _, s := range steps {
		x, y := values[s[2]], values[s[3]]
		switch z = new(big.Int); s[0] {
		case integersAdd:
			z.Add(x, y)
		case integersSub:
			z.Sub(x, y)
		case integersMul:
			z.Mul(x, y)
		default:
			z.Set(x)
		}
		z.And(z, mask)
		values[s[1]] = z
	}
	return z
}

// edgeRows are rows of n integers of m words: of the first operand all ones, random ones, 0, 1 and 2^(32m−1) in turn,
// of the others the same from one integer to several, so that two operands have all pairs in 25 integers.
func edgeRows(r *rand.Rand, operands, n, m int) (rows [][]uint32) {
	turn := 1
	for range operands {
		row := make([]uint32, n*m)
		for i := range n {
			x := row[i*m : (i+1)*m]
			switch kind := i / turn % 5; kind {
			case 0, 1:
				for j := range x {
					if x[j] = 1<<32 - 1; kind == 1 {
						x[j] = r.Uint32()
					}
				}
			case 3:
				x[0] = 1
			case 4:
				x[m-1] = 1 << 31
			}
		}
		if rows = append(rows, row); turn < 5 {
			turn *= 5
		} else {
			turn = 1
		}
	}
	return rows
}

// Programs by tensor cores in one launch are those of math/big: the polynomial as Compile has it and as written, sums
// alone, differences, and random expressions, at edge values, at widths between those of kernels, and for more and
// fewer integers than blocks have.
func TestIntegerTensorPrograms(t *testing.T) {
	g := integersOn(t)
	a, b, c := midint.Operand(0), midint.Operand(1), midint.Operand(2)
	polynomial := a.Squared().Plus(b).Times(b.Squared().Plus(b)).Plus(a.Times(b))
	written := [][4]int{{integersMul, 2, 0, 0}, {integersAdd, 2, 2, 1}, {integersMul, 3, 1, 1}, {integersAdd, 3, 3, 1},
		{integersMul, 4, 2, 3}, {integersMul, 2, 0, 1}, {integersAdd, 2, 4, 2}}
	r := rand.New(rand.NewPCG(102, 35))
	for _, w := range []struct {
		m, n int
		long bool // for a real device
	}{{1, 5, false}, {31, 4, false}, {32, 3, false}, {33, 25, false}, {64, 3, true}, {65, 4, false}, {127, 2, true},
		{128, 5, false}, {129, 5, true}, {192, 3, false}, {255, 1, true}, {256, 3, true}, {257, 2, false},
		{288, 1, true}, {384, 1, false}, {385, 1, false}, {512, 2, true}, {128, 2113, true}, {256, 2111, true},
		{512, 1057, true}, {700, 25, true}, {1000, 25, true}, {1024, 529, true}, {1056, 25, true}, {2048, 25, true}} {
		if !g.can(byTensors, w.m, false) || w.long && (emulator.Emulates() || testing.Short()) {
			continue
		}
		rows := edgeRows(r, 8, w.n, w.m)
		list := [][][4]int{written}
		count := 1000
		of := []*midint.Expr{polynomial, a.Minus(b).Minus(c), b.Minus(a.Times(b)).Minus(a.Times(b).Squared())}
		switch {
		case emulator.Emulates() && w.m > 130:
			count, of = 0, of[2:]
		case emulator.Emulates() || testing.Short() || w.n > 25:
			count = 2
		}
		for range count {
			of = append(of, randomExpr(r, 1+r.IntN(16), 8))
		}
		one := make([][]uint32, len(rows))
		for i, row := range rows {
			one[i] = row[:w.m]
		}
		for _, x := range of {
			steps, _, _ := stepsOf(t, x, one, w.m)
			list = append(list, steps)
		}
		for i, steps := range list {
			rows, n := rows, w.n
			if i > 100 { // one integer, another each time, is enough for most
				at := i % n * w.m
				rows, n = slices.Clone(rows), 1
				for k, row := range rows {
					rows[k] = row[at : at+w.m]
				}
			}
			operands, ok := operandsOf(steps)
			require.True(t, ok)
			p := flowOf(steps, operands, 1).byTensors(w.m)
			if shared, _ := tensorProgramShape(p, w.m); shared > g.d.Info().SharedOptIn {
				continue
			}
			z := ran(t, g, p, rows, w.m)
			for j := range n {
				var x []*big.Int
				for _, row := range rows {
					x = append(x, bigOf(row[j*w.m:(j+1)*w.m]))
				}
				require.Zero(t, bigSteps(steps, x, w.m).Cmp(bigOf(z[j*w.m:(j+1)*w.m])), "integer %d of %d words, program %d",
					j, w.m, i)
			}
		}
	}
}

// The polynomial is three steps with one value: a step takes the place of what it is the last to read. The factor that
// the next product has too is the first one, and its rows are made once.
func TestTensorPrograms(t *testing.T) {
	steps := [][4]int{{integersMul, 2, 0, 0}, {integersAdd, 2, 2, 1}, {integersMul, 3, 1, 2}, {integersAdd, 2, 3, 2},
		{integersAdd, 2, 2, 0}, {integersMul, 3, 1, 2}}
	p := flowOf(steps, 2, 1).tensors()
	require.Equal(t, tensorProgram{[]uint32{2, 0, 0, tensorFactor, 1, 2, 2, 1, 2, tensorFactor, 2, 4, 0,
		0, 1, 2, tensorAgain, 0}, 3, 1}, p)
	p = flowOf([][4]int{{integersMul, 3, 0, 1}, {integersSub, 4, 3, 2}, {integersMul, 5, 4, 1}}, 3, 1).tensors()
	require.Equal(t, []uint32{3, 1, 0, tensorFactor, 1, 5, 0, 1, 3, tensorAgain, 0}, p.words)
}

// Low halves of squares, alone and in programs with sums and differences of one to three values, are those of math/big,
// at edge values, where groups of tiles are of every size and begin at odd and even numbers of their length.
func TestIntegerTensorSquares(t *testing.T) {
	g := integersOn(t)
	square := [][4]int{{integersMul, 2, 0, 0}}
	sums := [][4]int{{integersMul, 2, 0, 0}, {integersSub, 2, 2, 1}, {integersMul, 3, 2, 2}, {integersAdd, 3, 3, 2},
		{integersAdd, 3, 3, 1}, {integersSub, 3, 3, 0}, {integersMul, 4, 3, 3}, {integersAdd, 4, 4, 0},
		{integersAdd, 4, 4, 1}}
	r := rand.New(rand.NewPCG(113, 35))
	for _, m := range []int{257, 288, 321, 384, 385, 417, 512, 608, 640, 768, 1000, 1632, 2048} {
		if !g.can(byTensors, m, true) || m > 700 && (emulator.Emulates() || testing.Short()) {
			continue
		}
		const n = 7
		rows := edgeRows(r, 2, n, m)
		for _, steps := range [][][4]int{square, sums} {
			z := ran(t, g, flowOf(steps, 2, 1).byTensors(m), rows, m)
			for j := range n {
				x := []*big.Int{bigOf(rows[0][j*m : (j+1)*m]), bigOf(rows[1][j*m : (j+1)*m])}
				require.Zero(t, bigSteps(steps, x, m).Cmp(bigOf(z[j*m:(j+1)*m])), "integer %d of %d words, %d steps", j,
					m, len(steps))
			}
		}
		z := make([]uint32, n*m)
		require.NoError(t, g.Compute(t.Context(), integersMul, z, rows[0], rows[0], 32*m))
		for j := range n {
			x := []*big.Int{bigOf(rows[0][j*m : (j+1)*m])}
			require.Zero(t, bigSteps([][4]int{{integersMul, 1, 0, 0}}, x, m).Cmp(bigOf(z[j*m:(j+1)*m])), "%d of %d words", j, m)
		}
	}
}
