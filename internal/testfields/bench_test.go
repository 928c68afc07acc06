package testfields_test

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testfields"
)

func BenchmarkMul(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	b.Run("word256", func(b *testing.B) { mul(b, testfields.NewWord256(), r) })
	b.Run("plain256", func(b *testing.B) { mul(b, testfields.NewPlain256(), r) })
}

// mul measures a chain of products through the interface, as generic code calls it.
func mul(b *testing.B, f interface {
	field.Field[[4]uint64]
	field.Sampler[[4]uint64]
}, r *rand.Rand) {
	x := new([4]uint64)
	f.Random(x, r)
	for b.Loop() {
		f.Mul(x, x, x)
	}
}
