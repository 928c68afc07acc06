// Package dist spreads one transform over the ranks of a group: goroutines of one process, or processes of several
// machines.
//
// A rank is one of the parties of a [Group], each with a part of every vector. All ranks make the same plan and the
// same calls, in the same order; a plan of this package is what a plan of package fft is, but that its slices and
// vectors are the rank's part:
//
//	coefficients, by columns               after the exchange, values by rows
//	     rank 0   rank 1   rank 2                 ┌──────────────────────────┐
//	    ┌────────┬────────┬────────┐              │ rank 0                   │
//	    │        │        │        │              ├──────────────────────────┤
//	    │        │        │        │      ──▶     │ rank 1                   │
//	    │        │        │        │              ├──────────────────────────┤
//	    │        │        │        │              │ rank 2                   │
//	    └────────┴────────┴────────┘              └──────────────────────────┘
//
// It is the four-step algorithm on the columns of a rank: transforms of columns, twiddle factors, one exchange of all
// with all, transforms of rows. The inverse goes back, so that a product of polynomials takes three exchanges.
//
// [Local] is a group of goroutines over one memory. Over words its ranks exchange nothing: they take the layers of one
// plan, and reach into the vectors of each other for the first ones.
//
// Values are bit for bit those of one plan, whatever the group, its size and the workers of a rank.
package dist
