package midliteral

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/midint/literal"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m, "bench/midliteral")) }

// The PTX that is kept was compiled from the sources that are kept.
func TestSources(t *testing.T) {
	text, err := source()
	require.NoError(t, err)
	headers, err := filepath.Glob("../../kernels/cuda/*.cuh")
	require.NoError(t, err)
	h := sha256.New()
	for _, name := range append([]string{"literal.cu"}, headers...) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	require.Contains(t, text, fmt.Sprintf("\n// Sources: %x\n", h.Sum(nil)), "go run ./kernels/cuda/_gen")
}

func open(t *testing.T) *Kernels {
	emulator.Need(t)
	d, err := device.Open(0)
	require.NoError(t, err)
	k, err := New(d)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, k.Close())
		require.NoError(t, d.Close())
	})
	return k
}

// Every kernel computes what package literal does, for each word and sequentialisation: integers of fewer words than a
// thread has and of more, of no multiple of them, one and several of a block, batches that end one before a block, with
// it and one behind, ones that carry through all words and random ones.
func TestKernels(t *testing.T) {
	k := open(t)
	kernels[uint32](t, k)
	kernels[uint64](t, k)
}

func kernels[W literal.Word](t *testing.T, k *Kernels) {
	r := rand.New(rand.NewPCG(7, 33))
	bits := int(unsafe.Sizeof(W(0))) * 8
	ran := 0
	for _, op := range []Op{Add, SixAdd, Mul, Tiled, Poly} {
		for q := 1; q <= 16; q++ {
			for _, c := range [][2]int{{1, 3}, {q, 2}, {2*q + 1, 3}, {37, 1}, {64, 2}} {
				s := literal.Shape{M: c[0], Q: q, Instances: c[1]}
				if _, _, err := k.layout(op, bits, s); err != nil {
					require.ErrorIs(t, err, field.ErrSpec)
					require.True(t, op == Mul && q == 1 || op == Tiled && (q > 8 || q&(q-1) != 0) ||
						op == Poly && q != 2 && q != 4, "%+v: %v", s, err)
					continue
				}
				for n := 2*s.Instances - 1; n <= 2*s.Instances+1; n++ {
					x, y := words[W](r, n, s.M, 0), words[W](r, n, s.M, 1)
					want := make([]W, len(x))
					host := [...]func(z, a, b []W, s literal.Shape) error{
						literal.Add[W], literal.SixAdd[W], literal.Mul[W], literal.Tiled[W], literal.Poly[W],
					}[op]
					require.NoError(t, host(want, x, y, s))
					got := launched(t, k, op, s, x, y)
					require.Equal(t, want, got, "operation %d, %d bits, %+v, %d integers", op, bits, s, n)
					ran++
				}
			}
		}
	}
	require.Equal(t, (16+16+15+4+2)*5*3, ran)
}

// words are n integers of m words: all ones, one, random ones.
func words[W literal.Word](r *rand.Rand, n, m, shift int) []W {
	x := make([]W, n*m)
	for i := range x {
		switch integer := i / m; (integer + shift*(1+integer/3)) % 3 {
		case 0:
			x[i] = ^W(0)
		case 1:
			if i%m == 0 {
				x[i] = 1
			}
		default:
			x[i] = W(r.Uint64())
		}
	}
	return x
}

// launched is what a kernel makes of x and y, in the place of x.
func launched[W literal.Word](t *testing.T, k *Kernels, op Op, s literal.Shape, x, y []W) []W {
	bytes := len(x) * int(unsafe.Sizeof(W(0)))
	var m [2]*device.Memory
	for i, of := range [][]W{x, y} {
		var err error
		m[i], err = k.d.Make(bytes)
		require.NoError(t, err)
		require.NoError(t, k.d.CopyIn(m[i].At, unsafe.Pointer(unsafe.SliceData(of)), bytes))
	}
	bits := int(unsafe.Sizeof(W(0))) * 8
	m[0].Did(k.Launch(k.d.Stream(), op, bits, s, m[0].At, m[0].At, m[1].At, len(x)))
	require.NoError(t, k.d.Wait(t.Context(), m[0]))
	z := make([]W, len(x))
	require.NoError(t, k.d.CopyOut(unsafe.Pointer(unsafe.SliceData(z)), m[0].At, bytes))
	for _, v := range m {
		require.NoError(t, v.Release())
	}
	return z
}

// Shapes that no block has are errors, and so are words and sequentialisations without kernels.
func TestShapes(t *testing.T) {
	k := open(t)
	for _, c := range []struct {
		op   Op
		bits int
		s    literal.Shape
	}{
		{Add, 32, literal.Shape{M: 8192, Q: 4, Instances: 1}}, {Add, 16, literal.Shape{M: 1, Q: 1, Instances: 1}},
		{Add, 32, literal.Shape{M: 0, Q: 1, Instances: 1}}, {Add, 32, literal.Shape{M: 1, Q: 17, Instances: 1}},
		{Mul, 32, literal.Shape{M: 4, Q: 1, Instances: 1}}, {Tiled, 32, literal.Shape{M: 4, Q: 3, Instances: 1}},
		{Add, 32, literal.Shape{M: 4, Q: 1, Instances: 0}},
	} {
		require.ErrorIs(t, k.Launch(k.d.Stream(), c.op, c.bits, c.s, 0, 0, 0, c.s.M), field.ErrSpec, "%+v", c)
	}
	m, err := k.d.Make(8)
	require.NoError(t, err)
	for op, want := range []uint32{3, 10, 1<<32 - 1} {
		require.NoError(t, k.Wait(k.d.Stream(), op, 32, m.At, 1, 3))
		var got uint32
		require.NoError(t, k.d.CopyOut(unsafe.Pointer(&got), m.At, 4))
		require.Equal(t, want, got, "operation %d", op)
	}
	require.NoError(t, m.Release())
}
