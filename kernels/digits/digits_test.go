package digits

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/cpu"
	"github.com/stretchr/testify/require"
)

// radices are of all shapes, those of primes and others: the kernels do not ask.
var radices = []struct {
	r uint64
	k int
}{
	{1<<63 + 1<<53, 2}, {1<<64 - 1<<50, 4}, {1<<63 + 1<<34, 8}, {1<<62 + 1<<36, 16}, {1<<62 + 1<<56, 32}, {1<<63 - 1<<40, 64}, {1<<64 - 1<<28, 128},
	{1<<59 + 1<<58 + 1<<11, 4}, {1<<59 + 1<<57 + 1<<39, 8}, {1<<51 + 1<<31, 8}, {1<<52 - 1<<24, 64}, {1<<47 + 1<<34, 8}, {1<<30 + 1<<16, 16},
	{1<<64 - 1, 2}, {1<<64 - 1, 128}, {1<<32 - 1, 4}, {1 << 63, 4}, {LeastProduct, 2}, {LeastProduct + 1, 128},
}

type oracle struct {
	r, p *big.Int
	k    int
}

func newOracle(r uint64, k int) oracle {
	o := oracle{r: new(big.Int).SetUint64(r), k: k}
	o.p = new(big.Int).Exp(o.r, big.NewInt(int64(k)), nil)
	o.p.Add(o.p, big.NewInt(1))
	return o
}

func (o oracle) digits(x *big.Int) []uint64 {
	z, d := make([]uint64, o.k), new(big.Int)
	x = new(big.Int).Mod(x, o.p)
	if d.Add(x, big.NewInt(1)).Cmp(o.p) == 0 {
		z[o.k-1] = o.r.Uint64()
		return z
	}
	for i := range z {
		x.QuoRem(x, o.r, d)
		z[i] = d.Uint64()
	}
	return z
}

func (o oracle) number(x []uint64) *big.Int {
	z := new(big.Int)
	for i := o.k - 1; i >= 0; i-- {
		z.Mul(z, o.r).Add(z, new(big.Int).SetUint64(x[i]))
	}
	return z
}

// element draws −1, 0, r^i and its neighbours, and digits that are small, large or anything.
func (o oracle) element(rnd *rand.Rand) []uint64 {
	switch rnd.IntN(8) {
	case 0:
		return o.digits(big.NewInt(int64(rnd.IntN(3)) - 1))
	case 1:
		x := new(big.Int).Exp(o.r, big.NewInt(int64(rnd.IntN(o.k+1))), nil)
		return o.digits(x.Add(x, big.NewInt(int64(rnd.IntN(3))-1)))
	}
	z, r, kind := make([]uint64, o.k), o.r.Uint64(), rnd.IntN(3)
	for i := range z {
		switch x := rnd.Uint64N(r); {
		case kind == 0 || rnd.IntN(4) == 0:
			z[i] = x
		case kind == 1:
			z[i] = r - 1 - min(r-1, rnd.Uint64N(2))
		default:
			z[i] = rnd.Uint64N(2)
		}
	}
	return z
}

const count = 3 // tiles of a call

func (o oracle) tiles(rnd *rand.Rand) ([]uint64, [][]uint64) {
	v, e := make([]uint64, count*8*o.k), make([][]uint64, count*8)
	for j := range e {
		e[j] = o.element(rnd)
		for i, d := range e[j] {
			v[j/8*8*o.k+8*i+j%8] = d
		}
	}
	return v, e
}

// TestKernels compares every kernel of each tier that this processor has with big integers, out of place and in place.
func TestKernels(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		if err != nil {
			t.Fatal(err)
		}
		s := Active()
		undo()
		if s == nil {
			continue // as TestTiers knows
		}
		for _, c := range radices {
			t.Run(fmt.Sprintf("%v/%d^%d", tier, c.r, c.k), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(c.r, uint64(c.k)))
				o := newOracle(c.r, c.k)
				for range max(4, 400/c.k) {
					testSet(t, s, o, rnd)
				}
			})
		}
	}
}

// Tiers from AVX2 on have kernels, and others none.
func TestTiers(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		if err != nil {
			t.Fatal(err)
		}
		if have, want := Active() != nil, tier >= cpu.AVX2 && tier <= cpu.IFMA; have != want {
			t.Errorf("%v: kernels %v, want %v", tier, have, want)
		}
		undo()
	}
}

