package rns

import (
	"math/big"
	mathrand "math/rand"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/cpu"
)

// TestKernels compares all kernels of all tiers with big integers, on values that are small, large or anything.
func TestKernels(t *testing.T) {
	for _, tier := range cpu.Present() {
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer undo()
			s := Active()
			if s == nil {
				t.Skip("no kernels")
			}
			products := map[cpu.Tier]string{cpu.AVX2: "AVX2", cpu.AVX512: "AVX512", cpu.IFMA: "IFMA"}[tier]
			moves := map[cpu.Tier]string{cpu.AVX2: "AVX2", cpu.AVX512: "AVX512", cpu.IFMA: "AVX512"}[tier]
			t.Run("dot"+products, s.testDot)
			t.Run("limb"+products, s.testLimb)
			t.Run("clear"+products, s.testClear)
			t.Run("quotient"+products, s.testQuotient)
			t.Run("scale"+products, s.testScale)
			t.Run("split"+moves, s.testSplit)
			t.Run("join"+moves, s.testJoin)
			t.Run("words"+moves, s.testWords)
			t.Run("cutAVX2", s.testCut)
			t.Run("garner"+products, s.testGarner)
			t.Run("pairAVX2", s.testPair)
			t.Run("add", s.testAdd)
		})
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

// numbers draws n numbers below bound.
func numbers(rnd *rand.Rand, n int, bound uint64) []uint64 {
	z := make([]uint64, n)
	kind := rnd.IntN(3)
	for i := range z {
		switch {
		case kind == 0:
			z[i] = bound - 1
		case kind == 1 && rnd.IntN(2) == 0:
			z[i] = 0
		default:
			z[i] = rnd.Uint64N(bound)
		}
	}
	return z
}

// sum returns start and the sum of c[i]·x[i] for element j.
func sum(start uint64, x, c []uint64, j int) *big.Int {
	z, t, u := new(big.Int).SetUint64(start), new(big.Int), new(big.Int)
	for i, w := range c {
		z.Add(z, t.Mul(t.SetUint64(w), u.SetUint64(x[Block*i+j])))
	}
	return z
}

func (s *Set) testDot(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, p := range []uint64{257, 65537, 1<<49 + 69, 1<<50 - 27, 1<<50 - 35} {
		P := new(big.Int).SetUint64(p)
		lift := new(big.Int).Lsh(big.NewInt(1), 2*Limb)
		for _, n := range []int{1, 2, 3, 12, 40, Most} {
			for round := range 6 {
				x, c, z := numbers(rnd, n*Block, 1<<Limb), numbers(rnd, n, p), make([]uint64, Block)
				want := make([]uint64, Block)
				if round == 0 {
					c[n-1] = 1
				}
				for j := range want {
					v := sum(0, x, c, j)
					if round == 0 { // a multiple of p, which the last step may leave as p
						last, r := &x[Block*(n-1)+j], new(big.Int).Mod(v, P).Uint64()
						if *last < r {
							*last += p
						}
						*last -= r
						v = sum(0, x, c, j)
					}
					want[j] = v.Mod(v.Mul(v, new(big.Int).ModInverse(lift, P)), P).Uint64()
				}
				s.Dot(&z[0], &x[0], &c[0], Constants(p), n)
				equal(t, p, n, z, want)
				last := x[Block*(n-1):]
				s.Dot(&last[0], &x[0], &c[0], Constants(p), n)
				equal(t, p, n, last, want)
			}
		}
		for range 100 {
			x := rnd.Uint64N(p)
			v := new(big.Int).SetUint64(x)
			if want := v.Mod(v.Mul(v, lift), P).Uint64(); Lift(x, p) != want {
				t.Fatalf("p = %d: Lift(%d) is %d, want %d", p, x, Lift(x, p), want)
			}
		}
	}
}

func equal(t *testing.T, p uint64, n int, z, want []uint64) {
	t.Helper()
	nearest(t)
	for j := range want {
		if z[j] != want[j] {
			t.Fatalf("p = %d, n = %d, element %d: %d, want %d", p, n, j, z[j], want[j])
		}
	}
}

var one, little = 1., 0x1.8p-53

