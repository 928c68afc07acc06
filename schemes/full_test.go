//go:build full

package schemes_test

import (
	"testing"

	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes/schemetest"
)

// Generalized Fermat primes of all numbers of digits.
func TestAllGFPF(t *testing.T) {
	if cpu.Active() == cpu.Generic {
		t.Skip("the definition without kernels takes minutes")
	}
	t.Run("P1", func(t *testing.T) {
		schemetest.Run(t, gfpf.P1(), schemetest.Config[[2]uint64]{MaxN: 256, Large: []int{1 << 12},
			Workers: []int{1, 2}})
	})
	t.Run("k8", func(t *testing.T) {
		schemetest.Run(t, gfpf.K8(), schemetest.Config[[8]uint64]{MaxN: 128, Large: []int{1 << 11},
			Bases: []int{4, 16, 0}, Workers: []int{1, 2}})
	})
	t.Run("P4", func(t *testing.T) {
		schemetest.Run(t, gfpf.P4(), schemetest.Config[[16]uint64]{MaxN: 128, Large: []int{1 << 10},
			Bases: []int{8, 0}, Workers: []int{1, 2}})
	})
	t.Run("k32", func(t *testing.T) {
		schemetest.Run(t, gfpf.K32(), schemetest.Config[[32]uint64]{MaxN: 64, Large: []int{1 << 8}, Bases: []int{16},
			Workers: []int{2}})
	})
	t.Run("P6", func(t *testing.T) {
		schemetest.Run(t, gfpf.P6(), schemetest.Config[[64]uint64]{MaxN: 16, Large: []int{1 << 5, 1 << 7},
			Bases: []int{0}, Workers: []int{1, 2}})
	})
}

func TestAllManyWorkers(t *testing.T) { many[[8]uint64](t, gfpf.K8(), 1<<10) }

func TestAllProductCounts(t *testing.T) {
	countProducts(t, gfpf.K8(), map[int]int64{256: 208, 4096: 7136})
	countProducts(t, gfpf.K16(), map[int]int64{1024: 912, 32768: 60848})
	countProducts(t, gfpf.K32(), map[int]int64{4096: 3840})
	if testscale.Of(t) > testscale.Full { // half a minute
		countProducts(t, gfpf.K32(), map[int]int64{262144: 503616})
	}
}
