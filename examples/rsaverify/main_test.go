package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The signature that was changed is found, and no other.
func TestRun(t *testing.T) {
	wrong, err := run(t.Context(), 1024, 2, 11)
	require.NoError(t, err)
	require.Equal(t, []int{5}, wrong)
	_, err = run(t.Context(), 1024, 0, 1)
	require.Error(t, err)
}
