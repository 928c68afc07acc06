package midint_test

import (
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
