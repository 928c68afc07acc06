package gpu

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint"
)

// modulus is an odd one of at most so many bits: the largest, 1, 3, the least of full length, one of half the length,
// and random ones.
func modulus(r *rand.Rand, bits, i int) *big.Int {
	one := big.NewInt(1)
	m := randomInt(r, bits)
	switch i % 7 {
	case 0:
		m.Sub(m.Lsh(one, uint(bits)), one)
	case 1:
		m.Set(one)
	case 2:
		m.SetInt64(3)
	case 3:
		m.Lsh(one, uint(bits-1))
	case 4:
		m.Rsh(m, uint(bits/2))
	}
	return m.SetBit(m, 0, 1)
}

func randomInt(r *rand.Rand, bits int) *big.Int {
	z := new(big.Int)
	for range (bits + 31) / 32 {
		z.Lsh(z, 32).Or(z, big.NewInt(int64(r.Uint32())))
	}
	return z
}

func intBatch(t testing.TB, bits int, x []*big.Int) *midint.Batch {
	b, err := midint.NewBatch(bits, len(x))
	require.NoError(t, err)
	require.NoError(t, b.SetInts(x))
	return b
}

// below are integers below moduli: the largest, 0, 1, and random ones.
func below(r *rand.Rand, moduli []*big.Int, n, shift int) (x []*big.Int) {
	for i := range n {
		m := moduli[i%len(moduli)]
		v := randomInt(r, m.BitLen()+32)
		switch (i + shift*(1+i/4)) % 4 {
		case 0:
			v.Sub(m, big.NewInt(1))
		case 1:
			v.SetInt64(int64(i % 2))
		}
		x = append(x, v.Mod(v, m))
	}
	return x
}

// Products and powers modulo odd numbers are those of math/big, for one modulus and one a row, one exponent and one a
// row, widths that fill no threads, batches that fill no warps, and results in the place of operands.
func TestIntegerModular(t *testing.T) {
	g := integersOn(t)
	e, err := midint.New(midint.WithDevice(onlyModular{g}))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(35, 11))
	list := [][2]int{{1, 33}, {3, 9}, {8, 147}, {9, 3}, {33, 1}}
	switch {
	case emulator.Emulates():
	case testing.Short(): // sanitizers see squares by parts too, which five threads an integer have
		list = [][2]int{{1, 33}, {9, 9}, {33, 7}, {64, 1}}
	default:
		list = [][2]int{{1, 1365}, {3, 147}, {8, 693}, {9, 357}, {16, 189}, {33, 147}, {64, 105}, {77, 84}, {129, 63},
			{255, 42}, {256, 168}}
	}
	for _, c := range list {
		for _, rows := range []int{1, c[1]} {
			for shift := range 2 {
				if shift == 0 || c[0] <= 3 || !emulator.Emulates() {
					modularCase(t, e, r, 32*c[0], c[1], rows, shift)
				}
			}
		}
	}
}

// Exponents may begin where the bases do and have more words.
func TestIntegerModularShared(t *testing.T) {
	g := integersOn(t)
	words := []uint32{5, 7, 1 << 31, 3, 1<<32 - 1, 9}
	modulus := []uint32{1<<32 - 5}
	want, got := make([]uint32, 2), make([]uint32, 2)
	exp := func(z, x, y []uint32) { require.NoError(t, g.Exp(t.Context(), z, x, y, modulus, 32, 96, 4, 24)) }
	exp(want, words[:2], slices.Clone(words))
	exp(got, words[:2], words)
	require.Equal(t, want, got)
}

// onlyModular has no other operations, so that a call that goes elsewhere fails.
type onlyModular struct{ *Integers }

func (onlyModular) Compute(context.Context, int, []uint32, []uint32, []uint32, int) error {
	return field.ErrSpec
}

func modularCase(t *testing.T, e *midint.Engine, r *rand.Rand, bits, n, rows, shift int) {
	var moduli []*big.Int
	for i := range rows {
		moduli = append(moduli, modulus(r, bits, i+shift*(4+rows/2)))
	}
	m, err := midint.NewModuli(intBatch(t, bits, moduli))
	require.NoError(t, err)
	x, y := below(r, moduli, n, 0), below(r, moduli, n, 1)
	a, b, z := intBatch(t, bits, x), intBatch(t, bits, y), intBatch(t, bits, x)
	want := make([]*big.Int, n)
	for i := range want {
		want[i] = new(big.Int).Mul(x[i], y[i])
		want[i].Mod(want[i], moduli[i%rows])
	}
	at := fmt.Sprintf("%d bits, %d integers, %d moduli", bits, n, rows)
	require.NoError(t, e.MulMod(t.Context(), z, a, b, m))
	requireInts(t, want, z, "%s", at)
	require.NoError(t, e.MulMod(t.Context(), b, a, b, m))
	requireInts(t, want, b, "%s", at)
	for i := range want {
		want[i].Mul(x[i], x[i]).Mod(want[i], moduli[i%rows])
	}
	require.NoError(t, e.MulMod(t.Context(), a, a, a, m))
	requireInts(t, want, a, "%s", at)
	for _, p := range []struct {
		bits int
		of   []*big.Int
	}{
		{32, []*big.Int{big.NewInt(65537)}},
		{64, []*big.Int{new(big.Int)}},
		{32, []*big.Int{big.NewInt(1)}},
		{96, []*big.Int{randomInt(r, 96)}},
		{64, nil},
	} {
		for i := 0; p.of == nil || len(p.of) > 1 && len(p.of) < n; i++ {
			v := randomInt(r, p.bits)
			switch i {
			case 0:
				v.Sub(v.Lsh(big.NewInt(1), uint(p.bits)), big.NewInt(1))
			case 1:
				v.SetInt64(0)
			}
			p.of = append(p.of, v)
			if n == 1 {
				break
			}
		}
		for i := range want {
			want[i].Exp(x[i], p.of[i%len(p.of)], moduli[i%rows])
		}
		a := intBatch(t, bits, x)
		exponents := intBatch(t, p.bits, p.of)
		require.NoError(t, e.Exp(t.Context(), z, a, exponents, m))
		requireInts(t, want, z, "%s, %d exponents of %d bits", at, len(p.of), p.bits)
		require.NoError(t, e.Exp(t.Context(), a, a, exponents, m))
		requireInts(t, want, a, "%s, %d exponents of %d bits, in place", at, len(p.of), p.bits)
	}
}