// nearest checks that the processor rounds as before a kernel.
func nearest(t *testing.T) {
	t.Helper()
	if one+little == one {
		t.Fatal("the processor rounds towards zero")
	}
}

func (s *Set) testLimb(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 12, 40, Most} {
		for range 20 {
			x, c, carry := numbers(rnd, n*Block, 1<<Limb), numbers(rnd, n, 1<<Limb), numbers(rnd, Block, 1<<62)
			z, low, high := make([]uint64, Block), make([]uint64, Block), make([]uint64, Block)
			for j := range low {
				v := sum(carry[j], x, c, j)
				high[j] = new(big.Int).Rsh(v, Limb).Uint64()
				low[j] = v.Uint64() & (1<<Limb - 1)
			}
			s.Limb(&z[0], &carry[0], &x[0], &c[0], n)
			equal(t, 0, n, z, low)
			equal(t, 0, n, carry, high)
		}
	}
}

func (s *Set) testClear(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	base := new(big.Int).Lsh(big.NewInt(1), Limb)
	for _, p := range []uint64{1, 3, 1<<49 + 69, 1<<Limb - 1} {
		for _, n := range []int{1, 2, 13, Most} {
			for range 10 {
				x, c, carry := numbers(rnd, (n+1)*Block, 1<<Limb), numbers(rnd, n, 1<<Limb), numbers(rnd, Block, 1<<60)
				z, want, high := x[n*Block:], make([]uint64, Block), make([]uint64, Block)
				for j := range want {
					v, P := sum(carry[j], x, c, j), new(big.Int).SetUint64(p)
					q := new(big.Int).ModInverse(P, base)
					q.Mod(q.Neg(q.Mul(q, v)), base)
					want[j] = q.Uint64()
					high[j] = v.Rsh(v.Add(v, q.Mul(q, P)), Limb).Uint64()
				}
				s.Clear(&z[0], &carry[0], &x[0], &c[0], Constants(p), n)
				equal(t, p, n, z, want)
				equal(t, p, n, carry, high)
			}
		}
	}
}

func (s *Set) testQuotient(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	const one = 1 << (QuotientBits - Limb)
	for _, n := range []int{1, 2, 13, Most} {
		for round := range 40 {
			x, c := numbers(rnd, (n+1)*Block, 1<<Limb), numbers(rnd, n, 1<<Limb)
			z, want := x[n*Block:], make([]uint64, Block)
			up := []uint64{0, one >> 1, one - 1, rnd.Uint64N(one)}[round/2%4]
			added := new(big.Int).Lsh(new(big.Int).SetUint64(up), Limb)
			if round%2 == 0 {
				besideInteger(rnd, x[:n*Block], c, added)
			}
			for j := range want {
				v := sum(0, x, c, j)
				want[j] = v.Rsh(v.Add(v, added), QuotientBits).Uint64()
			}
			s.Quotient(&z[0], &x[0], &c[0], n, up)
			equal(t, 0, n, z, want)
		}
	}
}

// besideInteger changes the last rows so that sums for Quotient, with what is added, are an integer, or less by the
// least there is: by constants 2^51 and 1, where there are two.
func besideInteger(rnd *rand.Rand, x, c []uint64, added *big.Int) {
	n, one := len(c), big.NewInt(1)
	c[n-1] = 1 << (Limb - 1)
	if n > 1 {
		c[n-2] = 1
	}
	for j := range Block {
		last, before := &x[Block*(n-1)+j], new(uint64)
		if n > 1 {
			before = &x[Block*(n-2)+j]
		}
		*last, *before = 0, 0
		rest := new(big.Int).Neg(added)
		rest.Sub(rest, sum(rnd.Uint64N(2), x, c, j))
		rest.Mod(rest, new(big.Int).Lsh(one, QuotientBits))
		*before = rest.Uint64() % (1 << (Limb - 1))
		*last = rest.Rsh(rest, Limb-1).Uint64()
	}
}

