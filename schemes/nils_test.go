package schemes_test

import (
	"context"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// Nil and zero arguments of everything exported, and of the transforms that come of it.
func TestNils(t *testing.T) {
	ctx := context.Background()
	type (
		words = field.Bulk[uint64, []uint64]
		plain = field.Plain[uint64]
		tile  = testfields.Tile
		tiled = field.Tiled[[4]uint64, tile]
	)
	d, e := field.Domain[uint64]{N: 1, Root: 1, Shift: 1}, field.Domain[[4]uint64]{N: 64}
	f := plain{Slices: field.Slices[uint64]{Field: smallprime.P62()}}
	build := func(f words) func() error {
		return func() error { _, err := schemes.Build(f, d, field.Spec{}); return err }
	}
	working := func(w, f words) func() error {
		return func() error { _, err := schemes.BuildWorking(w, d, f, d, field.Spec{}); return err }
	}
	tiles := func(f tiled) func() error {
		return func() error { _, err := schemes.BuildTiled(f, e, field.Spec{}); return err }
	}
	every := func(s ...field.Spec) (calls []func() error) {
		for _, s := range s {
			for _, f := range []field.Field[uint64]{nil, (*smallprime.Field64)(nil), new(smallprime.Field64),
				new(smallprime.GoldilocksField), field.ElementsOnly[uint64](nil)} {
				calls = append(calls, func() error { _, err := schemes.New(f, d, s); return err })
			}
		}
		return append(calls, func() error {
			_, err := schemes.New((*gfpf.Field[[4]uint64])(nil), e, field.Spec{})
			return err
		})
	}
	nils.Run(t, nils.Table{
		"New": {nils.Is(field.ErrSpec, every(field.Spec{}, field.Spec{NoPlanner: true},
			field.Spec{Literal: &field.Literal{}}, field.Spec{Algorithm: field.Naive})...),
			nils.Is(field.ErrLength, func() error {
				_, err := schemes.New(f, field.Domain[uint64]{},
					field.Spec{})
				return err
			}),
			nils.Is(field.ErrNoRoot, func() error {
				_, err := schemes.New(f, field.Domain[uint64]{N: 2},
					field.Spec{})
				return err
			})},
		"Build": {nils.Is(field.ErrSpec, build(nil), build((*plain)(nil)), build(plain{}),
			build(field.Slices[uint64]{}))},
		"BuildWorking": {nils.Is(field.ErrSpec, working(nil, f), working(f, nil), working(plain{}, f), working(f,
			(*plain)(nil)))},
		"BuildTiled": {nils.Is(field.ErrSpec, tiles(nil), tiles((*testfields.Tile256)(nil)))},
	})
	p, err := schemes.New(f, d, field.Spec{})
	require.NoError(t, err)
	require.ErrorIs(t, p.Forward(ctx, nil, nil), field.ErrLength)
	require.ErrorIs(t, p.Load(nil, nil), field.ErrVec)
	require.ErrorIs(t, p.MulVec(p.NewVec(), p.NewVec(), nil), field.ErrVec)
}
