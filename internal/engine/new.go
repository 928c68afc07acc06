package engine

import (
	"errors"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
)

// Builder makes the scheme of a problem, which has its choice.
type Builder func(p *Problem) (Scheme, error)

// New makes the transform of the scheme that is chosen, with its batch: build gets checked parameters, and what package
// choice returns for them.
func New(f bulks.Bulk, d Domain, s field.Spec, build Builder) (Transform, field.Batch, error) {
	if s.Spread != nil {
		of, ok := s.Spread.(Spread)
		if !ok || choice.Wrapped(s.Batch) {
			return nil, s.Batch, errSpread
		}
		return Make(f, d, s, of.Build)
	}
	t, batch, err := Make(f, d, s, chosen(build, ""))
	if s.Tuning == nil || !errors.Is(err, field.ErrMemory) {
		return t, batch, err
	}
	// Tuned values may take more memory than the defaults, which know the limit.
	s.Tuning = nil
	return Make(f, d, s, chosen(build, fmt.Sprintf("tuned values: %v", err)))
}

var errSpread = fmt.Errorf("fft: %w: a part of one transform, want one of package dist, by a scheme and no batch",
	field.ErrSpec)

// Choose sets the choice of p as for a transform that s asks for.
func (p *Problem) Choose(s field.Spec) (err error) {
	q := p.choices()
	q.Spec = s
	p.C, err = choice.Of(q)
	return err
}

// chosen is build, after the choice. ignored says why tuned values were not taken before.
func chosen(build Builder, ignored string) Builder {
	return func(p *Problem) (Scheme, error) {
		k := field.TuningKey{Form: p.T.Form, Bytes: p.F.Bytes(bulks.Lanes) / bulks.Lanes, N: p.D.N, Order: p.S.Order,
			Workers: max(1, p.S.Workers), Batch: p.Batched}
		if p.T.Single && p.S.Tuning != nil {
			k.Field = p.D.Type()
		}
		var err error
		p.C, p.S, p.Ignored, err = choice.Tuned(p.choices(), k)
		if err != nil {
			return nil, err
		}
		if ignored != "" {
			p.Ignored = ignored
		}
		return build(p)
	}
}

// choices is p as package choice sees it.
func (p *Problem) choices() choice.Problem {
	c := choice.Problem{N: p.D.N, Traits: p.T, Bytes: p.F.Bytes, Spec: p.S}
	if e := p.D.Exponents; e != nil {
		c.Convolves = e.Convolves() && !p.S.NoPlanner
		c.Roots = func(l int) (bool, error) {
			_, err := e.Roots(l)
			if errors.Is(err, field.ErrNoRoot) {
				return false, nil
			}
			return err == nil, err
		}
	}
	return c
}

// Inside is the problem of a transform inside those of p, over the domain d, in the order that costs least.
func (p *Problem) Inside(d Domain) (*Problem, error) {
	q := *p
	q.D = d
	q.S.Algorithm, q.S.Order, q.S.Tuning, q.S.MemoryLimit = field.Auto, field.Scheme, nil, p.M.Left()
	var err error
	q.C, err = choice.Of(q.choices())
	return &q, err
}

// Make is New without a choice, for a build that follows the parameters by itself.
func Make(f bulks.Bulk, d Domain, s field.Spec, build Builder) (Transform, field.Batch, error) {
	p, batch, err := newProblem(f, d, s)
	if err != nil {
		return nil, batch, err
	}
	asked := p.S
	bytes := f.Bytes(bulks.Lanes) / bulks.Lanes
	beside := choice.Beside(p.T, bytes, d.N, batch, asked)
	inner, outer := choice.Workers(asked, batch, choice.Line(p.T, bytes), beside,
		!beside && choice.Whole(p.T, bytes, d.N, batch))
	p.S, p.Batched = inner, choice.Wrapped(batch)
	scheme, err := build(p)
	if err != nil {
		return nil, batch, err
	}
	t := inBatch(newTransform(p, scheme, p.S), outer, choice.Tasks(p.T, d.N, outer, batch.Count), batch, beside)
	return t, batch, p.fits(t)
}
