package limb

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// subject is the kernels modulo p.
type subject struct {
	*Set
	*testing.T
	p, r       *big.Int
	L, wide    int
	m, scratch []uint64
	vectors    [][]uint64 // of a check
	*rand.Rand
}

// moduli are at both ends of what L limbs hold, with limbs that are all ones or next to nothing, and three of any kind.
func moduli(L int, rnd *rand.Rand) (list []*big.Int) {
	least, most := max(Least, Bits*(L-1)-3), min(Most, Bits*L-4)
	odd := func(x *big.Int) { list = append(list, x.SetBit(x, 0, 1)) }
	for _, bits := range []int{least, most} {
		odd(power(bits - 1))
		list = append(list, new(big.Int).Sub(power(bits), big.NewInt(1)))
	}
	odd(new(big.Int).Add(power(least+(most-least)/2), power(Bits*(L/2))))
	packed := Bits * L / 64 * 64
	for _, bits := range []int{least + 6, most, max(least, min(most, packed))} {
		x := new(big.Int)
		for i := range L {
			w := new(big.Int).SetUint64(rnd.Uint64() >> 12)
			x.Xor(x, w.Lsh(w, uint(Bits*i)))
		}
		odd(x.SetBit(x.And(x, new(big.Int).Sub(power(bits), big.NewInt(1))), bits-1, 1))
	}
	return list
}

func newSubject(s *Set, p *big.Int, rnd *rand.Rand) *subject {
	L := Limbs(p.BitLen())
	return &subject{Set: s, p: p, L: L, r: power(Bits * L), wide: Wide(p), m: s.Constants(p), scratch: NewScratch(L),
		Rand: rnd}
}

// below draws a number of a weight: at the ends, with limbs that are all ones or all zeros, or any.
func (s *subject) below(weight int) *big.Int {
	bound, x := new(big.Int).Mul(s.p, big.NewInt(int64(weight))), new(big.Int)
	switch kind := s.IntN(8); kind {
	case 0:
		return x.SetInt64(int64(s.IntN(2)))
	case 1: // next to a multiple of p
		x.Mul(s.p, big.NewInt(int64(s.IntN(weight)+1)))
		x.Add(x, big.NewInt(int64(s.IntN(3)-1)))
	case 2:
		return x.Sub(bound, big.NewInt(1))
	default:
		for range s.L {
			w := s.Uint64() >> (64 - Bits)
			if kind == 3 || kind == 4 && s.IntN(2) == 0 {
				w = []uint64{0, 1<<Bits - 1, 1, 1<<Bits - 2}[s.IntN(4)]
			}
			x.Lsh(x, Bits).Add(x, new(big.Int).SetUint64(w))
		}
	}
	return x.Mod(x, bound)
}

const guard = 0xfeedfacecafebeef

// vector returns n words between guards, which guarded looks at.
func (s *subject) vector(n int) []uint64 {
	v := arith.Aligned(n + 2*lanes)
	for i := range v {
		v[i] = guard
	}
	s.vectors = append(s.vectors, v)
	return v[lanes : lanes+n]
}

func (s *subject) guarded(what string) {
	s.Helper()
	for _, v := range s.vectors {
		for i := range lanes {
			if v[i] != guard || v[len(v)-1-i] != guard {
				s.Fatalf("%s: p = %x: wrote outside", what, s.p)
			}
		}
	}
	s.vectors = nil
}

// target returns one of the operands, or a vector of its own.
func (s *subject) target(operands ...[]uint64) []uint64 {
	if i := s.IntN(len(operands) + 1); i < len(operands) {
		return operands[i]
	}
	return s.vector(len(operands[0]))
}

