package gpu

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint"
)

func integersOn(t testing.TB) *Integers {
	emulator.Need(t)
	d, err := Open(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	g, err := d.Integers()
	require.NoError(t, err)
	return g
}

// words are n integers of m words: all ones, one, zero, alternating ones and random ones.
func integerWords(r *rand.Rand, n, m, shift int) []uint32 {
	x := make([]uint32, n*m)
	for i := range x {
		switch integer := i / m; (integer + shift*(1+integer/5)) % 5 {
		case 0:
			x[i] = 1<<32 - 1
		case 1:
			if i%m == 0 {
				x[i] = 1
			}
		case 3:
			x[i] = -uint32(i % 2)
		case 4:
			x[i] = r.Uint32()
		}
	}
	return x
}

// The device computes what the processor does, bit for bit: for a warp of several integers and of one, blocks of
// several warps, several pieces, lengths that are no multiple of eight words, and batches that leave threads idle.
func TestIntegers(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	plain, err := midint.New()
	require.NoError(t, err)
	device, err := midint.New(midint.WithDevice(g))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(8, 33))
	for _, c := range [][2]int{{1, 300}, {2, 257}, {3, 5}, {8, 33}, {9, 17}, {15, 129}, {16, 128}, {16, 127}, {32, 65},
		{33, 20}, {33, 47}, {33, 49}, {49, 31}, {64, 8}, {64, 33}, {100, 7}, {256, 3}, {257, 6}, {384, 3}, {509, 2},
		{520, 25}, {1031, 3}, {1536, 2}, {2047, 2}, {2048, 1}, {2085, 2}, {2572, 2}, {4097, 1}, {8191, 1}, {8192, 1},
		{8195, 2}} {
		m, n := c[0], c[1]
		if m > 300 && !emulator.Emulates() {
			n *= 10
		}
		var a []*midint.Batch
		for i := range 2 {
			v, err := midint.NewBatch(32*m, n)
			require.NoError(t, err)
			require.NoError(t, v.SetUint32s(integerWords(r, n, m, i)))
			a = append(a, v)
		}
		type call struct {
			name string
			wide int
			run  func(e *midint.Engine, z, x, y *midint.Batch) error
		}
		for _, o := range []call{
			{"add", 1, func(e *midint.Engine, z, x, y *midint.Batch) error { return e.Add(ctx, z, x, y) }},
			{"sub", 1, func(e *midint.Engine, z, x, y *midint.Batch) error { return e.Sub(ctx, z, x, y) }},
			{"neg", 1, func(e *midint.Engine, z, x, _ *midint.Batch) error { return e.Neg(ctx, z, x) }},
			{"sixadd", 1, func(e *midint.Engine, z, x, y *midint.Batch) error { return e.SixAdd(ctx, z, x, y) }},
			{"mullow", 1, func(e *midint.Engine, z, x, y *midint.Batch) error { return e.MulLow(ctx, z, x, y) }},
			{"mulwide", 2, func(e *midint.Engine, z, x, y *midint.Batch) error { return e.MulWide(ctx, z, x, y) }},
			{"sqr", 2, func(e *midint.Engine, z, x, _ *midint.Batch) error { return e.Sqr(ctx, z, x) }},
			{"sqrlow", 1, func(e *midint.Engine, z, x, _ *midint.Batch) error { return e.Sqr(ctx, z, x) }},
		} {
			long := map[byte]int{'m': 3000, 's': 300}[o.name[0]] // products take long there
			if long > 0 && o.name != "sub" && o.name != "sixadd" && m > long && emulator.Emulates() {
				continue
			}
			var both [2]*midint.Batch
			for i, e := range []*midint.Engine{plain, device} {
				both[i], err = midint.NewBatch(32*m*o.wide, n)
				require.NoError(t, err)
				require.NoError(t, o.run(e, both[i], a[0], a[1]))
			}
			require.True(t, slices.Equal(both[0].Words(), both[1].Words()), "%s of %d words, %d integers", o.name, m, n)
			if o.wide == 1 && m < 300 {
				own, err := midint.NewBatch(32*m, n)
				require.NoError(t, err)
				require.NoError(t, own.SetUint32s(a[0].Words()))
				require.NoError(t, o.run(device, own, own, a[1]))
				require.True(t, slices.Equal(both[0].Words(), own.Words()), "%s in place, %d words", o.name, m)
			}
		}
		for _, e := range [][2]*midint.Batch{{a[0], a[1]}, {a[1], a[0]}, {a[0], a[0]}} {
			p, q := make([]int8, n), make([]int8, n)
			require.NoError(t, plain.Cmp(ctx, p, e[0], e[1]))
			require.NoError(t, device.Cmp(ctx, q, e[0], e[1]))
			require.Equal(t, p, q, "order of %d words", m)
		}
		for _, at := range []int{0, m / 2, m - 1} { // integers that differ in one word
			other, err := midint.NewBatch(32*m, n)
			require.NoError(t, err)
			require.NoError(t, other.SetUint32s(a[0].Words()))
			other.Words()[(n-1)*m+at] ^= 1 << 31
			p, q := make([]int8, n), make([]int8, n)
			require.NoError(t, plain.Cmp(ctx, p, other, a[0]))
			require.NoError(t, device.Cmp(ctx, q, other, a[0]))
			require.Equal(t, p, q, "order of %d words, one differs", m)
		}
	}
}

