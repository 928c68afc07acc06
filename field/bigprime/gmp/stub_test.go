//go:build !cgo || !gmp

package gmp

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/stretchr/testify/require"
)

// Without GMP, constructors say so.
func TestUnavailable(t *testing.T) {
	require.False(t, Available)
	_, err := Of(bigprime.P2())
	require.ErrorIs(t, err, ErrUnavailable)
	require.ErrorContains(t, err, "-tags gmp")
	_, err = New[[2]uint64](bigprime.P2().Order())
	require.ErrorIs(t, err, ErrUnavailable)
	_, err = GFPF(gfpf.P3())
	require.ErrorIs(t, err, ErrUnavailable)
	_, err = Of[[2]uint64](nil)
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorIs(t, new(Field[[2]uint64]).Check(), field.ErrSpec)
}
