package schemes_test

import (
	"testing"

	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes/schemetest"
)

// large is the lengths of long transforms over fields of words.
var large = []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 17}

// all is what tests take at full scale, and few what they take by default.
func all[T any](t *testing.T, few, all T) T {
	if testscale.Of(t) >= testscale.Full {
		return all
	}
	return few
}

// Words by kernels, and tiles of elements: TestConformance of the fields that show what goroutines share. The race
// detector's leg of .ci/run compiles this file alone, without the other types of elements.
func TestShared(t *testing.T) {
	t.Run("p50", func(t *testing.T) { schemetest.Run(t, smallprime.P50(), schemetest.Config[uint64]{Large: large}) })
	t.Run("tiles", func(t *testing.T) {
		schemetest.Run(t, testfields.NewPlain256(), schemetest.Config[[4]uint64]{MaxN: all(t, 256, 512),
			Large: []int{1 << 9, 1 << 10, 1 << 13}})
	})
}
