//go:build amd64 && !purego

package batch

import (
	"encoding/binary"
	"unsafe"
)

// loadWords is Load for limbs of at most 28 bits: eight bytes have one, whatever its shift. The kernel takes those
// whose eight bytes are the integer's.
func loadWords(z *uint64, x *uint32, f *Form, stride, bytes, groups int) {
	const word = 8
	mask, b, n := f.load[16], int(f.load[17]), lanes*groups
	first := 0
	if bytes >= word {
		first = min(n, ((bytes-word)*8+7)/b+1)
		loadAVX2(z, (*uint64)(unsafe.Pointer(x)), b, stride, first)
	}
	to := unsafe.Slice(z, lanes*n)
	from := unsafe.Slice((*byte)(unsafe.Pointer(x)), (lanes-1)*stride+bytes)
	for i := first; i < n; i++ {
		for l := range lanes {
			var last [word]byte
			if at := i * b / 8; at < bytes {
				copy(last[:], from[l*stride+at:l*stride+bytes])
			}
			to[lanes*i+l] = binary.LittleEndian.Uint64(last[:]) >> (i * b % 8) & mask
		}
	}
}

// storeWords is Store for the same, of integers whose bytes are whole words.
func storeWords(z *uint32, x *uint64, f *Form, stride, bytes, _ int) {
	const word = 4
	storeAVX2((*uint64)(unsafe.Pointer(z)), x, int(f.store[25]), stride, bytes/word)
}