func (s *Set) testScale(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for _, p := range []uint64{3, 65537, 1<<49 + 69, 1<<50 - 27} {
		P := new(big.Int).SetUint64(p)
		for _, n := range []int{1, 2, 5} {
			for range 10 {
				x, w, step := numbers(rnd, n*Block, 1<<Limb), numbers(rnd, 1, p)[0], Block*(1+rnd.IntN(3))
				z := numbers(rnd, n*step, 1<<62)
				left := append([]uint64(nil), z...)
				s.Scale(&z[0], &x[0], Multiplier(w, p), step, n)
				nearest(t)
				for i := range z {
					row, j := i/step, i%step
					if j >= Block {
						if z[i] != left[i] {
							t.Fatalf("p = %d: word %d of row %d is written", p, j, row)
						}
						continue
					}
					v := new(big.Int).SetUint64(x[row*Block+j])
					v.Mod(v.Mul(v, new(big.Int).SetUint64(w)), P)
					if z[i] >= 2*p || z[i]%p != v.Uint64() {
						t.Fatalf("p = %d, row %d, element %d: %d·%d is %d", p, row, j, w, x[row*Block+j], z[i])
					}
				}
			}
		}
	}
}

// integer returns the packed number of words w.
func integer(w []uint64) *big.Int {
	z := new(big.Int)
	for i := range w {
		z.Lsh(z, 64).Add(z, new(big.Int).SetUint64(w[len(w)-1-i]))
	}
	return z
}

// limb returns limb i of v.
func limb(v *big.Int, i int) uint64 {
	t := new(big.Int).Rsh(v, uint(i*Limb))
	return t.And(t, big.NewInt(1<<Limb-1)).Uint64()
}

func (s *Set) testSplit(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for _, words := range []int{1, 2, 3, 4, 5, 6, 8, 12, 13, 14, 128} {
		x := numbers(rnd, words*Block, 1<<63)
		for i := range x {
			x[i] = 2*x[i] + rnd.Uint64N(2)
		}
		for n := 1; n <= Limbs(64*words); n++ {
			z, want := make([]uint64, n*Block), make([]uint64, n*Block)
			for j := range Block {
				v := integer(x[j*words:][:words])
				for i := range n {
					want[i*Block+j] = limb(v, i)
				}
			}
			s.Split(&z[0], &x[0], &Splits(words, n)[0], words, n)
			equal(t, uint64(words), n, z, want)
		}
	}
}

func (s *Set) testJoin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	for _, words := range []int{1, 2, 3, 4, 5, 6, 8, 12, 13, 14, 128} {
		places, rows := Joins(words)
		for _, less := range []int{1, 2, 12, 51, 63} { // bits that p has less
			for kind := range 3 {
				size := 64*words - less
				if size < 3 { // p + 1 is below 2p
					continue
				}
				n := size/Limb + 1
				p := new(big.Int).Lsh(big.NewInt(1), uint(size-1))
				if kind == 1 {
					p.Sub(p.Lsh(p, 1), big.NewInt(1))
				}
				limbs := make([]uint64, n)
				for i := range limbs {
					limbs[i] = limb(p, i)
				}
				x := make([]uint64, max(rows, n)*Block)
				z, want := make([]uint64, words*Block), make([]*big.Int, Block)
				for j := range want {
					v := new(big.Int).Add(p, big.NewInt(int64(rnd.IntN(3)-1))) // p − 1, p, p + 1
					if kind == 2 {
						v.Rand(mathrand.New(mathrand.NewSource(int64(j))), new(big.Int).Lsh(p, 1))
					}
					for i := range n {
						x[i*Block+j] = limb(v, i)
					}
					want[j] = v.Mod(v, p)
				}
				s.Join(&z[0], &x[0], &limbs[0], &places[0], words, n)
				for j, v := range want {
					if got := integer(z[j*words:][:words]); got.Cmp(v) != 0 {
						t.Fatalf("%d words, p = %v, element %d: %v, want %v", words, p, j, got, v)
					}
				}
			}
		}
	}
}

