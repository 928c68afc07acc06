//go:build (amd64 || arm64) && !purego

package gf2

// lookups is a map of bytes as those of the sixteen low halves of a byte, and of the high ones.
func lookups(matrices []uint64) (list []uint64) {
	for _, m := range matrices {
		for part := range 2 {
			var low, high uint64 // of numbers below 8, and what 8 adds
			for i := range 8 {
				image := m >> (8*(7-i) + 4*part) // of four bits, in bit i
				low |= (image&1*0xff00ff00ff00ff00 ^ image>>1&1*0xffff0000ffff0000 ^ image>>2&1*0xffffffff00000000) &
					(ones << i)
				high |= image >> 3 & 1 * ones << i
			}
			list = append(list, low, low^high)
		}
	}
	return list
}
