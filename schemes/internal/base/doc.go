// Package base holds the base cases: the transforms at which schemes stop splitting.
//
// A [Case] is a transform of length N on rows, DFT_N ⊗ I_width: N rows of width contiguous elements each, in
// place, natural rows to bit-reversed rows, over the points s·w^k of a domain. Three forms are chosen from:
//
//   - straight-line code for N = 2 … 64 (generated, in zcodelets.go), on element-wise fields, where it has the
//     least number of products: 2, 8, 24, 64, 160, 384 additions and 0, 1, 5, 17, 49, 129 products;
//   - layers of radix 4 and 2 over the bulk operations of a field, of any length, depth first until the rows
//     fit in cache. Block b of a layer evaluates modulo x^h − z for the b-th of the roots in bit-reversed
//     order, so that one table serves all layers, one factor each block, and a coset changes the factors
//     but not their number;
//   - a product of two smaller cases with a twist between them, where N exceeds the base chosen.
//
// Sources: Cooley and Tukey for the split; the thesis "A Generic Implementation of FFTs for the BPAS Library"
// (C. Costello, 2020), sections 5 and 6.2, for the unrolled base cases and their counts.
package base
