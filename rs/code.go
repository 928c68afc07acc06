package rs

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Code is a way to make parity, down to the bytes. The zero value leaves the choice to [New].
type Code int

const (
	// Auto is Vandermonde up to 256 shards, Leopard16 where it serves the numbers, and else Additive32.
	Auto Code = iota
	// Vandermonde is the code of reedsolomon.New (klauspost, Backblaze): values at points 0, 1, 2, … of GF(2^8) modulo
	// x^8 + x^4 + x^3 + x^2 + 1, in the order of numbers. It has up to 256 shards.
	Vandermonde
	// Cauchy is that of reedsolomon.New WithCauchyMatrix: parity i is the sum of data j over (k + i) + j.
	Cauchy
	// Zfec is that of zfec and of L. Rizzo's fec: values at points 0, 1, a, a², … for a = x.
	Zfec
	// Leopard8 is that of catid/leopard over GF(2^8), reedsolomon.New WithLeopardGF. Parity rounded up to a power of
	// two, and data rounded up to a multiple of that, are at most 256 together.
	Leopard8
	// Leopard16 is that of catid/leopard over GF(2^16), reedsolomon.New WithLeopardGF16, for at most 65536 such shards.
	Leopard16
	// Additive32 is our own, Leopard's over GF(2^32), for as many shards as memory has room for.
	Additive32
	// Additive64 is the same over GF(2^64). Its points are in GF(2^32), so that each half of a symbol is one of a word
	// of Additive32.
	Additive64
	// Additive128 is the same over GF(2^128).
	Additive128
	codes
)

var codeNames = [codes]string{"auto", "vandermonde", "cauchy", "zfec", "leopard8", "leopard16", "additive32",
	"additive64", "additive128"}

// String returns the name of c in small letters, as auto or vandermonde.
func (c Code) String() string {
	if c < 0 || c >= codes {
		return fmt.Sprintf("#%d", int(c))
	}
	return codeNames[c]
}

// ParseCode is the inverse of String. Its error is field.ErrSpec.
func ParseCode(name string) (Code, error) {
	if i := slices.Index(codeNames[:], name); i >= 0 {
		return Code(i), nil
	}
	return 0, errSpec("unknown code %q, want one of %s", name, strings.Join(codeNames[:], ", "))
}

// Unit is the bytes of a symbol: the length of a shard is a multiple of it. It is a power of two up to 16, and 0 for
// Auto.
func (c Code) Unit() int {
	switch c {
	case Vandermonde, Cauchy, Zfec, Leopard8:
		return 1
	case Leopard16:
		return 2
	case Additive32:
		return 4
	case Additive64:
		return 8
	case Additive128:
		return 16
	}
	return 0
}

// level is that of a field in package gf2 that has all points of an additive code.
func (c Code) level() int { return min(int(c-Leopard8), mostLevel) }

// mostLevel is that of GF(2^32): a longer symbol is several of its elements side by side.
const mostLevel = 2

// mostPositions bounds the points of the longest code, so that what is computed of them fits in 31 bits.
const mostPositions = 1 << 30

// serves reports whether the code has words of so many shards.
func (c Code) serves(data, parity int) bool {
	if data < 1 || parity < 0 || data > mostPositions || parity > mostPositions/2 {
		return false
	}
	m := rounded(parity)
	switch c {
	case Vandermonde, Cauchy, Zfec:
		return data+parity <= 256
	case Leopard8:
		return (data+m-1)/m*m <= 1<<8-m
	case Leopard16:
		return (data+m-1)/m*m <= 1<<16-m
	case Additive32, Additive64, Additive128:
		return m+data <= mostPositions
	}
	return false
}

// chosen is the code that stands for Auto.
func chosen(data, parity int) Code {
	for _, c := range []Code{Vandermonde, Leopard16} {
		if c.serves(data, parity) {
			return c
		}
	}
	return Additive32
}

// rounded is the least power of two that is not below n.
func rounded(n int) int { return 1 << bits.Len(uint(max(n, 1)-1)) }
