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

// Slices of all tiers are what Bits says, and their products are those of Algorithm 4.2; z may be an operand.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	each(t, func(tier cpu.Tier, _ *Set) {
		s := ActiveBits()
		n := s.Lanes
		draw := func() []uint64 {
			x := make([]uint64, n)
			for i := range x {
				x[i] = []uint64{r.Uint64(), 0, ^uint64(0), 1, 1 << 63, rest}[max(0, r.IntN(25)-19)]
			}
			return x
		}
		x, y, want := draw(), draw(), make([]uint64, n)
		Generic.Mul(&want[0], &x[0], &y[0], n)
		a, b, room := make([]uint64, n), slices.Clone(y), make([]uint64, 2*n)
		s.Slice(&a[0], &x[0])
		for i := range 64 {
			for e := range n {
				w, bit := e%(n/64), e/(n/64)
				require.Equal(t, x[e]>>i&1, a[i*n/64+w]>>bit&1, "%s: bit %d of element %d", s.Form, i, e)
			}
		}
		s.Slice(&b[0], &b[0])
		for _, z := range [][]uint64{make([]uint64, n), a, b} {
			u, v := slices.Clone(a), slices.Clone(b)
			s.Mul(&z[0], &a[0], &b[0], &room[0])
			got := make([]uint64, n)
			s.Slice(&got[0], &z[0])
			require.Equal(t, want, got, "%v, %s", tier, s.Form)
			copy(a, u)
			copy(b, v)
		}
	})
}
