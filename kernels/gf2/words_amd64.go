//go:build amd64 && !purego

package gf2

import "github.com/galfft/fft/internal/cpu"

var words512 = Words{
	Form:   "VPCLMULQDQ, AVX-512",
	Vector: 64,
	Call:   1 << 17,
	Layers: [2][2]wordLayersKernel{
		{radix2Words64VPCLMUL512, radix4Words64VPCLMUL512},
		{radix2Words128VPCLMUL512, radix4Words128VPCLMUL512},
	},
	LayersT: [2][2]wordLayersKernel{
		{radix2TWords64VPCLMUL512, radix4TWords64VPCLMUL512},
		{radix2TWords128VPCLMUL512, radix4TWords128VPCLMUL512},
	},
	Tail:  [2]wordTailKernel{tailWords64VPCLMUL512, tailWords128VPCLMUL512},
	TailT: [2]wordTailKernel{tailTWords64VPCLMUL512, tailTWords128VPCLMUL512},
	Times: [2]wordTimesKernel{timesWords64VPCLMUL512, timesWords128VPCLMUL512},
	Mul:   [2]wordMulKernel{mulWords64VPCLMUL512, mulWords128VPCLMUL512},
}

var words256 = Words{
	Form:   "VPCLMULQDQ, AVX2",
	Vector: 32,
	Call:   1 << 16,
	Layers: [2][2]wordLayersKernel{
		{radix2Words64VPCLMUL, radix4Words64VPCLMUL},
		{radix2Words128VPCLMUL, radix4Words128VPCLMUL},
	},
	LayersT: [2][2]wordLayersKernel{
		{radix2TWords64VPCLMUL, radix4TWords64VPCLMUL},
		{radix2TWords128VPCLMUL, radix4TWords128VPCLMUL},
	},
	Tail:  [2]wordTailKernel{tailWords64VPCLMUL, tailWords128VPCLMUL},
	TailT: [2]wordTailKernel{tailTWords64VPCLMUL, tailTWords128VPCLMUL},
	Times: [2]wordTimesKernel{timesWords64VPCLMUL, timesWords128VPCLMUL},
	Mul:   [2]wordMulKernel{mulWords64VPCLMUL, mulWords128VPCLMUL},
}

var words128 = Words{
	Form:   "PCLMULQDQ, AVX2",
	Vector: 16,
	Call:   1 << 15,
	Layers: [2][2]wordLayersKernel{
		{radix2Words64PCLMUL, radix4Words64PCLMUL},
		{radix2Words128PCLMUL, radix4Words128PCLMUL},
	},
	LayersT: [2][2]wordLayersKernel{
		{radix2TWords64PCLMUL, radix4TWords64PCLMUL},
		{radix2TWords128PCLMUL, radix4TWords128PCLMUL},
	},
	Tail:  [2]wordTailKernel{tailWords64PCLMUL, tailWords128PCLMUL},
	TailT: [2]wordTailKernel{tailTWords64PCLMUL, tailTWords128PCLMUL},
	Times: [2]wordTimesKernel{timesWords64PCLMUL, timesWords128PCLMUL},
	Mul:   [2]wordMulKernel{mulWords64PCLMUL, mulWords128PCLMUL},
}

func activeWords() *Words {
	switch {
	case !cpu.CLMUL():
		return nil
	case cpu.VPCLMUL() && cpu.Active() >= cpu.AVX512:
		return &words512
	case cpu.VPCLMUL():
		return &words256
	}
	return &words128
}
