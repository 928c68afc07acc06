//go:build amd64 && !purego

package linear

import (
	"encoding/binary"

	"github.com/galfft/fft/internal/cpu"
)

var avx2 = Set{
	Form: "AVX2", Size: 32, Prepare: tables,
	Sums:   [Outputs]Sums{sums1AVX2, sums2AVX2, sums3AVX2, sums4AVX2},
	Stream: [Outputs]Sums{sums1StreamAVX2, sums2StreamAVX2, sums3StreamAVX2, sums4StreamAVX2},
	Symbols: [2]Symbols{{
		Bytes: 1, Most: 3,
		Layers: [Kinds][Layers]Pass{
			Any:   {layers1AnyRadix2AVX2, layers1AnyRadix4AVX2, layers1AnyRadix8AVX2},
			Low:   {layers1AnyRadix2AVX2, layers1AnyRadix4AVX2, layers1AnyRadix8AVX2},
			First: {layers1FirstRadix2AVX2, layers1FirstRadix4AVX2, layers1FirstRadix8AVX2},
			Edge:  {layers1EdgeRadix2AVX2, layers1EdgeRadix4AVX2, layers1EdgeRadix8AVX2},
		},
		LayersT: [Kinds][Layers]Pass{
			Any:   {layers1AnyRadix2AVX2T, layers1AnyRadix4AVX2T, layers1AnyRadix8AVX2T},
			Low:   {layers1AnyRadix2AVX2T, layers1AnyRadix4AVX2T, layers1AnyRadix8AVX2T},
			First: {layers1FirstRadix2AVX2T, layers1FirstRadix4AVX2T, layers1FirstRadix8AVX2T},
			Edge:  {layers1EdgeRadix2AVX2T, layers1EdgeRadix4AVX2T, layers1EdgeRadix8AVX2T},
		},
		Stream: [Layers]Pass{layers1StreamRadix2AVX2, layers1StreamRadix4AVX2, layers1StreamRadix8AVX2},
		Turn:   [Layers]Pass{turn1Radix2AVX2, turn1Radix4AVX2, turn1Radix8AVX2},
		SumsT:  [Layers]Sum{sums1Radix2AVX2T, sums1Radix4AVX2T, sums1Radix8AVX2T},
		Enter:  enter1AVX2, Leave: leave1AVX2,
	}, {
		Bytes: 2, Most: 2,
		Layers: [Kinds][Layers]Pass{
			Any:   {layers2AnyRadix2AVX2, layers2AnyRadix4AVX2},
			Low:   {layers2LowRadix2AVX2, layers2LowRadix4AVX2},
			First: {layers2FirstRadix2AVX2, layers2FirstRadix4AVX2},
			Edge:  {layers2EdgeRadix2AVX2, layers2EdgeRadix4AVX2},
		},
		LayersT: [Kinds][Layers]Pass{
			Any:   {layers2AnyRadix2AVX2T, layers2AnyRadix4AVX2T},
			Low:   {layers2LowRadix2AVX2T, layers2LowRadix4AVX2T},
			First: {layers2FirstRadix2AVX2T, layers2FirstRadix4AVX2T},
			Edge:  {layers2EdgeRadix2AVX2T, layers2EdgeRadix4AVX2T},
		},
		Stream: [Layers]Pass{layers2StreamRadix2AVX2, layers2StreamRadix4AVX2},
		Turn:   [Layers]Pass{turn2Radix2AVX2, turn2Radix4AVX2},
		SumsT:  [Layers]Sum{sums2Radix2AVX2T, sums2Radix4AVX2T},
		Enter:  enter2AVX2, Leave: leave2AVX2,
	}},
	Gather: gatherAVX2,
}