func testSet(t *testing.T, s *Set, o oracle, rnd *rand.Rand) {
	k, r := o.k, o.r.Uint64()
	x, ex := o.tiles(rnd)
	y, ey := o.tiles(rnd)
	check := func(what string, z []uint64, want func(x, y *big.Int) *big.Int) {
		t.Helper()
		for j := range ex {
			got := make([]uint64, k)
			for i := range got {
				got[i] = z[j/8*8*k+8*i+j%8]
			}
			if w := o.digits(want(o.number(ex[j]), o.number(ey[j]))); fmt.Sprint(w) != fmt.Sprint(got) {
				t.Fatalf("%s, element %d: x %x, y %x: %x, want %x", what, j, ex[j], ey[j], got, w)
			}
		}
	}
	sum := func(x, y *big.Int) *big.Int { return x.Add(x, y) }
	difference := func(x, y *big.Int) *big.Int { return x.Sub(x, y) }
	product := func(x, y *big.Int) *big.Int { return x.Mul(x, y) }
	z, u := make([]uint64, len(x)), make([]uint64, len(x))
	s.Add(&z[0], &x[0], &y[0], r, k, count)
	check("add", z, sum)
	s.Sub(&z[0], &x[0], &y[0], r, k, count)
	check("sub", z, difference)
	copy(z, x)
	copy(u, y)
	s.Cross(&z[0], &u[0], &z[0], &u[0], r, k, count)
	check("cross, sum", z, sum)
	check("cross, difference", u, difference)
	for _, n := range []int{0, 1, k - 1, k, k + 1, 2*k - 1, rnd.IntN(2 * k)} {
		s.Shift(&z[0], &x[0], r, n, k, count)
		check(fmt.Sprint("shift by ", n), z, func(x, y *big.Int) *big.Int {
			return x.Mul(x, new(big.Int).Exp(o.r, big.NewInt(int64(n)), nil))
		})
	}
	if s.Mul == nil || r < LeastProduct {
		return
	}
	scratch, m := NewScratch(k), Constants(r, k)
	s.Mul(&z[0], &x[0], &y[0], &scratch[0], &m[0], k, count)
	check("mul", z, product)
	copy(z, x)
	s.Mul(&z[0], &z[0], &z[0], &scratch[0], &m[0], k, count)
	check("square in place", z, func(x, y *big.Int) *big.Int { return x.Mul(x, x) })
	by := o.element(rnd)
	w := o.number(by)
	s.MulBy(&z[0], &x[0], &by[0], &scratch[0], &m[0], k, count)
	check(fmt.Sprintf("mulBy %x", by), z, func(x, y *big.Int) *big.Int { return x.Mul(x, w) })
	require.Equal(t, o.digits(w), by)
}

// BenchmarkKernels prints the time of each operation for one element, of tiles in the first-level cache.
func BenchmarkKernels(b *testing.B) {
	s := Active()
	if s == nil {
		b.Skip("this tier has no kernels: ", cpu.Active())
	}
	for _, k := range []int{4, 8, 16, 32} {
		const r = 1<<63 + 1<<34
		rnd := rand.New(rand.NewPCG(1, 2))
		n := max(1, 64/k)
		v := make([][]uint64, 4)
		for i := range v {
			v[i] = make([]uint64, n*8*k)
			for j := range v[i] {
				v[i][j] = rnd.Uint64N(r)
			}
		}
		scratch, m := NewScratch(k), Constants(r, k)
		x, y, z, u := &v[0][0], &v[1][0], &v[2][0], &v[3][0]
		for name, f := range map[string]func(){
			"add":   func() { s.Add(z, x, y, r, k, n) },
			"sub":   func() { s.Sub(z, x, y, r, k, n) },
			"cross": func() { s.Cross(z, u, x, y, r, k, n) },
			"shift": func() { s.Shift(z, x, r, k/2+1, k, n) },
			"mul":   func() { s.Mul(z, x, y, &scratch[0], &m[0], k, n) },
			"mulBy": func() { s.MulBy(z, x, y, &scratch[0], &m[0], k, n) },
		} {
			if s.Mul == nil && (name == "mul" || name == "mulBy") {
				continue
			}
			b.Run(fmt.Sprintf("k=%d/%s", k, name), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*8), "ns/element")
			})
		}
	}
}
