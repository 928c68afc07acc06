//go:build amd64 && !purego

package rate

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/cpu"
)

// Every lane is twelve times what it was and the products of its own number.
func TestKernels(t *testing.T) {
	number := func(x uint64) uint64 { return x }
	for _, k := range []struct {
		name  string
		tier  cpu.Tier
		lanes int
		of    func(x uint64) uint64 // the form of a number
		run   func(z, x *uint64, steps int)
	}{
		{"fmaAVX2", cpu.AVX2, 4, double, fmaAVX2},
		{"fmaAVX512", cpu.AVX512, 8, double, fmaAVX512},
		{"madd52IFMA", cpu.IFMA, 8, number, madd52IFMA},
	} {
		t.Run(k.name, func(t *testing.T) {
			if !slices.Contains(cpu.Present(), k.tier) {
				t.Skip("the processor lacks ", k.tier)
			}
			for _, steps := range []int{1, 2, 1000} {
				var z, x, want [8]uint64
				for i := range uint64(k.lanes) {
					z[i], x[i], want[i] = k.of(3*i+1), k.of(i+1), k.of(chains*(3*i+1+uint64(steps)*(i+1)*(i+1)))
				}
				k.run(&z[0], &x[0], steps)
				require.Equal(t, want, z, steps)
			}
		})
	}
}

func double(x uint64) uint64 { return math.Float64bits(float64(x)) }