// Windows of a random number, read to its last byte, are those of its bits; words beside them stay.
func (s *Set) testCut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	for range 300 {
		size, n, from := 1+rnd.IntN(57), 1+rnd.IntN(9), rnd.IntN(200)
		step := 1 + rnd.IntN(200)
		last := (from + (8*n-1)*step) / 8
		x := numbers(rnd, (last+8+7)/8, 1<<63)
		for i := range x {
			x[i] = x[i]<<1 | rnd.Uint64()&1
		}
		all := new(big.Int)
		for i := len(x) - 1; i >= 0; i-- {
			all.Or(all.Lsh(all, 64), new(big.Int).SetUint64(x[i]))
		}
		z := make([]uint64, 8*n+1)
		z[8*n] = 7
		s.Cut(&z[0], &x[0], Windows(from, step, size), step, n)
		want := make([]uint64, 8*n+1)
		want[8*n] = 7
		mask := new(big.Int).SetUint64(1<<size - 1)
		for i := range 8 * n {
			w := new(big.Int).Rsh(all, uint(from+i*step))
			want[i] = w.And(w, mask).Uint64()
		}
		equal(t, uint64(size), n, z, want)
	}
}

func (s *Set) testWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	for _, words := range []int{1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 128} {
		places, rows := Joins(words)
		for range 8 {
			n := (64*words + Limb - 1) / Limb
			x := append(numbers(rnd, n*Block, 1<<Limb), make([]uint64, max(0, rows-n)*Block)...)
			z := make([]uint64, words*Block+1)
			z[words*Block] = 7
			s.Words(&z[0], &x[0], &places[0], words)
			for j := range Block {
				v := new(big.Int)
				for i := n - 1; i >= 0; i-- {
					v.Or(v.Lsh(v, Limb), new(big.Int).SetUint64(x[i*Block+j]))
				}
				for i := range words {
					w := new(big.Int).Rsh(v, uint(64*i))
					if w.And(w, new(big.Int).SetUint64(1<<64-1)); z[i*Block+j] != w.Uint64() {
						t.Fatalf("%d words, element %d: word %d is %x, want %x", words, j, i, z[i*Block+j], w)
					}
				}
			}
			if z[words*Block] != 7 {
				t.Fatalf("%d words: more is written", words)
			}
		}
	}
}

// The numbers below the product of 50-bit primes that have residues come back: the least, the greatest, and any.
func (s *Set) testGarner(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	var primes []*big.Int
	for p := int64(1<<PrimeBits - 1); len(primes) < len(s.Garner)-1; p -= 2 {
		if v := big.NewInt(p); v.ProbablyPrime(20) {
			primes = append(primes, v)
		}
	}
	for k, garner := range s.Garner {
		if garner == nil {
			if k > 1 && s.Garner[2] != nil {
				t.Fatalf("no kernel for %d primes", k)
			}
			continue
		}
		var c []uint64
		products := []*big.Int{big.NewInt(1)}
		for i, p := range primes[:k] {
			if i > 0 {
				inverse := new(big.Int).ModInverse(products[i], p)
				lift := func(x *big.Int) uint64 { return Lift(new(big.Int).Mod(x, p).Uint64(), p.Uint64()) }
				c = append(c, lift(inverse))
				for _, q := range products[:i] {
					x := new(big.Int).Mul(q, inverse)
					c = append(c, lift(x.Neg(x)))
				}
				c = append(c, Constants(p.Uint64())[:]...)
			}
			products = append(products, new(big.Int).Mul(products[i], p))
		}
		m := products[k]
		for bit := 0; bit < m.BitLen(); bit += Limb {
			for _, q := range products[:k] {
				if limb := new(big.Int).Rsh(q, uint(bit)); limb.Sign() > 0 {
					c = append(c, limb.Uint64()&(1<<Limb-1))
				}
			}
		}
		const from = 3
		words := (m.BitLen() + 63) / 64
		for range 200 {
			r, numbers := make([][]uint64, k), make([]*big.Int, Block)
			for i := range r {
				r[i] = make([]uint64, from+Block)
			}
			for j := range numbers {
				v := new(big.Int)
				switch rnd.IntN(4) {
				case 0:
					v.Sub(m, big.NewInt(1+rnd.Int64N(2)))
				case 1:
					v.SetInt64(rnd.Int64N(2))
				case 2: // digits that are 0 or the greatest
					for i, p := range primes[:k] {
						if rnd.IntN(2) == 0 {
							d := new(big.Int).Sub(p, big.NewInt(1))
							v.Add(v, d.Mul(d, products[i]))
						}
					}
				default:
					v.Rand(mathrand.New(mathrand.NewSource(rnd.Int64())), m)
				}
				for i, p := range primes[:k] {
					r[i][from+j] = new(big.Int).Mod(v, p).Uint64()
				}
				numbers[j] = v
			}
			z := make([]uint64, words*Block+1)
			z[words*Block] = 7
			garner(&z[0], &r[0], &c[0], from)
			for j, v := range numbers {
				for w := range words {
					if want := new(big.Int).Rsh(v, uint(64*w)).Uint64(); z[w*Block+j] != want {
						t.Fatalf("%d primes, number %d, word %d: %#x, want %#x", k, j, w, z[w*Block+j], want)
					}
				}
			}
			if z[words*Block] != 7 {
				t.Fatalf("%d primes: a word behind the rows", k)
			}
		}
	}
}