// tiles draws n tiles of a weight, with limbs as large as they may be.
func (s *subject) tiles(n, weight int) (v []uint64, x []*big.Int) {
	v = s.vector(n * lanes * s.L)
	for i := range n * lanes {
		y := s.below(weight)
		x = append(x, y)
		at := v[i/lanes*lanes*s.L+i%lanes:]
		setLimbs(at, y, s.L)
		if kind := s.IntN(4); kind > 0 { // carries in reverse
			most := max(0, 1<<10*weight/s.wide-2)
			for k := range s.L {
				c := uint64(s.IntN(2*most+1) - most)
				if kind == 1 {
					c = []uint64{uint64(most), -uint64(most)}[s.IntN(2)]
				}
				at[lanes*k] += c << Bits
				if k+1 < s.L {
					at[lanes*(k+1)] -= c
				}
			}
		}
	}
	return v, x
}

func (s *subject) number(v []uint64) *big.Int {
	x := new(big.Int)
	for i := s.L - 1; i >= 0; i-- {
		x.Lsh(x, Bits).Add(x, big.NewInt(int64(v[lanes*i])))
	}
	return x.Mod(x, s.r)
}

// holds compares tiles with what they are to be modulo p. Weight 0 stands for canonical numbers and limbs.
func (s *subject) holds(what string, v []uint64, want []*big.Int, weight int) {
	s.Helper()
	bound := new(big.Int).Mul(s.p, big.NewInt(int64(max(weight, 1))))
	for i, w := range want {
		at := v[i/lanes*lanes*s.L+i%lanes:]
		x := s.number(at)
		if d := new(big.Int).Sub(x, w); x.Cmp(bound) >= 0 || d.Mod(d, s.p).Sign() != 0 {
			s.Fatalf("%s: p = %x, number %d of %d: %x, want %x and the weight %d", what, s.p, i, len(want), x, w, weight)
		}
		for k := range s.L {
			if l := at[lanes*k]; weight == 0 && l >= 1<<Bits || l+1<<62 > 1<<63 {
				s.Fatalf("%s: p = %x, number %d: limb %d is %#x", what, s.p, i, k, l)
			}
		}
	}
}

func each(x, y []*big.Int, f func(z, x, y *big.Int)) (z []*big.Int) {
	for i := range x {
		r := new(big.Int)
		f(r, x[i], y[i])
		z = append(z, r)
	}
	return z
}

func sum(z, x, y *big.Int)        { z.Add(x, y) }
func difference(z, x, y *big.Int) { z.Sub(x, y) }
func times(z, x, y *big.Int)      { z.Mul(x, y) }

// all is one number for each of x.
func all(w *big.Int, x []*big.Int) []*big.Int {
	return slices.Repeat([]*big.Int{w}, len(x))
}

// multipliers draws n table tiles by the definition of their parts.
func (s *subject) multipliers(n int) (v []uint64, w []*big.Int) {
	_, rounds := parts(s.L)
	v = s.vector(n * lanes * s.L * s.Factor)
	for i := range n * lanes {
		x := s.below(1)
		w = append(w, x)
		s.parts(x, rounds, func(j int, part *big.Int) {
			setLimbs(v[(i/lanes*s.Factor+j)*lanes*s.L+i%lanes:], part, s.L)
		})
	}
	s.factors(v)
	return v, w
}

// factors makes factors of limbs.
func (s *subject) factors(v []uint64) {
	for i := range v {
		v[i] = s.factor(v[i])
	}
}

func (s *subject) parts(w *big.Int, rounds int, f func(j int, part *big.Int)) {
	for j := range s.Factor {
		x := new(big.Int).Lsh(w, uint(Bits*rounds*(j+1)))
		f(j, x.Mod(x, s.p))
	}
}

// shift draws k and weights u of x and v of y for x − y + 2^k·p.
func (s *subject) shift() (k, u, v int) {
	k = s.IntN(bits.Len(uint(s.wide - 1)))
	return k, 1 + s.IntN(s.wide-1<<k), 1 + s.IntN(1<<k)
}

// blocks is operands of butterflies, with a multiplier for n tiles each.
type blocks struct {
	a, b, w      *uint64
	count        int
	va, vb       []uint64
	ea, eb, ew   []*big.Int
	size, number int // words and numbers of n tiles
}

