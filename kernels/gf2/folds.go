package gf2

import (
	"crypto/subtle"
	"encoding/binary"
)

// fold is one of rows: see Set.
type fold struct{ run, shift int }

// expansion is the folds of Set.Expand.
func expansion(count int) (list []fold) {
	for run := 2 << count; run > 2; run /= 2 {
		list = append(list, fold{run, run / 4})
	}
	return list
}

func expansions(back bool) (list [3]rowsKernel) {
	for i := range list {
		list[i] = foldRows(expansion(i+1), back)
	}
	return list
}

var sixteenFolds = []fold{{16, 2}, {8, 1}, {4, 1}, {16, 4}}

// foldRows does folds to runs of as many rows as the first has, or undoes them.
func foldRows(list []fold, back bool) rowsKernel {
	return func(v *byte, runs, stride, n int) {
		rows := list[0].run
		for first := 0; first < runs*rows; first += rows {
			row := func(r int) []byte { return bytesAt(v, (first+r)*stride, n) }
			for i := range list {
				f := list[i]
				if back {
					f = list[len(list)-1-i]
				}
				foldRun(row, rows, f, back)
			}
		}
	}
}

// foldRun does a fold to so many rows, or undoes it.
func foldRun(row func(r int) []byte, rows int, f fold, back bool) {
	half := f.run / 2
	for at := 0; at < rows; at += f.run {
		for j := range half {
			if !back {
				j = half - 1 - j
			}
			z := row(at + j + f.shift)
			subtle.XORBytes(z, z, row(at+half+j))
		}
	}
}

// addShifted adds to each plane of tile z that of x shifted by s lanes, with the lanes that leave the plane of before;
// nil stands for zeros.
func addShifted(z, before, x []byte, s int) {
	for i := 0; i < len(z); i += Lanes {
		to := z[i : i+Lanes]
		if before != nil {
			subtle.XORBytes(to[:s], to[:s], before[i+Lanes-s:i+Lanes])
		}
		if x != nil {
			subtle.XORBytes(to[s:], to[s:], x[i:i+Lanes-s])
		}
	}
}

// foldPart does to a block what Set.Fold says but for what it does to the second half.
func foldPart(tile func(i int) []byte, half, from, to, s int) {
	var before []byte
	if from > 0 {
		before = tile(half + from - 1)
	}
	for i := from; i < to; i++ {
		x := tile(half + i)
		addShifted(tile(i), before, x, s)
		before = x
	}
}

// eachBlock calls do for blocks of 2·half tiles of level k.
func eachBlock(k int, v *byte, blocks, half int, do func(tile func(i int) []byte)) {
	size := Lanes << k
	for b := range blocks {
		do(func(i int) []byte { return bytesAt(v, (2*half*b+i)*size, size) })
	}
}

func foldTiles(k int) foldKernel {
	return func(v *byte, blocks, half, from, to, t int) {
		eachBlock(k, v, blocks, half, func(tile func(i int) []byte) {
			if from == 0 {
				addShifted(tile(half), tile(2*half-1), nil, 1<<t)
			}
			foldPart(tile, half, from, to, 1<<t)
		})
	}
}

func foldTilesT(k int) foldKernel {
	return func(v *byte, blocks, half, from, to, t int) {
		eachBlock(k, v, blocks, half, func(tile func(i int) []byte) {
			foldPart(tile, half, from, to, 1<<t)
			if to == half {
				addShifted(tile(half), tile(2*half-1), nil, 1<<t)
			}
		})
	}
}

func mixed(v *byte, planes int, steps *byte, count int) {
	for p := range planes {
		x := bytesAt(v, Lanes*p, Lanes)
		for i := range count {
			s := (*Step)(bytesAt(steps, i*len(Step{}), len(Step{})))
			y := [Lanes]byte(x)
			for part := range 2 {
				mask := binary.LittleEndian.Uint64(s[2*Lanes+8*part:])
				for lane := range x {
					x[lane] ^= y[s[Lanes*part+lane]] & -byte(mask>>lane&1)
				}
			}
		}
	}
}

func added(z, x *byte, planes int) {
	to := bytesAt(z, 0, Lanes*planes)
	subtle.XORBytes(to, to, bytesAt(x, 0, Lanes*planes))
}

func copied(z, x *byte, rows, n, to, from int) {
	for i := range rows {
		copy(bytesAt(z, i*to, n), bytesAt(x, i*from, n))
	}
}
