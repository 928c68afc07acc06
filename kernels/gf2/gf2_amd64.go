//go:build amd64 && !purego

package gf2

import "github.com/galfft/fft/internal/cpu"

var gfni512 = Set{
	Form:      "GFNI, AVX-512",
	MaxLayers: [Constants]int{3, 3, 2, 1},
	Layers: [Constants][3]layersKernel{
		{layers0Radix2, layers0Radix4, layers0Radix8},
		{layers1Radix2, layers1Radix4, layers1Radix8},
		{layers2Radix2, layers2Radix4},
		{layers3Radix2},
	},
	LayersT: [Constants][3]layersKernel{
		{layers0Radix2T, layers0Radix4T, layers0Radix8T},
		{layers1Radix2T, layers1Radix4T, layers1Radix8T},
		{layers2Radix2T, layers2Radix4T},
		{layers3Radix2T},
	},
	AddTimes:   [Constants]addTimesKernel{addTimes0, addTimes1, addTimes2, addTimes3},
	Tail:       [Constants]tailKernel{tail0, tail1, tail2, tail3},
	TailT:      [Constants]tailKernel{tail0T, tail1T, tail2T, tail3T},
	Interleave: interleavePlanes,
	Separate:   separatePlanes,
	Pack:       [Levels]packKernel{pack0, pack1, pack2, pack3, pack4},
	Unpack:     [Levels]packKernel{unpack0, unpack1, unpack2, unpack3, unpack4},
	Mul:        [Levels]func(z, x, y *byte, tiles int){mul0, mul1, mul2, mul3, mul4},
	Scale:      [Levels]scaleKernel{scale0, scale1, scale2, scale3, scale4},
	Fold:       [Levels]foldKernel{fold0, fold1, fold2, fold3, fold4},
	FoldT:      [Levels]foldKernel{fold0T, fold1T, fold2T, fold3T, fold4T},
	Expand:     [3]rowsKernel{expand4, expand8, expand16},
	ExpandT:    [3]rowsKernel{expand4T, expand8T, expand16T},
	Sixteen:    sixteen,
	SixteenT:   sixteenT,
	Lanes:      mixLanes,
	Add:        addPlanes,
}

func active() *Set {
	if cpu.GFNI() {
		return &gfni512
	}
	return &Generic
}
