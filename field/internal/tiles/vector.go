// Package tiles has vectors of numbers of several words: packed, as callers have them, and in tiles for kernels, with
// the copies between both.
package tiles

import (
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
)

// Lanes is the numbers of a tile, and Most the most words of a number.
const (
	Lanes = bulks.Lanes
	Most  = 128
)

// Vector is a vector of numbers: packed, one after the other, or in tiles of Lanes numbers. A tile is rows of Lanes
// words, one for each number. Word i of a packed number e of n words is W[n·e + i]; in tiles of n rows it is, with
// e' = Lane + e and the tile t = ⌊e'/Lanes⌋, W[n·Lanes·t + Lanes·i + e' mod Lanes].
type Vector struct {
	W     []uint64
	Tiled bool
	Lane  int // of the first number; 0 but in views that start inside a tile
}

// Packed returns numbers in memory as a vector.
func Packed[E any](a []E) Vector {
	var e E
	return Vector{W: unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(a))), len(a)*int(unsafe.Sizeof(e)/8))}
}

// New returns n zeros in tiles of so many rows, which start where lines of the cache do.
func New(n, rows int) Vector {
	size := (n + Lanes - 1) / Lanes * Lanes * rows
	if size == 0 {
		return Vector{Tiled: true}
	}
	return Vector{W: arith.Aligned(size), Tiled: true}
}

// Slice returns the numbers i to j−1 of a vector of n words a number, or n rows a tile.
func (v Vector) Slice(i, j, n int) Vector {
	if !v.Tiled {
		return Vector{W: v.W[i*n : j*n]}
	}
	i, j = i+v.Lane, j+v.Lane
	if i == j {
		return Vector{Tiled: true}
	}
	first := i / Lanes
	return Vector{v.W[first*Lanes*n : (j+Lanes-1)/Lanes*Lanes*n], true, i % Lanes}
}

// Whole reports whether v has the numbers from i on, i a multiple of Lanes, as tiles of its own.
func (v Vector) Whole(i int) bool { return v.Tiled && (v.Lane+i)%Lanes == 0 }

// Place returns the word 0 of number i and the distance of its words.
func (v Vector) Place(i, n int) (at, step int) {
	if !v.Tiled {
		return i * n, 1
	}
	i += v.Lane
	return i/Lanes*Lanes*n + i%Lanes, Lanes
}

// Load returns the n words of number i: those of v, or a copy in buf.
func (v Vector) Load(i, n int, buf *[Most]uint64) []uint64 {
	at, step := v.Place(i, n)
	if step == 1 {
		return v.W[at:][:n]
	}
	for d := range n {
		buf[d] = v.W[at+d*step]
	}
	return buf[:n]
}

// Store sets number i to x.
func (v Vector) Store(i int, x []uint64) {
	at, step := v.Place(i, len(x))
	for d := range x {
		v.W[at+d*step] = x[d]
	}
}

// tile is a word of vectors in tiles: views name their memory by it.
type tile uint64

// Vector returns the vector of a view: of tiles, or of a slice of arrays of words.
func (f *Form) Vector(v bulks.View) Vector {
	if w, ok := First(v.Buf); ok {
		return Vector{W: unsafe.Slice(w, (v.Off+v.N)*f.Words)[v.Off*f.Words:]}
	}
	p, ok := v.Buf.(*tile)
	if !ok {
		panic(fmt.Sprintf("tiles: a vector of %T", v.Buf))
	}
	if v.N == 0 {
		return Vector{Tiled: true}
	}
	size := f.Rows * Lanes
	all := unsafe.Slice((*uint64)(p), (v.Off+v.N+Lanes-1)/Lanes*size)
	return Vector{all[v.Off/Lanes*size:], true, v.Off % Lanes}
}

// First returns the first word of memory that is arrays, and false for anything else.
func First(buf any) (*uint64, bool) {
	switch p := buf.(type) {
	case *[2]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[3]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[4]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[5]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[6]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[8]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[10]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[12]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[16]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[20]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[24]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[32]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[48]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[64]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[96]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	case *[128]uint64:
		return (*uint64)(unsafe.Pointer(p)), true
	}
	return nil, false
}
