// Package batch has kernels in assembly for products of eight integers at a time. It knows no algorithm but the
// classical one. What it is for is in package midint. The assembly is written by kernels/_gen.
//
// # Tiles
//
// A tile is eight integers in limbs of b bits, b at most 52: vectors of eight words, where word 8i + l is limb i of
// integer l. Limbs are signed words: an integer is Σ x_i·2^(b·i). Factors of a product have limbs in [0, 2^52).
package batch

const (
	// LimbBits is the most bits of a limb of a factor on any tier.
	LimbBits = 52
	// MostLimbs is the most limbs of factors and of what joins: calls take less than 50 µs then, because assembly
	// cannot be preempted.
	MostLimbs = 128

	lanes    = 8
	mostRows = 8 // of limbs of x that are multiplied at once

	// shortBits is the bits of limbs whose products are words: MostLimbs of them have a sum below 2^63.
	shortBits = 28
)

// Set is the kernels of one tier. Destinations are apart from operands, but for those of sums.
type Set struct {
	Name string // what the kernels use, in words
	Bits int    // the most of a limb of a factor: LimbBits, or 28 where products are words of 64 bits

	// Integers of fewer words of 32 bits, and tiles of fewer of them, take less time one by one (docs/midint.md).
	LeastWords, LeastCount int

	// Load sets the tile z to eight integers of so many bytes at x, stride bytes apart, in groups of eight limbs; bits
	// behind the last byte are 0. Store sets eight integers of so many bytes at z to the tile x, of any limbs, modulo
	// what the bytes hold; it reads all limbs of the groups.
	Load  func(z *uint64, x *uint32, f *Form, stride, bytes, groups int)
	Store func(z *uint32, x *uint64, f *Form, stride, bytes, groups int)
	// Product sets z to the sum of rows, which Rows made: 2n limbs of n each, or the n low ones, and then further ones
	// below 2n have any content. Where a limb has b bits, shift is LimbBits − b; sets whose limbs have 28 bits ignore
	// it, and take factors below 2^28.
	Product func(z, x, y *uint64, rows []uint64, shift int)
	// Settle has each of n > 1 limbs of z give what is above its bits to the next one, but for the last. It is nil
	// where limbs have 28 bits, which take no carries on the way (package midint has why).
	Settle func(z *uint64, bits, n int)
	// Carry has each of n > 0 limbs of z give what is above its bits to the next one, the lowest first, but for the
	// last: the others are then below 2^bits.
	Carry func(z *uint64, bits, n int)
	// Add sets n > 0 limbs z to x + y. z may be x or y.
	Add func(z, x, y *uint64, n int)
	// Join is the last step of Karatsuba's product: with the 4h limbs of z as z0 and z1, of 2h each, it adds
	// t − z0 − z1 to those of z from h on.
	Join func(z, t *uint64, h int)

	// Plus and Minus set count > 0 integers z to x + y and x − y, modulo what they hold: each has so many words, one
	// behind the other, and those of the next follow. They are no tiles. z may be x or y. The set of AVX2 has neither:
	// nil.
	Plus  func(z, x, y *uint32, words, count int)
	Minus func(z, x, y *uint32, words, count int)
}

// Form is the constants of limbs of so many bits. Where those are at most 28, bytes go in pairs.
type Form struct {
	load  [18]uint64 // for each limb the bytes that have it, its shift; the mask; the bytes of eight limbs
	store [28]uint64 // for each byte the byte of an even limb, of an odd one; shifts, the mask, bits, bytes of either
}

// NewForm returns the constants of limbs of b bits, 16 ≤ b ≤ 52.
func NewForm(b int) *Form {
	f := new(Form)
	unit := 1 // bytes that go together
	if b <= shortBits {
		unit = 2
	}
	each, bits := 8/unit, 8*unit // units of a word, and bits of one
	put := func(list []uint64, i, v int) { list[i/each] |= uint64(v) << (i % each * bits) }
	for i := range lanes {
		first, shift := b*i/bits, b*i%bits
		for k := range each {
			put(f.load[:8], each*i+k, first+k)
			if k < (b+shift+bits-1)/bits {
				put(f.store[8*(i%2):], first+k, each*i+k)
				f.store[26+i%2] |= 1 << (first + k)
			}
		}
		f.load[8+i], f.store[16+i] = uint64(shift), uint64(shift)
	}
	f.load[16], f.load[17] = 1<<b-1, uint64(b)
	f.store[24], f.store[25] = 1<<b-1, uint64(b)
	return f
}

// Rows returns how Product goes through n limbs of both factors, for all 2n limbs of the product or the n low ones: in
// as few rows of at most eight limbs as do, of nearly one length.
func Rows(n int, low bool) []uint64 {
	var z []uint64
	count := (n + mostRows - 1) / mostRows
	for at := 0; at < n; count-- {
		h, steps := (n-at+count-1)/count, n
		if low {
			steps = n - at
		}
		turns := (steps + h - 1) / h
		z = append(z, uint64(h), uint64(h*turns-steps), uint64(turns))
		at += h
	}
	return append(z, 0, 0, 0)
}
