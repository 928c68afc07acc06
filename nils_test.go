package fft_test

import (
	"context"
	"io"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

// wrapped is a field that a user made of another one.
type wrapped struct{ *smallprime.Field64 }

var noContext context.Context

// noMemory is what no plan on the processor asks for.
func noMemory(bulks.Bulk, int) (bulks.View, error) {
	panic("a plan on the processor has no memory of others")
}

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	ctx := context.Background()
	f := smallprime.P62()
	p := fft.Must(fft.NewPlan(f, 8))
	batch := fft.Must(fft.NewPlan(f, 8, fft.WithBatch(fft.Rows(2, 0))))
	three := uint64(3)
	a, long := make([]uint64, 8), make([]uint64, 16)
	var nilPlan *fft.Plan[uint64]
	none := []*fft.Plan[uint64]{nilPlan, {}}

	// method has cases for plans that are none, and for nil and zero arguments of a plan.
	method := func(on func(p *fft.Plan[uint64]) error, more ...nils.Case) []nils.Case {
		c := []nils.Case{nils.Is(fft.ErrSpec, func() error { return on(none[0]) }, func() error { return on(none[1]) })}
		return append(c, more...)
	}
	quiet := func(on func(p *fft.Plan[uint64])) []nils.Case {
		return []nils.Case{nils.Quiet(func() { on(none[0]) }, func() { on(none[1]) })}
	}
	lengths := func(call func(ctx context.Context, p *fft.Plan[uint64], dst, src []uint64) error) nils.Case {
		return nils.Is(fft.ErrLength,
			func() error { return call(ctx, p, nil, a) },
			func() error { return call(ctx, p, a, nil) },
			func() error { return call(ctx, batch, nil, nil) })
	}
	contexts := func(call func(ctx context.Context, p *fft.Plan[uint64], dst, src []uint64) error) nils.Case {
		return nils.Is(fft.ErrSpec, func() error { return call(nil, p, a, a) },
			func() error { return call(nil, batch, long, long) })
	}
	vec := func(p *fft.Plan[uint64]) fft.Vec { v, _ := p.NewVec(); return v }
	vectors := func(call func(v fft.Vec) error) nils.Case {
		return nils.Is(fft.ErrVec, func() error { return call(nil) }, func() error { return call(newVec(t, batch)) })
	}
	slices := func(call func(ctx context.Context, p *fft.Plan[uint64], dst, src []uint64) error) []nils.Case {
		return method(func(p *fft.Plan[uint64]) error { return call(ctx, p, a, a) }, lengths(call))
	}
	forward := func(ctx context.Context, p *fft.Plan[uint64], dst, src []uint64) error {
		return p.ForwardContext(ctx, dst, src)
	}
	inverse := func(ctx context.Context, p *fft.Plan[uint64], dst, src []uint64) error {
		return p.InverseContext(ctx, dst, src)
	}
	option := func(o ...fft.Option) []nils.Case {
		return []nils.Case{nils.Quiet(func() { fft.Must(fft.NewPlan(f, 8, o...)) })}
	}
	bad := func(want error, o fft.Option) []nils.Case {
		return []nils.Case{nils.Is(want, func() error { _, err := fft.NewPlan(f, 8, o); return err })}
	}

	nils.Run(t, nils.Table{
		"Plan.VecIn": method(func(p *fft.Plan[uint64]) error { _, err := p.VecIn(noMemory); return err }, nils.Is(fft.ErrSpec,
			func() error { _, err := p.VecIn(nil); return err },
			func() error { _, err := p.VecIn(noMemory); return err })),
		"NewPlanContext": {nils.Is(fft.ErrSpec,
			func() error { _, err := fft.NewPlanContext[uint64](ctx, nil, 8); return err },
			func() error { _, err := fft.NewPlanContext(noContext, f, 8); return err },
		), nils.Is(nil, func() error { _, err := fft.NewPlanContext(ctx, f, 8, nil); return err })},
		"Parameters": {nils.Is(fft.ErrSpec,
			func() error { _, _, err := fft.Parameters[uint64](ctx, nil, 8); return err },
			func() error { _, _, err := fft.Parameters(noContext, f, 8); return err },
		), nils.Is(nil, func() error { _, _, err := fft.Parameters(ctx, f, 8, nil); return err })},
		"NewConvolution": {nils.Is(fft.ErrSpec,
			func() error { _, err := fft.NewConvolution[uint64](ctx, nil, 8); return err },
			func() error { _, err := fft.NewConvolution(ctx, new(smallprime.Field64), 8); return err },
			func() error { _, err := fft.NewConvolution(noContext, f, 8); return err },
			func() error { _, err := fft.NewConvolution(noContext, smallprime.Mersenne31(), 8); return err },
		), nils.Is(fft.ErrLength, func() error { _, err := fft.NewConvolution(ctx, f, 0); return err })},
		"WithoutRangeCheck": option(fft.WithoutRangeCheck()),
		"NewPlan": {
			nils.Is(fft.ErrSpec,
				func() error { _, err := fft.NewPlan[uint64](nil, 8); return err },
				func() error { _, err := fft.NewPlan((*smallprime.Field64)(nil), 8); return err },
				func() error { _, err := fft.NewPlan((*smallprime.Field32)(nil), 8, fft.WithNegacyclic()); return err },
				func() error {
					_, err := fft.NewPlan((*smallprime.GoldilocksField)(nil), 8, fft.WithRoot(three))
					return err
				},
				func() error { _, err := fft.NewPlan((*gfpf.Field[[8]uint64])(nil), 8); return err },
				func() error { _, err := fft.NewPlan(new(smallprime.Field64), 8); return err },
				func() error { _, err := fft.NewPlan(new(smallprime.Field32), 8, fft.WithoutPlanner()); return err },
				func() error { _, err := fft.NewPlan(new(smallprime.GoldilocksField), 8); return err },
				func() error { _, err := fft.NewPlan(wrapped{}, 8); return err },
				func() error { _, err := fft.NewPlan(field.ElementsOnly[uint64](nil), 8); return err },
				func() error { _, err := fft.NewPlan(field.ElementsOnly[uint64](wrapped{}), 8); return err }),
			nils.Is(fft.ErrLength, func() error { _, err := fft.NewPlan(f, 0); return err }),
			nils.Quiet(func() { fft.Must(fft.NewPlan(f, 8, nil)) }),
		},
		"Must": {nils.Quiet(func() { fft.Must(nilPlan, nil) }),
			nils.Panics(func() { fft.Must(p, fft.ErrSpec) })},
		"Rows":          option(fft.WithBatch(fft.Rows(1, 0))),
		"Columns":       option(fft.WithBatch(fft.Columns(1, 0))),
		"WithOrder":     option(fft.WithOrder(0)),
		"WithAlgorithm": option(fft.WithAlgorithm(0)),
		"WithBase":      option(fft.WithBase(0)),
		"WithStrip":     option(fft.WithStrip(0)),
		"WithRadix":     option(fft.WithRadix(0)),
		"WithCache":     option(fft.WithCache(0)),
		"WithTwiddles":  option(fft.WithTwiddles(0)),
		"WithBatch": append(option(fft.WithBatch(fft.Batch{})),
			bad(fft.ErrSpec, fft.WithBatch(fft.Rows(0, 1)))...),
		"WithWorkers": option(fft.WithWorkers(0)),
		"WorkersOf": {nils.Quiet(func() {
			workers, grain, r := fft.WorkersOf(nil)
			require.Zero(t, workers)
			require.Zero(t, grain)
			require.Nil(t, r)
		})},
		"TuningOf":        {nils.Quiet(func() { require.Nil(t, fft.TuningOf(nil, fft.WithTuning(nil))) })},
		"ProductsOf":      {nils.Quiet(func() { require.Equal(t, fft.AutoProducts, fft.ProductsOf(nil)) })},
		"WithProducts":    option(fft.WithProducts(0)),
		"WithTuning":      option(fft.WithTuning(nil)),
		"WithGrain":       option(fft.WithGrain(0)),
		"WithRunner":      option(fft.WithRunner(nil), fft.WithWorkers(2)),
		"WithProgress":    option(fft.WithProgress(nil)),
		"WithMemoryLimit": option(fft.WithMemoryLimit(0)),
		"WithoutPlanner":  option(fft.WithoutPlanner()),
		"WithRoot": append(bad(fft.ErrNoRoot, fft.WithRoot[uint64](0)),
			bad(fft.ErrSpec, fft.WithRoot[*uint64](nil))...),
		"WithCoset": append(bad(fft.ErrNotInvertible, fft.WithCoset[uint64](0)),
			bad(fft.ErrSpec, fft.WithCoset[any](nil))...),
		"WithSubspace": append(bad(fft.ErrLength, fft.WithSubspace[uint64]()),
			bad(fft.ErrSpec, fft.WithSubspace[any](nil, nil, nil))...),
		"WithCoefficients": append(option(fft.WithCoefficients(0)),
			bad(fft.ErrSpec, fft.WithCoefficients(fft.LCH))...),
		"WithNegacyclic": option(fft.WithNegacyclic()),

		"Plan.Coset": method(func(p *fft.Plan[uint64]) error { _, err := p.Coset(&three); return err },
			nils.Is(fft.ErrSpec, func() error { _, err := p.Coset(nil); return err }),
			nils.Is(fft.ErrNotInvertible, func() error { _, err := p.Coset(new(uint64)); return err })),
		"Plan.Len":         quiet(func(p *fft.Plan[uint64]) { require.Zero(t, p.Len()) }),
		"Plan.Size":        quiet(func(p *fft.Plan[uint64]) { require.Zero(t, p.Size()) }),
		"Plan.Field":       quiet(func(p *fft.Plan[uint64]) { require.Nil(t, p.Field()) }),
		"Plan.Domain":      quiet(func(p *fft.Plan[uint64]) { require.Nil(t, p.Domain()) }),
		"Plan.Order":       quiet(func(p *fft.Plan[uint64]) { require.Zero(t, p.Order()) }),
		"Plan.Permutation": quiet(func(p *fft.Plan[uint64]) { require.Empty(t, p.Permutation()) }),
		"Plan.MemoryUse":   quiet(func(p *fft.Plan[uint64]) { require.Zero(t, p.MemoryUse()) }),
		"Plan.Report":      quiet(func(p *fft.Plan[uint64]) { require.Zero(t, p.Report()) }),
		"Plan.String":      quiet(func(p *fft.Plan[uint64]) { require.Equal(t, "no plan", p.String()) }),
		"Plan.NewVec":      method(func(p *fft.Plan[uint64]) error { _, err := p.NewVec(); return err }),
		"Plan.Forward": slices(func(_ context.Context, p *fft.Plan[uint64], dst, src []uint64) error {
			return p.Forward(dst, src)
		}),
		"Plan.Inverse": slices(func(_ context.Context, p *fft.Plan[uint64], dst, src []uint64) error {
			return p.Inverse(dst, src)
		}),
		"Plan.ForwardContext": append(slices(forward), contexts(forward)),
		"Plan.InverseContext": append(slices(inverse), contexts(inverse)),
		"Plan.Load": method(func(p *fft.Plan[uint64]) error { return p.Load(vec(p), a) },
			vectors(func(v fft.Vec) error { return p.Load(v, nil) })),
		"Plan.Store": method(func(p *fft.Plan[uint64]) error { return p.Store(a, vec(p)) },
			vectors(func(v fft.Vec) error { return p.Store(nil, v) })),
		"Plan.ForwardVec": method(func(p *fft.Plan[uint64]) error { return p.ForwardVec(ctx, vec(p)) },
			vectors(func(v fft.Vec) error { return p.ForwardVec(ctx, v) }),
			nils.Is(fft.ErrSpec, func() error { return p.ForwardVec(noContext, vec(p)) })),
		"Plan.InverseVec": method(func(p *fft.Plan[uint64]) error { return p.InverseVec(ctx, vec(p)) },
			vectors(func(v fft.Vec) error { return p.InverseVec(ctx, v) }),
			nils.Is(fft.ErrSpec, func() error { return p.InverseVec(noContext, vec(p)) })),
		"Plan.MulVec": method(func(p *fft.Plan[uint64]) error { return p.MulVec(vec(p), vec(p), vec(p)) },
			vectors(func(v fft.Vec) error { return p.MulVec(v, vec(p), vec(p)) }),
			vectors(func(v fft.Vec) error { return p.MulVec(vec(p), v, vec(p)) }),
			vectors(func(v fft.Vec) error { return p.MulVec(vec(p), vec(p), v) })),
		"Plan.Explain": method(func(p *fft.Plan[uint64]) error { return p.Explain(io.Discard) },
			nils.Is(fft.ErrSpec, func() error { return p.Explain(nil) })),
		"Plan.Point": {nils.Panics(func() { p.Point(nil, 0) }, func() { none[0].Point(&three, 0) },
			func() { none[1].Point(&three, 0) })},
	})
}

