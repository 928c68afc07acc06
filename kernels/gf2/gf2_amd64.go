//go:build amd64 && !purego

package gf2

import "github.com/galfft/fft/internal/cpu"

var gfni512 = Set{
	Form:      "GFNI, AVX-512",
	Call:      1 << 17,
	Pairs:     16 * Lanes,
	Subfields: true,
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
	Blocks: [Constants][3]blocksKernel{
		{blocks0Radix2, blocks0Radix4, blocks0Radix8},
		{blocks1Radix2, blocks1Radix4, blocks1Radix8},
		{blocks2Radix2, blocks2Radix4},
		{blocks3Radix2},
	},
	BlocksT: [Constants][3]blocksKernel{
		{blocks0Radix2T, blocks0Radix4T, blocks0Radix8T},
		{blocks1Radix2T, blocks1Radix4T, blocks1Radix8T},
		{blocks2Radix2T, blocks2Radix4T},
		{blocks3Radix2T},
	},
	AddTimes:    [Constants]addTimesKernel{addTimes0, addTimes1, addTimes2, addTimes3},
	Tail:        [Constants]tailKernel{tail0, tail1, tail2, tail3},
	TailT:       [Constants]tailKernel{tail0T, tail1T, tail2T, tail3T},
	Interleave:  interleavePlanes,
	Separate:    separatePlanes,
	Maps:        same,
	Pack:        [Levels]packKernel{pack0, pack1, pack2, pack3, pack4},
	Unpack:      [Levels]packKernel{unpack0, unpack1, unpack2, unpack3, unpack4},
	PackBytes:   [Levels]packKernel{packBytes0, packBytes1, packBytes2, packBytes3, packBytes4},
	UnpackBytes: [Levels]packKernel{unpackBytes0, unpackBytes1, unpackBytes2, unpackBytes3, unpackBytes4},
	Mul:         [Levels]mulKernel{mul0, mul1, mul2, mul3, mul4},
	Scale:       [Levels]scaleKernel{scale0, scale1, scale2, scale3, scale4},
	Fold:        [Levels]foldKernel{fold0, fold1, fold2, fold3, fold4},
	FoldT:       [Levels]foldKernel{fold0T, fold1T, fold2T, fold3T, fold4T},
	Expand:      [3]rowsKernel{expand4, expand8, expand16},
	ExpandT:     [3]rowsKernel{expand4T, expand8T, expand16T},
	Sixteen:     sixteen,
	SixteenT:    sixteenT,
	Lanes:       mixLanes,
	Add:         addPlanes,
	Copy:        copyRows,
	Stream:      streamRows,
	Swap:        swapRows,
}

// gfni256 moves bytes and adds them as avx2 does.
var gfni256 = Set{
	Form:      "GFNI, AVX2",
	Call:      1 << 15,
	Pairs:     Lanes,
	MaxLayers: [Constants]int{3, 2, 1, 1},
	Layers: [Constants][3]layersKernel{
		{layers0Radix2GFNI256, layers0Radix4GFNI256, layers0Radix8GFNI256},
		{layers1Radix2GFNI256, layers1Radix4GFNI256},
		{layers2Radix2GFNI256},
		{layers3Radix2GFNI256},
	},
	LayersT: [Constants][3]layersKernel{
		{layers0Radix2GFNI256T, layers0Radix4GFNI256T, layers0Radix8GFNI256T},
		{layers1Radix2GFNI256T, layers1Radix4GFNI256T},
		{layers2Radix2GFNI256T},
		{layers3Radix2GFNI256T},
	},
	AddTimes:   [Constants]addTimesKernel{addTimes0GFNI256, addTimes1GFNI256, addTimes2GFNI256, addTimes3GFNI256},
	Tail:       [Constants]tailKernel{tail0GFNI256, tail1GFNI256, tail2GFNI256, tail3GFNI256},
	TailT:      [Constants]tailKernel{tail0GFNI256T, tail1GFNI256T, tail2GFNI256T, tail3GFNI256T},
	Interleave: interleavePlanesAVX2,
	Separate:   separatePlanesAVX2,
	Maps:       same,
	Pack:       [Levels]packKernel{pack0GFNI256, pack1GFNI256, pack2GFNI256, pack3GFNI256, pack4GFNI256},
	Unpack:     [Levels]packKernel{unpack0GFNI256, unpack1GFNI256, unpack2GFNI256, unpack3GFNI256, unpack4GFNI256},
	Mul:        [Levels]mulKernel{mul0GFNI256, mul1GFNI256, mul2GFNI256, mul3GFNI256, mul4GFNI256},
	Scale: [Levels]scaleKernel{
		scaleBy(0, spread0AVX2, mul0GFNI256), scaleBy(1, spread1AVX2, mul1GFNI256),
		scaleBy(2, spread2AVX2, mul2GFNI256), scaleBy(3, spread3AVX2, mul3GFNI256),
		scaleBy(4, spread4AVX2, mul4GFNI256),
	},
	Fold:     [Levels]foldKernel{fold0AVX2, fold1AVX2, fold2AVX2, fold3AVX2, fold4AVX2},
	FoldT:    [Levels]foldKernel{fold0AVX2T, fold1AVX2T, fold2AVX2T, fold3AVX2T, fold4AVX2T},
	Expand:   [3]rowsKernel{expand4AVX2, expand8AVX2, expand16AVX2},
	ExpandT:  [3]rowsKernel{expand4AVX2T, expand8AVX2T, expand16AVX2T},
	Sixteen:  sixteenAVX2,
	SixteenT: sixteenAVX2T,
	Lanes:    mixLanesAVX2,
	Add:      addPlanesAVX2,
	Copy:     copied,
}

