//go:build cgo && gmp

package gmp

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/integer"
	"github.com/stretchr/testify/require"
)

func open[E bigprime.Words](t testing.TB, p *big.Int) *Field[E] {
	f, err := New[E](p)
	require.NoError(t, err)
	return f
}

func parse(t testing.TB, text string) *big.Int {
	p, ok := integer.Parse(text)
	require.True(t, ok)
	return p
}

func conforms[E bigprime.Words](t *testing.T, name string, p *big.Int) {
	t.Run(name, func(t *testing.T) {
		f := open[E](t, p)
		fieldtest.Run(t, f, fieldtest.Config[E]{})
		fieldtest.RunBulk(t, f, f.bulk, fieldtest.Config[E]{})
	})
}

func TestConformance(t *testing.T) {
	conforms[[2]uint64](t, "P2", bigprime.P2().Order())
	conforms[[4]uint64](t, "bn254", bigprime.BN254().Order())
}
