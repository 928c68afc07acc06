package smallprime

import (
	"github.com/galfft/fft/field/bulks"
	kernels "github.com/galfft/fft/kernels/word"
)

// form is the working form and its arithmetic in words, for reports.
type form string

// traits are those of slices of words in Go, with so many ns for a butterfly.
func (f form) traits(butterfly float64) bulks.Traits {
	return bulks.Traits{InPlace: true, Passes: inGo, Butterfly: butterfly, Form: string(f)}
}

// inGo is passes of radix 4, and tails of 16.
var inGo = bulks.Passes{Layers: 2, Tails: [][]int{4: {4}}}

// bulk returns the arithmetic for the modulus of f, with kernels for the active tier, and what schemes refuse for a
// field that is none.
func (f *Field32) bulk() bulks.Bulk {
	if f.Check() != nil {
		return &bulks.Slices[uint32]{Field: f}
	}
	b, _ := f.class()
	return b
}

// bulk returns the arithmetic for the modulus of f, with kernels for the active tier, and what schemes refuse for a
// field that is none.
func (f *Field64) bulk() bulks.Bulk {
	if f.Check() != nil {
		return &bulks.Slices[uint64]{Field: f}
	}
	b, _ := f.class()
	return b
}

// class chooses the arithmetic for the modulus and its kernels; nil: there are none.
func (f *Field32) class() (bulks.Bulk, *kernels.Set[uint32]) {
	p, plain := f.m.p, bulks.Plain[uint32]{Slices: bulks.Slices[uint32]{Field: f}}
	switch {
	case p < 1<<30:
		const what form = "uint32, p < 2^30: Shoup products, values in [0, 4p)"
		return vectors(&shoup30Bulk{plain, what, newShoup30(p), f.mod}, p, 2, kernels.Shoup30())
	case p < 1<<31:
		const what form = "uint32, p < 2^31: Shoup products, values in [0, 2p)"
		return vectors(&shoup31Bulk{plain, what, newShoup31(p), f.mod}, p, 2.2, kernels.Shoup31())
	}
	if k := kernels.Montgomery32(); k != nil {
		const what form = "uint32, p < 2^32: Montgomery products, values in [0, p)"
		return vectors(&mont32Bulk{plain, what, newMont32(p), f.mod}, p, 3, k)
	}
	return &strict32Bulk{plain, "uint32, p < 2^32: Shoup products, values in [0, p)", newStrict32(p), f.mod}, nil
}

func (f *Field64) class() (bulks.Bulk, *kernels.Set[uint64]) {
	p, plain := f.m.p, bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: f}}
	ifma, doubles, solinas := kernels.IFMA50(), kernels.Double50(), kernels.Goldilocks()
	switch {
	case p < 1<<50 && ifma != nil:
		const what form = "uint64, p < 2^50: Shoup products of 52 bits, values in [0, 4p)"
		return vectors(&shoup50Bulk{plain, what, newShoup50(p), f.m}, p, 1.2, ifma)
	case p < 1<<50 && doubles != nil:
		const what form = "uint64, p < 2^50: Products by doubles, values in [0, 4p)"
		return vectors(&double50Bulk{plain, what, newDouble50(p), f.m}, p, 3, doubles)
	case p < 1<<62:
		const what form = "uint64, p < 2^62: Shoup products, values in [0, 4p)"
		return vectors(&shoup62Bulk{plain, what, newShoup62(p), f.m}, p, 4, kernels.Shoup62())
	case p < 1<<63:
		const what form = "uint64, p < 2^63: Shoup products, values in [0, 2p)"
		return vectors(&shoup63Bulk{plain, what, newShoup63(p), f.m}, p, 5, kernels.Shoup63())
	case p == goldilocks && solinas != nil: // in Go its own reduction is slower than the general one
		const what form = "uint64, p = 2^64 - 2^32 + 1: Montgomery products, values in [0, 2^64)"
		return vectors(&solinas64Bulk{plain, what, newSolinas64(p), f.m}, p, 5, solinas)
	}
	const what form = "uint64, p < 2^64: Montgomery products, values in [0, p)"
	return vectors(&mont64Bulk{plain, what, newMont64(p), f.m}, p, 6, kernels.Montgomery64())
}
