// Package base holds the base cases: the transforms at which schemes stop splitting.
//
// A [Case] is a transform of length N on rows, DFT_N ⊗ I_width: N rows of width contiguous elements each, in
// place, natural rows to bit-reversed rows, over the points s·w^k of a domain. Three forms are chosen from:
//
//   - [codelet] code for N = 2 … 64, over element methods;
//   - layers over the passes of a bulk, of any power of two, depth first until the rows
//     fit in cache. Block b of a layer evaluates modulo x^h − z for the b-th of the roots in bit-reversed
//     order, so that one table serves all layers, one factor each block, and a coset changes the factors
//     but not their number;
//   - a product of two smaller cases with twiddles between them, where N exceeds the base chosen;
//   - for other lengths, one case for each prime factor: by the definition, or by Bluestein's algorithm.
//
// [codelet]: https://pkg.go.dev/github.com/galfft/fft/schemes/internal/codelet
package base
