//go:build cgo && gmp

package literal

import "github.com/ncw/gmp"

// NCWInt is an element of [NCWField].
type NCWInt = Int[gmp.Int]

// NCWField is a field over the integers of GMP, through github.com/ncw/gmp.
type NCWField = Field[gmp.Int, *gmp.Int]

// NCW returns the field of f's prime over GMP, whose memory is not that of Go: finalizers of elements free it, and no
// limit of plans counts it. The error is that of f's Check, and field.ErrModulus where f is no prime field.
func NCW[E any](f Residues[E]) (*NCWField, error) { return newField[gmp.Int, *gmp.Int](f, NCWPrefix) }
