//go:build amd64 && !purego

package clmul

import "github.com/galfft/fft/internal/cpu"

var sse = Set{Form: "PCLMULQDQ, SSE", Mul: mulCLMUL}

func active() *Set {
	if cpu.CLMUL() {
		return &sse
	}
	return &Generic
}

var (
	bits512 = Bits{Form: "AVX-512", Lanes: 512, Slice: sliceAVX512, Mul: slicedAVX512}
	bits256 = Bits{Form: "AVX2", Lanes: 256, Slice: sliceAVX2, Mul: slicedAVX2}
)

func activeBits() *Bits {
	switch tier := cpu.Active(); {
	case tier >= cpu.AVX512 && tier != cpu.NEON:
		return &bits512
	case tier >= cpu.AVX2 && tier != cpu.NEON:
		return &bits256
	}
	return &GenericBits
}
