package fieldtest

import (
	"context"
	"math"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
)

// The fields below have one method of an optional contract that is wrong.
type (
	looksAtOne  struct{ *smallprime.Field32 }
	costsNaN    struct{ *smallprime.Field32 }
	forgetsSign struct{ *smallprime.Field32 }
	writesRoot  struct {
		*bigprime.Field[[4]uint64]
	}
	sameVectors struct{ *binary.Field[uint16] }
	endless     struct{ *binary.Field[uint16] }
)

func (f looksAtOne) FirstInvalid(x []uint32) int { return f.Field32.FirstInvalid(x[:min(1, len(x))]) }

func (costsNaN) ConvolutionCost(int) float64 { return math.NaN() }

func (f forgetsSign) Convolution(n int, _ bool, s field.Spec) (field.Convolution[uint32], error) {
	return f.Field32.Convolution(n, false, s)
}

func (f writesRoot) RootOfUnityContext(ctx context.Context, z *[4]uint64, n uint64) error {
	*z = [4]uint64{}
	return f.Field.RootOfUnityContext(ctx, z, n)
}

func (f sameVectors) Subspace(b []uint16) error {
	err := f.Field.Subspace(b)
	if err == nil && len(b) > 3 {
		b[3] = b[0] ^ b[1]
	}
	return err
}

func (f endless) Subspace(b []uint16) error { return f.Field.Subspace(b[:min(len(b), 16)]) }

func TestBrokenOffers(t *testing.T) {
	word := smallprime.BabyBear()
	gf, err := binary.New[uint16](16)
	if err != nil {
		t.Fatal(err)
	}
	broken := func(name, check string, checks []check) {
		t.Run(name, func(t *testing.T) { requireBroken(t, checks, check) })
	}
	of := func(f field.Field[uint32]) []check { return newSuite(f, Config[uint32]{}, 1).checks() }
	broken("one element is looked at", "RangeChecker", of(looksAtOne{word}))
	broken("a cost is no number", "Convolver", of(costsNaN{word}))
	broken("all products are cyclic", "Convolver", of(forgetsSign{word}))
	broken("a root that is none is 0", "ContextRoots",
		newSuite(field.Field[[4]uint64](writesRoot{bigprime.BN254()}), Config[[4]uint64]{}, 1).checks())
	of16 := func(f field.Field[uint16]) []check { return newSuite(f, Config[uint16]{}, 1).checks() }
	broken("vectors depend on each other", "Subspaces", of16(sameVectors{gf}))
	broken("more dimensions than there are", "Subspaces", of16(endless{gf}))
}
