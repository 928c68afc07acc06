//go:build cgo && gmp

package literal

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

func TestNCW(t *testing.T) {
	f, err := NCW(smallprime.Goldilocks())
	conforms(t, f, err)
	same(t, smallprime.Goldilocks(), f)
	f, err = NCW(bigprime.P2())
	conforms(t, f, err)
	same(t, bigprime.P2(), f)
	require.Equal(t, "ncw:P2", f.Name())
}

var nilsNCW = nils.Is(field.ErrSpec, func() error { _, err := NCW[uint64](nil); return err },
	func() error { _, err := NCW(new(bigprime.Field[[2]uint64])); return err })