// Points a length apart are one, on both sides of 0.
func TestPoint(t *testing.T) {
	f := smallprime.BabyBear()
	for _, n := range []int{1, 2, 12, 64} {
		p := fft.Must(fft.NewPlan(f, n, fft.WithCoset[uint32](5)))
		for j := range n {
			var want, z uint32
			p.Point(&want, j)
			for _, i := range []int{j - n, j - 7*n, j + n, j + 3*n} {
				p.Point(&z, i)
				require.Equal(t, want, z, "point %d of %d", i, n)
			}
		}
		if n > 1 {
			var first, last uint32
			p.Point(&last, -1)
			d := p.Domain()
			root := d.(field.Cyclic[uint32]).Root
			f.Mul(&last, &last, &root)
			p.Point(&first, 0)
			require.Equal(t, first, last)
		}
	}
}

// A shift is checked as that of WithCoset is, and nothing is made of one that is no element.
func TestCosetShift(t *testing.T) {
	f := smallprime.BabyBear()
	p := fft.Must(fft.NewPlan(f, 8, fft.WithCoset[uint32](5)))
	for _, shift := range []uint32{f.Modulus(), f.Modulus() + 3, 1<<32 - 1} {
		q, err := p.Coset(&shift)
		require.ErrorIs(t, err, fft.ErrRange, "%d", shift)
		require.Nil(t, q)
		_, err = fft.NewPlan(f, 8, fft.WithCoset(shift))
		require.ErrorIs(t, err, fft.ErrRange, "%d", shift)
	}
	last := f.Modulus() - 1
	_, err := p.Coset(&last)
	require.NoError(t, err)
	g := gfpf.P1()
	digits := [2]uint64{g.Radix(), 1} // r + r is no form of it
	_, err = fft.Must(fft.NewPlan(g, 4)).Coset(&digits)
	require.ErrorIs(t, err, fft.ErrRange)
}
