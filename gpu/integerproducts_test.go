package gpu

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/emulator"
)

// bigOf is the number with words of 32 bits, lowest first.
func bigOf(x []uint32) *big.Int {
	bytes := make([]byte, 4*len(x))
	for i, w := range x {
		for j := range 4 {
			bytes[len(bytes)-1-4*i-j] = byte(w >> (8 * j))
		}
	}
	return new(big.Int).SetBytes(bytes)
}

// integerFactors are n pairs of integers of m words: all ones, which have the largest coefficients; all ones and one
// that takes a carry through all words; 2^(32m−1) and 2^32m − 2, whose product has words of 0; random ones.
func integerFactors(r *rand.Rand, n, m int) (x, y []uint32) {
	x, y = make([]uint32, n*m), make([]uint32, n*m)
	for i := range n {
		a, b := x[i*m:(i+1)*m], y[i*m:(i+1)*m]
		for j := range m {
			switch i % 4 {
			case 0, 1:
				a[j], b[j] = 1<<32-1, 1<<32-1
			case 2:
				b[j] = 1<<32 - 1
			case 3:
				a[j], b[j] = r.Uint32(), r.Uint32()
			}
		}
		switch i % 4 {
		case 1:
			b[0] = 1
		case 2:
			a[m-1], b[0] = 1<<31, 1<<32-2
		}
	}
	return x, y
}

// multiplied is what kernels of a kind make of integers of m words, with results of so many.
func multiplied(t *testing.T, g *Integers, p integerProduct, x, y []uint32, m, out int) []uint32 {
	n := len(x) / m
	z := make([]uint32, n*out)
	require.NoError(t, g.load(len(z)*4, x, y))
	right := g.memory[1].At
	if &x[0] != &y[0] {
		right = g.memory[2].At
	}
	q := g.memory[0].Queue()
	_, _, bytes := g.passShape(n, m, out, false)
	require.NoError(t, q.Scratch(bytes, func(work uint64) error {
		return g.multiplyBy(q.Stream(), p, g.memory[0].At, g.memory[1].At, right, work, n, m, out)
	}))
	g.memory[0].Did(nil)
	require.NoError(t, g.d.Wait(t.Context(), g.memory[0]))
	require.NoError(t, g.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), g.memory[0].At, len(z)*4))
	return z
}

