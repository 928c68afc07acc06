// Package literal has the three schemes as the thesis "A Generic Implementation of FFTs for the BPAS Library" (C.
// Costello, 2020) prints them, with its errors corrected: procedures 9 (six-step), 10 (merged six-step) and 11
// (four-step); and over affine domains the additive FFT of another thesis. They are for comparisons, element by element
// over any field; packages sixstep and fourstep, and the layers of fft.NewPlan, are what is used.
//
// N = 2^n is split by 2 on the outer levels down to base cases of b = 2, …, 64 points:
//
//	pre-shuffle     even and odd elements apart, l = log2(N/b) times
//	base cases      N/b of them, straight-line code
//	l levels        blocks of m = 2b, 4b, …, N elements: the second half times 1, w, w², … (w of order m), then
//	                DFT_2 of elements m/2 apart
//
// A level of the explicit six-step has four loops: twiddles, a shuffle that brings the pairs together, DFT_2, and a
// sort back. The merged six-step has one loop into scratch and copies back; the four-step has one loop in place. There
// is a full product for each factor but those of exponent 0: l·N/2 − (2^l − 1), and (log2(b)/2 − 1)·b + 1 for each base
// case.
package literal

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/front"
)

// Options chooses among the variants of the schemes. The zero value has the fastest of each.
type Options struct {
	Preshuffle Permutation
	Transpose  Transposition
	// Online computes factors as they are used, by a power each, instead of from tables.
	Online bool
	// Grain multiplies the numbers of turns, 8, 4 and 2, of which tasks take parts of the parallel loops; 0 is 1.
	Grain int
	// Mark, where it is not nil, is called by each call of a transform as it comes to another part, and with Done at
	// its end, from any goroutine but from one at a time: for measurements of parts.
	Mark func(p Part)
}

// Part is what a transform spends its time on.
type Part uint8

const (
	Permutations Part = iota // copies, the pre-shuffle and stride permutations
	BaseCases                // and polynomials of two coefficients
	Twiddles                 // products by factors in a loop of their own: in the explicit six-step and additive ones
	Butterflies              // DFT_2 of the outer levels, with twiddle factors where loops are merged; and merges
	Scaling                  // the product at the end of an inverse transform
	Expansions               // Taylor expansions of an additive transform
	Done
)

// String is the part in a word or two.
func (p Part) String() string {
	if p > Done {
		return fmt.Sprintf("Part(%d)", uint8(p))
	}
	return [...]string{"permutations", "base cases", "twiddles", "butterflies", "scaling",
		"Taylor expansions", "done"}[p]
}

// Permutation is the way to sort the input.
type Permutation uint8

const (
	ClosedForm Permutation = iota // in one pass
	Iterative                     // level by level
	Recursive                     // block by block
)

// Transposition is the way of the stride permutations.
type Transposition uint8

const (
	PlainTranspose     Transposition = iota // two loops
	BlockedTranspose                        // four loops
	RecursiveTranspose                      // cache-oblivious
)

// New makes the transform of n points of f, a power of two: s.Algorithm is one of the three schemes, and Auto the
// four-step. s.Base is the length of base cases, at most 64, by default 32. Strip, Cache and Twiddles have no effect.
func New[E any](f field.Field[E], n int, s field.Spec, o Options) (field.Transform[E], error) {
	d, err := field.NewCyclic(f, n)
	if err != nil {
		return nil, err
	}
	return Over(f, d, s, o)
}

// Over is New for any domain. Over an affine one it is the additive FFT of the thesis "Parallel Additive Fast Fourier
// Transform Algorithms" (M. Hamilis, 2016), of monomial coefficients: s.Algorithm is Auto then, and of o Grain and Mark
// alone are allowed.
func Over[E any](f field.Field[E], d field.Domain[E], s field.Spec, o Options) (field.Transform[E], error) {
	if o.Preshuffle > Recursive || o.Transpose > RecursiveTranspose || o.Grain < 0 {
		return nil, fmt.Errorf("fft: %w: options of a literal scheme: pre-shuffle %d, transpose %d, grain %d", field.ErrSpec,
			o.Preshuffle, o.Transpose, o.Grain)
	}
	affine, additive := d.(field.Affine[E])
	return front.New(f, bulks.NewSlices(f, additive), d, s,
		func(b bulks.Bulk, d engine.Domain, s field.Spec) (engine.Transform, field.Batch, error) {
			return engine.Make(b, d, s, func(p *engine.Problem) (engine.Scheme, error) {
				if additive {
					return buildAdditive(p, f, affine, o)
				}
				return build(p, f, o)
			})
		})
}
