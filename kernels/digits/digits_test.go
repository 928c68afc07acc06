package digits

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
)

// radices are of all shapes, those of primes and others: the kernels do not ask.
var radices = []struct {
	r uint64
	k int
}{
	{1<<63 + 1<<53, 2}, {1<<64 - 1<<50, 4}, {1<<63 + 1<<34, 8}, {1<<62 + 1<<36, 16}, {1<<62 + 1<<56, 32},
	{1<<63 - 1<<40, 64}, {1<<64 - 1<<28, 128}, {1<<59 + 1<<58 + 1<<11, 4}, {1<<59 + 1<<57 + 1<<39, 8},
	{1<<51 + 1<<31, 8}, {1<<52 - 1<<24, 64}, {1<<47 + 1<<34, 8}, {1<<30 + 1<<16, 16},
	{1<<64 - 1, 2}, {1<<64 - 1, 128}, {1<<32 - 1, 4}, {1 << 63, 4}, {leastProduct, 2}, {leastProduct + 1, 128},
	{1<<64 - 1<<46, 2}, {1<<64 - 1<<46, 32}, {leastProduct, 32},
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
// Tests have the names of kernels.
func TestKernels(t *testing.T) {
	scale := testscale.Of(t)
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
		t.Run(tier.String(), func(t *testing.T) {
			suffix := map[cpu.Tier]string{cpu.AVX2: "AVX2", cpu.AVX512: "AVX512", cpu.IFMA: "AVX512", cpu.NEON: "NEON"}[tier]
			for _, c := range checks(s, suffix) {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					for _, x := range radices {
						rnd := rand.New(rand.NewPCG(x.r, uint64(x.k)))
						for range max(4, 200*scale/x.k) {
							c.run(t, newOracle(x.r, x.k), rnd)
						}
					}
				})
			}
		})
	}
}

// All tiers but Generic have kernels.
func TestTiers(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		if err != nil {
			t.Fatal(err)
		}
		if have, want := Active() != nil, tier != cpu.Generic; have != want {
			t.Errorf("%v: kernels %v, want %v", tier, have, want)
		}
		undo()
	}
}

// parts is the checks of kernels that a Set's products are made of.
var parts []check

// check compares one kernel with what it is to compute.
type check struct {
	name string
	run  func(t *testing.T, o oracle, rnd *rand.Rand)
}

func checks(s *Set, suffix string) []check {
	list := []check{
		{"add" + suffix, func(t *testing.T, o oracle, rnd *rand.Rand) { o.binary(t, s.Add, sum, rnd) }},
		{"sub" + suffix, func(t *testing.T, o oracle, rnd *rand.Rand) { o.binary(t, s.Sub, difference, rnd) }},
		{"cross" + suffix, func(t *testing.T, o oracle, rnd *rand.Rand) { o.cross(t, s, rnd) }},
		{"shift" + suffix, func(t *testing.T, o oracle, rnd *rand.Rand) { o.shift(t, s, rnd) }},
	}
	if s.Mul != nil {
		products := suffix
		if s.mostDigits > 32 {
			products = "IFMA"
			list = append(list, parts...)
		}
		list = append(list,
			check{"mul" + products, func(t *testing.T, o oracle, rnd *rand.Rand) { o.mul(t, s, rnd) }},
			check{"limbs" + products, func(t *testing.T, o oracle, rnd *rand.Rand) { o.mulBy(t, s, rnd) }})
	}
	if s.Gather != nil {
		list = append(list,
			check{"loadTiles", func(t *testing.T, o oracle, rnd *rand.Rand) { o.rows(t, s, rnd, true) }},
			check{"storeTiles", func(t *testing.T, o oracle, rnd *rand.Rand) { o.rows(t, s, rnd, false) }},
			check{"gatherTile", func(t *testing.T, o oracle, rnd *rand.Rand) { o.moves(t, s, rnd, true) }},
			check{"scatterTile", func(t *testing.T, o oracle, rnd *rand.Rand) { o.moves(t, s, rnd, false) }})
	}
	for i := range s.AddPacked {
		if s.AddPacked[i] != nil {
			list = append(list,
				check{fmt.Sprintf("addPacked%d", 1<<i), func(t *testing.T, o oracle, rnd *rand.Rand) {
					o.packed(t, i, s.AddPacked[i], sum, rnd)
				}},
				check{fmt.Sprintf("subPacked%d", 1<<i), func(t *testing.T, o oracle, rnd *rand.Rand) {
					o.packed(t, i, s.SubPacked[i], difference, rnd)
				}})
		}
	}
	return list
}

type operation func(x, y *big.Int) *big.Int

