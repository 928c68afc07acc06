package bigprime

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field/fieldtest"
	"github.com/stretchr/testify/require"
)

func conforms[E Words](t *testing.T, f *Field[E]) {
	t.Run(f.Name(), func(t *testing.T) {
		fieldtest.Run(t, f, fieldtest.Config[E]{})
		fieldtest.RunBulk(t, f, f.prime.bulk, fieldtest.Config[E]{})
	})
}

func TestConformance(t *testing.T) {
	conforms(t, P2())
	conforms(t, BN254())
	conforms(t, BLS12381())
	conforms(t, BLS12377())
	conforms(t, Stark252())
	conforms(t, Pallas())
	conforms(t, Vesta())
	conforms(t, Secp256k1())
}

func TestBuild(t *testing.T) {
	p, _ := new(big.Int).SetString("1", 10)
	p.Lsh(p, 521).Sub(p, big.NewInt(1))
	f, err := New[[10]uint64](p)
	require.NoError(t, err)
	conforms(t, f)
}
