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
)

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
const primePhases = 3

// ConvolutionLen is the length of the cyclic convolutions by which Bluestein's algorithm transforms n points: a power
// of two, at least 2n − 1.
func ConvolutionLen(n int) int {
	l := 1
	for l < 2*n-1 {
		l *= 2
	}
	return l
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
		roots, l := false, ConvolutionLen(q)
		if p.Roots != nil {
			var err error
			if roots, err = p.Roots(l); err != nil {
				return nil, err
			}
		}
		how := OfPrime(q, l, p.Bytes(1), q == p.N, roots, p.Convolves)
		if how == Definition && asked && roots {
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

// OfPrime chooses for the length n of elements of so many bytes, and convolutions of length l ≥ 2n − 1, a power of two.
func OfPrime(n, l, bytes int, alone, roots, convolves bool) Prime {
	switch {
	case roots && float64(l)*float64(bits.Len(uint(l))+2) < float64(n)*float64(n):
		return ByRoots
	case !roots && convolves && (n >= leastInside || alone && n >= leastAlone || bytes > 8 && n >= leastWords):
		return ByField
	}
	return Definition
}
