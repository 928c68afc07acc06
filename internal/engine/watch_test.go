package engine

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// An error inside a part of a call is one of the call, which stops.
func TestInside(t *testing.T) {
	c, err := &Call{Tasks: 1}, errors.New("no memory")
	c.ctx = t.Context()
	in := c.Inside(View{})
	require.False(t, in.Stopped())
	require.True(t, in.Failed(err))
	require.True(t, c.Stopped())
	require.True(t, in.Stopped())
	require.Equal(t, err, c.Err())
	require.Equal(t, err, in.Err())
	require.Equal(t, t.Context(), in.Context())
}