// blocks draws them: a of weight u, and b of v. There are one or more, n tiles of one vector and n of the other in
// turn, which are a and b, or b and a.
func (s *subject) blocks(n, u, v int) *blocks {
	w, ew := s.multipliers(1)
	lane := s.IntN(lanes)
	x := &blocks{count: 1 + s.IntN(min(3, lanes-lane)), ew: ew[lane:], w: &w[lane], size: n * lanes * s.L}
	x.number = n * lanes
	x.va, x.ea = s.tiles(n*x.count, u)
	x.vb, x.eb = s.tiles(n*x.count, v)
	all := s.vector(2 * len(x.va))
	first := s.IntN(2)
	for i := range x.count {
		copy(all[(2*i+first)*x.size:], x.va[i*x.size:][:x.size])
		copy(all[(2*i+1-first)*x.size:], x.vb[i*x.size:][:x.size])
	}
	x.a, x.b = &all[first*x.size], &all[(1-first)*x.size]
	x.va, x.vb = all[first*x.size:], all[(1-first)*x.size:]
	return x
}

// each calls f for every block.
func (x *blocks) each(f func(a, b []uint64, ea, eb, ew []*big.Int)) {
	for i := range x.count {
		at, numbers := 2*i*x.size, x.ea[i*x.number:][:x.number]
		f(x.va[at:][:x.size], x.vb[at:][:x.size], numbers, x.eb[i*x.number:][:x.number], all(x.ew[i], numbers))
	}
}

// numbers draws numbers of so many words, below R, and those that are nearest to it.
func (s *subject) numbers(n, words int) (v []uint64, x []*big.Int) {
	v = s.vector(n * lanes * words)
	bound := power(64 * words)
	if bound.Cmp(s.r) > 0 {
		bound = s.r
	}
	for i := range n * lanes {
		y := s.below(s.wide)
		if s.IntN(4) == 0 {
			y.Sub(bound, big.NewInt(1+s.Int64N(2)))
		}
		y.Mod(y, bound)
		x = append(x, y)
		w := y.FillBytes(make([]byte, 8*words))
		for j := range words {
			v[i/lanes*lanes*words+lanes*j+i%lanes] = binary.BigEndian.Uint64(w[8*(words-1-j):])
		}
	}
	return v, x
}

// check is the test of a kernel on n tiles.
type check struct {
	name string
	run  func(s *subject, n int)
}

