package choice

import (
	"math/bits"

	"github.com/galfft/fft/field"
)

// Prime is how a transform of an odd prime length runs, alone or as a factor of another.
type Prime int

const (
	Definition Prime = iota
	ByRoots          // Bluestein's algorithm, by the field's own roots
	ByField          // Bluestein's algorithm, by the field's own convolutions
	ByUnits          // Rader's algorithm
)

// units reports whether a prime factor q goes by Rader's algorithm where there are roots of order q − 1, a power of
// two: 257, and 17 on rows that are wide, where a butterfly takes so long that its products by the definition take more
// than the moves, and passes of odd lengths share none. It is one step, which 65537 points would be too many for.
func (p Problem) units(q int) bool {
	const wide = 1 << 12 // points of the whole transform
	few := p.Traits.Passes.OddSums > 0
	return q == 257 || q == 17 && p.N >= wide && p.Traits.Butterfly > lightOdd && !few
}

// The least n for which convolutions of the field's own are faster than the definition on wide rows, and than that of a
// transform of n points alone, by BenchmarkPrimeLengths; for elements of several words they are faster from leastWords
// on in both.
const (
	leastInside = 200
	leastAlone  = 50
	leastWords  = 17
)

// primePhases is how many times as long a prime length must be as another for two tasks to take less time than one, by
// BenchmarkPrimeWorkers: it has more phases, and shorter ones.
const primePhases = 6

// Convolution is how Bluestein's algorithm makes n values: Parts equal parts of them, each by a cyclic convolution of
// length Len, a power of two, of all n elements.
type Convolution struct{ Len, Parts int }

// ConvolutionOf is that of n points. Two parts take the half of the next power of two above 2n − 2 where their
// (3n − 1)/2 terms fit, which is up to a third above a power of two: three transforms of that length for two of the
// next, and half of their tables.
func ConvolutionOf(n int) Convolution {
	c := Convolution{Len: 1, Parts: 1}
	for c.Len < 2*n-1 {
		c.Len *= 2
	}
	if half := c.Len / 2; n+(n+1)/2-1 <= half {
		c = Convolution{Len: half, Parts: 2}
	}
	return c
}

// butterflies is about how many halves of a butterfly it takes, with its products and moves.
func (c Convolution) butterflies() float64 {
	return float64(c.Parts+1) / 2 * float64(c.Len) * float64(bits.Len(uint(c.Len))+2)
}

// primes chooses for the odd prime factors of N. Bluestein's algorithm runs where it was asked for by name, too.
func (p Problem) primes() (map[int]Prime, error) {
	list := map[int]Prime{}
	for m := p.N; m&(m-1) != 0; {
		q := LargestFactor(m)
		for m%q == 0 {
			m /= q
		}
		asked := q == p.N && p.Spec.Algorithm == field.Bluestein
		if q < leastWords && !asked {
			continue
		}
		roots, c := false, ConvolutionOf(q)
		if p.Roots != nil {
			var err error
			if roots, err = p.Roots(c.Len); err != nil {
				return nil, err
			}
		}
		how := OfPrime(q, c, p.Bytes(1), q == p.N, roots, p.Convolves)
		units := false
		if !asked && p.Roots != nil && p.units(q) {
			var err error
			if units, err = p.Roots(q - 1); err != nil {
				return nil, err
			}
		}
		if units {
			how = ByUnits
		} else if how == Definition && asked && roots {
			how = ByRoots
		} else if how == Definition && asked && p.Convolves {
			how = ByField
		}
		if how != Definition {
			list[q] = how
		}
	}
	return list, nil
}

// OfPrime chooses for the length n of elements of so many bytes, and the convolution of that length.
func OfPrime(n int, c Convolution, bytes int, alone, roots, convolves bool) Prime {
	switch {
	case roots && c.butterflies() < float64(n)*float64(n):
		return ByRoots
	case !roots && convolves && (n >= leastInside || alone && n >= leastAlone || bytes > 8 && n >= leastWords):
		return ByField
	}
	return Definition
}
