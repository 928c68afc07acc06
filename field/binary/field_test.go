package binary

import (
	"testing"

	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// conforms runs the suites of fields and of transforms over the field's own subspaces.
func conforms[E Elements](t *testing.T, f *Field[E], transforms bool, orders ...uint64) {
	t.Run(f.Name(), func(t *testing.T) {
		fieldtest.Run(t, f, fieldtest.Config[E]{RootOrders: orders})
		if !transforms {
			return
		}
		basis := make([]E, min(f.core.m, 12))
		require.NoError(t, f.Subspace(basis))
		c := schemetest.Config[E]{Basis: basis, MaxN: 64}
		if f.core.kind == number {
			c.MaxAllocs = -1
		}
		schemetest.Run(t, f, c)
	})
}

// Fields of one word, of several, in towers, with moduli of few terms or many conform, and so do transforms over them.
// There are three types of elements, because each takes time to compile.
func TestConform(t *testing.T) {
	conforms(t, AES(), true, 3, 5, 17, 255)
	conforms(t, must(NewTower[uint8](8)), false, 255)
	conforms(t, must(New[uint64](64)), true, 3*5, 641, 6700417, 1<<64-1)
	conforms(t, must(New[Number](95)), true, 31, 191, 524287)
	conforms(t, must(NewTower[Number](128)), false, 3, 257, 65537)
	if testscale.Of(t) >= testscale.Full {
		conforms(t, RAID6(), false, 255)
		conforms(t, must(NewTower[uint64](64)), false, 641)
		conforms(t, must(NewModulus[Number](POLYVAL().Modulus())), false, 3, 257, 65537)
		for _, m := range []int{2, 3, 33, 63, 65, 163, 192, 571, 1024, 2048} {
			conforms(t, must(New[Number](m)), false)
		}
	}
}
