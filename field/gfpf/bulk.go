package gfpf

import (
	"math/bits"
	"sync"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
	"github.com/galfft/fft/kernels/digits"
)

// bulk is the vectors of a ring, by kernels. Its own vectors are tiles; the caller's are packed, and operations on them
// go element by element, as they do on rows that are no whole tiles. Without kernels there are sums and products of
// packed elements alone.
type bulk struct {
	*ring
	*tiles.Form
	set       *digits.Set   // nil: no kernels, and no vectors
	product   bool          // by kernels
	constants []uint64      // of products
	carries   *[3][8]uint64 // of sums of packed elements
	scratch   *sync.Pool    // *scratch
}

// scratch is memory for one operation, which would escape as local variables.
type scratch struct {
	products []uint64     // what kernels of products write
	factors  []uint64     // what they read of the factors that prepared says
	prepared int          // a tile of a table, or −1
	tiles    tiles.Vector // chunk elements
	column
}

const (
	lanes = tiles.Lanes
	chunk = 8 * lanes // how many packed elements go through tiles at a time
)

// newBulk returns the vectors of f with the kernels of a set, which may be nil.
func newBulk(f *ring, set *digits.Set) *bulk {
	b := &bulk{ring: f, Form: tiles.NewForm(f.k, f.k, nil, set), set: set}
	if set != nil {
		b.carries = digits.Carries(f.k)
		if b.product = set.Multiplies(f.r, f.k); b.product {
			b.constants = digits.Constants(f.r, f.k)
		}
	}
	b.scratch = &sync.Pool{New: func() any {
		return &scratch{products: digits.NewScratch(f.k), factors: digits.NewFactors(f.k), tiles: tiles.New(chunk, f.k)}
	}}
	return b
}

// layers is the most of a pass whose rows, of a tile each, stay in cache.
func (b *bulk) layers() int { return bits.Len(uint(cache/(8*lanes*b.k))) - 1 }

// Traits says what vectors are. Passes take packed elements as well, element by element.
func (b *bulk) Traits() bulks.Traits {
	return bulks.Traits{
		InPlace:    true,
		Canonical:  true,
		Passes:     bulks.Passes{Layers: b.layers()},
		Columns:    lanes,
		Multiple:   lanes * lanes,
		ShiftOrder: uint64(2 * b.k),
		Butterfly:  2 * float64(b.k),
		Form:       "tiles of 8 elements, digit by digit; " + b.set.Form,
	}
}

func (b *bulk) Reduce(bulks.View) {}

func (b *bulk) VecMul(to, by, other bulks.View) {
	z, x, y, n := b.Vector(to), b.Vector(by), b.Vector(other), to.N
	whole := 0
	if b.product && z.Whole(0) && x.Whole(0) && y.Whole(0) {
		whole = n / lanes * lanes
		b.mulTiles(z.W, x.W, y.W, whole/lanes)
	}
	b.mulElements(z, x, y, whole, n)
}

// mulElements sets the elements of z from from on up to to to xy.
func (b *bulk) mulElements(z, x, y tiles.Vector, from, to int) {
	var s, t, u [most]uint64
	for i := from; i < to; i++ {
		b.mul(u[:b.k], x.Load(i, b.k, &s), y.Load(i, b.k, &t))
		z.Store(i, u[:b.k])
	}
}

// mulTiles sets n tiles z to xy by kernels.
func (b *bulk) mulTiles(z, x, y []uint64, n int) {
	s := b.scratch.Get().(*scratch)
	limit := digits.Tiles(b.k)
	for i := 0; i < n; i += limit {
		b.set.Mul(&b.Tile(z, i)[0], &b.Tile(x, i)[0], &b.Tile(y, i)[0], &s.products[0], &b.constants[0], b.k,
			min(n-i, limit))
	}
	b.scratch.Put(s)
}

// numberBulk is the bulk for elements of type Number, which lie apart.
type numberBulk struct{ *bulk }

func (b numberBulk) Traits() bulks.Traits {
	t := b.bulk.Traits()
	t.InPlace = false
	return t
}

func (b numberBulk) Pack(to, from bulks.View) {
	v := b.Vector(to)
	for i, x := range bulks.SliceOf[Number](from) {
		v.Store(i, numbers{b.ring}.of(&x))
	}
}

func (b numberBulk) Unpack(to, from bulks.View) {
	var t [most]uint64
	v, a := b.Vector(from), bulks.SliceOf[Number](to)
	numbers{b.ring}.rooms(a)
	for i := range a {
		copy(a[i], v.Load(i, b.k, &t))
	}
}
