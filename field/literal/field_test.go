package literal

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

// conforms runs the suites over f, whose library allocates in each operation.
func conforms[I any, P integer[I]](t *testing.T, f *Field[I, P], err error) {
	require.NoError(t, err)
	t.Run(f.Name(), func(t *testing.T) {
		fieldtest.Run(t, f, fieldtest.Config[Int[I]]{})
		schemetest.Run(t, f, schemetest.Config[Int[I]]{MaxN: 16, Large: []int{64}, Workers: []int{1, 2}, MaxAllocs: -1})
	})
}

// same compares f with the field that it was made of.
func same[E any, I any, P integer[I]](t *testing.T, of Residues[E], f *Field[I, P]) {
	for _, n := range []uint64{1, 2, 64, 1 << 20} {
		var root E
		var got Int[I]
		require.NoError(t, of.RootOfUnity(&root, n))
		require.NoError(t, f.RootOfUnity(&got, n))
		require.Equal(t, of.Big(nil, &root), f.Big(nil, &got))
		require.Equal(t, of.AppendText(nil, &root), f.AppendText(nil, &got))
	}
	require.Equal(t, of.Characteristic(), f.Characteristic())
}

func TestBig(t *testing.T) {
	f, err := Big(smallprime.Goldilocks())
	conforms(t, f, err)
	same(t, smallprime.Goldilocks(), f)
	f, err = Big(bigprime.P2())
	conforms(t, f, err)
	same(t, bigprime.P2(), f)
	require.Equal(t, "big:P2", f.Name())
}

// squared says that it has as many elements as p².
type squared struct{ *smallprime.Field64 }

func (f squared) Order() *big.Int { return new(big.Int).Exp(f.Characteristic(), big.NewInt(2), nil) }

func TestPrimeOrder(t *testing.T) {
	_, err := Big(squared{smallprime.P62()})
	require.ErrorIs(t, err, field.ErrModulus)
}