var avx2 = Set{
	Form:      "AVX2",
	Call:      1 << 15,
	Pairs:     Lanes,
	MaxLayers: [Constants]int{3, 2, 1, 1},
	Layers: [Constants][3]layersKernel{
		{layers0Radix2AVX2, layers0Radix4AVX2, layers0Radix8AVX2},
		{layers1Radix2AVX2, layers1Radix4AVX2},
		{layers2Radix2AVX2},
		{layers3Radix2AVX2},
	},
	LayersT: [Constants][3]layersKernel{
		{layers0Radix2AVX2T, layers0Radix4AVX2T, layers0Radix8AVX2T},
		{layers1Radix2AVX2T, layers1Radix4AVX2T},
		{layers2Radix2AVX2T},
		{layers3Radix2AVX2T},
	},
	AddTimes:   [Constants]addTimesKernel{addTimes0AVX2, addTimes1AVX2, addTimes2AVX2, addTimes3AVX2},
	Tail:       [Constants]tailKernel{tail0AVX2, tail1AVX2, tail2AVX2, tail3AVX2},
	TailT:      [Constants]tailKernel{tail0AVX2T, tail1AVX2T, tail2AVX2T, tail3AVX2T},
	Interleave: interleavePlanesAVX2,
	Separate:   separatePlanesAVX2,
	Maps:       lookups,
	Pack:       [Levels]packKernel{pack0AVX2, pack1AVX2, pack2AVX2, pack3AVX2, pack4AVX2},
	Unpack:     [Levels]packKernel{unpack0AVX2, unpack1AVX2, unpack2AVX2, unpack3AVX2, unpack4AVX2},
	Mul:        [Levels]mulKernel{mul0AVX2, mul1AVX2, mul2AVX2, mul3AVX2, mul4AVX2},
	Scale: [Levels]scaleKernel{
		scaleBy(0, spread0AVX2, mul0AVX2), scaleBy(1, spread1AVX2, mul1AVX2), scaleBy(2, spread2AVX2, mul2AVX2),
		scaleBy(3, spread3AVX2, mul3AVX2), scaleBy(4, spread4AVX2, mul4AVX2),
	},
	Fold:     [Levels]foldKernel{fold0AVX2, fold1AVX2, fold2AVX2, fold3AVX2, fold4AVX2},
	FoldT:    [Levels]foldKernel{fold0AVX2T, fold1AVX2T, fold2AVX2T, fold3AVX2T, fold4AVX2T},
	Expand:   [3]rowsKernel{expand4AVX2, expand8AVX2, expand16AVX2},
	ExpandT:  [3]rowsKernel{expand4AVX2T, expand8AVX2T, expand16AVX2T},
	Sixteen:  sixteenAVX2,
	SixteenT: sixteenAVX2T,
	Lanes:    mixLanesAVX2,
	Add:      addPlanesAVX2,
	Copy:     copied,
}

func active() *Set {
	switch tier := cpu.Active(); {
	case cpu.GFNI():
		return &gfni512
	case cpu.GFNI256():
		return &gfni256
	case tier == cpu.Generic:
		return &Generic
	}
	return &avx2
}

// scaleBy makes Set.Scale of products and of what spreads elements of a tile, 2^s times each.
func scaleBy(k int, spread func(z, w *byte, s, at int), product mulKernel) scaleKernel {
	return func(v *byte, tiles int, w *byte, s, first int) {
		size := Lanes << k
		if s == 0 {
			product(v, v, at(w, first*size), tiles)
			return
		}
		var y [Lanes * 16]byte
		for j := range tiles {
			from := Lanes * (first + j) >> s
			spread(&y[0], at(w, from/Lanes*size), min(s, 6), from%Lanes)
			x := at(v, j*size)
			product(x, x, &y[0], 1)
		}
	}
}
