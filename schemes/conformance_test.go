package schemes_test

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

func small(t *testing.T, p uint32) *smallprime.Field32 {
	f, err := smallprime.New32(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// eachTier runs test on every tier of kernels that this processor has.
func eachTier(t *testing.T, test func(t *testing.T, tier cpu.Tier)) {
	for _, tier := range cpu.Present() {
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			require.NoError(t, err)
			defer undo()
			test(t, tier)
		})
	}
}

// Word fields on every tier, each arithmetic once; TestConformance has the active one, in full. It counts allocations,
// too, which do not depend on tiers.
func TestTiers(t *testing.T) {
	active := cpu.Active()
	eachTier(t, func(t *testing.T, tier cpu.Tier) {
		if tier == active {
			return
		}
		most, large := all(t, 1<<6, 1<<8), []int{1 << 9, 1 << 14}
		words := schemetest.Config[uint64]{MaxN: most, Large: large, MaxAllocs: -1}
		halves := schemetest.Config[uint32]{MaxN: most, Large: large, MaxAllocs: -1}
		t.Run("p30", func(t *testing.T) { schemetest.Run(t, smallprime.P30(), halves) })
		t.Run("babybear", func(t *testing.T) { schemetest.Run(t, smallprime.BabyBear(), halves) })
		t.Run("p32", func(t *testing.T) { schemetest.Run(t, smallprime.P32(), halves) })
		t.Run("p50", func(t *testing.T) { schemetest.Run(t, smallprime.P50(), words) })
		t.Run("p62", func(t *testing.T) { schemetest.Run(t, smallprime.P62(), words) })
		t.Run("p63", func(t *testing.T) { schemetest.Run(t, smallprime.P63(), words) })
		t.Run("p64", func(t *testing.T) { schemetest.Run(t, smallprime.P64(), words) })
		t.Run("goldilocks", func(t *testing.T) { schemetest.Run(t, smallprime.Goldilocks(), words) })
	})
}

// A generalized Fermat prime on tiles, with the kernels of each tier and element by element. TestAllGFPF has the
// others.
func TestGFPF(t *testing.T) {
	active := cpu.Active()
	eachTier(t, func(t *testing.T, tier cpu.Tier) {
		cfg := schemetest.Config[[4]uint64]{MaxN: all(t, 64, 128), Large: []int{1 << 8, 1 << 10}, Bases: []int{2, 8, 0}}
		if tier != active {
			cfg.MaxAllocs = -1
		}
		schemetest.Run(t, gfpf.P2(), cfg)
	})
}

// prime returns 2^e + c·2^k + 1.
func prime(e uint, c int64, k uint) *big.Int {
	high, low := new(big.Int).Lsh(big.NewInt(1), e), new(big.Int).Lsh(big.NewInt(c), k)
	return high.Add(high, low).Add(high, big.NewInt(1))
}

// gfpf16 returns (2^62 + 2^36)^16 + 1, which is gfpf.P4, whose type nothing else here needs.
func gfpf16() *big.Int {
	r := new(big.Int).SetUint64(1<<62 + 1<<36)
	return r.Exp(r, big.NewInt(16), nil).Add(r, big.NewInt(1))
}

// Big primes of 2 and of 4 words, and, as elements of one type for all sizes, of 5 and 16, and 128 at full scale: their
// schemes are the same, so that few lengths do.
func TestBigPrimes(t *testing.T) {
	tiers := []cpu.Tier{cpu.Active()}
	if testscale.Of(t) >= testscale.Full && cpu.MULX() {
		tiers = append(tiers, cpu.Generic)
	}
	for _, tier := range tiers {
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			require.NoError(t, err)
			defer undo()
			schemetest.Run(t, bigprime.P2(), schemetest.Config[[2]uint64]{MaxN: 64, Large: []int{1 << 12}})
			schemetest.Run(t, bigprime.BN254(), schemetest.Config[[4]uint64]{MaxN: 64, Large: []int{1 << 12}})
			for name, p := range map[string]*big.Int{
				"5 words":   prime(300, 135, 240),
				"16 words":  gfpf16(),
				"128 words": prime(8191, 2539, 64), // p − 1 has few small factors: their roots take long
			} {
				scale := testscale.Of(t)
				if p.BitLen() > 1024 && (scale < testscale.Full || tier != tiers[0] && scale == testscale.Full) {
					continue // a quarter of a minute in Go
				}
				f, err := bigprime.Open(p)
				require.NoError(t, err)
				t.Run(name, func(t *testing.T) {
					cfg := schemetest.Config[bigprime.Number]{MaxN: 32, Large: []int{1 << 7}, Bases: []int{4, 0},
						Workers: []int{1, 2}, MaxAllocs: -1}
					if p.BitLen() > 1024 {
						cfg.MaxN, cfg.Large = 8, []int{1 << 4}
					}
					schemetest.Run(t, f, cfg)
				})
			}
		})
	}
}

