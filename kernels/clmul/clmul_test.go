package clmul

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/kernels/gf2"
)

// each calls do for the kernels of all tiers.
func each(t testing.TB, do func(tier cpu.Tier, s *Set)) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		do(tier, Active())
		undo()
	}
}

// All tiers have the products of field/binary, at all short lengths, and write no word beside them.
func TestMul(t *testing.T) {
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	edges := []uint64{0, 1, 2, 1 << 31, 1 << 32, 1<<32 - 1, 1 << 63, 1<<63 | 1, ^uint64(0), rest}
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() uint64 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return r.Uint64()
	}
	var x, y []uint64
	for _, a := range edges {
		for _, b := range edges {
			x, y = append(x, a), append(y, b)
		}
	}
	for range 156 {
		x, y = append(x, draw()), append(y, draw())
	}
	all := make([]uint64, len(x))
	f.MulVec(all, x, y)
	each(t, func(tier cpu.Tier, s *Set) {
		for n := range len(x) - 1 {
			at := 0
			if n < 40 {
				at = r.IntN(len(x) - 40)
			}
			for _, in := range []int{0, 1, 2} { // z is apart, x or y
				a, b, z := slices.Clone(x), slices.Clone(y), slices.Clone(x)
				z = [][]uint64{z, a, b}[in]
				want := slices.Clone(z)
				copy(want[at:at+n], all[at:])
				s.Mul(&z[at], &a[at], &b[at], n)
				require.Equal(t, want, z, "%v, %s: %d products, z %d", tier, s.Form, n, in)
			}
		}
	})
}

// BenchmarkPairs has the products of pairs of the kernels here and in gf2, whose elements stay in planes.
func BenchmarkPairs(b *testing.B) {
	const n = 1 << 10
	x, y, z := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i], y[i] = r.Uint64(), r.Uint64()
	}
	u, v, w := make([]byte, 8*n), make([]byte, 8*n), make([]byte, 8*n)
	for i := range u {
		u[i], v[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	run := func(name string, do func()) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/product")
		})
	}
	each(b, func(tier cpu.Tier, s *Set) {
		g := gf2.Active()
		run("clmul/"+tier.String(), func() { s.Mul(&z[0], &x[0], &y[0], n) })
		run("gf2/"+tier.String(), func() { g.Mul[3](&w[0], &u[0], &v[0], n/gf2.Lanes) })
	})
}
