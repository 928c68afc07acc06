package base

import (
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/bluestein"
	"github.com/galfft/fft/schemes/depthfirst"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/mixedradix"
)

// Cases returns the making of the cases of p.
func Cases(p *engine.Problem) *cases.Build {
	return sharing(p, cases.NewScratch(p.F), cases.NewScratch(p.F))
}

// sharing is Cases with scratch that others share: Build's Scratch and Whole.
func sharing(p *engine.Problem, s, whole *cases.Scratch) *cases.Build {
	b := &cases.Build{Problem: p, Scratch: s, Whole: whole}
	tables, primes := new(depthfirst.Tables), map[int]cases.Case{}
	b.New = func(d engine.Domain) (cases.Case, error) {
		if c := primes[d.N]; c != nil && !d.Shifted() {
			return c, nil
		}
		c, err := newCase(b, tables, d)
		if b.C.Case(d.N) == choice.Odd && err == nil && !d.Shifted() {
			primes[d.N] = c
		}
		return c, err
	}
	b.Apart = func(d engine.Domain) (cases.Case, error) { return sharing(p, s, whole).New(d) }
	return b
}

// newCase makes the case of a domain as it was chosen.
func newCase(b *cases.Build, t *depthfirst.Tables, d engine.Domain) (cases.Case, error) {
	switch b.C.Case(d.N) {
	case choice.Odd:
		return bluestein.New(b, d)
	case choice.Parts:
		return mixedradix.New(b, d)
	case choice.Straight:
		if c, err := newStraight(b.Problem, d); c != nil || err != nil {
			return c, err
		}
	}
	return depthfirst.New(b.Problem, d, t)
}
