package intmul

import endian "encoding/binary"

// wordOf returns the number of at most 19 digits.
func wordOf(digits []byte) (w uint64) {
	end := len(digits) & 7
	for _, c := range digits[:end] {
		w = 10*w + uint64(c-'0')
	}
	for ; end < len(digits); end += 8 {
		w = 100_000_000*w + eightDigits(endian.LittleEndian.Uint64(digits[end:]))
	}
	return w
}

// eightDigits returns the number of eight digits, the first of which is the lowest byte: pairs of digits become one
// number of twice the bits, three times.
func eightDigits(x uint64) uint64 {
	x = (x & 0x0f0f0f0f0f0f0f0f) * (10<<8 + 1) >> 8
	x = (x & 0x00ff00ff00ff00ff) * (100<<16 + 1) >> 16
	return (x & 0x0000ffff0000ffff) * (10_000<<32 + 1) >> 32
}

// areDigits reports whether eight bytes are decimal digits: none has a bit above its fifth to eighth that differs from
// those of '0', also with 6 more.
func areDigits(x uint64) bool {
	const high = 0xf0f0f0f0f0f0f0f0
	return (x&high)|((x+0x0606060606060606)&high)>>4 == 0x3333333333333333
}

// knownDigits returns a number of decimal digits that text begins with: up to the last seven where all are digits.
func knownDigits(text []byte) (n int) {
	for ; n+8 <= len(text) && areDigits(endian.LittleEndian.Uint64(text[n:])); n += 8 {
	}
	return n
}
