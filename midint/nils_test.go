package midint_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/midint"
)

var noContext context.Context

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	ctx := context.Background()
	e, err := midint.New()
	require.NoError(t, err)
	b, wide := empty(t, 64, 2), empty(t, 128, 2)
	var none *midint.Batch
	zero := new(midint.Batch)
	even := empty(t, 64, 1)
	clear(even.Words())
	var noModuli *midint.Moduli
	three, err := midint.NewModuli(batchOf(t, 64, []*big.Int{big.NewInt(3)}))
	require.NoError(t, err)
	type binary = func(e *midint.Engine, ctx context.Context, z, x, y *midint.Batch) error
	refused := func(z *midint.Batch, call binary) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec,
			func() error { return call(nil, ctx, z, b, b) },
			func() error { return call(new(midint.Engine), ctx, z, b, b) },
			func() error { return call(e, noContext, z, b, b) }, func() error { return call(e, ctx, none, none, none) },
			func() error { return call(e, ctx, z, none, b) }, func() error { return call(e, ctx, z, zero, zero) },
			func() error { return call(e, ctx, none, b, b) }, func() error { return call(e, ctx, zero, b, b) })}
	}
	of := func(call func(b *midint.Batch) error) []nils.Case {
		return []nils.Case{
			nils.Is(field.ErrSpec, func() error { return call(none) }, func() error { return call(zero) }),
			nils.Is(field.ErrLength, func() error { return call(b) })}
	}
	quiet := func(call func(b *midint.Batch)) []nils.Case {
		return []nils.Case{nils.Quiet(func() { call(none) }, func() { call(zero) })}
	}
	expr := func(call func(x *midint.Expr) *midint.Expr) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { _, err := e.Compile(call(nil), 32, 0); return err },
			func() error { _, err := e.Compile(call(new(midint.Expr)), 32, 0); return err })}
	}
	made := func(o ...midint.Option) error { _, err := midint.New(o...); return err }
	nils.Run(t, nils.Table{
		"New": {nils.Is(field.ErrSpec, func() error { return made(nil) }),
			nils.Is(nil, func() error { return made() })},
		"WithWorkers":      {nils.Is(nil, func() error { return made(midint.WithWorkers(0)) })},
		"WithRunner":       {nils.Is(nil, func() error { return made(midint.WithRunner(nil)) })},
		"WithDevice":       {nils.Is(nil, func() error { return made(midint.WithDevice(nil)) })},
		"Params":           {nils.Is(field.ErrSpec, func() error { _, err := midint.Params(0); return err })},
		"Transform.String": {nils.Quiet(func() { require.NotEmpty(t, midint.Transform{}.String()) })},
		"Engine.Explain": {nils.Quiet(func() { require.Empty(t, (*midint.Engine)(nil).Explain(32)) },
			func() { require.Empty(t, new(midint.Engine).Explain(32)) }, func() { require.Empty(t, e.Explain(0)) })},
		"NewBatch": {nils.Is(field.ErrSpec, func() error { _, err := midint.NewBatch(0, 0); return err }),
			nils.Is(nil, func() error { _, err := midint.NewBatch(32, 0); return err })},
		"Batch.Bits":       quiet(func(b *midint.Batch) { require.Zero(t, b.Bits()) }),
		"Batch.Len":        quiet(func(b *midint.Batch) { require.Zero(t, b.Len()) }),
		"Batch.Words":      quiet(func(b *midint.Batch) { require.Empty(t, b.Words()) }),
		"Batch.SetUint32s": of(func(b *midint.Batch) error { return b.SetUint32s(nil) }),
		"Batch.Uint32s":    of(func(b *midint.Batch) error { return b.Uint32s(nil) }),
		"Batch.SetUint64s": of(func(b *midint.Batch) error { return b.SetUint64s(nil) }),
		"Batch.Uint64s":    of(func(b *midint.Batch) error { return b.Uint64s(nil) }),
		"Batch.SetInts": append(of(func(b *midint.Batch) error { return b.SetInts(nil) }),
			nils.Is(field.ErrRange, func() error { return b.SetInts(make([]*big.Int, 2)) })),
		"Batch.Ints": append(of(func(b *midint.Batch) error { return b.Ints(nil) }),
			nils.Is(field.ErrRange, func() error { return b.Ints(make([]*big.Int, 2)) })),
		"NewModuli": {nils.Is(field.ErrSpec, func() error { _, err := midint.NewModuli(none); return err },
			func() error { _, err := midint.NewModuli(zero); return err }),
			nils.Is(field.ErrModulus, func() error { _, err := midint.NewModuli(even); return err })},
		"Moduli.Bits":  {nils.Quiet(func() { require.Zero(t, noModuli.Bits()) }, func() { new(midint.Moduli).Bits() })},
		"Moduli.Len":   {nils.Quiet(func() { require.Zero(t, noModuli.Len()) }, func() { new(midint.Moduli).Len() })},
		"Operand":      quiet(func(*midint.Batch) { midint.Operand(-1) }),
		"Expr.Plus":    expr(func(x *midint.Expr) *midint.Expr { return x.Plus(x) }),
		"Expr.Minus":   expr(func(x *midint.Expr) *midint.Expr { return x.Minus(x) }),
		"Expr.Times":   expr(func(x *midint.Expr) *midint.Expr { return x.Times(x) }),
		"Expr.Squared": expr((*midint.Expr).Squared),
		"Engine.Compile": {nils.Is(field.ErrSpec, func() error { _, err := e.Compile(nil, 32, 0); return err },
			func() error { _, err := new(midint.Engine).Compile(midint.Operand(0), 32, 0); return err })},
		"Program.Explain": {nils.Quiet(func() { (*midint.Program)(nil).Explain() },
			func() { new(midint.Program).Explain() })},
		"Program.Steps": {nils.Quiet(func() { require.Empty(t, (*midint.Program)(nil).Steps()) },
			func() { require.Empty(t, new(midint.Program).Steps()) })},
		"Program.Run": append(refused(b, func(e *midint.Engine, ctx context.Context, z, x, y *midint.Batch) error {
			p, err := e.Compile(midint.Operand(0).Plus(midint.Operand(1)), 64, 0)
			if err != nil {
				return err
			}
			return p.Run(ctx, z, x, y)
		}), nils.Is(field.ErrSpec, func() error { return (*midint.Program)(nil).Run(ctx, b) },
			func() error { return new(midint.Program).Run(ctx, b) })),
		"Engine.MulMod": append(refused(b, func(e *midint.Engine, ctx context.Context, z, x, y *midint.Batch) error {
			return e.MulMod(ctx, z, x, y, three)
		}), nils.Is(field.ErrSpec, func() error { return e.MulMod(ctx, b, b, b, noModuli) },
			func() error { return e.MulMod(ctx, b, b, b, new(midint.Moduli)) })),
		"Engine.Exp": append(refused(b, func(e *midint.Engine, ctx context.Context, z, x, y *midint.Batch) error {
			return e.Exp(ctx, z, x, y, three)
		}), nils.Is(field.ErrSpec, func() error { return e.Exp(ctx, b, b, b, noModuli) })),
		"Engine.Add":     refused(b, (*midint.Engine).Add),
		"Engine.Sub":     refused(b, (*midint.Engine).Sub),
		"Engine.SixAdd":  refused(b, (*midint.Engine).SixAdd),
		"Engine.MulLow":  refused(b, (*midint.Engine).MulLow),
		"Engine.MulWide": refused(wide, (*midint.Engine).MulWide),
		"Engine.Neg": refused(b, func(e *midint.Engine, ctx context.Context, z, x, _ *midint.Batch) error {
			return e.Neg(ctx, z, x)
		}),
		"Engine.Sqr": refused(wide, func(e *midint.Engine, ctx context.Context, z, x, _ *midint.Batch) error {
			return e.Sqr(ctx, z, x)
		}),
		"Engine.Convert": refused(wide, func(e *midint.Engine, ctx context.Context, z, x, _ *midint.Batch) error {
			return e.Convert(ctx, z, x)
		}),
		"Engine.Cmp": append(refused(b, func(e *midint.Engine, ctx context.Context, z, x, _ *midint.Batch) error {
			return e.Cmp(ctx, make([]int8, 2), x, z)
		}), nils.Is(field.ErrLength, func() error { return e.Cmp(ctx, nil, b, b) })),
	})
}
