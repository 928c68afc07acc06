package schemes_test

import (
	"math/big"
	"os"
	"testing"

	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes/schemetest"
)

func small(t *testing.T, p uint32) *smallprime.Field32 {
	f, err := smallprime.New32(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Word fields on every tier of kernels that this processor has, each arithmetic once; TestConformance has the active
// one, in full.
func TestTiers(t *testing.T) {
	for _, tier := range cpu.Present() {
		if tier == cpu.Active() {
			continue
		}
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer undo()
			words := schemetest.Config[uint64]{MaxN: 1 << 9, Large: []int{1 << 14}}
			halves := schemetest.Config[uint32]{MaxN: 1 << 9, Large: []int{1 << 14}}
			t.Run("p30", func(t *testing.T) { schemetest.Run(t, smallprime.P30(), halves) })
			t.Run("babybear", func(t *testing.T) { schemetest.Run(t, smallprime.BabyBear(), halves) })
			t.Run("p50", func(t *testing.T) { schemetest.Run(t, smallprime.P50(), words) })
			t.Run("p62", func(t *testing.T) { schemetest.Run(t, smallprime.P62(), words) })
			t.Run("p63", func(t *testing.T) { schemetest.Run(t, smallprime.P63(), words) })
			t.Run("p64", func(t *testing.T) { schemetest.Run(t, smallprime.P64(), words) })
			t.Run("goldilocks", func(t *testing.T) { schemetest.Run(t, smallprime.Goldilocks(), words) })
		})
	}
}

// Generalized Fermat primes of all numbers of digits, on tiles with the kernels of each tier and element by element.
func TestGFPF(t *testing.T) {
	top := cpu.Active()
	for _, tier := range cpu.Present() {
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer undo()
			t.Run("P2", func(t *testing.T) {
				schemetest.Run(t, gfpf.P2(), schemetest.Config[[4]uint64]{MaxN: 128, Large: []int{1 << 10}, Bases: []int{2, 8, 0}})
			})
			if testing.Short() || tier != top {
				return
			}
			t.Run("P1", func(t *testing.T) {
				schemetest.Run(t, gfpf.P1(), schemetest.Config[[2]uint64]{MaxN: 256, Large: []int{1 << 12}, Workers: []int{1, 2}})
			})
			t.Run("k8", func(t *testing.T) {
				schemetest.Run(t, gfpf.K8(), schemetest.Config[[8]uint64]{MaxN: 128, Large: []int{1 << 11}, Bases: []int{4, 16, 0}, Workers: []int{1, 2}})
			})
			t.Run("P4", func(t *testing.T) {
				schemetest.Run(t, gfpf.P4(), schemetest.Config[[16]uint64]{MaxN: 128, Large: []int{1 << 10}, Bases: []int{8, 0}, Workers: []int{1, 2}})
			})
			t.Run("k32", func(t *testing.T) {
				schemetest.Run(t, gfpf.K32(), schemetest.Config[[32]uint64]{MaxN: 64, Large: []int{1 << 8}, Bases: []int{16}, Workers: []int{2}})
			})
			t.Run("P6", func(t *testing.T) {
				if os.Getenv("FFT_TEST_SCALE") == "" {
					t.Skip("two minutes, for the naive transforms: set FFT_TEST_SCALE=1")
				}
				schemetest.Run(t, gfpf.P6(), schemetest.Config[[64]uint64]{MaxN: 64, Large: []int{1 << 7}, Bases: []int{0}, Workers: []int{1, 2}})
			})
		})
	}
}

// Every field with every scheme, base case, order and number of workers, at every power of two that it has.
func TestConformance(t *testing.T) {
	words := schemetest.Config[uint64]{Large: []int{1 << 14, 1 << 17}}
	halves := schemetest.Config[uint32]{Large: []int{1 << 14, 1 << 17}}
	for name, run := range map[string]func(t *testing.T){
		"P1":         func(t *testing.T) { schemetest.Run(t, smallprime.P1(), halves) },
		"p50":        func(t *testing.T) { schemetest.Run(t, smallprime.P50(), words) },
		"covanov":    func(t *testing.T) { schemetest.Run(t, smallprime.Covanov(), words) },
		"goldilocks": func(t *testing.T) { schemetest.Run(t, smallprime.Goldilocks(), words) },
		"p64":        func(t *testing.T) { schemetest.Run(t, smallprime.P64(), words) },
		"p30":        func(t *testing.T) { schemetest.Run(t, smallprime.P30(), halves) },
		"p63":        func(t *testing.T) { schemetest.Run(t, smallprime.P63(), words) },
		"Z17":        func(t *testing.T) { schemetest.Run(t, small(t, 17), schemetest.Config[uint32]{}) },
		"Z97":        func(t *testing.T) { schemetest.Run(t, small(t, 97), schemetest.Config[uint32]{}) },
		"Z257":       func(t *testing.T) { schemetest.Run(t, small(t, 257), schemetest.Config[uint32]{}) },
		"fermat":     func(t *testing.T) { schemetest.Run(t, testfields.NewFermat(), schemetest.Config[uint32]{}) },
		"tiles": func(t *testing.T) {
			schemetest.Run(t, testfields.NewTile256(), schemetest.Config[[4]uint64]{MaxN: 1024, Large: []int{1 << 13}})
		},
		"pointers": func(t *testing.T) {
			f, err := testfields.NewBigInt(big.NewInt(1125899437080577))
			if err != nil {
				t.Fatal(err)
			}
			// math/big allocates in every product.
			schemetest.Run(t, f, schemetest.Config[testfields.Int]{MaxN: 1024, MaxAllocs: 1e9})
		},
	} {
		t.Run(name, run)
	}
}
