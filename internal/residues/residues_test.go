package residues

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/kernels/rns"
	"github.com/stretchr/testify/require"
)

// primesBelow returns the count largest primes below 2^size.
func primesBelow(size, count int) []uint64 {
	var list []uint64
	for q := uint64(1)<<size - 1; len(list) < count; q -= 2 {
		if factor.IsPrime(q) {
			list = append(list, q)
		}
	}
	return list
}

// tiers runs f on all tiers.
func tiers(t *testing.T, f func(t *testing.T, size int)) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		size := PlainBits
		if Kernels() {
			size = KernelBits
		}
		t.Run(fmt.Sprint(tier), func(t *testing.T) { f(t, size) })
		undo()
	}
}

// modulus returns an odd number of so many bits: the least, the greatest, or any.
func modulus(size, kind int, rnd *rand.Rand) *big.Int {
	one := big.NewInt(1)
	p := new(big.Int).Lsh(one, uint(size-1))
	switch kind {
	case 0:
		return p.Add(p, one)
	case 1:
		return p.Sub(p.Lsh(p, 1), one)
	}
	for i := 1; i < size-1; i++ {
		p.SetBit(p, i, uint(rnd.Uint64()&1))
	}
	return p.SetBit(p, 0, 1)
}

// pack returns numbers as words.
func pack(x []*big.Int, words int) []uint64 {
	var z []uint64
	for _, v := range x {
		z = append(z, split(v, 64, words)...)
	}
	return z
}

// Numbers up to the bound of the residues, of both signs or of one, come out right modulo moduli at both ends of each
// size.
func TestCombine(t *testing.T) {
	tiers(t, func(t *testing.T, size int) {
		rnd := rand.New(rand.NewPCG(1, 2))
		all := primesBelow(size, 60)
		for _, bits := range []int{2, 3, 17, 31, 50, 51, 52, 53, 63, 64, 65, 103, 104, 105, 127, 128,
			129, 156, 254, 255, 256, 260, 381, 521, 1024, 1300} {
			for kind := range 3 {
				p := modulus(bits, kind, rnd)
				words := (bits+63)/64 + rnd.IntN(3)
				primes := all[:1+rnd.IntN(len(all)-1)]
				if bits < 65 && rnd.IntN(4) > 0 {
					primes = all[:1+rnd.IntN(4)]
				}
				testCombine(t, rnd, primes, p, words, true)
				testCombine(t, rnd, primes, p, words, false)
			}
		}
	})
}

func testCombine(t *testing.T, rnd *rand.Rand, primes []uint64, p *big.Int, words int, signed bool) {
	M := big.NewInt(1)
	for _, q := range primes {
		M.Mul(M, new(big.Int).SetUint64(q))
	}
	bound := new(big.Int).Set(M)
	if signed {
		bound.Rsh(M, 1)
	}
	bound.Sub(bound, new(big.Int).Rsh(M, marginBits))
	c := NewCombiner(primes, p, words, signed)
	room := c.NewRoom()
	require.Positive(t, c.Bytes())
	for _, n := range []int{1, rns.Block - 1, rns.Block, 4*rns.Block + 3} {
		const from = 5
		rows := (from+n+rns.Block)/rns.Block*rns.Block + rns.Block
		r, want := make([][]uint64, len(primes)), make([]uint64, 0, n*words)
		for i := range r {
			r[i] = make([]uint64, rows)
			for j := range r[i] {
				r[i][j] = rnd.Uint64N(1 << 52)
			}
		}
		x, q := new(big.Int), new(big.Int)
		for j := range n {
			switch rnd.IntN(6) {
			case 0:
				x.Set(bound)
			case 1:
				x.SetInt64(int64(rnd.IntN(5) - 2))
			case 2:
				x.Mul(p, q.Quo(bound, p)) // 0, or just beside it
				x.Add(x, q.SetInt64(int64(rnd.IntN(3)-1)))
			default:
				for x.SetInt64(0); x.BitLen() < bound.BitLen(); {
					x.Add(x.Lsh(x, 64), q.SetUint64(rnd.Uint64()))
				}
				x.Mod(x, bound)
			}
			if x.CmpAbs(bound) > 0 {
				x.Set(bound)
			}
			if x.Abs(x); signed && rnd.IntN(2) == 0 {
				x.Neg(x)
			}
			for i, prime := range primes {
				r[i][from+j] = q.Mod(x, q.SetUint64(prime)).Uint64()
			}
			want = append(want, split(q.Mod(x, p), 64, words)...)
		}
		got := make([]uint64, n*words)
		c.Combine(room, got, r, from)
		require.Equal(t, want, got, "%d primes, modulo %v", len(primes), p)
		require.Zero(t, testing.AllocsPerRun(3, func() { c.Combine(room, got, r, from) }))
	}
}

func TestProject(t *testing.T) { tiers(t, testProject) }

func testProject(t *testing.T, _ int) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, primes := range [][]uint64{{257}, primesBelow(50, 7), {65537, 1<<31 - 1, primesBelow(50, 1)[0]}} {
		for _, bits := range []int{1, 51, 52, 53, 64, 65, 104, 127, 254, 256, 521, 8192} {
			words := (bits+63)/64 + rnd.IntN(2)
			v := NewProjector(primes, words, bits)
			if v == nil {
				t.Skip("this tier has no kernels: ", cpu.Active())
			}
			require.Positive(t, v.Bytes())
			require.GreaterOrEqual(t, v.Bits(), bits)
			require.Equal(t, words, v.Words())
			room := v.NewRoom()
			for _, n := range []int{1, rns.Block, 7*rns.Block + 5} {
				size := 1 + rnd.IntN(bits)
				x := make([]*big.Int, n)
				for j := range x {
					x[j] = modulus(size+1, 1+rnd.IntN(2), rnd)
					x[j].SetBit(x[j], size, 0)
				}
				const from = 3
				got := make([][]uint64, len(primes))
				for i := range got {
					got[i] = make([]uint64, from+n)
				}
				v.Project(room, got, from, pack(x, words), size)
				for i, p := range primes {
					q := new(big.Int).SetUint64(p)
					m := NewModulus(p)
					powers := m.NewPowers(64)
					for j := range x {
						want := new(big.Int).Mod(x[j], q).Uint64()
						require.Equal(t, want, got[i][from+j], "%v modulo %d", x[j], p)
						require.Equal(t, want, Residue(m, &powers, pack(x[j:j+1], words)))
					}
				}
			}
		}
	}
	require.Nil(t, NewProjector([]uint64{251}, 2, 128), "a prime that is too small")
	require.Nil(t, NewProjector([]uint64{1<<61 - 1}, 2, 128), "a prime that is too large")
	require.Nil(t, NewProjector([]uint64{257}, 1000, 52*rns.Most+1), "too many limbs")
}
