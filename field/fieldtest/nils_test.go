package fieldtest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/stretchr/testify/require"
)

// TestNils runs itself with fields that are none: the suites say so.
func TestNils(t *testing.T) {
	const variable = "FIELDTEST_NIL"
	if os.Getenv(variable) != "" {
		t.Run("field", func(t *testing.T) { Run(t, (*word)(nil), Config[uint64]{}) })
		t.Run("bulk", func(t *testing.T) { RunBulk[uint64](t, nil, &bulks.Slices[uint64]{}, Config[uint64]{}) })
		return
	}
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe, "-test.run=^TestNils$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 2, strings.Count(string(out), field.ErrSpec.Error()), "%s", out)
	require.NotContains(t, string(out), "panic")
}