// Carries that leave a warp's words are those of the processor: of runs of ones, which start and end anywhere, and of
// sums that reach a power of 2^32 just so, or stay below it by less than words further down add.
func TestIntegerCarries(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	plain, err := midint.New()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(97, 33))
	for _, c := range [][2]int{{1, 700}, {7, 107}, {9, 229}, {24, 93}, {31, 49}, {248, 9}, {256, 5}, {257, 9}, {264, 7},
		{301, 301}, {304, 304}, {2045, 2}, {4097, 2}, {8200, 1}} {
		m, n := c[0], c[1]
		x, y := make([]uint32, n*m), make([]uint32, n*m)
		if m > 2000 { // one carry through every word
			for i := range x {
				x[i] = 1<<32 - 1
				if i%m == 0 {
					y[i] = 1
				}
			}
		} else if n != m {
			for i := range x {
				x[i], y[i] = 1<<32-1, 0
				if r.IntN(12) == 0 {
					x[i] = r.Uint32()
				}
				if r.IntN(12) == 0 {
					y[i] = r.Uint32()
				}
			}
		} else {
			for i := range n { // a sixth or a tenth of 2^(32i), and one more
				of, d := x, int64(6)
				if i%4 >= 2 {
					of, d = y, 10
				}
				v := new(big.Int).Lsh(big.NewInt(1), uint(32*i))
				v.Add(v.Div(v, big.NewInt(d)), big.NewInt(int64(i%2)))
				for j := range i {
					of[i*m+j] = uint32(new(big.Int).Rsh(v, uint(32*j)).Uint64())
				}
			}
		}
		a, err := midint.NewBatch(32*m, n)
		require.NoError(t, err)
		require.NoError(t, a.SetUint32s(x))
		b, err := midint.NewBatch(32*m, n)
		require.NoError(t, err)
		require.NoError(t, b.SetUint32s(y))
		z, err := midint.NewBatch(32*m, n)
		require.NoError(t, err)
		for op, run := range []func() error{
			func() error { return plain.Add(ctx, z, a, b) },
			func() error { return plain.Sub(ctx, z, a, b) },
			func() error { return plain.Neg(ctx, z, a) },
			func() error { return plain.SixAdd(ctx, z, a, b) },
		} {
			require.NoError(t, run())
			got := make([]uint32, n*m)
			require.NoError(t, g.Compute(ctx, op, got, x, y, 32*m))
			for i := range n {
				require.Equal(t, z.Words()[i*m:(i+1)*m], got[i*m:(i+1)*m], "operation %d of %d words, integer %d", op, m, i)
			}
			for _, place := range []string{"x", "y"} {
				own, other := vectorOf(t, g, x), vectorOf(t, g, y)
				to := own
				if place == "y" {
					to = other
				}
				require.NoError(t, g.ComputeVec(ctx, op, to, own, other, 32*m))
				require.NoError(t, g.StoreVec(got, to))
				require.True(t, slices.Equal(z.Words(), got), "operation %d of %d words, in place of %s", op, m, place)
				require.NoError(t, errors.Join(own.Close(), other.Close()))
			}
		}
	}
}