// What does not fit together is an error, nil integers too, and nothing is written.
func TestIntegerModularErrors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	x, z := []uint32{1, 2, 3, 4}, []uint32{5, 6, 7, 8}
	m := []uint32{9, 9}
	product := func(z, x, y, m []uint32, bits int) error { return g.MulMod(ctx, z, x, y, m, bits) }
	require.ErrorIs(t, (*Integers)(nil).MulMod(ctx, z, x, x, m, 64), field.ErrSpec)
	require.ErrorIs(t, new(Integers).Exp(ctx, z, x, x, m, 64, 64, 1, 1), field.ErrSpec)
	require.ErrorIs(t, product(z, x, x, m, 33), field.ErrSpec)
	long := make([]uint32, 257)
	require.ErrorIs(t, product(long, long, long, long, 32*257), field.ErrSpec)
	require.ErrorIs(t, product(z[:2], x, x, m, 64), field.ErrLength)
	require.ErrorIs(t, product(z, x, x[:2], m, 64), field.ErrLength)
	require.ErrorIs(t, product(z, x, x, m[:1], 64), field.ErrLength)
	require.ErrorIs(t, product(z[:3], x[:3], x[:3], m, 64), field.ErrLength)
	for _, bad := range [][3]int{{64, 0, 1}, {64, 7, 1}, {64, 1, 0}, {33, 1, 1}, {0, 1, 1}} {
		require.ErrorIs(t, g.Exp(ctx, z, x, x, m, 64, bad[0], bad[1], bad[2]), field.ErrSpec)
	}
	require.ErrorIs(t, g.Exp(ctx, z, x, x[:3], m, 64, 32, 1, 1), field.ErrLength)
	require.Equal(t, []uint32{5, 6, 7, 8}, z)
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, g.MulMod(stopped, z, x, x, m, 64), context.Canceled)
	require.Equal(t, []uint32{5, 6, 7, 8}, z)
	require.NoError(t, g.MulMod(ctx, nil, nil, nil, m, 64))
	require.NoError(t, g.Exp(ctx, nil, nil, x[:2], m, 64, 64, 1, 1))
	require.Equal(t, 8192, g.ModularBits())
}

// Powers to exponents of full length, one modulus and one exponent a row, as they are on the device: 4096 integers of
// several widths, and other numbers of 2048 bits.
func BenchmarkIntegerPowers(b *testing.B) {
	realDevice(b)
	g := integersOn(b)
	for _, c := range [][3]int{{256, 4096, 4}, {512, 4096, 5}, {1024, 4096, 5}, {2048, 4096, 5}, {2048, 4096, 6},
		{3072, 4096, 5}, {4096, 4096, 5}, {4096, 4096, 6}, {2048, 256, 5}, {2048, 1024, 5}, {2048, 16384, 5},
		{2048, 65536, 5}, {8192, 4096, 6}} {
		bits, n, window := c[0], c[1], c[2]
		m := bits / 32
		words := make([]uint32, n*m)
		for i := range words {
			words[i] = uint32(i)*0x9e3779b9 | 1
		}
		p := powers{m: m, n: n, length: m, window: window, digits: (bits + window - 1) / window, moduli: n,
			exponents: n}
		require.NoError(b, g.load(4*len(words), words, words))
		require.NoError(b, g.grow(&g.moduli, &g.moduliBytes, p.room().bytes))
		require.NoError(b, g.d.CopyIn(g.moduli.At, unsafe.Pointer(unsafe.SliceData(words)), 4*len(words)))
		z, x := g.memory[0].At, g.memory[1].At
		ms := measured(b, g.d, func() error { return g.raise(g.d.Stream(), &p, z, x, x) })
		use, err := g.power.Use(powerThreads, powerShared)
		require.NoError(b, err)
		fmt.Printf("midint exp %d bits x %d, windows of %d: %.3f ms, %.4g/s, %+v\n", bits, n, window, ms,
			float64(n)/ms*1e3, use)
		p.window, p.exponents = 0, n
		ms = measured(b, g.d, func() error { return g.raise(g.d.Stream(), &p, z, x, x) })
		fmt.Printf("midint mulmod %d bits x %d, with what moduli take: %.4f ms, %.4g/s\n", bits, n, ms,
			float64(n)/ms*1e3)
	}
}

func requireInts(t *testing.T, want []*big.Int, got *midint.Batch, format string, v ...any) {
	ints := make([]*big.Int, got.Len())
	for i := range ints {
		ints[i] = new(big.Int)
	}
	require.NoError(t, got.Ints(ints))
	for i, w := range ints {
		require.Zero(t, want[i].Cmp(w), "%s: integer %d is %x, want %x", fmt.Sprintf(format, v...), i, w, want[i])
	}
}
