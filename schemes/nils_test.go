package schemes_test

import (
	"context"
	"errors"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// Nil and zero arguments of everything exported, and of the transforms that come of it.
func TestNils(t *testing.T) {
	ctx := context.Background()
	type plain = bulks.Plain[uint64]
	d, e := field.Cyclic[uint64]{N: 1, Root: 1, Shift: 1}, field.Cyclic[[4]uint64]{N: 64}
	f := smallprime.P62()
	b := &plain{Slices: bulks.Slices[uint64]{Field: f}}
	build := func(f field.Field[uint64], b bulks.Bulk) func() error {
		return func() error { _, err := schemes.Build(f, b, d, field.Spec{}); return err }
	}
	first := func(f field.Field[uint64], of ...bulks.Bulk) func() error {
		return func() error { _, err := schemes.BuildFirst(f, d, field.Spec{}, of...); return err }
	}
	whole := func(f field.Field[uint64], b bulks.Bulk) func() error {
		return func() error {
			_, err := schemes.BuildWhole(f, b, d, field.Spec{}, func(*schemes.Points) (schemes.Whole, error) {
				return nil, errors.New("called")
			})
			return err
		}
	}
	var none *schemes.Points
	points := func(p *schemes.Points) []func() {
		return []func(){func() { p.Len() }, func() { p.Shifted() }, func() { p.Elements() },
			func() { p.Powers(schemes.Factor{}, 1) }, func() { p.Take(1) }, func() { p.Generators() },
			func() { p.Scales(0, 0, 1, false) }}
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
			field.Spec{Algorithm: field.Naive})...),
			nils.Is(field.ErrLength, func() error {
				_, err := schemes.New(f, field.Cyclic[uint64]{},
					field.Spec{})
				return err
			}),
			nils.Is(field.ErrNoRoot, func() error {
				_, err := schemes.New(f, field.Cyclic[uint64]{N: 2},
					field.Spec{})
				return err
			})},
		"Build": {nils.Is(field.ErrSpec, build(nil, b), build((*smallprime.Field64)(nil), b), build(f, nil),
			build(f, (*plain)(nil)), build(f, new(plain)), build(f, new(bulks.Slices[uint64])))},
		"BuildFirst": {nils.Is(field.ErrSpec, first(nil, b), first((*smallprime.Field64)(nil), b), first(f, nil),
			first(f, b, (*plain)(nil)), first(f, new(plain)))},
		"BuildWhole": {nils.Is(field.ErrSpec, whole(nil, b), whole((*smallprime.Field64)(nil), b), whole(f, nil),
			whole(f, (*plain)(nil)), whole(f, new(plain)), whole(f, new(bulks.Slices[uint64])),
			func() error { _, err := schemes.BuildWhole(f, b, d, field.Spec{}, nil); return err })},
		"PointsOf":        {nils.Quiet(func() { schemes.PointsOf(nil) })},
		"Points.Len":      {nils.Panics(points(none)[0], points(new(schemes.Points))[0])},
		"Points.Shifted":  {nils.Panics(points(none)[1], points(new(schemes.Points))[1])},
		"Points.Elements": {nils.Panics(points(none)[2], points(new(schemes.Points))[2])},
		"Points.Powers":   {nils.Panics(points(none)[3], points(new(schemes.Points))[3])},
		"Points.Context": {nils.Panics(func() { _ = (*schemes.Points)(nil).Context() },
			func() { _ = new(schemes.Points).Context() })},
		"Points.Scales":     {nils.Panics(points(none)[6], points(new(schemes.Points))[6])},
		"Points.Generators": {nils.Panics(points(none)[5], points(new(schemes.Points))[5])},
		"Points.Take":       {nils.Panics(points(none)[4], points(new(schemes.Points))[4])},
	})
	p, err := schemes.BuildFirst(f, d, field.Spec{})
	require.NoError(t, err)
	require.Nil(t, p, "a transform without a bulk")
	p, err = schemes.New(f, d, field.Spec{})
	require.NoError(t, err)
	require.ErrorIs(t, p.Forward(ctx, nil, nil), field.ErrLength)
	require.ErrorIs(t, p.Load(nil, nil), field.ErrVec)
	v, err := p.NewVec()
	require.NoError(t, err)
	require.ErrorIs(t, p.MulVec(v, v, nil), field.ErrVec)
}
