package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
)

func TestField(t *testing.T) {
	fieldtest.Run(t, complexField{}, fieldtest.Config[number]{
		Random:     func(z *number, r *rand.Rand) { *z = number{r.Uint64N(p), r.Uint64N(p)} },
		Edge:       []number{{0, 1}, {0, p - 1}, {p - 1, p - 1}, {1, 2}, {1 << 30, 1}},
		RootOrders: []uint64{2, 1 << 16, 1 << 32},
	})
}

// TestRoots finds roots of every power of two up to 2³², and no others.
func TestRoots(t *testing.T) {
	for k := range 64 {
		z := number{3, 4}
		err := complexField{}.RootOfUnity(&z, 1<<k)
		if k <= 32 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, field.ErrNoRoot)
			require.Equal(t, number{3, 4}, z)
		}
	}
}

func Example() {
	main()
	// Output:
	// x(1) = {2147450880 1431710377}
	// round trip: true
}

func TestLength(t *testing.T) {
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	require.LessOrEqual(t, bytes.Count(source, []byte("\n")), 60)
}
