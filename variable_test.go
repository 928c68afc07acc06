package fft_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
)

// A tier that is asked for and is not there stands in the report. The variable counts at the start of a program.
func TestVariable(t *testing.T) {
	const set = "GALFFT_CPU=sse2"
	if name, value, _ := strings.Cut(set, "="); os.Getenv(name) != value {
		cmd := exec.Command(os.Args[0], "-test.run=^TestVariable$")
		cmd.Env = append(os.Environ(), set)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	p, err := fft.NewPlan(smallprime.P62(), 8)
	require.NoError(t, err)
	require.Contains(t, p.Report().Ignored, set)
	var b strings.Builder
	require.NoError(t, p.Explain(&b))
	require.Contains(t, b.String(), "ignored  "+set)
}