// Every kind of product is that of math/big, for low halves, whole products, squares and other results, of integers at
// its edges.
func TestIntegerProducts(t *testing.T) {
	g := integersOn(t)
	r := rand.New(rand.NewPCG(35, 74))
	for _, c := range []struct {
		p        integerProduct
		m, n     int  // integers, 0 for more than blocks of windows that the device has at once take in one turn
		onDevice bool // too long for the emulated one and for sanitizers
	}{
		{byShort, 3, 5, false}, {byShort, 13, 67, false}, {byShort, 16, 33, false}, {byTiles, 1, 33, false},
		{byTiles, 9, 17, false}, {byTiles, 33, 4, false}, {byTiles, 64, 9, false}, {byTiles, 257, 2, false},
		{byPieces, 33, 4, false}, {byLows, 3, 5, false}, {byLows, 17, 67, false}, {byLows, 24, 33, false},
		{byLows, 24, 65, false}, {byLows, 25, 9, false}, {byLows, 31, 40, false}, {byLows, 32, 31, false},
		{byLows, 32, 32, false}, {byLows, 32, 65, false}, {byWindows, 3, 15, false},
		{byWindows, 17, 17, false}, {byWindows, 22, 16, false}, {byWindows, 24, 15, false}, {byWindows, 24, 17, false},
		{byWindows, 24, 0, false}, {byWindows, 25, 7, false}, {byWindows, 28, 33, false}, {byWindows, 30, 9, false},
		{byWindows, 32, 15, false}, {byWindows, 32, 16, false}, {byWindows, 32, 17, false}, {byWindows, 32, 0, false},
		{byShort, 16, 31, false}, {byShort, 16, 32, false},
		{byTensors, 1, 3, false}, {byTensors, 3, 4, false}, {byTensors, 31, 5, false}, {byTensors, 32, 4, false},
		{byTensors, 33, 3, false}, {byTensors, 64, 4, false}, {byTensors, 96, 5, false}, {byTensors, 128, 4, false},
		{byTensors, 255, 3, false}, {byTensors, 256, 133, true}, {byTensors, 257, 3, false}, {byTensors, 512, 4, false},
		{byTensors, 1025, 4, true}, {byTensors, 1536, 5, true}, {byTensors, 2048, 67, true}, {byTensors, 3071, 4, true},
		{byTransforms, 1, 5, false}, {byTransforms, 255, 4, false}, {byTransforms, 256, 3, false},
		{byTransforms, 257, 4, false}, {byTransforms, 512, 3, false}, {byTransforms, 1023, 4, false},
		{byTransforms, 1024, 4, true}, {byTransforms, 1536, 4, false}, {byTransforms, 2048, 4, true},
		{byTransforms, 3071, 2, false}, {byTransforms, 4096, 133, true}, {byTransforms, 8191, 2, false},
		{byTransforms, 8192, 4, true}, {byTransforms, 8192, 131, true},
		{byPasses, 1, 1, false}, {byPasses, 2049, 4, false}, {byPasses, 4097, 1, false}, {byPasses, 4100, 4, true},
		{byPasses, 8193, 4, true}, {byPasses, 1 << 14, 5, true}, {byPasses, 24567, 5, true},
		{byPasses, 1<<15 - 1, 3, true}, {byPasses, 1 << 17, 3, true},
	} {
		if c.onDevice && (emulator.Emulates() || testing.Short()) {
			continue
		}
		if !g.can(c.p, c.m, false) {
			continue // of blocks with less shared memory, with EMULATE_SHARED or on early devices
		}
		if c.n == 0 {
			i := slices.Index(lowWords[:], c.m)
			blocks, err := g.windows[i].Fill(windowThreads, windowRoom[i]*windowThreads)
			require.NoError(t, err)
			c.n = windowIntegers*blocks + 19
		}
		x, y := integerFactors(r, c.n, c.m)
		for _, out := range []int{c.m, 2 * c.m, c.m + c.m/3 + 1} {
			if out > 2*c.m || c.p == byLows && out > c.m || emulator.Emulates() && c.m > 300 && out != 2*c.m {
				continue
			}
			mask := new(big.Int).Lsh(big.NewInt(1), uint(32*out))
			mask.Sub(mask, big.NewInt(1))
			for _, right := range [][]uint32{y, x} {
				z := multiplied(t, g, c.p, x, right, c.m, out)
				for i := range c.n {
					at := i * c.m
					want := new(big.Int).Mul(bigOf(x[at:at+c.m]), bigOf(right[at:at+c.m]))
					want.And(want, mask)
					got := bigOf(z[i*out : (i+1)*out])
					require.Zero(t, got.Cmp(want), "%v: integer %d of %d words, result of %d, square %t", c.p, i, c.m, out,
						&right[0] == &x[0])
				}
			}
		}
	}
}

// Explain names the kind of each product, where a thread has low halves alone too.
func TestIntegersExplain(t *testing.T) {
	g := integersOn(t)
	require.Contains(t, g.Explain(1024), "whole by windows of columns, low halves by a thread each")
	for p := byShort; p <= byPasses; p++ {
		require.NotEmpty(t, p.String())
	}
	require.Empty(t, g.Explain(33))
}

// Nodes of the table have the roots that the tree of polynomials has.
func TestTransformRoots(t *testing.T) {
	const n = 1 << mostTransform
	table := transformRoots()
	for k, p := range transformPrimes {
		require.True(t, new(big.Int).SetUint64(p).ProbablyPrime(20))
		require.Zero(t, (p-1)%n)
		root := func(part, h int) uint64 { return uint64(table[2*((2*k+part)*n+h)]) }
		require.Equal(t, uint64(1), root(0, 1))
		for h := 1; h < n; h++ {
			w := root(0, h)
			require.Equal(t, uint64(1), w*root(1, h)%p)
			require.Equal(t, uint32(w<<32/p), table[2*(2*k*n+h)+1])
			if 2*h < n {
				a, b := root(0, 2*h), root(0, 2*h+1)
				require.Equal(t, w, a*a%p)
				require.Equal(t, p-w, b*b%p)
			}
		}
	}
}
