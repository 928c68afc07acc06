// Package words has Reed–Solomon codes over fields with roots of unity, as proofs have them: the values of a low-degree
// extension are a word. Codes for shards of files are in package rs.
package words
