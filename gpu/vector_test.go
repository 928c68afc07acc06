package gpu

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// elementsOf is elements on the device, without a plan.
func elementsOf[E any](t *testing.T, g *DeviceField[E], a []E) field.Vec {
	v, err := g.NewVec(len(a))
	require.NoError(t, err)
	require.Equal(t, len(a), v.Len())
	require.NoError(t, g.LoadVec(v, a))
	return v
}

// withoutPlan compares operations on vectors without a plan with those of elements.
func withoutPlan[E any](t *testing.T, f field.Rooted[E]) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 5))
	_, two := f.(interface{ Trace(x *E) uint })
	for _, n := range []int{0, 1, 77, 300} {
		x, y := operands(f, r, n)
		for name, op := range map[string]struct {
			vectors  func(z, x, y field.Vec) error
			elements func(z, x, y *E)
			binary   bool
		}{
			"sum":        {AddVec, f.Add, false},
			"difference": {SubVec, f.Sub, false},
			"product":    {MulVec, f.Mul, false},
			"square": {func(z, x, _ field.Vec) error { return SquareVec(z, x) },
				func(z, x, _ *E) { f.Mul(z, x, x) }, true},
			"inverse": {func(z, x, _ field.Vec) error { return InvVec(z, x) }, func(z, x, _ *E) {
				if f.Inv(z, x) != nil {
					f.Sub(z, x, x)
				}
			}, true},
		} {
			z, a, b := elementsOf(t, g, make([]E, n)), elementsOf(t, g, x), elementsOf(t, g, y)
			if op.binary && !two {
				require.ErrorIs(t, op.vectors(z, a, b), field.ErrSpec)
				continue
			}
			got, want := make([]E, n), make([]E, n)
			for i := range want {
				op.elements(&want[i], &x[i], &y[i])
			}
			require.NoError(t, op.vectors(z, a, b))
			require.NoError(t, g.StoreVec(got, z))
			require.True(t, slicesEqual(f, got, want), "%s of %d", name, n)
			require.NoError(t, op.vectors(a, a, b)) // in place
			require.NoError(t, g.StoreVec(got, a))
			require.True(t, slicesEqual(f, got, want), "%s of %d in place", name, n)
			shared, before := slices.Clone(x), make([]E, n)
			for i := range x {
				f.Set(&before[i], &x[i])
			}
			require.NoError(t, g.StoreVec(shared, z))
			require.True(t, slicesEqual(f, x, before), "%s stored to copies of x", name)
			for _, v := range []field.Vec{z, a, b} {
				require.NoError(t, v.Close())
				require.ErrorIs(t, v.Close(), field.ErrVec)
			}
		}
	}
}

func TestVectorsWithoutPlan(t *testing.T) {
	t.Run("goldilocks", func(t *testing.T) { withoutPlan[uint64](t, smallprime.Goldilocks()) })
	t.Run("babybear", func(t *testing.T) { withoutPlan(t, smallprime.BabyBear()) })
	t.Run("P3", func(t *testing.T) { withoutPlan(t, gfpf.P3()) })
	t.Run("gf2:32", func(t *testing.T) { withoutPlan(t, ofGF2[uint32](t, 32)) })
	t.Run("gf2:64", func(t *testing.T) { withoutPlan(t, ofGF2[uint64](t, 64)) })
	t.Run("ghash", func(t *testing.T) { withoutPlan(t, binary.GHASH()) })
	t.Run("polyval", func(t *testing.T) { withoutPlan(t, binary.POLYVAL()) })
	t.Run("gf2:256", func(t *testing.T) { withoutPlan(t, ofGF2[[4]uint64](t, 256)) })
	for _, m := range []int{5, 16, 32, 61, 95, 368} {
		f := ofGF2[binary.Number](t, m)
		t.Run("numbers of "+f.Name(), func(t *testing.T) { withoutPlan(t, f) })
	}
}

func ofGF2[E binary.Elements](t *testing.T, m int) *binary.Field[E] {
	f, err := binary.New[E](m)
	require.NoError(t, err)
	return f
}

// Products of 64 bits from elsewhere: those of the additive FFT's specification.
func TestVectorsGF2Known(t *testing.T) {
	emulator.Need(t)
	g, err := Field(ofGF2[uint64](t, 64))
	require.NoError(t, err)
	x := elementsOf(t, g, []uint64{0x910a2dec89025cc1, 0x910a2dec89025cc1, 2})
	y := elementsOf(t, g, []uint64{0x910a2dec89025cc1, 1, 1 << 63})
	require.NoError(t, MulVec(x, x, y))
	got := make([]uint64, 3)
	require.NoError(t, g.StoreVec(got, x))
	require.Equal(t, []uint64{0x9b5a06a87a3c4b2b, 0x910a2dec89025cc1, 0x1b}, got)
}

// What is no vector of the field, or not of the others' length, is an error, and so are elements that are none.
func TestVectorsWithoutPlanErrors(t *testing.T) {
	emulator.Need(t)
	g, err := Field(ofGF2[uint64](t, 63))
	require.NoError(t, err)
	other, err := Field(ofGF2[uint64](t, 62))
	require.NoError(t, err)
	v := elementsOf(t, g, []uint64{1, 2, 3})
	closed := elementsOf(t, g, []uint64{1, 2, 3})
	require.NoError(t, closed.Close())
	for _, bad := range []field.Vec{nil, strange{}, closed, elementsOf(t, other, []uint64{1, 2, 3})} {
		require.ErrorIs(t, g.LoadVec(bad, make([]uint64, 3)), field.ErrVec)
		require.ErrorIs(t, g.StoreVec(make([]uint64, 3), bad), field.ErrVec)
		for _, o := range [][3]field.Vec{{v, bad, v}, {v, v, bad}, {bad, v, v}} {
			require.ErrorIs(t, MulVec(o[0], o[1], o[2]), field.ErrVec)
		}
	}
	short := elementsOf(t, g, []uint64{1, 2})
	require.ErrorIs(t, AddVec(v, v, short), field.ErrLength)
	require.ErrorIs(t, g.LoadVec(v, []uint64{1}), field.ErrLength)
	require.ErrorIs(t, g.StoreVec([]uint64{1}, v), field.ErrLength)
	require.ErrorIs(t, g.LoadVec(v, []uint64{1, 2, 1 << 63}), field.ErrRange)
	require.ErrorIs(t, ShiftVec(v, v, 1), field.ErrSpec)
	_, err = g.NewVec(-1)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = (*DeviceField[uint64])(nil).NewVec(1)
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorIs(t, (*DeviceField[uint64])(nil).LoadVec(v, nil), field.ErrSpec)
	got := make([]uint64, 3)
	require.NoError(t, g.StoreVec(got, v))
	require.Equal(t, []uint64{1, 2, 3}, got)
}

// Transforms over binary fields for which there are no kernels stay on the processor.
func TestBinaryTransforms(t *testing.T) {
	emulator.Need(t)
	f := ofGF2[uint64](t, 60)
	g, err := Field(f)
	require.NoError(t, err)
	require.Nil(t, g.Bulk())
	require.False(t, g.Resident(64))
	d, err := field.NewAffine(f, 64)
	require.NoError(t, err)
	p, err := schemes.New(g, d, field.Spec{Coefficients: field.LCH})
	require.NoError(t, err)
	require.Empty(t, p.Report().Device)
	_, err = g.Convolution(8, false, field.Spec{})
	require.ErrorIs(t, err, field.ErrNoRoot)
}
