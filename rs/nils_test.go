package rs

import (
	"context"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/nils"
	"github.com/stretchr/testify/require"
)

var noContext context.Context

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	p, parity := plan(t, 2, 1), [][]byte{{1}}
	e, err := p.Incremental(parity)
	require.NoError(t, err)
	refused := func(call func(p *Plan, ctx context.Context, s [][]byte) error) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { return call(nil, ctx, nil) },
			func() error { return call(new(Plan), ctx, nil) },
			func() error { return call(p, noContext, make([][]byte, 3)) }),
			nils.Is(ErrShards, func() error { return call(p, ctx, nil) })}
	}
	var few *TooFewError
	var size *SizeError
	var disc *Disc
	table := nils.Table{
		"New": {nils.Is(field.ErrSpec, func() error { _, err := New(1, 1, nil); return err },
			func() error { _, err := New(1, 1, WithCode(-1)); return err },
			func() error { _, err := New(1, 1, WithCode(codes)); return err }),
			nils.Is(ErrCounts, func() error { _, err := New(0, 0); return err })},
		"WithCode": {nils.Is(nil, func() error { _, err := New(1, 1, WithCode(0)); return err })},
		"WithWorkers": {nils.Is(nil, func() error { _, err := New(1, 1, WithWorkers(0)); return err }),
			nils.Is(field.ErrSpec, func() error { _, err := New(1, 1, WithWorkers(-1)); return err })},
		"WithRunner": {nils.Is(nil, func() error { _, err := New(1, 1, WithRunner(nil)); return err })},
		"ParseCode":  {nils.Is(field.ErrSpec, func() error { _, err := ParseCode(""); return err })},
		"Code.String": {nils.Quiet(func() { require.Equal(t, "auto", Code(0).String()) },
			func() { require.Equal(t, "#-1", Code(-1).String()) })},
		"Code.Unit":   {nils.Quiet(func() { require.Zero(t, Code(0).Unit()) })},
		"Plan.Data":   {nils.Quiet(func() { require.Zero(t, (*Plan)(nil).Data()+new(Plan).Data()) })},
		"Plan.Parity": {nils.Quiet(func() { require.Zero(t, (*Plan)(nil).Parity()+new(Plan).Parity()) })},
		"Plan.Code": {nils.Quiet(func() { require.Equal(t, Auto, (*Plan)(nil).Code()) },
			func() { require.Equal(t, Auto, new(Plan).Code()) })},
		"Plan.Encode":      refused((*Plan).Encode),
		"Plan.Reconstruct": refused((*Plan).Reconstruct),
		"Plan.Verify": refused(func(p *Plan, ctx context.Context, s [][]byte) error {
			_, err := p.Verify(ctx, s)
			return err
		}),
		"Plan.Update": refused(func(p *Plan, ctx context.Context, s [][]byte) error { return p.Update(ctx, s, s) }),
		"Plan.ReconstructSome": refused(func(p *Plan, ctx context.Context, s [][]byte) error {
			return p.ReconstructSome(ctx, s, make([]bool, len(s)))
		}),
		"Plan.Locate": refused(func(p *Plan, ctx context.Context, s [][]byte) error {
			_, err := p.Locate(ctx, s)
			return err
		}),
		"Plan.Repair": refused(func(p *Plan, ctx context.Context, s [][]byte) error {
			_, err := p.Repair(ctx, s)
			return err
		}),
		"NewDisc":   {nils.Is(field.ErrSpec, func() error { _, err := NewDisc(""); return err })},
		"Disc.Size": {nils.Quiet(func() { disc.Size() }, func() { new(Disc).Size() })},
		"Disc.Encode": {nils.Is(field.ErrSpec, func() error { return disc.Encode(nil) },
			func() error { return new(Disc).Encode(nil) })},
		"Disc.Correct": {nils.Is(field.ErrSpec, func() error { _, err := disc.Correct(nil, nil); return err },
			func() error { _, err := new(Disc).Correct(nil, nil); return err }),
			nils.Is(ErrSize, func() error { _, err := discs[0].Correct(nil, nil); return err })},
		"Plan.Incremental": {nils.Is(field.ErrSpec, func() error { _, err := (*Plan)(nil).Incremental(parity); return err },
			func() error { _, err := new(Plan).Incremental(parity); return err }),
			nils.Is(ErrShards, func() error { _, err := p.Incremental(nil); return err }),
			nils.Is(ErrSize, func() error { _, err := p.Incremental(make([][]byte, 1)); return err })},
		"Incremental.Add": {nils.Is(field.ErrSpec, func() error { return (*Incremental)(nil).Add(ctx, 0, nil) },
			func() error { return new(Incremental).Add(ctx, 0, nil) },
			func() error { return e.Add(noContext, 0, nil) }),
			nils.Is(ErrSize, func() error { return e.Add(ctx, 0, nil) })},
		"Incremental.Finish": {nils.Is(field.ErrSpec, func() error { return (*Incremental)(nil).Finish(ctx) },
			func() error { return new(Incremental).Finish(ctx) },
			func() error { return e.Finish(noContext) })},
		"TooFewError.Error": {nils.Quiet(func() { _ = new(TooFewError).Error() }), nils.Panics(func() { _ = few.Error() })},
		"TooFewError.Is":    {nils.Quiet(func() { require.False(t, few.Is(nil)) })},
		"SizeError.Error":   {nils.Quiet(func() { _ = new(SizeError).Error() }), nils.Panics(func() { _ = size.Error() })},
		"SizeError.Is":      {nils.Quiet(func() { require.False(t, size.Is(nil)) })},
	}
	nils.Run(t, table)
}
