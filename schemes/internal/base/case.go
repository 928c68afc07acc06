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
func Cases(p *engine.Problem) *cases.Build { return sharing(p, cases.NewScratch(p.F)) }

// sharing is Cases with scratch that others share.
func sharing(p *engine.Problem, s *cases.Scratch) *cases.Build {
	b, tables, primes := &cases.Build{Problem: p, Scratch: s}, new(depthfirst.Tables), map[int]cases.Case{}
	b.New = func(d engine.Domain) (cases.Case, error) {
		if c := primes[d.N]; c != nil && !d.Shifted() {
			return c, nil
		}
		c, err := newCase(b, tables, d)
		if isOddPrime(d.N) && err == nil && !d.Shifted() {
			primes[d.N] = c
		}
		return c, err
	}
	b.Apart = func(d engine.Domain) (cases.Case, error) { return sharing(p, s).New(d) }
	return b
}

// newCase makes the case of a domain: by prime factors where its length is no power of two, a product where that is
// longer than a base case, and else a codelet or layers.
func newCase(b *cases.Build, t *depthfirst.Tables, d engine.Domain) (cases.Case, error) {
	switch {
	case isOddPrime(d.N):
		return bluestein.New(b, d)
	case d.N&(d.N-1) != 0 || d.N > b.C.Base:
		return mixedradix.New(b, d)
	}
	if c, err := newStraight(b.Problem, d); c != nil || err != nil {
		return c, err
	}
	return depthfirst.New(b.Problem, d, t)
}

func isOddPrime(n int) bool { return n&(n-1) != 0 && choice.LargestFactor(n) == n }
