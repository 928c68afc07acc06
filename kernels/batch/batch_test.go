package batch

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/cpu"
)

const guard = 0x5a5a5a5a

// number is integer l of a tile with limbs of b bits.
func number(tile []uint64, l, limbs, b int) *big.Int {
	z := new(big.Int)
	for i := limbs - 1; i >= 0; i-- {
		z.Lsh(z, uint(b)).Add(z, big.NewInt(int64(tile[lanes*i+l])))
	}
	return z
}

func tile(limbs int, word func() uint64) []uint64 {
	z := make([]uint64, lanes*limbs)
	for i := range z {
		z[i] = word()
	}
	return z
}

// Load and Store are inverse, for all widths of limbs and lengths, and write what they say alone.
func TestForms(t *testing.T) { tiers(t, testForms) }

func testForms(t *testing.T, s *Set) {
	r := rand.New(rand.NewPCG(1, 63))
	for _, most := range []int{32, 46, 47, 48, 49, 50, 51, 52} {
		b := s.less(most)
		if b < 16 {
			continue
		}
		f := NewForm(b)
		for _, words := range []int{1, 2, 3, 7, 13, 14, 16, 26, 33, 65} {
			stride := words + r.IntN(3)
			x := make([]uint32, lanes*stride)
			for i := range x {
				x[i] = r.Uint32() | -(r.Uint32() & 1)
			}
			groups := (32*words + lanes*b - 1) / (lanes * b)
			z := slices.Repeat([]uint64{guard}, lanes*lanes*groups+1)
			s.Load(&z[0], &x[0], f, 4*stride, 4*words, groups)
			require.EqualValues(t, guard, z[len(z)-1])
			for l := range lanes {
				want := new(big.Int)
				for i := words - 1; i >= 0; i-- {
					want.Lsh(want, 32).Add(want, big.NewInt(int64(x[l*stride+i])))
				}
				require.Zero(t, want.Cmp(number(z, l, lanes*groups, b)), "%d words in limbs of %d bits", words, b)
			}
			for _, w := range z[:len(z)-1] {
				require.Less(t, w, uint64(1)<<b)
			}
			back := slices.Repeat([]uint32{guard}, lanes*stride+1)
			s.Store(&back[0], &z[0], f, 4*stride, 4*words, groups)
			for i, w := range back {
				if i < lanes*stride && i%stride < words {
					require.Equal(t, x[i], w, "%d words in limbs of %d bits", words, b)
				} else {
					require.EqualValues(t, guard, w)
				}
			}
		}
	}
}

// Store carries limbs of either sign, also all the way.
func TestStoreCarries(t *testing.T) { tiers(t, testStoreCarries) }

func testStoreCarries(t *testing.T, s *Set) {
	r := rand.New(rand.NewPCG(2, 63))
	const words = 20
	b := s.less(50)
	limbs := (32*words + lanes*b - 1) / (lanes * b) * lanes
	modulus := new(big.Int).Lsh(big.NewInt(1), 32*words)
	for round := range 3 {
		x := tile(limbs, func() uint64 { return uint64(int64(r.Uint64()) >> 2) })
		if round > 0 {
			x = tile(limbs, func() uint64 { return 1<<b - 1 })
			for l := range lanes {
				x[l] = 1 << b
				if round > 1 { // a borrow
					x[l] = 1<<64 - 1
				}
			}
		}
		z := make([]uint32, lanes*words)
		s.Store(&z[0], &x[0], NewForm(b), 4*words, 4*words, limbs/lanes)
		for l := range lanes {
			want, got := number(x, l, limbs, b), new(big.Int)
			for i := words - 1; i >= 0; i-- {
				got.Lsh(got, 32).Add(got, big.NewInt(int64(z[l*words+i])))
			}
			require.Zero(t, want.Mod(want, modulus).Cmp(got))
		}
	}
}

// Products are right for all lengths, whole and low, with the largest limbs too.
func TestProducts(t *testing.T) { tiers(t, testProducts) }

func testProducts(t *testing.T, s *Set) {
	r := rand.New(rand.NewPCG(3, 63))
	lengths := []int{47, 64, 127, MostLimbs}
	for n := 1; n <= 34; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		for _, bits := range []int{52, 49} {
			b := s.less(bits)
			for _, most := range []bool{false, true} {
				word := func() uint64 { return r.Uint64() >> (64 - s.Bits) }
				if most {
					word = func() uint64 { return 1<<s.Bits - 1 }
				}
				x, y := tile(n, word), tile(n, word)
				for _, low := range []bool{false, true} {
					z := slices.Repeat([]uint64{guard}, lanes*2*n+1)
					s.Product(&z[0], &x[0], &y[0], Rows(n, low), LimbBits-bits)
					require.EqualValues(t, guard, z[len(z)-1])
					count := 2 * n
					modulus := new(big.Int).Lsh(big.NewInt(1), uint(2*n*LimbBits+8))
					if low {
						count = n
						modulus.Lsh(big.NewInt(1), uint(n*b))
					}
					for l := range lanes {
						want, got := number(x, l, n, b), number(z, l, count, b)
						want.Mul(want, number(y, l, n, b))
						want.Sub(want, got)
						require.Zero(t, want.Mod(want, modulus).Sign(), "%d limbs of %d bits, low %t", n, b, low)
					}
					if s.Settle != nil && !low && n > 1 {
						s.Settle(&z[0], b, 2*n)
						for l := range lanes {
							want := number(x, l, n, b)
							require.Zero(t, want.Mul(want, number(y, l, n, b)).Cmp(number(z, l, 2*n, b)))
						}
						for _, w := range z[:lanes*(2*n-1)] {
							require.Less(t, w, uint64(1)<<b+1<<(63-b))
						}
					}
				}
			}
		}
	}
}