// vectorOf is a vector of words.
func vectorOf(t *testing.T, g *Integers, words []uint32) field.Vec {
	v, err := g.NewVec(len(words))
	require.NoError(t, err)
	require.NoError(t, g.LoadVec(v, words))
	return v
}

// Calls that make no sense are errors, nil ones too, and write nothing.
func TestIntegersErrors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	x, z, order := make([]uint32, 6), []uint32{1, 2, 3, 4, 5, 6}, make([]int8, 2)
	var none *Device
	_, err := none.Integers()
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorIs(t, (*Integers)(nil).Compute(ctx, 0, z, x, x, 96), field.ErrSpec)
	require.ErrorIs(t, new(Integers).Compare(ctx, order, x, x, 96), field.ErrSpec)
	for _, bits := range []int{0, 33, -32} {
		require.ErrorIs(t, g.Compute(ctx, 0, z, x, x, bits), field.ErrSpec)
	}
	require.ErrorIs(t, g.Compute(ctx, 6, z, x, x, 96), field.ErrSpec)
	require.ErrorIs(t, g.Compute(ctx, -1, z, x, x, 96), field.ErrSpec)
	require.ErrorIs(t, g.Compute(ctx, 0, z[:3], x, x, 96), field.ErrLength)
	require.ErrorIs(t, g.Compute(ctx, 0, z, x, x[:3], 96), field.ErrLength)
	require.ErrorIs(t, g.Compute(ctx, 0, z, x, x, 128), field.ErrLength)
	require.ErrorIs(t, g.Compare(ctx, order[:1], x, x, 96), field.ErrLength)
	require.NoError(t, g.Compute(ctx, 0, nil, nil, nil, 96))
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, g.Compute(stopped, 0, z, x, x, 96), context.Canceled)
	require.Equal(t, []uint32{1, 2, 3, 4, 5, 6}, z)
	require.NoError(t, (*Device)(g.d).Close())
	require.ErrorIs(t, g.Compute(ctx, 0, z, x, x, 96), ErrClosed)
	require.ErrorIs(t, g.d.CopyWithin(g.d.Stream(), 0, 0, 4), ErrClosed)
	require.Equal(t, []uint32{1, 2, 3, 4, 5, 6}, z)
}

// BenchmarkIntegers prints the times of operations on integers in the memory of the device, with 2^28 bits an operand.
func BenchmarkIntegers(b *testing.B) {
	realDevice(b)
	g := integersOn(b)
	kinds := []integerProduct{byShort, byLows, byWindows, byTiles, byTensors, byTransforms}
	for _, bits := range []int{512, 768, 1024, 2048, 3072, 4096, 8192, 8224, 12288, 16384, 24576, 32768, 49152, 65536,
		98304, 131072, 1<<18 - 32, 1 << 18} {
		timeIntegers(b, g, bits, kinds)
	}
}

// BenchmarkLongIntegers is that of integers that products go in passes for, and where blocks end.
func BenchmarkLongIntegers(b *testing.B) {
	realDevice(b)
	g := integersOn(b)
	for _, bits := range []int{1 << 17, 1 << 18, 1<<18 + 32, 1 << 19, 3 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 24,
		1 << 26, 1 << 28} {
		timeIntegers(b, g, bits, []integerProduct{byTransforms, byPasses})
	}
}

