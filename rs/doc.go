// Package rs has Reed–Solomon codes for files, packets and disks: data of k shards gets m shards of parity, and any k
// of the k + m rebuild the rest.
//
// A shard is a slice of bytes, and all of a call have one length. A symbol is one, two or four bytes of a shard
// ([Code.Unit]), and symbols at one place of all shards are a word of the code. Each [Code] has documented bytes, so
// that shards go from one program to another: docs/rs.md has the table.
//
// Words are values of a polynomial of degree below k, each times a constant of its shard, at k + m points of GF(2^8),
// GF(2^16) or GF(2^32). Codes of few shards are a matrix product. Those of many are additive FFTs of S.-J. Lin,
// W.-H. Chung and Y. S. Han over the points, for which a shard is a column, in strips that stay in cache.
package rs
