//go:build arm64 && !purego

package gf2

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

// wordsNEON has assembly for rows of products alone: layers and tails are calls of it.
var wordsNEON = Words{
	Form:   "PMULL, NEON",
	Vector: neonVector,
	Call:   1 << 15,
	Layers: [2][2]wordLayersKernel{
		{layersNEON(0, 1, layerRow), layersNEON(0, 2, layerRow)},
		{layersNEON(1, 1, layerRow), layersNEON(1, 2, layerRow)},
	},
	LayersT: [2][2]wordLayersKernel{
		{layersNEON(0, 1, layerRowT), layersNEON(0, 2, layerRowT)},
		{layersNEON(1, 1, layerRowT), layersNEON(1, 2, layerRowT)},
	},
	Tail:  [2]wordTailKernel{tailNEON(0, layerRow), tailNEON(1, layerRow)},
	TailT: [2]wordTailKernel{tailNEON(0, layerRowT), tailNEON(1, layerRowT)},
	Times: [2]wordTimesKernel{timesNEON(0), timesNEON(1)},
	Mul:   [2]wordMulKernel{mulNEON(0), mulNEON(1)},
}

const neonVector = 16

func activeWords() *Words {
	if cpu.CLMUL() {
		return &wordsNEON
	}
	return nil
}

// rowNEON is which row of products: see the declarations of the assembly. They are called by name, so that what they
// point to may stand on the stack.
type rowNEON int

const (
	mulRow rowNEON = iota
	layerRow
	layerRowT
)

func (k rowNEON) do(f int, z, x, w *byte, n, step int, rest *byte) {
	switch {
	case k == mulRow && f == 0:
		mulWords64NEON(z, x, w, n, step, rest)
	case k == mulRow:
		mulWords128NEON(z, x, w, n, step, rest)
	case k == layerRow && f == 0:
		layerWords64NEON(z, x, w, n, step, rest)
	case k == layerRow:
		layerWords128NEON(z, x, w, n, step, rest)
	case f == 0:
		layerTWords64NEON(z, x, w, n, step, rest)
	default:
		layerTWords128NEON(z, x, w, n, step, rest)
	}
}

// constantNEON is an element of field f as a vector.
func constantNEON(f int, x Element) [2]uint64 {
	if f == 0 {
		x[1] = x[0]
	}
	return x
}

func layersNEON(f, count int, row rowNEON) wordLayersKernel {
	back := row == layerRowT
	return func(v *byte, blocks, stride, n int, base, delta, rest *byte, first int) {
		const near = 1 << 12 // bytes of a row that stay in the cache from layer to layer
		by, rows := wordsAt{p: base, f: f}, 1<<count
		for b := range blocks {
			if b > 0 {
				step(f, base, delta, first+b-1)
			}
			for o := 0; o < n; o += near {
				for i := range count {
					l := i
					if back {
						l = count - 1 - i
					}
					h := rows >> (l + 1)
					for r := range rows {
						if r/h%2 == 0 {
							t := constantNEON(f, by.get(1<<l-1+r/(2*h)))
							u := (b*rows+r)*stride + o
							row.do(f, at(v, u), at(v, u+h*stride), bytesOfWords(&t), min(near, n-o), 0, rest)
						}
					}
				}
			}
		}
	}
}

// tailNEON gathers the halves of some pairs in two rows, and the elements by which they are multiplied in others.
func tailNEON(f int, row rowNEON) wordTailKernel {
	back := row == layerRowT
	const most = 32 // pairs
	return func(v *byte, pairs int, lanes, base, delta, rest *byte, first int) {
		var x, y [2 * most]uint64
		var w [2][2 * most]uint64 // by layer
		turns := 2 - f
		by, parts := wordsAt{p: base, f: f}, wordsAt{p: lanes, f: f}
		part := [2][2]uint64{constantsNEON(parts, 0)}
		if f == 0 {
			part[1] = constantsNEON(parts, 1)
		}
		for from := 0; from < pairs; from += most {
			count := min(most, pairs-from)
			all := wordsAt{p: at(v, 2*from*neonVector), f: 1} // vectors
			for p := range count {
				if from+p > 0 {
					step(f, base, delta, first+from+p-1)
				}
				for l := range turns {
					t := Plus(constantNEON(f, by.get(l)), part[l])
					w[l][2*p], w[l][2*p+1] = t[0], t[1]
				}
				a, b := all.get(2*p), all.get(2*p+1)
				if back && f == 0 {
					a[1], b[0] = b[0], a[1]
				}
				x[2*p], x[2*p+1], y[2*p], y[2*p+1] = a[0], a[1], b[0], b[1]
			}
			for i := range turns {
				l := i
				if back {
					l = turns - 1 - i
				}
				if i > 0 {
					exchangeNEON(x[:2*count], y[:2*count])
				}
				row.do(f, bytesOfWords((*[2]uint64)(x[:])), bytesOfWords((*[2]uint64)(y[:])),
					bytesOfWords((*[2]uint64)(w[l][:])), neonVector*count, neonVector, rest)
			}
			for p := range count {
				a, b := Element{x[2*p], x[2*p+1]}, Element{y[2*p], y[2*p+1]}
				if !back && f == 0 {
					a[1], b[0] = b[0], a[1]
				}
				all.put(2*p, a)
				all.put(2*p+1, b)
			}
		}
	}
}

// constantsNEON is the vector of the places in layer l of a tail.
func constantsNEON(lanes wordsAt, l int) [2]uint64 {
	return wordsAt{p: lanes.p, f: 1}.get(l)
}

// exchangeNEON takes the elements of two vectors in turn.
func exchangeNEON(x, y []uint64) {
	for i := 0; i < len(x); i += 2 {
		x[i+1], y[i] = y[i], x[i+1]
	}
}

func timesNEON(f int) wordTimesKernel {
	return func(v *byte, rows, stride, n int, w, rest *byte) {
		by := wordsAt{p: w, f: f}
		for r := range rows {
			t := constantNEON(f, by.get(r))
			mulRow.do(f, at(v, r*stride), at(v, r*stride), bytesOfWords(&t), n, 0, rest)
		}
	}
}

// mulNEON has s 0 alone: a vector has two elements at most.
func mulNEON(f int) wordMulKernel {
	return func(z, x, w *byte, n, _ int, rest *byte) { mulRow.do(f, z, x, w, n, neonVector, rest) }
}

func bytesOfWords(x *[2]uint64) *byte { return (*byte)(unsafe.Pointer(x)) }
