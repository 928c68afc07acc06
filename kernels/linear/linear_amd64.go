//go:build amd64 && !purego

package linear

import (
	"encoding/binary"

	"github.com/galfft/fft/internal/cpu"
)

var avx2 = Set{
	Form: "AVX2", Size: 32, Prepare: tables,
	Sums: [Outputs]func(z, x **byte, count int, m *byte, n int){sums1AVX2, sums2AVX2, sums3AVX2, sums4AVX2},
}

var gfni512 = Set{
	Form: "GFNI, AVX-512", Size: 8, Prepare: matrix,
	Sums: [Outputs]func(z, x **byte, count int, m *byte, n int){sums1GFNI, sums2GFNI, sums3GFNI, sums4GFNI},
}

// matrix has bit i of images[j] as bit j of byte 7 − i.
func matrix(z []byte, images [8]byte) {
	var m uint64
	for j, image := range images {
		for i := range 8 {
			m |= uint64(image>>i&1) << (8*(7-i) + j)
		}
	}
	binary.LittleEndian.PutUint64(z, m)
}

func active() *Set {
	switch {
	case cpu.GFNI():
		return &gfni512
	case cpu.Active() >= cpu.AVX2 && cpu.Active() != cpu.NEON:
		return &avx2
	}
	return &Generic
}