var checks = []check{
	{"reduce", func(s *subject, n int) {
		x, ex := s.tiles(n, s.wide)
		z := s.target(x)
		s.Reduce(&z[0], &x[0], &s.m[0], &s.scratch[0], n)
		s.holds("reduce", z, ex, 0)
	}},
	{"lower", func(s *subject, n int) {
		x, ex := s.tiles(n, s.wide)
		z := s.target(x)
		s.Lower(&z[0], &x[0], &s.m[0], &s.scratch[0], n)
		s.holds("lower", z, ex, 2)
	}},
	{"add", func(s *subject, n int) {
		u := 1 + s.IntN(s.wide-1)
		x, ex := s.tiles(n, u)
		y, ey := s.tiles(n, s.wide-u)
		z := s.target(x, y)
		s.Add(&z[0], &x[0], &y[0], &s.m[0], n)
		s.holds("add", z, each(ex, ey, sum), s.wide)
	}},
	{"sub", func(s *subject, n int) {
		k, u, v := s.shift()
		x, ex := s.tiles(n, u)
		y, ey := s.tiles(n, v)
		z := s.target(x, y)
		s.Sub(&z[0], &x[0], &y[0], &s.m[0], k, n)
		s.holds("sub", z, each(ex, ey, difference), u+1<<k)
	}},
	{"cross", func(s *subject, n int) {
		reduce := s.IntN(2) == 0
		k, u, v := s.shift()
		if reduce {
			k, u, v = 1, s.wide, s.wide
		}
		a, ea := s.tiles(n, u)
		b, eb := s.tiles(n, v)
		s.Cross(&a[0], &b[0], &s.m[0], &s.scratch[0], k, n, reduce)
		if reduce {
			u, v = 2, 2
		}
		s.holds("sum", a, each(ea, eb, sum), u+v)
		s.holds("difference", b, each(ea, eb, difference), u+1<<k)
	}},
	{"split", func(s *subject, n int) {
		words := (s.p.BitLen()+63)/64 + s.IntN(3)
		x, ex := s.numbers(n, words)
		z, shift := s.vector(n*lanes*s.L), s.IntN(2)*s.IntN(130)
		s.Split(&z[0], &x[0], &s.m[0], words, shift, n)
		for i, x := range ex {
			want := make([]uint64, lanes*s.L)
			setLimbs(want, new(big.Int).Lsh(x, uint(shift)), s.L)
			for k := range s.L {
				if got := z[i/lanes*lanes*s.L+lanes*k+i%lanes]; got != want[lanes*k] {
					s.Fatalf("split: %x of %d words times 2^%d, limb %d: %#x", x, words, shift, k, got)
				}
			}
		}
	}},
	{"join", func(s *subject, n int) {
		words := (s.p.BitLen()+63)/64 + s.IntN(3)
		narrow := s.IntN(2) == 0
		u := s.wide
		if narrow {
			u = 2
		}
		x, ex := s.tiles(n, u)
		z := s.vector(n * lanes * words)
		s.Join(&z[0], &x[0], &s.m[0], &s.scratch[0], words, n, narrow)
		for i, x := range ex {
			got := new(big.Int)
			for j := words - 1; j >= 0; j-- {
				w := z[i/lanes*lanes*words+lanes*j+i%lanes]
				got.Lsh(got, 64).Add(got, new(big.Int).SetUint64(w))
			}
			if want := new(big.Int).Mod(x, s.p); got.Cmp(want) != 0 {
				s.Fatalf("join: p = %x, %d words: %x, want %x", s.p, words, got, want)
			}
		}
	}},
	{"table", func(s *subject, n int) {
		x, ex := s.tiles(n, s.wide)
		z := s.vector(n * lanes * s.L * s.Factor)
		s.Table(&z[0], &x[0], &s.m[0], &s.scratch[0], n)
		_, rounds := parts(s.L)
		want := make([]uint64, len(z))
		for i, x := range ex {
			s.parts(x, rounds, func(j int, part *big.Int) {
				setLimbs(want[(i/lanes*s.Factor+j)*lanes*s.L+i%lanes:], part, s.L)
			})
		}
		s.factors(want)
		if !slices.Equal(z, want) {
			s.Fatalf("table: p = %x", s.p)
		}
	}},
	{"mul", func(s *subject, n int) {
		x, ex := s.tiles(n, s.wide)
		w, ew := s.multipliers(n)
		z := s.target(x)
		s.Mul(&z[0], &x[0], &w[0], &s.m[0], &s.scratch[0], n)
		s.holds("mul", z, each(ex, ew, times), s.Weight)
	}},
	{"mulBy", func(s *subject, n int) {
		w, ew := s.multipliers(1)
		lane := s.IntN(lanes)
		count := 1 + s.IntN(min(3, lanes-lane))
		x, ex := s.tiles(n*count, s.wide)
		var by []*big.Int
		for i := range count {
			by = append(by, all(ew[lane+i], ex[:n*lanes])...)
		}
		z := s.target(x)
		s.MulBy(&z[0], &x[0], &w[lane], &s.m[0], &s.scratch[0], n, count)
		s.holds("mulBy", z, each(ex, by, times), s.Weight)
	}},
	{"radix2", func(s *subject, n int) {
		reduce, u := s.IntN(2) == 0, s.wide
		if !reduce {
			u = 1 + s.IntN(s.wide-s.Weight)
		}
		x := s.blocks(n, u, s.wide)
		s.Radix2(x.a, x.b, x.w, &s.m[0], &s.scratch[0], n, x.count, reduce)
		if reduce {
			u = 2
		}
		x.each(func(a, b []uint64, ea, eb, ew []*big.Int) {
			wb := each(eb, ew, times)
			s.holds("a + wb", a, each(ea, wb, sum), u+s.Weight)
			s.holds("a - wb", b, each(ea, wb, difference), u+s.Weight)
		})
	}},
	{"radix2T", func(s *subject, n int) {
		reduce := s.IntN(2) == 0
		k, u, v := s.shift()
		x := s.blocks(n, u, v)
		s.Radix2T(x.a, x.b, x.w, &s.m[0], &s.scratch[0], k, n, x.count, reduce)
		weight := u + v
		if reduce {
			weight = 2
		}
		x.each(func(a, b []uint64, ea, eb, ew []*big.Int) {
			s.holds("a + b", a, each(ea, eb, sum), weight)
			s.holds("(a - b)w", b, each(each(ea, eb, difference), ew, times), s.Weight)
		})
	}},
	{"montgomery", func(s *subject, n int) {
		u, v := 1+s.IntN(s.wide), 1+s.IntN(s.wide-1)
		if s.IntN(2) == 0 {
			u, v = v, u
		}
		x, ex := s.tiles(n, u)
		y, ey := s.tiles(n, v)
		z := s.target(x, y)
		s.Montgomery(&z[0], &x[0], &y[0], &s.m[0], &s.scratch[0], n)
		inverse := new(big.Int).ModInverse(s.r, s.p)
		s.holds("montgomery", z, each(each(ex, ey, times), all(inverse, ex), times), min(u, v)+1)
	}},
	{"product", func(s *subject, n int) {
		x, ex := s.tiles(n, s.wide)
		y, ey := s.tiles(n, s.wide)
		z := s.target(x, y)
		s.Product(&z[0], &x[0], &y[0], &s.m[0], &s.scratch[0], n)
		s.holds("product", z, each(ex, ey, times), s.Plain)
	}},
	{"packedMontgomery", func(s *subject, n int) {
		r := power(64 * (Bits * s.L / 64))
		s.packed(s.PackedMontgomery, new(big.Int).ModInverse(r, s.p), n)
	}},
	{"packedProduct", func(s *subject, n int) { s.packed(s.PackedProduct, big.NewInt(1), n) }},
}