func sum(x, y *big.Int) *big.Int        { return new(big.Int).Add(x, y) }
func difference(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
func product(x, y *big.Int) *big.Int    { return new(big.Int).Mul(x, y) }

// holds compares the tiles z with what an operation makes of the elements x and y.
func (o oracle) holds(t *testing.T, what string, z []uint64, x, y [][]uint64, want operation) {
	t.Helper()
	got := make([]uint64, o.k)
	for j := range x {
		for i := range got {
			got[i] = z[j/8*8*o.k+8*i+j%8]
		}
		if w := o.digits(want(o.number(x[j]), o.number(y[j]))); !slices.Equal(w, got) {
			t.Fatalf("%s, r = %d, k = %d, element %d: x %x, y %x: %x, want %x", what, o.r, o.k, j, x[j], y[j], got, w)
		}
	}
}

func (o oracle) binary(t *testing.T, kernel func(z, x, y *uint64, r uint64, k, n int), want operation, rnd *rand.Rand) {
	x, ex := o.tiles(rnd)
	y, ey := o.tiles(rnd)
	z := make([]uint64, len(x))
	kernel(&z[0], &x[0], &y[0], o.r.Uint64(), o.k, count)
	o.holds(t, "out of place", z, ex, ey, want)
	copy(z, x)
	kernel(&z[0], &z[0], &y[0], o.r.Uint64(), o.k, count)
	o.holds(t, "over x", z, ex, ey, want)
	kernel(&y[0], &x[0], &y[0], o.r.Uint64(), o.k, count)
	o.holds(t, "over y", y, ex, ey, want)
}

func (o oracle) cross(t *testing.T, s *Set, rnd *rand.Rand) {
	x, ex := o.tiles(rnd)
	y, ey := o.tiles(rnd)
	z, u := make([]uint64, len(x)), make([]uint64, len(x))
	s.Cross(&z[0], &u[0], &x[0], &y[0], o.r.Uint64(), o.k, count)
	o.holds(t, "sum", z, ex, ey, sum)
	o.holds(t, "difference", u, ex, ey, difference)
	s.Cross(&x[0], &y[0], &x[0], &y[0], o.r.Uint64(), o.k, count)
	o.holds(t, "sum in place", x, ex, ey, sum)
	o.holds(t, "difference in place", y, ex, ey, difference)
}

func (o oracle) shift(t *testing.T, s *Set, rnd *rand.Rand) {
	x, ex := o.tiles(rnd)
	z := make([]uint64, len(x))
	for _, n := range []int{0, 1, o.k - 1, o.k, o.k + 1, 2*o.k - 1, rnd.IntN(2 * o.k)} {
		s.Shift(&z[0], &x[0], o.r.Uint64(), n, o.k, count)
		power := new(big.Int).Exp(o.r, big.NewInt(int64(n)), nil)
		o.holds(t, fmt.Sprint("by ", n), z, ex, ex, func(x, _ *big.Int) *big.Int { return product(x, power) })
	}
}

func (o oracle) mul(t *testing.T, s *Set, rnd *rand.Rand) {
	if !s.Multiplies(o.r.Uint64(), o.k) {
		return
	}
	x, ex := o.tiles(rnd)
	y, ey := o.tiles(rnd)
	z, scratch, m := make([]uint64, len(x)), NewScratch(o.k), Constants(o.r.Uint64(), o.k)
	s.Mul(&z[0], &x[0], &y[0], &scratch[0], &m[0], o.k, count)
	o.holds(t, "product", z, ex, ey, product)
	s.Mul(&x[0], &x[0], &x[0], &scratch[0], &m[0], o.k, count)
	o.holds(t, "square in place", x, ex, ex, product)
}

func (o oracle) mulBy(t *testing.T, s *Set, rnd *rand.Rand) {
	if !s.Multiplies(o.r.Uint64(), o.k) {
		return
	}
	x, ex := o.tiles(rnd)
	y, ey := o.tiles(rnd)
	f, scratch, m, lane := NewFactors(o.k), NewScratch(o.k), Constants(o.r.Uint64(), o.k), rnd.IntN(8)
	s.Factors(&f[0], &y[0], &m[0], o.k)
	s.MulBy(&x[0], &x[0], &f[lane], &scratch[0], &m[0], o.k, count)
	w := o.number(ey[lane])
	o.holds(t, fmt.Sprintf("by %x", ey[lane]), x, ex, ex, func(x, _ *big.Int) *big.Int { return product(x, w) })
}

// rows has packed elements one after the other.
func (o oracle) rows(t *testing.T, s *Set, rnd *rand.Rand, load bool) {
	if !Loads(o.k) {
		return
	}
	x, ex := o.tiles(rnd)
	packed := slices.Concat(ex...)
	if load {
		z := make([]uint64, len(x))
		s.Load(&z[0], &packed[0], o.k, count)
		o.holds(t, "tiles", z, ex, ex, func(x, _ *big.Int) *big.Int { return x })
		return
	}
	z := make([]uint64, len(x))
	s.Store(&z[0], &x[0], o.k, count)
	if !slices.Equal(z, packed) {
		t.Fatalf("%x, want %x", z, packed)
	}
}

// moves has elements at places in any order, several words apart.
func (o oracle) moves(t *testing.T, s *Set, rnd *rand.Rand, gather bool) {
	x, ex := o.tiles(rnd)
	stride := o.k + rnd.IntN(3)
	packed, places := make([]uint64, 8*stride), make([]int32, 8)
	for i, p := range rnd.Perm(8) {
		places[i] = int32(p)
	}
	if gather {
		for l, p := range places {
			copy(packed[int(p)*stride:], ex[l])
		}
		z := make([]uint64, 8*o.k)
		s.Gather(&z[0], &packed[0], &places[0], stride, o.k)
		o.holds(t, "tile", z, ex[:8], ex[:8], func(x, _ *big.Int) *big.Int { return x })
		return
	}
	s.Scatter(&packed[0], &x[0], &places[0], stride, o.k)
	for l, p := range places {
		if got := packed[int(p)*stride:][:o.k]; !slices.Equal(got, ex[l]) {
			t.Fatalf("place %d: %x, want %x", p, got, ex[l])
		}
	}
}

// packedKernel is a kernel of AddPacked or SubPacked.
type packedKernel = func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int)

