//go:build cgo && gmp

package gmp

import (
	"fmt"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/gfpf"
	"github.com/stretchr/testify/require"
)

// sameProducts compares GMP's products in Z/(r^k + 1) with those of package gfpf.
func sameProducts[E gfpf.Digits](t *testing.T, f *gfpf.Field[E]) {
	g, err := GFPF(f)
	require.NoError(t, err)
	require.Equal(t, "gmp:"+f.Name(), g.Name())
	x := make([]E, 64)
	randomize(f, x)
	f.One(&x[0])
	f.Neg(&x[0], &x[0])
	f.Neg(&x[1], new(E))
	y, z := make([]E, len(x)), make([]E, len(x))
	for i := range x {
		f.MulVec(y, x, append(x[i:], x[:i]...))
		g.MulVec(z, x, append(x[i:], x[:i]...))
		require.Equal(t, y, z)
	}
	require.NoError(t, fft.Must(fft.NewPlan(f, len(x))).Forward(y, x))
	require.NoError(t, fft.Must(fft.NewPlan(g, len(x))).Forward(z, x))
	require.Equal(t, y, z)
	require.Zero(t, testing.AllocsPerRun(10, func() { g.Mul(&z[0], &x[2], &x[3]) }))
}

func TestGFPF(t *testing.T) {
	sameProducts(t, gfpf.P1())
	sameProducts(t, gfpf.P2())
	sameProducts(t, gfpf.P3())
	sameProducts(t, gfpf.P4())
	sameProducts(t, gfpf.P5())
	sameProducts(t, gfpf.P6())
	sameProducts(t, gfpf.P7())
	g, err := GFPF(gfpf.P3())
	require.NoError(t, err)
	fieldtest.Run(t, g, fieldtest.Config[[8]uint64]{})
}

// BenchmarkProducts prints the time of a product of each way: one by one, and of vectors.
func BenchmarkProducts(b *testing.B) {
	benchProducts(b, gfpf.P2())
	benchProducts(b, gfpf.P3())
	benchProducts(b, gfpf.P4())
	benchProducts(b, gfpf.P5())
	benchProducts(b, gfpf.P6())
	benchProducts(b, gfpf.P7())
}

func benchProducts[E gfpf.Digits](b *testing.B, f *gfpf.Field[E]) {
	g, err := GFPF(f)
	require.NoError(b, err)
	x, y, z := make([]E, 64), make([]E, 64), make([]E, 64)
	randomize(f, x, y)
	for name, mul := range map[string]func(){
		"own/Mul": func() {
			for i := range x {
				f.Mul(&z[i], &x[i], &y[i])
			}
		},
		"own/MulVec": func() { f.MulVec(z, x, y) },
		"gmp/Mul": func() {
			for i := range x {
				g.Mul(&z[i], &x[i], &y[i])
			}
		},
	} {
		b.Run(fmt.Sprintf("k=%d/%s", len(z[0]), name), func(b *testing.B) {
			for b.Loop() {
				mul()
			}
			perItem(b, len(z), "ns/product")
		})
	}
}
