package intmul

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	ctx, x := t.Context(), big.NewInt(3)
	var none context.Context
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
	nils.Run(t, nils.Table{
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
		"Arithmetic.MulWords": append(every(0, func(a *Arithmetic, ctx context.Context, _ []*big.Int) error {
			return a.MulWords(ctx, nil, nil, nil)
		}), nils.Is(nil, func() error { return a.MulWords(ctx, nil, nil, nil) })),
	})
}
