package gfpf

import (
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field"

	"github.com/galfft/fft/internal/arith"
)

// vector is a vector of elements: packed, one after the other as in memory of the caller's, or in tiles of field.Lanes
// elements, digit i of which is row i of the tile. Digit i of element e is word k·e + i, or, with e' = lane + e and the
// tile t = e'/Lanes, word k·Lanes·t + Lanes·i + e'%Lanes.
type vector struct {
	w     []uint64
	tiled bool
	lane  int // of the first element; 0 but in views that start inside a tile
}

const lanes = field.Lanes

// packed returns the elements a as a vector.
func packed[E Digits](a []E) vector {
	var e E
	return vector{w: unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(a))), len(a)*len(e))}
}

// tile is a word of vectors in tiles: views name their memory by it.
type tile uint64

// vector returns the vector of a view: of tiles, or of elements of one of the types of Digits.
func (b *bulk) vector(v field.View) vector {
	var w *uint64
	switch p := v.Buf.(type) {
	case *tile:
		if v.N == 0 {
			return vector{tiled: true}
		}
		size := b.k * lanes
		all := unsafe.Slice((*uint64)(p), (v.Off+v.N+lanes-1)/lanes*size)
		return vector{all[v.Off/lanes*size:], true, v.Off % lanes}
	case *[2]uint64:
		w = &p[0]
	case *[4]uint64:
		w = &p[0]
	case *[8]uint64:
		w = &p[0]
	case *[16]uint64:
		w = &p[0]
	case *[32]uint64:
		w = &p[0]
	case *[64]uint64:
		w = &p[0]
	case *[128]uint64:
		w = &p[0]
	default:
		panic(fmt.Sprintf("gfpf: a vector of %T", v.Buf))
	}
	return vector{w: unsafe.Slice(w, (v.Off+v.N)*b.k)[v.Off*b.k:]}
}

// newTiles returns n zeros in tiles, which start where lines of the cache do.
func newTiles(n, k int) vector {
	size := (n + lanes - 1) / lanes * lanes * k
	if size == 0 {
		return vector{tiled: true}
	}
	return vector{w: arith.Aligned(size), tiled: true}
}

// slice returns the elements i to j−1.
func (v vector) slice(i, j, k int) vector {
	if !v.tiled {
		return vector{w: v.w[i*k : j*k]}
	}
	i, j = i+v.lane, j+v.lane
	if i == j {
		return vector{tiled: true}
	}
	first := i / lanes
	return vector{v.w[first*lanes*k : (j+lanes-1)/lanes*lanes*k], true, i % lanes}
}

// whole reports whether v has the elements from i on, i a multiple of Lanes, as tiles of its own.
func (v vector) whole(i int) bool { return v.tiled && (v.lane+i)%lanes == 0 }

// place returns the word of digit 0 of element i and the distance of digits.
func (v vector) place(i, k int) (at, step int) {
	if !v.tiled {
		return i * k, 1
	}
	i += v.lane
	return i/lanes*lanes*k + i%lanes, lanes
}

// load returns the digits of element i: those of v, or a copy in buf.
func (v vector) load(i, k int, buf *[most]uint64) []uint64 {
	at, step := v.place(i, k)
	if step == 1 {
		return v.w[at:][:k]
	}
	for d := range k {
		buf[d] = v.w[at+d*step]
	}
	return buf[:k]
}

// store sets element i to x.
func (v vector) store(i int, x []uint64) {
	at, step := v.place(i, len(x))
	for d := range x {
		v.w[at+d*step] = x[d]
	}
}
