package literal

import "math/big"

// BigInt is an element of [BigField].
type BigInt = Int[big.Int]

// BigField is a field over the integers of math/big.
type BigField = Field[big.Int, *big.Int]

// BigPrefix stands before the names of fields over math/big, NCWPrefix before those over GMP.
const (
	BigPrefix = "big:"
	NCWPrefix = "ncw:"
)

// Big returns the field of f's prime over math/big. The error is that of f's Check, and field.ErrModulus where f is no
// prime field.
func Big[E any](f Residues[E]) (*BigField, error) { return newField[big.Int, *big.Int](f, BigPrefix) }
