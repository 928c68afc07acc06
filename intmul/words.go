package intmul

import (
	"context"
	"math/big"
	"math/bits"
	"strings"
	"unsafe"
)

// perWord is the number of words of math/big in 64 bits.
const perWord = 64 / bits.UintSize

// of returns the absolute value of x in words of 64 bits: its own memory, where words have as many.
func of(x *big.Int) []uint64 { return toWords(x.Bits()) }

// toWords returns x in words of 64 bits.
func toWords(x []big.Word) []uint64 {
	if perWord == 1 {
		return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
	}
	z := make([]uint64, (len(x)+perWord-1)/perWord)
	for i, w := range x {
		z[i/perWord] |= uint64(w) << (i % perWord * bits.UintSize)
	}
	return z
}

// fromWords returns x in words of math/big.
func fromWords(x []uint64) []big.Word {
	if perWord == 1 {
		return unsafe.Slice((*big.Word)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
	}
	z := make([]big.Word, 0, perWord*len(x))
	for _, w := range x {
		for range perWord {
			z = append(z, big.Word(w))
			w >>= bits.UintSize / 2
			w >>= bits.UintSize / 2
		}
	}
	return z
}

// room64 returns n words, with anything in them, for a result that z gets, and that is written once the operands have
// been read: those of z where no operand but z itself has a share in them, and where work is not stopped then.
func room64(ctx context.Context, z *big.Int, n int, operands ...*big.Int) []uint64 {
	b := z.Bits()
	b = b[:cap(b)]
	if perWord != 1 || len(b) < n || !goesOn(ctx, n) {
		return uncleared(n)
	}
	for _, x := range operands {
		if c := x.Bits(); x != z && cap(c) > 0 && &b[len(b)-1] == &c[:cap(c)][cap(c)-1] {
			return uncleared(n)
		}
	}
	return toWords(b[:n])
}

// uncleared returns n words with anything in them. Long ones are the memory of a string that is built, which nobody
// clears: one worker would do so while the others wait.
func uncleared(n int) []uint64 {
	if n <= direct {
		return make([]uint64, n)
	}
	var b strings.Builder
	b.Grow(8 * n)
	b.WriteByte(0) // an empty string has no memory
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}

// set gives z the words and the sign.
func set(z *big.Int, words []uint64, negative bool) {
	z.SetBits(fromWords(words))
	if negative {
		z.Neg(z)
	}
}