// Carries go all the way, of either sign, and stay in the last limb.
func TestCarries(t *testing.T) { tiers(t, testCarries) }

func testCarries(t *testing.T, s *Set) {
	r := rand.New(rand.NewPCG(5, 63))
	for _, n := range []int{1, 2, 3, 9, 40} {
		for _, bits := range []int{52, 50, 33} {
			b := s.less(bits)
			for round := range 3 {
				x := tile(n, func() uint64 { return uint64(int64(r.Uint64()) >> 3) })
				if round > 0 { // a carry or a borrow through all
					x = tile(n, func() uint64 { return uint64(2-round) * (1<<b - 1) })
					for l := range lanes {
						x[l] += uint64(3 - 2*round)
					}
				}
				z := append(slices.Clone(x), guard)
				s.Carry(&z[0], b, n)
				require.EqualValues(t, guard, z[len(z)-1])
				for l := range lanes {
					require.Zero(t, number(x, l, n, b).Cmp(number(z, l, n, b)))
				}
				for _, w := range z[:lanes*(n-1)] {
					require.Less(t, w, uint64(1)<<b)
				}
			}
		}
	}
}

// Sums and what joins are those of words.
func TestJoins(t *testing.T) { tiers(t, testJoins) }

func testJoins(t *testing.T, s *Set) {
	r := rand.New(rand.NewPCG(4, 63))
	for _, h := range []int{1, 2, 3, 8, 21} {
		z, u := tile(4*h, r.Uint64), tile(2*h, r.Uint64)
		sum, want := append(make([]uint64, lanes*2*h), guard), slices.Clone(z)
		s.Add(&sum[0], &z[0], &u[0], 2*h)
		for i := range lanes * 2 * h {
			require.Equal(t, z[i]+u[i], sum[i])
			want[lanes*h+i] += u[i] - z[i] - z[lanes*2*h+i]
		}
		require.EqualValues(t, guard, sum[len(sum)-1])
		s.Join(&z[0], &u[0], h)
		require.Equal(t, want, z)
	}
}

// Sums of integers of all lengths are those of numbers, in place too, with carries through all words and into none of
// the next integer.
func TestSums(t *testing.T) { tiers(t, testSums) }

func testSums(t *testing.T, s *Set) {
	if s.Plus == nil {
		t.Skip("sums are no kernels of this set")
	}
	r := rand.New(rand.NewPCG(5, 63))
	kinds := []func(i int) uint32{
		func(int) uint32 { return r.Uint32() },
		func(int) uint32 { return 1<<32 - 1 },
		func(i int) uint32 { return uint32(max(0, 1-i)) },
		func(int) uint32 { return 0 },
		func(i int) uint32 { return -uint32(i % 2) },
		func(int) uint32 { return -(r.Uint32() & 1) },
	}
	for words := 1; words <= 67; words++ {
		n := len(kinds) * len(kinds)
		x, y := make([]uint32, n*words), make([]uint32, n*words)
		for i := range x {
			k := i / words
			x[i], y[i] = kinds[k%len(kinds)](i%words), kinds[k/len(kinds)](i%words)
		}
		plus, minus := append(make([]uint32, n*words), guard), append(make([]uint32, n*words), guard)
		s.Plus(&plus[0], &x[0], &y[0], words, n)
		s.Minus(&minus[0], &x[0], &y[0], words, n)
		carry, borrow := uint64(0), uint64(0)
		for i := range x {
			if i%words == 0 {
				carry, borrow = 0, 0
			}
			carry += uint64(x[i]) + uint64(y[i])
			borrow = uint64(x[i]) - uint64(y[i]) - borrow
			require.Equal(t, uint32(carry), plus[i], "sum of %d words, %d", words, i)
			require.Equal(t, uint32(borrow), minus[i], "difference of %d words, %d", words, i)
			carry, borrow = carry>>32, borrow>>63
		}
		require.EqualValues(t, guard, plus[n*words])
		require.EqualValues(t, guard, minus[n*words])
		own := slices.Clone(y)
		s.Minus(&own[0], &x[0], &own[0], words, n)
		require.Equal(t, minus[:n*words], own)
		s.Plus(&x[0], &x[0], &y[0], words, n)
		require.Equal(t, plus[:n*words], x)
	}
}

// tiers runs a test on the kernels of each tier that the processor has.
func tiers(t *testing.T, test func(t *testing.T, s *Set)) {
	ran := false
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		s := Active()
		undo()
		if s != nil {
			ran = true
			t.Run(s.Name, func(t *testing.T) { test(t, s) })
		}
	}
	if !ran {
		t.Skip("this processor has no tier with kernels of package batch")
	}
}

// less is limbs of that many bits below the most, where limbs have 52 or 28.
func (s *Set) less(b int) int { return s.Bits - (LimbBits - b) }