// timeIntegers prints the times of operations on integers of so many bits.
func timeIntegers(b *testing.B, g *Integers, bits int, kinds []integerProduct) {
	const total = 1 << 28
	m, n := bits/32, total/bits
	words := make([]uint32, n*m)
	other := make([]uint32, n*m)
	for i := range words {
		words[i], other[i] = uint32(i)*0x9e3779b9, uint32(i)*0x85ebca6b+1
	}
	require.NoError(b, g.load(2*total/8, words, other))
	_, _, bytes := g.passShape(n, m, 2*m, false)
	require.NoError(b, g.grow(&g.values, &g.valueBytes, bytes))
	line := func(name string, out int, run func() error) {
		ms := measured(b, g.d, run)
		bytes := float64(n) * float64(2*m+out) * 4
		fmt.Printf("midint %s %d bits x %d: %.4f ms, %.4g/s, %.0f GB/s\n", name, bits, n, ms, float64(n)/ms*1e3,
			bytes/ms/1e6)
	}
	z, x, y, work := g.memory[0].At, g.memory[1].At, g.memory[2].At, g.values.At
	for op, name := range []string{"add", "sub", "neg", "sixadd"} {
		line(name, m, func() error { return g.run(g.d.Stream(), op, z, x, y, work, n, m, m) })
	}
	for i, name := range []string{"mullow", "mulwide", "sqrlow", "sqr"} {
		out, right := m*(1+i%2), y
		if i >= 2 {
			right = x
		}
		chosen := g.productFor(m, out, i >= 2)
		for _, p := range kinds {
			if !g.can(p, m, i >= 2) || p == byTiles && bits > 8192 || p == byLows && i%2 == 1 {
				continue
			}
			mark := ""
			if p == chosen {
				mark = ", which is taken"
			}
			line(fmt.Sprintf("%s by %v%s", name, p, mark), out, func() error {
				return g.multiplyBy(g.d.Stream(), p, z, x, right, work, n, m, out)
			})
		}
	}
}

// BenchmarkIntegerSums prints the times of sums, with 2^28 bits an operand: of random integers, in place too, at widths
// next to powers of two as well, and at a few of integers whose carries go through every word, or could.
func BenchmarkIntegerSums(b *testing.B) {
	realDevice(b)
	g := integersOn(b)
	const total = 1 << 28
	for _, bits := range []int{96, 512, 1056, 2048, 2112, 3072, 8192, 8224, 8288, 12288, 16416, 32768, 32800, 65568,
		98304, 1<<18 - 32, 1 << 18, 1 << 20} {
		m, n := bits/32, total/bits
		words := make([][]uint32, 6)
		for i := range words {
			words[i] = make([]uint32, n*m)
		}
		for i := range n * m {
			words[0][i], words[1][i] = uint32(i)*0x9e3779b9, uint32(i)*0x85ebca6b+1
			words[2][i] = 1<<32 - 1
			if i%m == 0 {
				words[3][i] = 1
			}
			words[4][i] = -uint32(i / 8 % 2)
			words[5][i] = ^words[4][i]
		}
		line := func(name string, op int, z, x, y uint64) {
			ms := measured(b, g.d, func() error { return g.run(g.d.Stream(), op, z, x, y, g.values.At, n, m, m) })
			fmt.Printf(" %s %.4f", name, ms)
		}
		for i, name := range []string{"random", "ones and one", "alternating"} {
			if i > 0 && bits != 2048 && bits != 32768 && bits != 32800 && bits < 1<<18-32 {
				continue
			}
			require.NoError(b, g.load(2*total/8, words[2*i], words[2*i+1]))
			require.NoError(b, g.grow(&g.values, &g.valueBytes, max(4, g.workBytes(integersAdd, n, m, m, false))))
			z, x, y := g.memory[0].At, g.memory[1].At, g.memory[2].At
			fmt.Printf("midint sums %d bits x %d, %s:", bits, n, name)
			line("add", integersAdd, z, x, y)
			line("sub", integersSub, z, x, y)
			line("neg", integersNeg, z, x, y)
			line("six", integersSixAdd, z, x, y)
			line("x − x", integersSub, z, x, x)
			if i == 0 {
				line("in place: add", integersAdd, x, x, y)
				line("sub", integersSub, x, x, y)
				line("six", integersSixAdd, x, x, y)
			}
			fmt.Println(" ms")
		}
	}
}
