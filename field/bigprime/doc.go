// Package bigprime has the fields of all primes of 65 to 8192 bits, chosen at run time.
//
// An element is an array of 2 to 128 words, the lowest first, that holds a residue as it is: canonical, below p, unused
// high words 0. One body of code serves all sizes. Products are those of P. Montgomery, which leave a factor 1/R, with
// R = 2^(64w) for w words: multipliers of transforms are kept with a factor R, so that a product by them is one of
// Montgomery's, and a product of two plain elements takes two.
//
// The primes of package field/gfpf are primes too: here they are treated as any other, for comparison.
package bigprime
