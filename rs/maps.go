package rs

import (
	"crypto/subtle"

	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/kernels/linear"
)

// elementMaps makes constants for kernels of products by elements of a field of package gf2, for symbols that are
// Leopard's numbers. They are linear in the element: parts[k] has those of all values of its byte k.
type elementMaps struct {
	size  int // bytes of a constant
	parts [2][]byte
}

func newElementMaps(level int, set *linear.Set) (e elementMaps) {
	symbols := &set.Symbols[level]
	e.size = set.MapSize(symbols)
	number := numbers[level]()
	for k := range 1 << level {
		e.parts[k] = make([]byte, 256*e.size)
		for b := range 8 {
			var images []uint16
			for _, v := range chains[level]() {
				x := gf2.Product(level, v, gf2.Element{1 << (8*k + b)})[0]
				images = append(images, number.outOf[0][x&255]^number.outOf[1][x>>8])
			}
			bit := e.parts[k][(1<<b)*e.size:]
			set.PrepareMap(bit, symbols, images)
			for x := 1; x < 1<<b; x++ {
				subtle.XORBytes(e.parts[k][(1<<b+x)*e.size:], bit[:e.size], e.parts[k][x*e.size:][:e.size])
			}
		}
	}
	return e
}

// of sets z to the constant of x.
func (e *elementMaps) of(z []byte, x gf2.Element) {
	copy(z[:e.size], e.parts[0][int(x[0]&255)*e.size:])
	if high := int(x[0] >> 8); high != 0 {
		subtle.XORBytes(z, z[:e.size], e.parts[1][high*e.size:][:e.size])
	}
}

// byteMaps has the maps that are products by each byte, of the field of the matrix codes.
func byteMaps(set *linear.Set) []byte {
	z := make([]byte, 256*set.Size)
	for b := range 8 {
		var images [8]byte
		for i := range images {
			images[i] = times(1<<b, 1<<i)
		}
		bit := z[set.Size<<b:][:set.Size]
		set.Prepare(bit, images)
		for x := 1; x < 1<<b; x++ {
			subtle.XORBytes(z[(1<<b+x)*set.Size:], bit, z[x*set.Size:][:set.Size])
		}
	}
	return z
}
