//go:build full

package tune

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/pin"
)

var (
	calibrating = flag.Bool("calibrate", false, "measure base cases here, print them, and write them to docs/tuning.md")
	small       = flag.Bool("small", false, "with -calibrate: short lengths for a moment, and no document, as CI does")
)

// TestCalibrate prints the times of schemes by base case and length, and what tuning chooses:
//
//	go test -tags full ./tune -run Calibrate -calibrate -v -commit $(git rev-parse --short HEAD)
func TestCalibrate(t *testing.T) {
	if !*calibrating {
		t.Skip("-calibrate measures for minutes, and writes docs/tuning.md")
	}
	o := Options{Lengths: []int{1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16}, Effort: Thorough,
		TimeLimit: time.Minute}
	slot, docs := 100*time.Millisecond, "../docs"
	if *small {
		o, slot, docs = Options{Lengths: []int{16, 64}}, 0, t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(docs, "tuning.md"), []byte(from+to), 0o666))
	}
	var sheets []sheet
	runner, err := pin.New(1)
	require.NoError(t, err)
	defer runner.Close()
	for _, measure := range []func() (sheet, error){
		func() (sheet, error) { return calibrate(smallprime.P30(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.BabyBear(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.P32(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.P50(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.P62(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.P63(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.P64(), o, slot) },
		func() (sheet, error) { return calibrate(smallprime.Goldilocks(), o, slot) },
		func() (sheet, error) { return calibrate(gfpf.P1(), o, slot) },
		func() (sheet, error) { return calibrate(gfpf.K4(), o, slot) },
		func() (sheet, error) { return calibrate(gfpf.K8(), o, slot) },
		func() (sheet, error) { return calibrate(gfpf.K16(), o, slot) },
		func() (sheet, error) { return calibrate(gfpf.K32(), o, slot) },
		func() (sheet, error) { return calibrate(gfpf.P6(), o, slot) },
		func() (sheet, error) { return calibrate(bigprime.P2(), o, slot) },
		func() (sheet, error) { return calibrate(bigprime.BN254(), o, slot) },
	} {
		var s sheet
		require.NoError(t, runner.Do(func() { s, err = measure() }))
		require.NoError(t, err)
		require.NotEmpty(t, s.rows, s.field)
		require.NotEmpty(t, s.chosen, s.field)
		s.print(os.Stdout)
		sheets = append(sheets, s)
	}
	require.NoError(t, publish(docs, sheets))
}
