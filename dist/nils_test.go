package dist_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/nils"
)

// Nil and zero arguments of everything exported.
func TestNils(t *testing.T) {
	f := smallprime.Goldilocks()
	ends, err := dist.Local(1)
	if err != nil {
		t.Fatal(err)
	}
	p, err := dist.NewPlan(bg, ends[0], f, 8, dist.Blocks{})
	if err != nil {
		t.Fatal(err)
	}
	// each calls something of no plan.
	each := func(call func(p *dist.Plan[uint64]) error) nils.Case {
		return nils.Is(field.ErrSpec, func() error { return call(nil) },
			func() error { return call(new(dist.Plan[uint64])) })
	}
	quiet := func(call func(p *dist.Plan[uint64])) nils.Case {
		return nils.Quiet(func() { call(nil) }, func() { call(new(dist.Plan[uint64])) })
	}
	var none *dist.RankError
	nils.Run(t, nils.Table{
		"Local": {nils.Is(field.ErrSpec, func() error { _, err := dist.Local(0); return err })},
		"Run": {nils.Is(field.ErrSpec, func() error { return dist.Run(ends, nil) },
			func() error { return dist.Run([]dist.Group{nil}, func(dist.Group) error { return nil }) }),
			nils.Quiet(func() { _ = dist.Run(nil, func(dist.Group) error { return nil }) })},
		"Share": {nils.Is(field.ErrSpec, func() error { return dist.Share(t.Context(), nil, nil, nil) },
			func() error { return dist.Share(noContext, ends[0], nil, nil) })},
		"Severity":   {nils.Quiet(func() { dist.Severity(nil) })},
		"OfSeverity": {nils.Quiet(func() { _ = dist.OfSeverity(0, 0) })},
		"RankError.Error": {nils.Panics(func() { _ = none.Error() }),
			nils.Quiet(func() { _ = (&dist.RankError{}).Error() })},
		"RankError.Unwrap": {nils.Panics(func() { _ = none.Unwrap() })},
		"NewPlan": {nils.Is(field.ErrSpec,
			func() error { _, err := dist.NewPlan(bg, nil, f, 8, dist.Blocks{}); return err },
			func() error { _, err := dist.NewPlan(noContext, ends[0], f, 8, dist.Blocks{}); return err },
			func() error { _, err := dist.NewPlan[uint64](bg, ends[0], nil, 8, dist.Blocks{}); return err },
			func() error {
				_, err := dist.NewPlan[uint64](bg, ends[0], new(smallprime.Field64), 8, dist.Blocks{})
				return err
			}), nils.Is(nil, func() error {
			_, err := dist.NewPlan(bg, ends[0], f, 8, dist.Blocks{}, nil)
			return err
		})},
		"NewErased": {nils.Is(field.ErrSpec,
			func() error { _, err := dist.NewErased(bg, nil, erased.Of(f), 8, dist.Blocks{}); return err },
			func() error {
				_, err := dist.NewErased(bg, ends[0], erased.Of[uint64](nil), 8, dist.Blocks{})
				return err
			})},
		"Chunks.Rows": {nils.Quiet(func() { _ = dist.Chunks{}.Rows() })},
		"Part.Len":    {nils.Quiet(func() { _ = dist.Part{}.Len() })},
		"Part.Index":  {nils.Panics(func() { _ = dist.Part{}.Index(0) })},
		"Part.String": {nils.Quiet(func() { _ = dist.Part{}.String() })},
		"Plan.Cut": {each(func(p *dist.Plan[uint64]) error { return p.Cut(nil, nil, dist.Part{}) }),
			nils.Is(nil, func() error { return p.Cut(nil, nil, dist.Part{}) })},
		"Plan.Paste": {each(func(p *dist.Plan[uint64]) error { return p.Paste(nil, nil, dist.Part{}) }),
			nils.Is(nil, func() error { return p.Paste(nil, nil, dist.Part{}) })},
		"Plan.Read": {each(func(p *dist.Plan[uint64]) error { return p.Read(nil, nil, 0, dist.Part{}) }),
			nils.Is(field.ErrSpec, func() error { return p.Read(nil, nil, 0, dist.Part{}) }),
			nils.Is(nil, func() error { return p.Read(nil, bytes.NewReader(nil), 0, dist.Part{}) })},
		"Plan.Len":  {quiet(func(p *dist.Plan[uint64]) { p.Len() })},
		"Plan.Size": {quiet(func(p *dist.Plan[uint64]) { p.Size() })},
		"Plan.Coefficients": {quiet(func(p *dist.Plan[uint64]) { p.Coefficients(0) }),
			nils.Quiet(func() { p.Coefficients(-1) })},
		"Plan.Values": {quiet(func(p *dist.Plan[uint64]) { p.Values(0) }), nils.Quiet(func() { p.Values(1) })},
		"Plan.Forward": {each(func(p *dist.Plan[uint64]) error { return p.Forward(bg, nil, nil) }),
			nils.Is(field.ErrLength, func() error { return p.Forward(bg, nil, nil) }),
			nils.Is(field.ErrSpec, func() error { return p.Forward(noContext, nil, nil) })},
		"Plan.Inverse": {each(func(p *dist.Plan[uint64]) error { return p.Inverse(bg, nil, nil) }),
			nils.Is(field.ErrLength, func() error { return p.Inverse(bg, nil, nil) }),
			nils.Is(field.ErrSpec, func() error { return p.Inverse(noContext, nil, nil) })},
		"Plan.NewVec": {each(func(p *dist.Plan[uint64]) error { _, err := p.NewVec(); return err })},
		"Plan.Load": {each(func(p *dist.Plan[uint64]) error { return p.Load(nil, nil) }),
			nils.Is(field.ErrVec, func() error { return p.Load(nil, nil) })},
		"Plan.Store": {each(func(p *dist.Plan[uint64]) error { return p.Store(nil, nil) }),
			nils.Is(field.ErrVec, func() error { return p.Store(nil, nil) })},
		"Plan.ForwardVec": {each(func(p *dist.Plan[uint64]) error { return p.ForwardVec(bg, nil) }),
			nils.Is(field.ErrVec, func() error { return p.ForwardVec(bg, nil) })},
		"Plan.InverseVec": {each(func(p *dist.Plan[uint64]) error { return p.InverseVec(bg, nil) }),
			nils.Is(field.ErrVec, func() error { return p.InverseVec(bg, nil) })},
		"Plan.MulVec": {each(func(p *dist.Plan[uint64]) error { return p.MulVec(nil, nil, nil) }),
			nils.Is(field.ErrVec, func() error { return p.MulVec(nil, nil, nil) })},
		"Plan.Report": {quiet(func(p *dist.Plan[uint64]) { p.Report() })},
		"Plan.Explain": {each(func(p *dist.Plan[uint64]) error { return p.Explain(new(bytes.Buffer)) }),
			nils.Is(field.ErrSpec, func() error { return errors.Join(p.Explain(nil)) })},
	})
}