var gfni512 = Set{
	Form: "GFNI, AVX-512", Size: 8, Prepare: matrix,
	Sums:   [Outputs]Sums{sums1GFNI, sums2GFNI, sums3GFNI, sums4GFNI},
	Stream: [Outputs]Sums{sums1StreamGFNI, sums2StreamGFNI, sums3StreamGFNI, sums4StreamGFNI},
	Symbols: [2]Symbols{{
		Bytes: 1, Most: 4,
		Layers: [Kinds][Layers]Pass{
			Any:   {layers1AnyRadix2GFNI, layers1AnyRadix4GFNI, layers1AnyRadix8GFNI, layers1AnyRadix16GFNI},
			Low:   {layers1AnyRadix2GFNI, layers1AnyRadix4GFNI, layers1AnyRadix8GFNI, layers1AnyRadix16GFNI},
			First: {layers1FirstRadix2GFNI, layers1FirstRadix4GFNI, layers1FirstRadix8GFNI, layers1FirstRadix16GFNI},
			Edge:  {layers1EdgeRadix2GFNI, layers1EdgeRadix4GFNI, layers1EdgeRadix8GFNI, layers1EdgeRadix16GFNI},
		},
		LayersT: [Kinds][Layers]Pass{
			Any: {layers1AnyRadix2GFNIT, layers1AnyRadix4GFNIT, layers1AnyRadix8GFNIT, layers1AnyRadix16GFNIT},
			Low: {layers1AnyRadix2GFNIT, layers1AnyRadix4GFNIT, layers1AnyRadix8GFNIT, layers1AnyRadix16GFNIT},
			First: {layers1FirstRadix2GFNIT, layers1FirstRadix4GFNIT, layers1FirstRadix8GFNIT,
				layers1FirstRadix16GFNIT},
			Edge: {layers1EdgeRadix2GFNIT, layers1EdgeRadix4GFNIT, layers1EdgeRadix8GFNIT,
				layers1EdgeRadix16GFNIT},
		},
		Stream: [Layers]Pass{layers1StreamRadix2GFNI, layers1StreamRadix4GFNI, layers1StreamRadix8GFNI,
			layers1StreamRadix16GFNI},
		Turn:  [Layers]Pass{turn1Radix2GFNI, turn1Radix4GFNI, turn1Radix8GFNI, turn1Radix16GFNI},
		SumsT: [Layers]Sum{sums1Radix2GFNIT, sums1Radix4GFNIT, sums1Radix8GFNIT, sums1Radix16GFNIT},
		Enter: enter1GFNI, Leave: leave1GFNI,
	}, {
		Bytes: 2, Most: 3, Planes: true,
		Layers: [Kinds][Layers]Pass{
			Any:   {layers2AnyRadix2GFNI, layers2AnyRadix4GFNI, layers2AnyRadix8GFNI},
			Low:   {layers2LowRadix2GFNI, layers2LowRadix4GFNI, layers2LowRadix8GFNI},
			First: {layers2FirstRadix2GFNI, layers2FirstRadix4GFNI, layers2FirstRadix8GFNI},
			Edge:  {layers2EdgeRadix2GFNI, layers2EdgeRadix4GFNI, layers2EdgeRadix8GFNI},
		},
		LayersT: [Kinds][Layers]Pass{
			Any:   {layers2AnyRadix2GFNIT, layers2AnyRadix4GFNIT, layers2AnyRadix8GFNIT},
			Low:   {layers2LowRadix2GFNIT, layers2LowRadix4GFNIT, layers2LowRadix8GFNIT},
			First: {layers2FirstRadix2GFNIT, layers2FirstRadix4GFNIT, layers2FirstRadix8GFNIT},
			Edge:  {layers2EdgeRadix2GFNIT, layers2EdgeRadix4GFNIT, layers2EdgeRadix8GFNIT},
		},
		Stream: [Layers]Pass{layers2StreamRadix2GFNI, layers2StreamRadix4GFNI, layers2StreamRadix8GFNI},
		Turn:   [Layers]Pass{turn2Radix2GFNI, turn2Radix4GFNI, turn2Radix8GFNI},
		SumsT:  [Layers]Sum{sums2Radix2GFNIT, sums2Radix4GFNIT, sums2Radix8GFNIT},
		Enter:  enter2GFNI, Leave: leave2GFNI,
	}},
	Gather: gatherGFNI,
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
