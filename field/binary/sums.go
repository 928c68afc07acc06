package binary

import (
	"math/bits"

	"github.com/galfft/fft/kernels/gf2"
)

// sums is the constants of a bulks.Spanner, of which multipliers are sums.
type sums struct {
	layers int
	shift  []gf2.Element       // by layer
	parts  [][][16]gf2.Element // sums of constants, by layer, four bits of the block, and their value
}

// newSums takes those that get returns, in the order of bulks.Spanner.
func newSums(layers int, get func(i int) gf2.Element) sums {
	s := sums{layers: layers}
	for d := range layers {
		first := d * (d + 1) / 2
		s.shift = append(s.shift, get(first))
		list := make([][16]gf2.Element, (d+3)/4)
		for j := range d {
			for b := range 1 << (j % 4) {
				list[j/4][1<<(j%4)+b] = gf2.Plus(list[j/4][b], get(first+1+j))
			}
		}
		s.parts = append(s.parts, list)
	}
	return s
}

// after returns the same layers after others, whose constants are 0.
func (s *sums) after(more int) sums {
	z := sums{layers: more + s.layers, shift: append(make([]gf2.Element, more), s.shift...)}
	for d := range z.layers {
		list := make([][16]gf2.Element, (d+3)/4)
		if d >= more {
			copy(list, s.parts[d-more])
		}
		z.parts = append(z.parts, list)
	}
	return z
}

// sum adds the constants of a layer for the bits of b.
func (s *sums) sum(layer, b int) (x gf2.Element) {
	for _, list := range s.parts[layer] {
		if b == 0 {
			break
		}
		x = gf2.Plus(x, list[b&15])
		b >>= 4
	}
	return x
}

// layerOf returns the layer of a place, and the block.
func layerOf(place int) (layer, block int) {
	layer = bits.Len(uint(place)) - 1
	return layer, place - 1<<layer
}

func (s *sums) multiplier(place int) gf2.Element {
	layer, b := layerOf(place)
	return gf2.Plus(s.shift[layer], s.sum(layer, b))
}

func (s *sums) bytes() (n int) {
	for _, list := range s.parts {
		n += 16 + 16*16*len(list)
	}
	return n
}
