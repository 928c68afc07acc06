package fieldtest

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
)

// The fields below have one method of an optional contract that is wrong.
type (
	looksAtOne  struct{ *smallprime.Field32 }
	costsNaN    struct{ *smallprime.Field32 }
	forgetsSign struct{ *smallprime.Field32 }
	writesRoot  struct{ *smallprime.Field32 }
	spans       struct{ testfields.Binary8 } // nothing is wrong
	sameVectors struct{ testfields.Binary8 }
	endless     struct{ testfields.Binary8 }
)

func (f looksAtOne) FirstInvalid(x []uint32) int { return f.Field32.FirstInvalid(x[:min(1, len(x))]) }

func (costsNaN) ConvolutionCost(int) float64 { return math.NaN() }

func (f forgetsSign) Convolution(n int, _ bool, s field.Spec) (field.Convolution[uint32], error) {
	return f.Field32.Convolution(n, false, s)
}

func (f writesRoot) RootOfUnityContext(ctx context.Context, z *uint32, n uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	*z = 0
	return f.Field32.RootOfUnity(z, n)
}

func (spans) Subspace(b []uint8) error { return powers(b) }

func (sameVectors) Subspace(b []uint8) error {
	err := powers(b)
	if err == nil && len(b) > 3 {
		b[3] = b[0] ^ b[1]
	}
	return err
}

func (endless) Subspace(b []uint8) error { return powers(b[:min(len(b), 8)]) }

// powers sets b to 1, x, x^2, ….
func powers(b []uint8) error {
	if len(b) > 8 {
		return field.ErrLength
	}
	for i := range b {
		b[i] = 1 << i
	}
	return nil
}

func TestBrokenOffers(t *testing.T) {
	word := smallprime.BabyBear()
	broken := func(name, check string, checks []check) {
		t.Run(name, func(t *testing.T) { requireBroken(t, checks, check) })
	}
	of := func(f field.Field[uint32]) []check { return newSuite(f, Config[uint32]{}, 1).checks() }
	broken("one element is looked at", "RangeChecker", of(looksAtOne{word}))
	broken("a cost is no number", "Convolver", of(costsNaN{word}))
	broken("all products are cyclic", "Convolver", of(forgetsSign{word}))
	broken("a root that is none is 0", "ContextRoots", of(writesRoot{word}))
	of8 := func(f field.Field[uint8]) []check { return newSuite(f, Config[uint8]{}, 1).checks() }
	require.NoError(t, outcome(t, of8(spans{}), "Subspaces"))
	broken("vectors depend on each other", "Subspaces", of8(sameVectors{}))
	broken("more dimensions than there are", "Subspaces", of8(endless{}))
}
