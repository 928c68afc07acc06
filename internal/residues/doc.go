// Package residues converts between numbers of many words, their residues modulo several primes of a word each, and
// numbers modulo another. Package crt stands on it, and products over fields of large primes do. Residues modulo prime
// i are a row of their own, one word for each number.
package residues
