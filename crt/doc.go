// Package crt computes with integers by their residues modulo several word-size primes: the Chinese remainder
// theorem as a tool of exact products.
//
// # What this package computes
//
// A [System] has distinct odd primes p₀, …, p_(k−1) and the modulus M = p₀·…·p_(k−1). Residues takes integers to
// the k residues of each, and Garner takes residues back to the one integer of [0, M) that has them, or
// GarnerSymmetric to the one of [−M/2, M/2). Sums and products may be taken on residues in between, each prime on
// its own, and are exact as long as the true result lies in that range.
//
// [Primes] lists primes with roots of unity of large order, and [Mul] does it all for polynomials over the
// integers.
//
// # How
//
// Residues, mixed-radix digits and the words of an integer are sums of products of words by constants of the system,
// collected in three words and reduced once. For integers as large as M, of k primes of 62 bits, each residue takes
// about k products of words, and so does each prime's share of Garner: see BenchmarkResidues and BenchmarkGarner.
//
// On processors with AVX2, systems of up to 500 primes between 2^8 and 2^50 take these sums for 32 integers at once
// (package kernels/rns), in half of the time or less; AVX-512 and its IFMA are faster still.
//
// Systems are immutable and safe for concurrent use.
package crt
