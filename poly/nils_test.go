package poly_test

import (
	"context"
	"io"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

var noContext context.Context

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	ctx := context.Background()
	f := smallprime.P62()
	r, err := poly.New(f)
	require.NoError(t, err)
	a, b, dst, one := []uint64{1, 2, 3, 4}, []uint64{1, 2}, make([]uint64, 5), uint64(1)
	o, err := r.Prepare(ctx, a, 8)
	require.NoError(t, err)
	l, err := poly.NewLDE(f, 4, 2, 1, &one)
	require.NoError(t, err)
	type (
		ring    = poly.Ring[uint64]
		operand = poly.Operand[uint64]
		lde     = poly.LDE[uint64]
	)
	p, err := poly.NewPrefix(binary.GHASH(), 4, 2)
	require.NoError(t, err)
	prefixes := []*poly.Prefix[[2]uint64]{nil, {}}
	rings, operands, ldes := []*ring{nil, {}}, []*operand{nil, {}}, []*lde{nil, {}}

	// entry has a case for every field that is none.
	entry := func(words func(f field.Field[uint64]) error, halves func(f field.Field[uint32]) error,
		digits func(f field.Field[[4]uint64]) error) nils.Case {
		var calls []func() error
		for _, f := range []field.Field[uint64]{
			nil, (*smallprime.Field64)(nil), new(smallprime.Field64), (*smallprime.GoldilocksField)(nil),
			new(smallprime.GoldilocksField),
			field.ElementsOnly[uint64](nil),
		} {
			calls = append(calls, func() error { return words(f) })
		}
		return nils.Is(field.ErrSpec, append(calls,
			func() error { return halves((*smallprime.Field32)(nil)) },
			func() error { return halves(new(smallprime.Field32)) },
			func() error { return digits((*gfpf.Field[[4]uint64])(nil)) },
			func() error { return digits(new(gfpf.Field[[4]uint64])) })...)
	}
	// method has cases for rings that are none, and for a nil context.
	method := func(call func(r *ring, ctx context.Context) error, more ...nils.Case) []nils.Case {
		return append([]nils.Case{nils.Is(field.ErrSpec, func() error { return call(rings[0], ctx) },
			func() error { return call(rings[1], ctx) },
			func() error { return call(r, nil) })}, more...)
	}
	vec := func(call func(o *operand) error) nils.Case {
		return nils.Is(field.ErrVec, func() error { return call(operands[0]) },
			func() error { return call(operands[1]) })
	}
	length := func(calls ...func() error) nils.Case { return nils.Is(field.ErrLength, calls...) }
	fine := func(calls ...func() error) nils.Case { return nils.Is(nil, calls...) }
	nils.Run(t, nils.Table{
		"New": {entry(
			func(f field.Field[uint64]) error { _, err := poly.New(f); return err },
			func(f field.Field[uint32]) error { _, err := poly.New(f); return err },
			func(f field.Field[[4]uint64]) error { _, err := poly.New(f); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := poly.New(f, nil); return err })},
		"NewErased": {entry(
			func(f field.Field[uint64]) error { _, err := poly.NewErased(f); return err },
			func(f field.Field[uint32]) error { _, err := poly.NewErased(f); return err },
			func(f field.Field[[4]uint64]) error { _, err := poly.NewErased(f); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := poly.NewErased(f, nil); return err })},
		"NewLDE": {entry(
			func(f field.Field[uint64]) error { _, err := poly.NewLDE(f, 4, 2, 1, &one); return err },
			func(f field.Field[uint32]) error { _, err := poly.NewLDE(f, 4, 2, 1, new(uint32)); return err },
			func(f field.Field[[4]uint64]) error { _, err := poly.NewLDE(f, 4, 2, 1, new([4]uint64)); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := poly.NewLDE(f, 4, 2, 1, nil); return err }),
			nils.Is(field.ErrNotInvertible, func() error {
				_, err := poly.NewLDE(f, 4, 2, 1,
					new(uint64))
				return err
			}),
			length(func() error { _, err := poly.NewLDE(f, 0, 0, 0, &one); return err }),
			fine(func() error { _, err := poly.NewLDE(f, 4, 2, 1, &one, []fft.Option{nil}...); return err })},
		"NewSubspaceLDE": {entry(
			func(f field.Field[uint64]) error { _, err := poly.NewSubspaceLDE(f, nil, 1, 1, &one); return err },
			func(f field.Field[uint32]) error {
				_, err := poly.NewSubspaceLDE(f, nil, 1, 1, new(uint32))
				return err
			},
			func(f field.Field[[4]uint64]) error {
				_, err := poly.NewSubspaceLDE(f, nil, 1, 1, new([4]uint64))
				return err
			}),
			nils.Is(field.ErrSpec, func() error { _, err := poly.NewSubspaceLDE(f, nil, 1, 1, nil); return err }),
			length(func() error { _, err := poly.NewSubspaceLDE(f, nil, 2, 1, &one); return err })},
		"Mul": {entry(
			func(f field.Field[uint64]) error { _, err := poly.Mul(f, a, b); return err },
			func(f field.Field[uint32]) error { _, err := poly.Mul(f, nil, nil); return err },
			func(f field.Field[[4]uint64]) error { _, err := poly.Mul(f, nil, nil); return err }),
			fine(func() error { _, err := poly.Mul(f, a, nil); return err })},
		"Square": {entry(
			func(f field.Field[uint64]) error { _, err := poly.Square(f, a); return err },
			func(f field.Field[uint32]) error { _, err := poly.Square(f, nil); return err },
			func(f field.Field[[4]uint64]) error { _, err := poly.Square(f, nil); return err }),
			fine(func() error { _, err := poly.Square(f, nil); return err })},

		"Ring.WithSchoolbook": {nils.Quiet(func() { require.Nil(t, rings[0].WithSchoolbook(1)) }),
			nils.Is(field.ErrSpec, func() error { _, err := rings[1].WithSchoolbook(1).Mul(ctx, a, b); return err })},
		"Ring.Mul": method(func(r *ring, ctx context.Context) error { _, err := r.Mul(ctx, a, b); return err },
			fine(func() error { _, err := r.Mul(ctx, nil, nil); return err })),
		"Ring.MulTo": method(func(r *ring, ctx context.Context) error { return r.MulTo(ctx, dst, a, b) },
			length(func() error { return r.MulTo(ctx, nil, a, b) }),
			fine(func() error { return r.MulTo(ctx, nil, nil, b) })),
		"Ring.Square": method(func(r *ring, ctx context.Context) error { _, err := r.Square(ctx, a); return err },
			fine(func() error { _, err := r.Square(ctx, nil); return err })),
		"Ring.SquareTo": method(func(r *ring, ctx context.Context) error { return r.SquareTo(ctx, dst[:3], b) },
			length(func() error { return r.SquareTo(ctx, nil, b) }),
			fine(func() error { return r.SquareTo(ctx, nil, nil) })),
		"Ring.Explain": method(func(r *ring, ctx context.Context) error { return r.Explain(ctx, io.Discard, 1, 1) },
			nils.Is(field.ErrSpec, func() error { return r.Explain(ctx, nil, 1, 1) }),
			fine(func() error { return r.Explain(ctx, io.Discard, 0, 0) })),
		"Ring.Products": method(func(r *ring, ctx context.Context) error { _, err := r.Products(ctx, 1, 1); return err },
			fine(func() error { _, err := r.Products(ctx, 0, 0); return err })),
		"Ring.Middle": method(func(r *ring, ctx context.Context) error { _, err := r.Middle(ctx, a, b); return err },
			length(func() error { _, err := r.Middle(ctx, a, nil); return err },
				func() error { _, err := r.Middle(ctx, nil, nil); return err })),
		"Ring.MiddleTo": method(func(r *ring, ctx context.Context) error { return r.MiddleTo(ctx, dst[:3], a, b) },
			length(func() error { return r.MiddleTo(ctx, nil, a, b) },
				func() error { return r.MiddleTo(ctx, dst, nil, nil) })),
		"Ring.Cyclic": method(func(r *ring, ctx context.Context) error { _, err := r.Cyclic(ctx, a, b, 4); return err },
			length(func() error { _, err := r.Cyclic(ctx, a, b, 0); return err }),
			fine(func() error { _, err := r.Cyclic(ctx, nil, nil, 1); return err })),
		"Ring.CyclicTo": method(func(r *ring, ctx context.Context) error { return r.CyclicTo(ctx, dst, a, b) },
			length(func() error { return r.CyclicTo(ctx, nil, a, b) }),
			fine(func() error { return r.CyclicTo(ctx, dst, nil, nil) })),
		"Ring.Negacyclic": method(func(r *ring, ctx context.Context) error {
			_, err := r.Negacyclic(ctx, a, b, 4)
			return err
		},
			length(func() error { _, err := r.Negacyclic(ctx, a, b, 0); return err }),
			fine(func() error { _, err := r.Negacyclic(ctx, nil, nil, 1); return err })),
		"Ring.NegacyclicTo": method(func(r *ring, ctx context.Context) error { return r.NegacyclicTo(ctx, dst, a, b) },
			length(func() error { return r.NegacyclicTo(ctx, nil, a, b) }),
			fine(func() error { return r.NegacyclicTo(ctx, dst, nil, nil) })),
		"Ring.Evaluate": method(func(r *ring, ctx context.Context) error {
			_, err := r.Evaluate(ctx, a, 4)
			return err
		},
			length(func() error { _, err := r.Evaluate(ctx, a, 0); return err }),
			fine(func() error { _, err := r.Evaluate(ctx, nil, 1); return err })),
		"Ring.Interpolate": method(func(r *ring, ctx context.Context) error {
			_, err := r.Interpolate(ctx, a)
			return err
		},
			length(func() error { _, err := r.Interpolate(ctx, nil); return err })),
		"Ring.Prepare": method(func(r *ring, ctx context.Context) error { _, err := r.Prepare(ctx, a, 8); return err },
			length(func() error { _, err := r.Prepare(ctx, a, 0); return err }),
			fine(func() error { _, err := r.Prepare(ctx, nil, 0); return err })),
		"Ring.MulOperand": method(func(r *ring, ctx context.Context) error {
			_, err := r.MulOperand(ctx, b, o)
			return err
		},
			vec(func(o *operand) error { _, err := r.MulOperand(ctx, b, o); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := rings[0].MulOperand(ctx, nil, operands[1]); return err })),
		"Ring.MulOperandTo": method(func(r *ring, ctx context.Context) error { return r.MulOperandTo(ctx, dst, b, o) },
			vec(func(o *operand) error { return r.MulOperandTo(ctx, dst, b, o) })),
		"Ring.MulOperands": method(func(r *ring, ctx context.Context) error {
			_, err := r.MulOperands(ctx, o, o)
			return err
		},
			vec(func(x *operand) error { _, err := r.MulOperands(ctx, x, o); return err }),
			vec(func(x *operand) error { _, err := r.MulOperands(ctx, o, x); return err })),
		"Ring.MulOperandsTo": method(func(r *ring, ctx context.Context) error {
			return r.MulOperandsTo(ctx, make([]uint64, 7), o, o)
		},
			vec(func(x *operand) error { return r.MulOperandsTo(ctx, nil, x, o) }),
			vec(func(x *operand) error { return r.MulOperandsTo(ctx, nil, o, x) })),

		"Operand.Len": {nils.Quiet(func() { require.Zero(t, operands[0].Len()) },
			func() { require.Zero(t, operands[1].Len()) })},
		"Operand.Close": {nils.Quiet(func() { require.NoError(t, operands[0].Close()) },
			func() { require.NoError(t, operands[1].Close()) })},
		"NewPrefix": {entry(
			func(f field.Field[uint64]) error { _, err := poly.NewPrefix(f, 4, 2); return err },
			func(f field.Field[uint32]) error { _, err := poly.NewPrefix(f, 4, 2); return err },
			func(f field.Field[[4]uint64]) error { _, err := poly.NewPrefix(f, 4, 2); return err }),
			length(func() error { _, err := poly.NewPrefix(binary.GHASH(), 0, 0); return err },
				func() error { _, err := poly.NewPrefix(binary.GHASH(), 4, 0); return err }),
			fine(func() error { _, err := poly.NewPrefix(binary.GHASH(), 4, 2, nil); return err })},
		"Prefix.Values": {nils.Quiet(func() { require.Zero(t, prefixes[0].Values()) },
			func() { require.Zero(t, prefixes[1].Values()) })},
		"Prefix.Forward": {nils.Is(field.ErrSpec,
			func() error { return prefixes[0].Forward(ctx, nil, nil) },
			func() error { return prefixes[1].Forward(ctx, nil, nil) },
			func() error { return p.Forward(noContext, make([][2]uint64, 2), make([][2]uint64, 4)) }),
			length(func() error { return p.Forward(ctx, nil, make([][2]uint64, 4)) },
				func() error { return p.Forward(ctx, make([][2]uint64, 2), nil) })},
		"Prefix.Explain": {nils.Is(field.ErrSpec,
			func() error { return prefixes[0].Explain(io.Discard) },
			func() error { return prefixes[1].Explain(io.Discard) },
			func() error { return p.Explain(nil) })},
		"LDE.Size": {nils.Quiet(func() { require.Zero(t, ldes[0].Size()) },
			func() { require.Zero(t, ldes[1].Size()) })},
		"LDE.ExtendTo": {nils.Is(field.ErrSpec,
			func() error { return ldes[0].ExtendTo(ctx, nil, nil) },
			func() error { return ldes[1].ExtendTo(ctx, dst, a) },
			func() error { return l.ExtendTo(noContext, make([]uint64, 8), a) }),
			length(func() error { return l.ExtendTo(ctx, nil, a) },
				func() error { return l.ExtendTo(ctx, make([]uint64, 8), nil) })},
	})
}
