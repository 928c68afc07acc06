// Package reedsolomon has the interface of github.com/klauspost/reedsolomon, so that programs change to package rs by
// an import: New, its Encoder and Extensions but for DecodeIdx, the errors that they return, and the options that say
// what is computed, or on how many goroutines. Shards have the same bytes. Streams, and the matrices of PAR1, Jerasure
// and callers, are not here.
package reedsolomon
