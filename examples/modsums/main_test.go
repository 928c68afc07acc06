package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

func Example() {
	main()
	// Output: 1000 sums of 2048 bits, 0 wrong
}

func TestWidths(t *testing.T) {
	for _, bits := range []int{32, 96, 1056} {
		wrong, err := run(t.Context(), bits, 9)
		require.NoError(t, err)
		require.Zero(t, wrong)
	}
	_, err := run(t.Context(), 33, 9)
	require.ErrorIs(t, err, field.ErrSpec)
}
