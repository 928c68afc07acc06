package gpu_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	// The emulated device looks at all memory that nobody has freed, after each kernel.
	debug.SetGCPercent(10)
	os.Exit(emulator.Main(m))
}

// conforms runs all suites over f on a device.
func conforms[E any](t *testing.T, f field.Rooted[E], cfg schemetest.Config[E]) {
	emulator.Need(t)
	g, err := gpu.Field(f)
	require.NoError(t, err)
	t.Run("field", func(t *testing.T) { fieldtest.Run(t, g, fieldtest.Config[E]{}) })
	t.Run("bulk", func(t *testing.T) { fieldtest.RunBulk(t, g, g.Bulk(), fieldtest.Config[E]{}) })
	t.Run("schemes", func(t *testing.T) { schemetest.Run(t, g, cfg) })
}

func TestConformance(t *testing.T) {
	words := schemetest.Config[uint64]{MaxN: 16, MaxAllocs: -1}
	halves := schemetest.Config[uint32]{MaxN: 16, MaxAllocs: -1}
	t.Run("goldilocks", func(t *testing.T) { conforms(t, smallprime.Goldilocks(), words) })
	t.Run("p62", func(t *testing.T) { conforms(t, smallprime.P62(), words) })
	t.Run("p64", func(t *testing.T) { conforms(t, smallprime.P64(), words) })
	t.Run("p30", func(t *testing.T) { conforms(t, smallprime.P30(), halves) })
	t.Run("babybear", func(t *testing.T) { conforms(t, smallprime.BabyBear(), halves) })
	t.Run("P2", func(t *testing.T) { conforms(t, gfpf.P2(), digits[[4]uint64]()) })
	t.Run("P3", func(t *testing.T) { conforms(t, gfpf.P3(), digits[[8]uint64]()) })
}

// digits is for primes of many words, whose kernels take longer.
func digits[E any]() schemetest.Config[E] {
	return schemetest.Config[E]{MaxN: 8, Bases: []int{2, 4, 0}, Workers: []int{1, 3}, MaxAllocs: -1}
}
