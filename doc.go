// Package fft computes fast Fourier transforms over finite fields: exact, generic over the field, in any of
// several schemes, with bit-identical results whatever scheme, base case or number of workers runs.
//
// # What this package computes
//
// A [Plan] of length n over a field 𝔽 has a root of unity w of order exactly n and a shift s ≠ 0 (1 unless a
// coset is asked for). Its points are s·w^j for 0 ≤ j < n. Forward evaluates and Inverse interpolates:
//
//	Forward:  X[j] = Σᵢ x[i]·(s·w^j)^i,             0 ≤ j < n
//	Inverse:  x[i] = s^−i · n⁻¹ · Σⱼ X[j]·w^(−ij),  0 ≤ i < n
//
// so that Inverse undoes Forward, and the forward transform has a positive exponent and no scaling. The root is
// the field's RootOfUnity(n) unless [WithRoot] sets one; each field documents its roots. x is in natural order;
// X[j] stands at index j ([Natural]), at the reversal of the bits of j ([BitReversed]), or where the plan's
// Permutation says ([Scheme]). [WithNegacyclic] takes s² = w, the points with xⁿ = −1.
//
// # Use
//
// A field is a value such as smallprime.Goldilocks(); its elements are plain values such as uint64 residues.
// [NewPlan] infers the element type, chooses everything else, and returns a plan to be shared between
// goroutines. A field of the user's own needs nine methods: see package field.
//
// Nothing here runs in constant time: do not use it where timing may leak secrets.
package fft