// Numbers below the product of two primes come back, whichever is the larger one: the least, the greatest, and any.
func (s *Set) testPair(t *testing.T) {
	if s.Pair == nil {
		if s.Garner[2] == nil {
			t.Fatal("no kernel for two primes")
		}
		t.Skip("as any number of primes")
	}
	rnd := rand.New(rand.NewPCG(27, 28))
	const small, large = 1<<PrimeBits - 35, 1<<PrimeBits - 27 // and as small as can be
	for _, primes := range [][2]uint64{{large, small}, {small, large}, {521, 257}, {1<<49 + 69, small}, {257, large}} {
		p, q := primes[0], primes[1]
		for _, x := range primes {
			if !new(big.Int).SetUint64(x).ProbablyPrime(20) {
				t.Fatalf("%d is no prime", x)
			}
		}
		c := Pairs(p, q)
		const from = 3
		for range 300 {
			var r [2][]uint64
			for i, m := range primes {
				r[i] = append(make([]uint64, from), numbers(rnd, Block, m)...)
			}
			z := append(make([]uint64, 2*Block), 7)
			s.Pair(&z[0], &r[0], c, from)
			for j := range Block {
				x := new(big.Int).SetUint64(z[Block+j])
				x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(z[j]))
				least := x.Cmp(new(big.Int).Mul(new(big.Int).SetUint64(p), new(big.Int).SetUint64(q))) < 0
				for i, m := range primes {
					if new(big.Int).Mod(x, new(big.Int).SetUint64(m)).Uint64() != r[i][from+j] || !least {
						t.Fatalf("%d modulo %d and %d modulo %d: %v", r[0][from+j], p, r[1][from+j], q, x)
					}
				}
			}
			if z[2*Block] != 7 {
				t.Fatal("a word behind the rows")
			}
		}
	}
}

// Numbers are added at any place, and carries run to the end of the sum and no further.
func (s *Set) testAdd(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	integer := func(z []uint64) *big.Int {
		v := new(big.Int)
		for i := len(z) - 1; i >= 0; i-- {
			v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(z[i]))
		}
		return v
	}
	for words, add := range s.Add {
		if add == nil {
			continue
		}
		for range 300 {
			n, bit, size := 1+rnd.IntN(Block), rnd.IntN(300), 1+rnd.IntN(64*words)
			rows := numbers(rnd, words*Block, ^uint64(0))
			sum := numbers(rnd, (bit+(n-1)*size)/64+words+1+rnd.IntN(3)+1, ^uint64(0))
			if rnd.IntN(2) == 0 {
				for i := range sum {
					sum[i] = ^uint64(0)
				}
			}
			length := len(sum) - 1
			sum[length] = 7
			want := integer(sum[:length])
			for j := range n {
				number := make([]uint64, words)
				for i := range number {
					number[i] = rows[i*Block+j]
				}
				want.Add(want, new(big.Int).Lsh(integer(number), uint(bit+j*size)))
			}
			want.Mod(want, new(big.Int).Lsh(big.NewInt(1), uint(64*length)))
			add(&sum[0], &rows[0], n, bit, size, length)
			if integer(sum[:length]).Cmp(want) != 0 || sum[length] != 7 {
				t.Fatalf("%d words, %d numbers of %d bits from %d on: wrong sum", words, n, size, bit)
			}
		}
	}
}
