//go:build full

package poly_test

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field/bigprime"
)

// Elements of so many words are compiled for this alone.
func BenchmarkLongCrossover(b *testing.B) {
	p := new(big.Int).Lsh(big.NewInt(1), 1024)
	f, err := bigprime.New[[16]uint64](p.Sub(p, big.NewInt(105)))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("1024 bits, through", func(b *testing.B) { benchCrossover(b, f) })
}
