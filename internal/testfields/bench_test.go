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
	b.Run("tile256", func(b *testing.B) { mul(b, testfields.NewTile256(), r) })
	b.Run("tile", func(b *testing.B) {
		f := testfields.NewTile256()
		a := make([][4]uint64, field.Lanes)
		for i := range a {
			f.Random(&a[i], r)
		}
		x := new(testfields.Tile)
		f.LoadTile(x, a)
		t := f.Tile()
		for b.Loop() {
			t.Mul(x, x, x)
		}
	})
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
