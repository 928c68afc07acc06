package rns

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/cpu"
)

// TestKernels compares both kernels with big integers, on values that are small, large or anything.
func TestKernels(t *testing.T) {
	s := Active()
	if s == nil {
		t.Skip("this tier has no kernels: ", cpu.Active())
	}
	t.Run("dotIFMA", s.testDot)
	t.Run("limbIFMA", s.testLimb)
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
			for range 6 {
				x, c, z := numbers(rnd, n*Block, 1<<Limb), numbers(rnd, n, p), make([]uint64, Block)
				want := make([]uint64, Block)
				for j := range want {
					v := sum(0, x, c, j)
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
	for j := range want {
		if z[j] != want[j] {
			t.Fatalf("p = %d, n = %d, element %d: %d, want %d", p, n, j, z[j], want[j])
		}
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
