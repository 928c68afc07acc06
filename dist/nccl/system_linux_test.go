//go:build amd64 || arm64

package nccl

import (
	"testing"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/require"
)

// getenv is C's view of a variable.
func getenv(t *testing.T, name string) string {
	f, err := purego.Dlsym(purego.RTLD_DEFAULT, "getenv")
	require.NoError(t, err)
	b := append([]byte(name), 0)
	return goString(invoke(f, address(&b[0])))
}

// emulated is how many communicators the emulated library has.
func emulated(t *testing.T, file string) int {
	handle, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	require.NoError(t, err)
	f, err := purego.Dlsym(handle, "emulatedCommunicators")
	require.NoError(t, err)
	return int(int32(invoke(f)))
}
