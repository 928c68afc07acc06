package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLimit(t *testing.T) { require.Greater(t, Limit(), 1<<20) }

func TestMemTotal(t *testing.T) {
	kb, ok := memTotal([]byte("MemFree:  17 kB\nMemTotal:       24689764 kB\nBuffers: 3 kB\n"))
	require.True(t, ok)
	require.Equal(t, 24689764, kb)
	for _, s := range []string{"", "MemTotal:", "MemTotal: x kB", "MemTotal: 99999999999999999999999 kB"} {
		_, ok := memTotal([]byte(s))
		require.False(t, ok, "%q", s)
	}
}
