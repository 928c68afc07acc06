package midint_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/midint"
)

// BenchmarkOperations has the times of 4096 integers, each with the bytes of both operands and of the result.
func BenchmarkOperations(b *testing.B) {
	const n = 4096
	e, err := midint.New()
	require.NoError(b, err)
	r := rand.New(rand.NewPCG(3, 33))
	for _, width := range []int{256, 512, 1024, 1536, 2048, 4096, 8192, 32768} {
		x, y := empty(b, width, n), empty(b, width, n)
		for i := range x.Words() {
			x.Words()[i], y.Words()[i] = r.Uint32(), r.Uint32()
		}
		for _, o := range operations(e) {
			z := empty(b, o.wide*width, n)
			b.Run(fmt.Sprintf("%s/%d", o.name, width), func(b *testing.B) {
				b.SetBytes(int64(4 * (2*len(x.Words()) + len(z.Words()))))
				for b.Loop() {
					if err := o.run(z, x, y); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkBig has the times of the same products by math/big, to compare with.
func BenchmarkBig(b *testing.B) {
	const n = 4096
	r := rand.New(rand.NewPCG(3, 33))
	for _, width := range []int{256, 512, 1024, 1536, 2048, 4096, 8192} {
		x, y := operands(r, width, n)
		z := new(big.Int)
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			for b.Loop() {
				for i := range x {
					z.Mul(x[i], y[i])
				}
			}
		})
	}
}

// BenchmarkModular has products and powers modulo one number a row: 65537, and as long as the modulus.
func BenchmarkModular(b *testing.B) {
	for _, width := range []int{1024, 2048, 4096} {
		const n = 64
		r := rand.New(rand.NewPCG(1, 35))
		m := odd(r, width, n)
		of, err := midint.NewModuli(batchOf(b, width, m))
		require.NoError(b, err)
		e, err := midint.New()
		require.NoError(b, err)
		x, z := batchOf(b, width, residues(r, m, n)), empty(b, width, n)
		short := batchOf(b, 32, []*big.Int{big.NewInt(65537)})
		for _, o := range []struct {
			name string
			call func() error
		}{
			{"product", func() error { return e.MulMod(b.Context(), z, x, x, of) }},
			{"power 65537", func() error { return e.Exp(b.Context(), z, x, short, of) }},
			{"power", func() error { return e.Exp(b.Context(), z, x, x, of) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", o.name, width), func(b *testing.B) {
				for b.Loop() {
					require.NoError(b, o.call())
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/integer")
			})
		}
	}
}

// BenchmarkBigModular has the same products and powers by math/big, to compare with.
func BenchmarkBigModular(b *testing.B) {
	for _, width := range []int{1024, 2048, 4096} {
		const n = 64
		r := rand.New(rand.NewPCG(1, 35))
		m := odd(r, width, n)
		x, z := residues(r, m, n), new(big.Int)
		for _, o := range []struct {
			name string
			call func(i int)
		}{
			{"product", func(i int) { z.Mul(x[i], x[i]).Mod(z, m[i]) }},
			{"power 65537", func(i int) { z.Exp(x[i], big.NewInt(65537), m[i]) }},
			{"power", func(i int) { z.Exp(x[i], x[i], m[i]) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", o.name, width), func(b *testing.B) {
				for b.Loop() {
					for i := range n {
						o.call(i)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/integer")
			})
		}
	}
}

// BenchmarkPoly has (x² + y)(y² + y) + xy of 4096 integers by a program, and by a call for each step.
func BenchmarkPoly(b *testing.B) {
	const n = 4096
	e, err := midint.New()
	require.NoError(b, err)
	for _, width := range []int{256, 512, 1024, 2048, 4096, 8192} {
		x, y, z, t := empty(b, width, n), empty(b, width, n), empty(b, width, n), empty(b, width, n)
		p, err := e.Compile(poly().x, width, 0)
		require.NoError(b, err)
		ctx := b.Context()
		b.Run(fmt.Sprintf("program/%d", width), func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, p.Run(ctx, z, x, y))
			}
		})
		b.Run(fmt.Sprintf("calls/%d", width), func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, errors.Join(e.Sqr(ctx, z, x), e.Add(ctx, z, z, y), e.Sqr(ctx, t, y),
					e.Add(ctx, t, t, y), e.MulLow(ctx, z, z, t), e.MulLow(ctx, t, x, y), e.Add(ctx, z, z, t)))
			}
		})
	}
}
