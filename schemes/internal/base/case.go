package base

import (
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/choice"
	"github.com/galfft/fft/schemes/internal/core"
	"github.com/galfft/fft/schemes/internal/layers"
	"github.com/galfft/fft/schemes/internal/prime"
	"github.com/galfft/fft/schemes/internal/product"
)

// Cases returns the making of the cases of p.
func Cases(p *core.Problem) *cases.Build { return sharing(p, cases.NewScratch(p.F)) }

// sharing is Cases with scratch that others share.
func sharing(p *core.Problem, s *cases.Scratch) *cases.Build {
	b, tables, primes := &cases.Build{Problem: p, Scratch: s}, new(layers.Tables), map[int]cases.Case{}
	b.New = func(d core.Domain) (cases.Case, error) {
		if c := primes[d.N]; c != nil && !d.Shifted() {
			return c, nil
		}
		c, err := newCase(b, tables, d)
		if isOddPrime(d.N) && err == nil && !d.Shifted() {
			primes[d.N] = c
		}
		return c, err
	}
	b.Apart = func(d core.Domain) (cases.Case, error) { return sharing(p, s).New(d) }
	return b
}

// newCase makes the case of a domain: by prime factors where its length is no power of two, a product where that is
// longer than a base case, and else a codelet or layers.
func newCase(b *cases.Build, t *layers.Tables, d core.Domain) (cases.Case, error) {
	switch {
	case isOddPrime(d.N):
		return prime.New(b, d)
	case d.N&(d.N-1) != 0:
		return product.NewMixed(b, d)
	case d.N > b.C.Base:
		return product.NewSplit(b, d)
	}
	if c, err := newStraight(b.Problem, d); c != nil || err != nil {
		return c, err
	}
	return layers.New(b.Problem, d, t)
}

func isOddPrime(n int) bool { return n&(n-1) != 0 && choice.LargestFactor(n) == n }