// packed checks products of packed numbers, times a factor.
func (s *subject) packed(product func(z, x, y, m, scratch *uint64, n int), factor *big.Int, n int) {
	words := Bits * s.L / 64
	if product == nil {
		s.Skip("no kernel")
	}
	if s.p.BitLen() > 64*words {
		return
	}
	draw := func() (v []uint64, list []*big.Int) {
		v = s.vector(n * lanes * words)
		for i := range n * lanes {
			x := s.below(1)
			list = append(list, x)
			setWords(v[i*words:][:words], x)
		}
		return v, list
	}
	x, ex := draw()
	y, ey := draw()
	for i, e := range ey { // products next to a multiple of p
		to := big.NewInt(s.Int64N(5) - 2)
		if s.IntN(2) == 0 && e.ModInverse(new(big.Int).Mul(ex[i], factor), s.p) != nil {
			e.Mod(e.Mul(e, to), s.p)
		}
		setWords(y[i*words:][:words], e)
	}
	z, want := s.target(x, y), make([]uint64, len(x))
	product(&z[0], &x[0], &y[0], &s.m[0], &s.scratch[0], n)
	for i, e := range each(each(ex, ey, times), all(factor, ex), times) {
		setWords(want[i*words:][:words], e.Mod(e, s.p))
		if got := z[i*words:][:words]; !slices.Equal(got, want[i*words:][:words]) {
			s.Fatalf("p = %x, %x times %x: %x, want %x", s.p, ex[i], ey[i], got, e)
		}
	}
}