// packed takes groups up to the first one with a carry that goes on: the one with an element at the ends of the range.
func (o oracle) packed(t *testing.T, i int, kernel packedKernel, want operation, rnd *rand.Rand) {
	size := PackedGroup(o.k)
	if size == 0 || max(0, bits.Len(uint(o.k))-4) != i {
		return
	}
	const groups = 5
	v := make([][]uint64, 3)
	for j := range v {
		v[j] = make([]uint64, groups*size*o.k)
		for l := range v[j] {
			v[j][l] = rnd.Uint64N(o.r.Uint64())
		}
	}
	// One element at the ends of the range, in a group that may be refused.
	stop := rnd.IntN(groups * size)
	copy(v[1][stop*o.k:], o.element(rnd))
	copy(v[2][stop*o.k:], o.element(rnd))
	x, y := slices.Clone(v[1]), slices.Clone(v[2])
	done := kernel(&v[0][0], &v[1][0], &v[2][0], o.r.Uint64(), Carries(o.k), groups)
	if r := o.r.Uint64(); done < groups && done != stop/size && r > 1<<40 {
		t.Fatalf("r = %d, k = %d: stops at group %d, the element is in %d", r, o.k, done, stop/size)
	}
	for j := range done * size {
		got := v[0][j*o.k:][:o.k]
		if w := o.digits(want(o.number(x[j*o.k:][:o.k]), o.number(y[j*o.k:][:o.k]))); !slices.Equal(w, got) {
			t.Fatalf("r = %d, k = %d, element %d: %x, want %x", o.r, o.k, j, got, w)
		}
	}
	again, words := kernel(&v[1][0], &v[1][0], &v[2][0], o.r.Uint64(), Carries(o.k), groups), done*size*o.k
	if again != done || !slices.Equal(v[1][:words], v[0][:words]) || !slices.Equal(v[1][words:], x[words:]) {
		t.Fatalf("r = %d, k = %d, in place: %d groups, want %d", o.r, o.k, again, done)
	}
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
		f := NewFactors(k)
		if s.Multiplies(r, k) {
			s.Factors(&f[0], y, &m[0], k)
		}
		for name, call := range map[string]func(){
			"add":   func() { s.Add(z, x, y, r, k, n) },
			"sub":   func() { s.Sub(z, x, y, r, k, n) },
			"cross": func() { s.Cross(z, u, x, y, r, k, n) },
			"shift": func() { s.Shift(z, x, r, k/2+1, k, n) },
			"mul":   func() { s.Mul(z, x, y, &scratch[0], &m[0], k, n) },
			"mulBy": func() { s.MulBy(z, x, &f[0], &scratch[0], &m[0], k, n) },
		} {
			if !s.Multiplies(r, k) && (name == "mul" || name == "mulBy") {
				continue
			}
			b.Run(fmt.Sprintf("k=%d/%s", k, name), func(b *testing.B) {
				for b.Loop() {
					call()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*8), "ns/element")
			})
		}
	}
}
