package verbs

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/schemes"
)

func gf64(t *testing.T) *binary.Field[uint64] {
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	return f
}

// planned is a binary field that keeps the domain of the last plan.
type planned struct {
	*binary.Field[uint64]
	last  *field.Affine[uint64]
	wrong bool // whether one value is
}

func (f planned) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	*f.last = d.(field.Affine[uint64])
	t, err := schemes.New(f.Field, d, s)
	return oneWrong{t, f.wrong}, err
}

type oneWrong struct {
	field.Transform[uint64]
	wrong bool
}

func (t oneWrong) Forward(ctx context.Context, dst, src []uint64) error {
	err := t.Transform.Forward(ctx, dst, src)
	if t.wrong {
		dst[len(dst)/3] ^= 1
	}
	return err
}

// One wrong value of all is found, by powers of x too.
func TestVerifyAffine(t *testing.T) {
	f := planned{gf64(t), new(field.Affine[uint64]), true}
	for seed := range uint64(20) {
		failed := map[string]bool{}
		err := Of(f).Verify(t.Context(), 256, seed, Options{Workers: 1}, func(c Check) {
			failed[c.Name] = c.Err != nil
		})
		require.ErrorIs(t, err, ErrWrong)
		require.True(t, failed["impulse"], "seed %d", seed)
	}
}

// Progress counts as many transforms as checks take, over subspaces and over roots of unity.
func TestVerifyTransforms(t *testing.T) {
	f := Of(gf64(t))
	for _, n := range []int{1, 8, 5} {
		calls := 0
		o := Options{Workers: 1, Progress: func(done, total int) {
			if done == total {
				calls++
			}
		}}
		require.NoError(t, f.Verify(t.Context(), n, 1, o, func(Check) {}), "length %d", n)
		require.Equal(t, f.VerifyTransforms(n), calls, "length %d", n)
	}
}

// A shift that is given is that of the coset; without one it is drawn.
func TestBenchShift(t *testing.T) {
	f := planned{gf64(t), new(field.Affine[uint64]), false}
	for shift, want := range map[string]uint64{"5a": 0x5a, "0": 0} {
		c := small("coset")
		c.Affine.Shift = shift
		m, err := Of(f).Bench(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, want, f.last.Shift)
		require.Equal(t, "own, shifted", m.Subspace)
	}
	m, err := Of(f).Bench(t.Context(), small("coset"))
	require.NoError(t, err)
	require.Equal(t, "own, shifted", m.Subspace)
	require.NotZero(t, f.last.Shift)
}
