package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLimit(t *testing.T) { require.Greater(t, Limit(), 1<<20) }

func TestSystem(t *testing.T) {
	n, ok := system()
	require.Equal(t, ok, n > 1<<20, "%d bytes", n)
}
