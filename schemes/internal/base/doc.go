// Package base makes base cases, the transforms at which schemes stop splitting, of what the packages beside it have:
//
//   - codelets for N = 2 … 64, over element methods (package codelet);
//   - layers for powers of two (package depthfirst);
//   - products of smaller cases, where N exceeds the base chosen, or has several prime factors (package mixedradix);
//   - odd primes by the definition, or by Bluestein's or Rader's algorithm (package bluestein).
package base