// Every field with schemes, base cases, orders and numbers of workers, at every power of two that it has. TestShared
// has two more.
func TestConformance(t *testing.T) {
	words, halves := schemetest.Config[uint64]{Large: large}, schemetest.Config[uint32]{Large: large}
	for name, run := range map[string]func(t *testing.T){
		"P1":         func(t *testing.T) { schemetest.Run(t, smallprime.P1(), halves) },
		"covanov":    func(t *testing.T) { schemetest.Run(t, smallprime.Covanov(), words) },
		"goldilocks": func(t *testing.T) { schemetest.Run(t, smallprime.Goldilocks(), words) },
		"p64":        func(t *testing.T) { schemetest.Run(t, smallprime.P64(), words) },
		"p30":        func(t *testing.T) { schemetest.Run(t, smallprime.P30(), halves) },
		"p32":        func(t *testing.T) { schemetest.Run(t, smallprime.P32(), halves) },
		"p63":        func(t *testing.T) { schemetest.Run(t, smallprime.P63(), words) },
		"Z17":        func(t *testing.T) { schemetest.Run(t, small(t, 17), schemetest.Config[uint32]{}) },
		"Z97":        func(t *testing.T) { schemetest.Run(t, small(t, 97), schemetest.Config[uint32]{}) },
		"Z257":       func(t *testing.T) { schemetest.Run(t, small(t, 257), schemetest.Config[uint32]{}) },
		"fermat": func(t *testing.T) {
			schemetest.Run(t, testfields.NewFermat(), schemetest.Config[uint32]{MaxN: all(t, 256, 4096)})
		},
		"montgomery": func(t *testing.T) { // words that are no vectors
			f, err := smallprime.Montgomery(1<<64 - 1<<32 + 1)
			require.NoError(t, err)
			schemetest.Run(t, f, schemetest.Config[uint64]{MaxN: 64, Large: []int{1 << 9, 1 << 12}})
		},
		"whole": func(t *testing.T) {
			cfg := words
			cfg.MaxN = all(t, 128, 256) // as long transforms by the definition take long
			schemetest.Run(t, testfields.Layers[uint64]{Rooted: smallprime.P62()}, cfg)
		},
		"affine": func(t *testing.T) {
			basis := []uint8{1, 2, 4, 8, 16, 32, 64, 128}
			schemetest.Run(t, testfields.Binary8{}, schemetest.Config[uint8]{Basis: basis})
		},
		"affine, Cantor": func(t *testing.T) { // z² + z of each vector is the one before
			schemetest.Run(t, testfields.Binary8{}, schemetest.Config[uint8]{Basis: cantor8()})
		},
		"pointers": func(t *testing.T) {
			f, err := testfields.NewBigInt(big.NewInt(1125899437080577))
			if err != nil {
				t.Fatal(err)
			}
			// math/big allocates in every product.
			schemetest.Run(t, f, schemetest.Config[testfields.Int]{MaxN: all(t, 64, 512),
				Large: []int{1 << 9, 1 << 10}[:all(t, 1, 2)], MaxAllocs: -1})
		},
	} {
		t.Run(name, run)
	}
}

// cantor8 is a Cantor basis of GF(2^8).
func cantor8() []uint8 {
	f, basis := testfields.Binary8{}, []uint8{1}
	for z := 1; len(basis) < 8; z++ {
		var x uint8
		y := uint8(z)
		f.Mul(&x, &y, &y)
		if f.Add(&x, &x, &y); x == basis[len(basis)-1] {
			basis, z = append(basis, y), 0
		}
	}
	return basis
}
