package schemetest

import (
	"os"
	"os/exec"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

// TestNils runs itself with a field that is none: the suite says so.
func TestNils(t *testing.T) {
	const variable = "SCHEMETEST_NIL"
	if os.Getenv(variable) != "" {
		Run(t, field.ElementsOnly[uint64](nil), Config[uint64]{})
		return
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run=^TestNils$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), field.ErrSpec.Error())
	require.NotContains(t, string(out), "panic")
}
