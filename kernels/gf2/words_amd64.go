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
	Last:  lastWords128VPCLMUL512,
	LastT: lastTWords128VPCLMUL512,
	Times: [2]wordTimesKernel{timesWords64VPCLMUL512, timesWords128VPCLMUL512},
	Mul:   [2]wordMulKernel{mulWords64VPCLMUL512, mulWords128VPCLMUL512},

	TimesFold:  timesFoldWords64VPCLMUL512,
	TimesFoldT: timesFoldTWords64VPCLMUL512,

	Stream: streamWords128VPCLMUL512,
}

// wordsGFNI512 is words512 where GFNI reduces.
var wordsGFNI512 = func() Words {
	s := words512
	s.short = &shortWords512
	return s
}()

var shortWords512 = func() Words {
	s := words512
	s.Form = "VPCLMULQDQ, GFNI, AVX-512"
	s.Layers[0] = [2]wordLayersKernel{radix2Words64GFNI512, radix4Words64GFNI512}
	s.LayersT[0] = [2]wordLayersKernel{radix2TWords64GFNI512, radix4TWords64GFNI512}
	s.Tail[0], s.TailT[0] = tailWords64GFNI512, tailTWords64GFNI512
	s.Times[0], s.Mul[0] = timesWords64GFNI512, mulWords64GFNI512
	s.TimesFold, s.TimesFoldT = timesFoldWords64GFNI512, timesFoldTWords64GFNI512
	return s
}()

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
	case cpu.VPCLMUL() && cpu.GFNI():
		return &wordsGFNI512
	case cpu.VPCLMUL() && cpu.Active() >= cpu.AVX512:
		return &words512
	case cpu.VPCLMUL():
		return &words256
	}
	return &words128
}
