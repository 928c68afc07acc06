package gpu

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	// The emulated device looks at all memory that nobody has freed, after each kernel.
	debug.SetGCPercent(10)
	if os.Getenv(listKernels) == "" {
		os.Exit(emulator.Main(m, "internal/measuring"))
	}
	launches, mu := map[string]int{}, sync.Mutex{}
	device.Watch(func(kernel string) {
		mu.Lock()
		defer mu.Unlock()
		launches[kernel]++
	})
	code := emulator.Main(m, "internal/measuring")
	for _, module := range cuda.Modules() {
		for _, kernel := range cuda.Open(module).Kernels() {
			fmt.Printf("kernel %s %s %d\n", module, kernel, launches[kernel])
		}
	}
	os.Exit(code)
}

// listKernels is the environment variable with which tests print at their end all kernels by their modules, each with
// how often it was launched, or recorded.
const listKernels = "GALFFT_LIST_KERNELS"

// conforms runs the suites over f on a device. On the emulated one, that of schemes runs only with always, and not with
// all cases: those take half an hour.
func conforms[E any](t *testing.T, f field.Rooted[E], cfg schemetest.Config[E], always bool) {
	emulator.Long(t)
	g, err := Field(f)
	require.NoError(t, err)
	t.Run("field", func(t *testing.T) { fieldtest.Run(t, g, fieldtest.Config[E]{}) })
	t.Run("bulk", func(t *testing.T) { fieldtest.RunBulk(t, g, g.Bulk(), fieldtest.Config[E]{}) })
	if !emulator.Emulates() || always && testscale.Of(t) < testscale.Full {
		t.Run("schemes", func(t *testing.T) { schemetest.Run(t, g, cfg) })
	}
}

func TestConformance(t *testing.T) {
	words, halves := schemetest.Config[uint64]{MaxN: 16}, schemetest.Config[uint32]{MaxN: 16}
	p32, err := smallprime.New32(3221225473)
	require.NoError(t, err)
	t.Run("goldilocks", func(t *testing.T) { conforms(t, smallprime.Goldilocks(), words, true) })
	t.Run("p62", func(t *testing.T) { conforms(t, smallprime.P62(), words, false) })
	t.Run("p64", func(t *testing.T) { conforms(t, smallprime.P64(), words, false) })
	t.Run("p30", func(t *testing.T) { conforms(t, smallprime.P30(), halves, false) })
	t.Run("babybear", func(t *testing.T) { conforms(t, smallprime.BabyBear(), halves, true) })
	t.Run("p32", func(t *testing.T) { conforms(t, p32, halves, false) })
	t.Run("P2", func(t *testing.T) { conforms(t, gfpf.P2(), digitsConfig[[4]uint64](), false) })
	t.Run("P3", func(t *testing.T) { conforms(t, gfpf.P3(), digitsConfig[[8]uint64](), true) })
}

// digitsConfig is for primes of many words, whose kernels take longer.
func digitsConfig[E any]() schemetest.Config[E] {
	return schemetest.Config[E]{MaxN: 8, Bases: []int{2, 4, 0}, Workers: []int{1, 3}}
}
