package gpu

import (
	"slices"
	"unsafe"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// coordinates makes elements of GF(2^m), m a multiple of 32, vectors over GF(2^32) with the basis 1, x, x², …, each of
// whose coordinates is one modulo the default polynomial of that field. Factors of layers over a field's own subspaces
// of at most 2^32 points are of GF(2^32), so that a product takes m/32 products there.
type coordinates struct {
	there, back []binary.Number // images of bits
}

// rootsOf32 has in GF(2^m), modulo its default polynomial, a root of x^32 + x^7 + x^3 + x^2 + 1: the one that is the
// least integer.
var rootsOf32 = map[int]binary.Number{
	64:  {0x3465d0a36becd7a},
	128: {0x328cb6c681cc9ea0, 0x4736f83a8f62b08},
}

// newCoordinates makes them for the default modulus of a degree.
func newCoordinates(m int) (*coordinates, error) {
	f, err := binary.New[binary.Number](m)
	if err != nil {
		return nil, err
	}
	unit := func(i int) binary.Number {
		n := make(binary.Number, m/64)
		n[i/64] = 1 << (i % 64)
		return n
	}
	c := &coordinates{there: make([]binary.Number, m), back: make([]binary.Number, m)}
	rows := make([]binary.Number, m) // sums of images, by the bits of what they are images of in there
	x := unit(1)
	for i := range m {
		c.there[i] = unit(i)
		switch {
		case i == 0:
			c.back[i] = unit(0)
		case i%32 == 0:
			f.Mul(&c.back[i], &c.back[i-32], &x)
		default:
			root := rootsOf32[m]
			f.Mul(&c.back[i], &c.back[i-1], &root)
		}
		rows[i] = append(binary.Number(nil), c.back[i]...)
	}
	bit := func(n binary.Number, i int) bool { return n[i/64]>>(i%64)&1 == 1 }
	for i := range m {
		p := i
		for !bit(rows[p], i) { // there is one, as images are a basis
			p++
		}
		rows[i], rows[p], c.there[i], c.there[p] = rows[p], rows[i], c.there[p], c.there[i]
		for j := range m {
			if j != i && bit(rows[j], i) {
				addTo(rows[j], rows[i])
				addTo(c.there[j], c.there[i])
			}
		}
	}
	return c, nil
}

func addTo(z, x binary.Number) {
	for i := range z {
		z[i] ^= x[i]
	}
}

// word is the first coordinate of an element as it lies in memory, and whether it is the only one.
func (c *coordinates) word(x []uint64) (w uint32, only bool) {
	sum := make(binary.Number, len(x))
	for i, image := range c.there {
		if x[i/64]>>(i%64)&1 == 1 {
			addTo(sum, image)
		}
	}
	rest := sum[0] >> 32
	for _, x := range sum[1:] {
		rest |= x
	}
	return uint32(sum[0]), rest == 0
}

// tablesOfFive is a map as kernels have it: for each word of the image and for each five bits the images of their
// values.
func tablesOfFive(images []binary.Number) (t []uint32) {
	groups := (len(images) + 4) / 5
	for k := range len(images) / 32 {
		for g := range groups {
			for d := range 32 {
				var w uint64
				for i := range 5 {
					if at := 5*g + i; d>>i&1 == 1 && at < len(images) {
						w ^= images[at][k/2] >> (32 * (k % 2))
					}
				}
				t = append(t, uint32(w))
			}
		}
	}
	return t
}

// narrow is what a transform over GF(2^32) has for elements of more bits: factors and both maps.
type narrow struct {
	factors, maps *device.Memory
	mapBytes      int
	// pairs: only the last layer has other factors. All layers before it do the same to two elements next to each
	// other, which they take as one.
	pairs bool
}

// newNarrow returns nil where a factor is not of GF(2^32), but for those of the last layer of a long transform.
func newNarrow(b *additive, d *schemes.Points, n int, generators bulks.View) (*narrow, error) {
	c, err := newCoordinates(b.m)
	if err != nil {
		return nil, err
	}
	m := memory(generators)
	words := make([]uint64, n*(n+1)/2*b.m/64)
	m.Did(m.Queue().CopyOut(unsafe.Pointer(unsafe.SliceData(words)), b.at(generators), 8*len(words)))
	if err := b.d.Wait(d.Context(), m); err != nil {
		return nil, err
	}
	factors, layers := c.factors(words, n)
	w := &narrow{pairs: layers == n-1 && n > b.full.shape.most && b.pairs.shape.most > 0}
	if layers < n && !w.pairs {
		return nil, nil
	}
	if w.pairs {
		c.there, c.back = ofPairs(c.there), ofPairs(c.back)
	}
	there, back := tablesOfFive(c.there), tablesOfFive(c.back)
	w.mapBytes = 4 * len(there)
	if err := d.Take(4*len(factors) + 2*w.mapBytes); err != nil {
		return nil, err
	}
	if w.factors, err = put(b.d, factors); err != nil {
		return nil, err
	}
	if w.maps, err = put(b.d, append(there, back...)); err != nil {
		return nil, err
	}
	return w, waitFor(b.onDevice, d, []*device.Memory{w.factors, w.maps})
}

// factors are the first coordinates of the generators of the first layers, which have no other ones.
func (c *coordinates) factors(generators []uint64, n int) (words []uint32, layers int) {
	size := len(generators) / (n * (n + 1) / 2)
	for ; layers < n; layers++ {
		for range layers + 1 {
			w, only := c.word(generators[len(words)*size:][:size])
			if !only {
				return words[:layers*(layers+1)/2], layers
			}
			words = append(words, w)
		}
	}
	return words, layers
}

// ofPairs are the images of a map of each of two elements.
func ofPairs(images []binary.Number) (both []binary.Number) {
	none := make(binary.Number, len(images[0]))
	for _, x := range images {
		both = append(both, slices.Concat(x, none))
	}
	for _, x := range images {
		both = append(both, slices.Concat(none, x))
	}
	return both
}
