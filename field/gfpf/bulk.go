package gfpf

import (
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/digits"
	"github.com/galfft/fft/kernels/word"
)

// bulk is the vectors of a ring, by kernels. Its own vectors are tiles; the caller's are packed, and operations on them go element
// by element, as they do on rows that are no whole tiles. Without kernels there are sums and products of packed elements alone.
type bulk struct {
	numbers
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
	b := &bulk{numbers: numbers{f}, set: set}
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

// Columns is the width of rows that kernels want.
func (b *bulk) Columns() int { return lanes }

// Form says what vectors are.
func (b *bulk) Form() string { return "tiles of 8 elements, digit by digit; " + b.set.Form }

func (b *bulk) Make(n int) vector { return newTiles(n, b.k) }

func (b *bulk) VecBytes(n int) int { return 8 * b.k * ((n + lanes - 1) / lanes * lanes) }

func (b *bulk) Slice(v vector, i, j int) vector { return v.slice(i, j, b.k) }

func (b *bulk) Alias([]Number) (vector, bool) { return vector{}, false }

func (b *bulk) Reduce(vector) {}

func (b *bulk) Pack(v vector, a []Number) {
	for i := range a {
		v.store(i, b.of(&a[i]))
	}
}

func (b *bulk) Unpack(a []Number, v vector) {
	var t [most]uint64
	for i := range a {
		copy(b.room(&a[i]), v.load(i, b.k, &t))
	}
}

func (b *bulk) Reorder(v vector, n, part, parts int) {
	var s, t [most]uint64
	length := bits.Len(uint(n - 1))
	for i := part; i < n; i += parts {
		if j := field.Rev(i, length); i < j {
			copy(s[:b.k], v.load(i, b.k, &s))
			v.store(i, v.load(j, b.k, &t))
			v.store(j, s[:b.k])
		}
	}
}

func (b *bulk) VecMul(z, x, y vector, n int) {
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
		b.set.Mul(&b.tile(z, i)[0], &b.tile(x, i)[0], &b.tile(y, i)[0], &s.products[0], &b.constants[0], b.k, min(n-i, limit))
	}
	b.scratch.Put(s)
}

// tile returns the words from tile i on.
func (b *bulk) tile(w []uint64, i int) []uint64 { return w[lanes*b.k*i:] }
