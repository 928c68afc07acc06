package gfpf

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/digits"
	"github.com/galfft/fft/kernels/word"
)

// bulk is the vectors of a ring, by kernels. Its own vectors are tiles; the caller's are packed, and operations on them
// go element by element, as they do on rows that are no whole tiles. Without kernels there are sums and products of
// packed elements alone.
type bulk struct {
	*ring
	set       *digits.Set         // nil: no kernels, and no vectors
	moves     *word.Moves[uint64] // transposes of squares of words, with the kernels
	side      int                 // of these
	product   bool                // by kernels
	constants []uint64            // of products
	carries   *[3][8]uint64       // of sums of packed elements
	scratch   *sync.Pool          // *scratch
}

// scratch is memory for one operation, which would escape as local variables.
type scratch struct {
	products []uint64 // what kernels of products write
	factors  []uint64 // what they read of the factors that prepared says
	prepared int      // a tile of a table, or −1
	tiles    vector   // chunk elements
	from, to [lanes]int32
	column
}

// chunk is how many packed elements go through tiles at a time.
const chunk = 8 * lanes

// newBulk returns the vectors of f with the kernels of a set, which may be nil.
func newBulk(f *ring, set *digits.Set) *bulk {
	b := &bulk{ring: f, set: set}
	if set != nil {
		w := word.Shoup62()
		b.moves, b.side, b.carries = w.Moves, w.Lanes, digits.Carries(f.k)
		if b.product = set.Mul != nil && f.r >= digits.LeastProduct; b.product {
			b.constants = digits.Constants(f.r, f.k)
		}
	}
	b.scratch = &sync.Pool{New: func() any {
		return &scratch{products: digits.NewScratch(f.k), factors: digits.NewFactors(f.k), tiles: newTiles(chunk, f.k)}
	}}
	return b
}

// Traits says what vectors are. Passes take packed elements as well, element by element.
func (b *bulk) Traits() field.Traits {
	return field.Traits{
		InPlace:    true,
		MaxLayers:  bits.Len(uint(cache/(8*lanes*b.k))) - 1, // whose rows, of a tile each, stay in cache
		Columns:    lanes,
		ShiftOrder: uint64(2 * b.k),
		Butterfly:  2 * float64(b.k),
		Form:       "tiles of 8 elements, digit by digit; " + b.set.Form,
	}
}

func (b *bulk) Make(n int) (field.View, error) {
	v := newTiles(n, b.k)
	return field.View{Buf: (*tile)(unsafe.SliceData(v.w)), N: n}, nil
}

func (b *bulk) Bytes(n int) int { return 8 * b.k * ((n + lanes - 1) / lanes * lanes) }

func (b *bulk) Reduce(field.View) {}

func (b *bulk) Pack(v, a field.View) { b.Copy(v, a, field.Copy{Rows: 1, Width: a.N}) }

func (b *bulk) Unpack(a, v field.View) { b.Copy(a, v, field.Copy{Rows: 1, Width: a.N}) }

// Copy moves whole tiles by kernels wherever both sides allow it.
func (b *bulk) Copy(dst, src field.View, c field.Copy) { b.copy(b.vector(dst), b.vector(src), c) }

func (b *bulk) Reorder(of field.View, part, parts int) {
	var s, t [most]uint64
	v, n := b.vector(of), of.N
	length := bits.Len(uint(n - 1))
	for i := part; i < n; i += parts {
		if j := field.Rev(i, length); i < j {
			copy(s[:b.k], v.load(i, b.k, &s))
			v.store(i, v.load(j, b.k, &t))
			v.store(j, s[:b.k])
		}
	}
}

func (b *bulk) VecMul(to, by, other field.View) {
	z, x, y, n := b.vector(to), b.vector(by), b.vector(other), to.N
	whole := 0
	if b.product && z.whole(0) && x.whole(0) && y.whole(0) {
		whole = n / lanes * lanes
		b.mulTiles(z.w, x.w, y.w, whole/lanes)
	}
	b.mulElements(z, x, y, whole, n)
}

// mulElements sets the elements of z from from on up to to to xy.
func (b *bulk) mulElements(z, x, y vector, from, to int) {
	var s, t, u [most]uint64
	for i := from; i < to; i++ {
		b.mul(u[:b.k], x.load(i, b.k, &s), y.load(i, b.k, &t))
		z.store(i, u[:b.k])
	}
}

// mulTiles sets n tiles z to xy by kernels.
func (b *bulk) mulTiles(z, x, y []uint64, n int) {
	s := b.scratch.Get().(*scratch)
	limit := digits.Tiles(b.k)
	for i := 0; i < n; i += limit {
		b.set.Mul(&b.tile(z, i)[0], &b.tile(x, i)[0], &b.tile(y, i)[0], &s.products[0], &b.constants[0], b.k,
			min(n-i, limit))
	}
	b.scratch.Put(s)
}

// tile returns the words from tile i on.
func (b *bulk) tile(w []uint64, i int) []uint64 { return w[lanes*b.k*i:] }

// numberBulk is the bulk for elements of type Number, which lie apart.
type numberBulk struct{ *bulk }

func (b numberBulk) Traits() field.Traits {
	t := b.bulk.Traits()
	t.InPlace = false
	return t
}

func (b numberBulk) Pack(to, from field.View) {
	v := b.vector(to)
	for i, x := range field.SliceOf[Number](from) {
		v.store(i, numbers{b.ring}.of(&x))
	}
}

func (b numberBulk) Unpack(to, from field.View) {
	var t [most]uint64
	v, a := b.vector(from), field.SliceOf[Number](to)
	for i := range a {
		copy(numbers{b.ring}.room(&a[i]), v.load(i, b.k, &t))
	}
}