func setWords(z []uint64, x *big.Int) {
	b := x.FillBytes(make([]byte, 8*len(z)))
	for i := range z {
		z[i] = binary.BigEndian.Uint64(b[8*(len(z)-1-i):])
	}
}

// sizes are those that have kernels of their own, and of the others some.
var sizes = []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 40, 79, 80, mostLimbs}

// TestKernels compares every kernel of every tier with big integers. Tests of unrolled kernels have their names.
func TestKernels(t *testing.T) {
	ran := false
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		for _, L := range sizes {
			set := Active(L)
			if set == nil {
				continue
			}
			ran = true
			for _, c := range checks {
				t.Run(fmt.Sprintf("%v/%sx%d", tier, c.name, L), func(t *testing.T) {
					rnd := rand.New(rand.NewPCG(uint64(L), 1))
					for _, p := range moduli(L, rnd) {
						s := newSubject(set, p, rnd)
						s.T = t
						for range max(1, 20*testscale.Of(t)/L) {
							c.run(s, 1+rnd.IntN(5))
							s.guarded(c.name)
						}
					}
				})
			}
		}
		undo()
	}
	if !ran {
		t.Skip("no tier has kernels")
	}
}

// BenchmarkKernels prints the time of kernels for one number, or one butterfly.
func BenchmarkKernels(b *testing.B) {
	for _, L := range []int{2, 3, 4, 5, 6, 7, 8, 10, 13} {
		s := Active(L)
		if s == nil {
			continue
		}
		p := new(big.Int).Sub(power(Bits*L-6), big.NewInt(1))
		m, scratch := s.Constants(p), NewScratch(L)
		n := max(1, 64/L)
		tile := lanes * L
		v, w := arith.Aligned(3*n*tile), arith.Aligned(n*tile*s.Factor)
		for i := range v {
			v[i] = rand.Uint64() >> 13
		}
		for i := range w {
			w[i] = s.factor(rand.Uint64() >> 13)
		}
		x, y, z := &v[0], &v[n*tile], &v[2*n*tile]
		for _, k := range []struct {
			name string
			call func()
		}{
			{"Radix2", func() { s.Radix2(x, y, &w[0], &m[0], &scratch[0], n, 1, false) }},
			{"Radix2/reduce", func() { s.Radix2(x, y, &w[0], &m[0], &scratch[0], n, 1, true) }},
			{"Radix2T", func() { s.Radix2T(x, y, &w[0], &m[0], &scratch[0], 0, n, 1, false); s.Add(x, z, y, &m[0], n) }},
			{"MulBy", func() { s.MulBy(z, x, &w[0], &m[0], &scratch[0], n, 1) }},
			{"Mul", func() { s.Mul(z, x, &w[0], &m[0], &scratch[0], n) }},
			{"Montgomery", func() { s.Montgomery(z, x, y, &m[0], &scratch[0], n) }},
			{"Product", func() { s.Product(z, x, y, &m[0], &scratch[0], n) }},
			{"Reduce", func() { s.Reduce(z, x, &m[0], &scratch[0], n) }},
			{"Lower", func() { s.Lower(z, x, &m[0], &scratch[0], n) }},
			{"Add", func() { s.Add(z, x, y, &m[0], n) }},
			{"Split", func() { s.Split(z, x, &m[0], (L*Bits-4)/64, 0, n) }},
			{"Join", func() { s.Join(z, x, &m[0], &scratch[0], (L*Bits-4)/64, n, false) }},
			{"Join/narrow", func() { s.Join(z, x, &m[0], &scratch[0], (L*Bits-4)/64, n, true) }},
		} {
			b.Run(fmt.Sprintf("L=%d/%s", L, k.name), func(b *testing.B) {
				for b.Loop() {
					k.call()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*lanes), "ns/element")
			})
		}
	}
}
