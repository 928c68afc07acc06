package main

import (
	"fmt"
	"math"
	"slices"
)

// quotedSource is where quoted figures stand.
const quotedSource = "tables 1 and 2 of arXiv:2405.14642"

// quotedRates are GB/s and Gu32ops/s of the tables, for 2^18 bits, 2^17 and so on to 2^11, with 2^32 in all, on an
// A100: of CGBN, the authors' CUDA, that by FFT, Futhark and Futhark by FFT. 0 is a launch that failed, or no figure.
// The authors' code for six sums by CGBN launches one sum.
var quotedRates = map[string][5][8]float64{
	"add": {{369, 368, 376, 329, 581, 1238, 1329, 1275}, {1320, 1331, 1358, 1363, 1334, 1350, 1359, 1366}, {},
		{737, 1172, 1343, 1363, 1370, 1364, 1364, 1364}},
	"sixadd": {{362, 353, 353, 321, 546, 1207, 1189, 1167}, {570, 803, 853, 856, 836, 816, 856, 855}, {},
		{294, 350, 313, 431, 434, 435, 435, 435}},
	"mullow": {{72, 997, 6482, 11640, 21461, 34004, 54465, 86252}, {0, 4471, 7843, 13460, 21608, 31658, 49328, 70661},
		{11590, 11789, 11466, 12779, 14297, 15791, 15264, 13554},
		{1813, 3296, 5901, 10091, 15856, 24267, 39861, 61333}, {0, 0, 0, 10187, 11259, 11651, 11051, 10099}},
	"poly": {{49, 192, 5837, 12246, 21454, 34165, 53846, 86182}, {0, 4027, 7148, 12247, 19455, 27876, 42673, 60819},
		{11351, 12130, 11679, 12621, 13899, 15173, 11189, 10884},
		{1795, 3259, 5820, 9889, 15093, 20677, 30569, 44094}, {0, 0, 0, 8395, 10742, 11620, 9641, 8801}},
}

// quotedTime is the ns of a column for 2^32 bits in integers of so many; 0 where there is no figure.
func quotedTime(op string, column, width int) float64 {
	i := slices.Index([]int{1 << 18, 1 << 17, 1 << 16, 1 << 15, 1 << 14, 1 << 13, 1 << 12, 1 << 11}, width)
	if i < 0 || quotedRates[op][column][i] == 0 {
		return 0
	}
	work := 3 * float64(uint64(1)<<32) / 8
	if op == "mullow" || op == "poly" {
		work = 300 * float64(uint64(1)<<32) / 32 * math.Log2(float64(width)/32)
	}
	if op == "poly" {
		work *= 4
	}
	return work / quotedRates[op][column][i]
}

// midintQuoted is a column of the tables. Its times come from the printed rates. The transforms of the paper wrap and
// overflow: what their column has is no product.
func midintQuoted(column int) func(c *midintCase) (*midintCall, error) {
	return func(c *midintCase) (*midintCall, error) {
		ns := quotedTime(c.op, column, c.bits)
		if c.again || ns == 0 || len(c.x.Words()) != 1<<27 {
			return nil, fmt.Errorf("%w: no figure in %s, of 2^11 to 2^18 bits and 2^32 in all", errAbsent, quotedSource)
		}
		return &midintCall{device: "NVIDIA A100", residency: "device", version: "quoted from " + quotedSource,
			median: ns}, nil
	}
}
