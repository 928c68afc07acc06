package intmul

import (
	"context"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	ctx, x, f := t.Context(), big.NewInt(3), big.NewFloat(3)
	var none context.Context
	d, err := a.Divisor(ctx, x)
	require.NoError(t, err)
	absent := (*big.Int)(nil)
	// every calls f with each integer nil, with a nil context, and with bad receivers.
	every := func(integers int, f func(a *Arithmetic, ctx context.Context, x []*big.Int) error) []nils.Case {
		list := func(bad int) []*big.Int {
			l := make([]*big.Int, integers)
			for i := range l {
				if l[i] = big.NewInt(3); i == bad {
					l[i] = nil
				}
			}
			return l
		}
		calls := []func() error{
			func() error { return f(nil, ctx, list(-1)) },
			func() error { return f(new(Arithmetic), ctx, list(-1)) },
			func() error { return f(a, none, list(-1)) },
		}
		for i := range integers {
			calls = append(calls, func() error { return f(a, ctx, list(i)) })
		}
		return []nils.Case{nils.Is(field.ErrSpec, calls...)}
	}
	// decimals is every for decimals.
	decimals := func(count int, f func(a *Arithmetic, ctx context.Context, x []*Decimal) error) []nils.Case {
		list := func(bad int) []*Decimal {
			l := make([]*Decimal, count)
			for i := range l {
				if l[i] = new(Decimal); i == bad {
					l[i] = nil
				}
			}
			return l
		}
		calls := []func() error{
			func() error { return f(nil, ctx, list(-1)) },
			func() error { return f(new(Arithmetic), ctx, list(-1)) },
			func() error { return f(a, none, list(-1)) },
		}
		for i := range count {
			calls = append(calls, func() error { return f(a, ctx, list(i)) })
		}
		return []nils.Case{nils.Is(field.ErrSpec, calls...)}
	}
	nils.Run(t, nils.Table{
		"MulFloat": {nils.Panics(func() { MulFloat(nil, f, f) }, func() { MulFloat(f, nil, f) },
			func() { MulFloat(f, f, nil) })},
		"Arithmetic.MulFloat": {nils.Is(field.ErrSpec,
			func() error { return (*Arithmetic)(nil).MulFloat(ctx, f, f, f) },
			func() error { return new(Arithmetic).MulFloat(ctx, f, f, f) },
			func() error { return a.MulFloat(none, f, f, f) }, func() error { return a.MulFloat(ctx, nil, f, f) },
			func() error { return a.MulFloat(ctx, f, nil, f) }, func() error { return a.MulFloat(ctx, f, f, nil) })},
		"Arithmetic.AddDecimal": decimals(3, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.AddDecimal(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.SubDecimal": decimals(3, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.SubDecimal(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.MulDecimal": decimals(3, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.MulDecimal(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.SqrDecimal": decimals(2, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.SqrDecimal(ctx, x[0], x[1])
		}),
		"Arithmetic.ToDecimal": append(decimals(1, func(a *Arithmetic, ctx context.Context, z []*Decimal) error {
			return a.ToDecimal(ctx, z[0], x)
		}), nils.Is(field.ErrSpec, func() error { return a.ToDecimal(ctx, new(Decimal), nil) })),
		"Arithmetic.FromDecimal": append(decimals(1, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.FromDecimal(ctx, new(big.Int), x[0])
		}), nils.Is(field.ErrSpec, func() error { return a.FromDecimal(ctx, nil, new(Decimal)) })),
		"Arithmetic.FormatDecimal": append(decimals(1, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.FormatDecimal(ctx, io.Discard, x[0])
		}), nils.Is(field.ErrSpec, func() error { return a.FormatDecimal(ctx, nil, new(Decimal)) })),
		"Arithmetic.ParseDecimal": append(decimals(1, func(a *Arithmetic, ctx context.Context, x []*Decimal) error {
			return a.ParseDecimal(ctx, x[0], []byte("1"))
		}), nils.Is(field.ErrRange, func() error { return a.ParseDecimal(ctx, new(Decimal), nil) })),
		"Decimal.Sign":   {nils.Quiet(func() { (*Decimal)(nil).Sign() })},
		"Decimal.Digits": {nils.Quiet(func() { (*Decimal)(nil).Digits() })},
		"Decimal.String": {nils.Quiet(func() { require.Equal(t, "<nil>", (*Decimal)(nil).String()) })},
		"Decimal.Append": {nils.Quiet(func() { (*Decimal)(nil).Append(nil) })},
		"New": {nils.Is(field.ErrSpec, func() error { _, err := New(nil); return err },
			func() error { _, err := New(WithWorkers(-1)); return err },
			func() error { _, err := New(WithMemoryLimit(-1)); return err })},
		"WithWorkers":     {nils.Quiet(func() { WithWorkers(0) })},
		"WithMemoryLimit": {nils.Quiet(func() { WithMemoryLimit(0) })},
		"WithRunner": {nils.Quiet(func() {
			_, err := New(WithRunner(nil))
			require.NoError(t, err)
		})},
		"Mul": {nils.Panics(func() { Mul(nil, x, x) }, func() { Mul(x, nil, x) }, func() { Mul(x, x, nil) })},
		"Sqr": {nils.Panics(func() { Sqr(nil, x) }, func() { Sqr(x, absent) })},
		"Arithmetic.Mul": every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Mul(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.Sqr": every(2, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Sqr(ctx, x[0], x[1])
		}),
		"Arithmetic.Prepare": every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			_, err := a.Prepare(ctx, x[0], 1)
			return err
		}),
		"Arithmetic.MulOperand": append(every(2, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.MulOperand(ctx, x[0], x[1], nil)
		}), nils.Is(field.ErrVec, func() error { return a.MulOperand(ctx, x, x, nil) },
			func() error { return a.MulOperand(ctx, x, x, new(Operand)) })),
		"Arithmetic.MulAdd": append(every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.MulAdd(ctx, x[0], x[1:2], x[2:])
		}), nils.Is(field.ErrLength, func() error { return a.MulAdd(ctx, x, nil, []*big.Int{x}) })),
		"Arithmetic.MulLow": append(every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.MulLow(ctx, x[0], x[1], x[2], 1)
		}), nils.Is(field.ErrRange, func() error { return a.MulLow(ctx, x, x, x, -1) })),
		"Arithmetic.MulMiddle": append(every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.MulMiddle(ctx, x[0], x[1], x[2], 1, 2)
		}), nils.Is(field.ErrRange, func() error { return a.MulMiddle(ctx, x, x, x, 2, 1) })),
		"Arithmetic.QuoRem": append(every(4, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.QuoRem(ctx, x[0], x[1], x[2], x[3])
		}), nils.Is(field.ErrNotInvertible, func() error { return a.QuoRem(ctx, x, new(big.Int), x, new(big.Int)) })),
		"Arithmetic.DivExact": every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.DivExact(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.Divisor": every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			_, err := a.Divisor(ctx, x[0])
			return err
		}),
		"Divisor.QuoRem": {nils.Is(field.ErrSpec, func() error { return (*Divisor)(nil).QuoRem(ctx, x, x, x) },
			func() error { return new(Divisor).QuoRem(ctx, x, x, x) },
			func() error { return d.QuoRem(ctx, nil, x, x) }, func() error { return d.QuoRem(ctx, x, nil, x) },
			func() error { return d.QuoRem(ctx, x, new(big.Int), nil) },
			func() error { return d.QuoRem(none, x, new(big.Int), x) })},
		"Arithmetic.GCD": every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.GCD(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.SqrtRem": every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.SqrtRem(ctx, x[0], x[1], x[2])
		}),
		"Arithmetic.Sqrt": every(2, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Sqrt(ctx, x[0], x[1])
		}),
		"Arithmetic.Exp": append(every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Exp(ctx, x[0], x[1], x[2], nil)
		}), nils.Is(nil, func() error { return a.Exp(ctx, new(big.Int), x, x, nil) })),
		"Arithmetic.Product": every(3, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Product(ctx, x[0], x[1:])
		}),
		"Arithmetic.MulRange": every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.MulRange(ctx, x[0], 1, 2)
		}),
		"Arithmetic.Append": every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			_, err := a.Append(ctx, nil, x[0], 10)
			return err
		}),
		"Arithmetic.Format": append(every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Format(ctx, io.Discard, x[0], 10)
		}), nils.Is(field.ErrSpec, func() error { return a.Format(ctx, nil, x, 10) })),
		"Arithmetic.Parse": append(every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Parse(ctx, x[0], []byte("1"), 10)
		}), nils.Is(field.ErrRange, func() error { return a.Parse(ctx, x, nil, 10) })),
		"Arithmetic.Scan": append(every(1, func(a *Arithmetic, ctx context.Context, x []*big.Int) error {
			return a.Scan(ctx, strings.NewReader("1"), x[0], 10, 10)
		}), nils.Is(field.ErrSpec, func() error { return a.Scan(ctx, nil, x, 10, 10) })),
		"Arithmetic.MemoryUse": {nils.Is(field.ErrSpec,
			func() error { _, err := (*Arithmetic)(nil).MemoryUse(1, 1); return err },
			func() error { _, err := new(Arithmetic).MemoryUse(1, 1); return err })},
		"Arithmetic.Explain": {nils.Is(field.ErrSpec,
			func() error { return (*Arithmetic)(nil).Explain(io.Discard, 1, 1) },
			func() error { return new(Arithmetic).Explain(io.Discard, 1, 1) },
			func() error { return a.Explain(nil, 1, 1) })},
		"SyntaxError.Error": {nils.Panics(func() { _ = (*SyntaxError)(nil).Error() }),
			nils.Quiet(func() { _ = new(SyntaxError).Error() })},
		"SyntaxError.Is": {nils.Quiet(func() { new(SyntaxError).Is(nil) })},
		"Arithmetic.MulWords": append(every(0, func(a *Arithmetic, ctx context.Context, _ []*big.Int) error {
			return a.MulWords(ctx, nil, nil, nil)
		}), nils.Is(nil, func() error { return a.MulWords(ctx, nil, nil, nil) })),
	})
}
