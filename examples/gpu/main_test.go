package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/emulator"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// It runs on a device, an emulated one where there is no other, and without.
func Example() {
	main()
	// Output:
	// 2097151 coefficients; the one of x^1500000 is right: true
	// 4 squares; their coefficients of x^1500 are right: true
}

func TestWithoutDevice(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^Example$")
	c.Env = append(os.Environ(), emulator.Variable+"=/nonexistent")
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "on the processor: no CUDA driver or device: ")
}
