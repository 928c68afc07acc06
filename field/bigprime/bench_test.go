package bigprime

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// BenchmarkOperations prints the time of an operation on packed elements of each size, in the first-level cache: of one
// product (two of Montgomery's) and of rows.
func BenchmarkOperations(b *testing.B) {
	benchmark[[2]uint64](b)
	benchmark[[4]uint64](b)
	benchmark[[6]uint64](b)
	benchmark[[8]uint64](b)
	benchmark[[10]uint64](b)
	benchmark[[16]uint64](b)
	benchmark[[32]uint64](b)
	benchmark[[64]uint64](b)
}

func benchmark[E Words](b *testing.B) {
	var e E
	p := new(big.Int).Lsh(big.NewInt(1), uint(64*len(e)-1)) // odd, and that is all that arithmetic needs
	f := newField[E](p.Sub(p, big.NewInt(1)))
	n := max(8, 512/len(e))
	v, rnd := [3][]E{}, rand.New(rand.NewPCG(1, 2))
	for i := range v {
		v[i] = make([]E, n)
		for j := range v[i] {
			f.Random(&v[i][j], rnd)
		}
	}
	x, y, z := v[0], v[1], v[2]
	w, m := words(&z[0]), &f.prime.modulus
	one := row(n)
	for _, op := range []struct {
		name string
		do   func()
	}{
		{"Mul", func() {
			for i := range z {
				f.Mul(&z[i], &x[i], &y[i])
			}
		}},
		{"times", func() { m.times(packed(x), packed(y), w, one) }},
		{"down", func() { m.down(packed(x), packed(y), w, one) }},
		{"up", func() { m.up(packed(x), packed(y), w, one) }},
		{"cross", func() { m.cross(packed(x), packed(y), one) }},
		{"MulVec", func() { f.MulVec(z, x, y) }},
		{"AddVec", func() { f.AddVec(z, x, y) }},
		{"SubVec", func() { f.SubVec(z, x, y) }},
	} {
		b.Run(fmt.Sprintf("words=%d/%s", len(e), op.name), func(b *testing.B) {
			for b.Loop() {
				op.do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
		})
	}
}
