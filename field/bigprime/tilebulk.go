package bigprime

import (
	"fmt"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
	"github.com/galfft/fft/kernels/digits"
	"github.com/galfft/fft/kernels/limb"
)

const lanes = tiles.Lanes

// tileBulk is the vectors of a modulus by kernels of package limb. Its own vectors are tiles of eight numbers in limbs
// of 52 bits, whose values have weights: see there. The caller's are packed; passes over these, and over rows that are
// no whole tiles, go through tiles.
//
// Wide values have a weight that leaves room for some layers; narrow ones at most that of products, and of sums and
// differences of lowered ones.
type tileBulk struct {
	*modulus
	*tiles.Form
	set     *limb.Set
	m       []uint64                            // constants of kernels
	most    int                                 // the greatest weight that kernels take
	wide    int                                 // the weight of wide values, at most
	narrow  int                                 // that of narrow ones
	least   int                                 // the shortest transforms that pay conversions
	vectors bool                                // products of packed vectors pay them
	layers  int                                 // of a pass, whose rows of a tile each stay in cache
	chunk   int                                 // how many numbers go through tiles at a time
	downs   [mostLayers + 1][mostLayers]weights // of passes of so many layers
	scratch *sync.Pool                          // *tileScratch
}

// lowered is the weight of sums and differences that kernels lower.
const lowered = 4

// mostLayers bounds the layers of a pass: those of more have rows of fewer tiles, and so more calls of kernels.
const mostLayers = 4

// weights says how a layer of a pass keeps weights in range.
type weights struct {
	reduce bool // of butterflies with a multiplier
	cross  bool // reduce of those without
	log    int  // 2^log is a weight that values have at most
}

// tileScratch is memory for one operation.
type tileScratch struct {
	work  []uint64 // of kernels
	x, y  tiles.Vector
	words []uint64 // of chunk numbers: tiles, or packed
	column
}

// newTileBulk returns the vectors of f by kernels, nil where there are none.
func newTileBulk(f *modulus) *tileBulk {
	L := limb.Limbs(f.n.BitLen())
	set := limb.Active(L)
	if set == nil {
		return nil
	}
	b := &tileBulk{modulus: f, set: set, m: set.Constants(f.n), most: limb.Wide(f.n)}
	b.narrow = max(lowered, set.Weight)
	b.Form = tiles.NewForm(f.w, L, b, digits.Active())
	b.chunk = lanes * min(8, set.Tiles)
	b.least, b.vectors = pays(set, L, f.kernels != nil)
	b.layers = min(mostLayers, max(1, bits.Len(uint(cache/(8*lanes*L)))-1))
	b.scratch = &sync.Pool{New: func() any {
		return &tileScratch{work: limb.NewScratch(L), x: tiles.New(b.chunk, L), y: tiles.New(b.chunk, L),
			words: tiles.New(b.chunk, f.w).W}
	}}
	// A layer adds the weight of products to that of values, and doubles it where there is no multiplier.
	b.wide = max(lowered, 2+set.Weight, b.most/4)
	for layers := range b.downs {
		weight := b.wide
		for i := range layers {
			limit := b.most
			if i == layers-1 {
				limit = b.wide
			}
			w := &b.downs[layers][i]
			w.log = bits.Len(uint(weight - 1))
			next, cross := weight+set.Weight, weight+1<<w.log
			if w.reduce = next > limit; w.reduce {
				next = 2 + set.Weight
			}
			if w.cross = cross > limit; w.cross {
				cross = lowered
			}
			weight = max(next, cross)
		}
	}
	return b
}

// pays returns from which length on transforms of packed elements gain by tiles, and whether products of two vectors
// do. All do with IFMA, and where kernels for words are missing; otherwise BenchmarkTiers tells.
func pays(s *limb.Set, L int, words bool) (least int, products bool) {
	switch fast := s.Cost < slowTiles; {
	case s.Cost == 1 || !words:
		return lanes * lanes, true
	case fast && L > 3:
		return lanes * lanes, L > 4
	case fast:
		return 256, false
	}
	return 512, false
}

// slowTiles is the cost of sets that are too slow for short vectors, where conversions count.
const slowTiles = 3

// Split, Join and Scratch are tiles.Converter.
func (b *tileBulk) Split(z, x []uint64, n int) { b.set.Split(&z[0], &x[0], &b.m[0], b.w, 0, n) }

func (b *tileBulk) Join(z, x, scratch []uint64, n int) {
	b.set.Join(&z[0], &x[0], &b.m[0], &scratch[0], b.w, n, false)
}

func (b *tileBulk) Scratch() []uint64 { return limb.NewScratch(b.Rows) }

func (b *tileBulk) Traits() bulks.Traits {
	return bulks.Traits{
		InPlace:    true,
		Canonical:  true,
		Passes:     bulks.Passes{Layers: b.layers},
		Columns:    lanes,
		Least:      b.least,
		Multiple:   lanes * lanes,
		Multiplier: 8*b.set.Factor*b.Rows + 1,
		Butterfly:  b.set.Cost * (1 + 0.1*float64(b.Rows*b.Rows)),
		Form:       fmt.Sprintf("tiles of 8 numbers in %d limbs of 52 bits; %s", b.Rows, b.set.Arithmetic),
	}
}

func (b *tileBulk) Reduce(of bulks.View) {
	v := b.Vector(of)
	if !v.Tiled {
		return
	}
	s := b.scratch.Get().(*tileScratch)
	whole := 0
	if v.Whole(0) {
		whole = of.N / lanes * lanes
	}
	for i := 0; i < whole; i += lanes * b.set.Tiles {
		x := &v.W[i*b.Rows]
		b.set.Reduce(x, x, &b.m[0], &s.work[0], min(b.set.Tiles, (whole-i)/lanes))
	}
	for i := whole; i < of.N; i += b.chunk {
		n := min(b.chunk, of.N-i)
		part := b.Slice(v, i, i+n)
		b.Move(s.x, part, line(n))
		b.set.Reduce(&s.x.W[0], &s.x.W[0], &b.m[0], &s.work[0], (n+lanes-1)/lanes)
		b.Move(part, s.x, line(n))
	}
	b.scratch.Put(s)
}

// line is a copy of n numbers.
func line(n int) bulks.Copy { return bulks.Copy{Rows: 1, Width: n} }

func (b *tileBulk) VecMul(to, by, other bulks.View) {
	b.multiply(b.Vector(to), b.Vector(by), b.Vector(other), to.N, false)
}

// multiply sets n numbers z to xy, or to z + xy.
func (b *tileBulk) multiply(z, x, y tiles.Vector, n int, add bool) {
	s := b.scratch.Get().(*tileScratch)
	m, work := &b.m[0], &s.work[0]
	whole := 0
	if !z.Tiled && !x.Tiled && !y.Tiled && !add && b.shift() >= 0 {
		whole = b.packed(b.set.PackedProduct, z.W, x.W, y.W, n, s)
	} else if z.Whole(0) && x.Whole(0) && y.Whole(0) && !add {
		whole = n / lanes * lanes
		for i := 0; i < whole; i += lanes * b.set.Tiles {
			at := i * b.Rows
			b.product(&z.W[at], &x.W[at], &y.W[at], work, min(b.set.Tiles, (whole-i)/lanes))
		}
	}
	for i := whole; i < n; i += b.chunk {
		c := min(b.chunk, n-i)
		count := (c + lanes - 1) / lanes
		p, q := &s.x.W[0], &s.y.W[0]
		b.Move(s.x, b.Slice(x, i, i+c), line(c))
		b.Move(s.y, b.Slice(y, i, i+c), line(c))
		b.product(p, p, q, work, count)
		if add {
			b.Move(s.y, b.Slice(z, i, i+c), line(c))
			b.set.Add(p, p, q, m, count)
		}
		b.Move(b.Slice(z, i, i+c), s.x, line(c))
	}
	b.scratch.Put(s)
}

// product sets n tiles z to xy, narrow.
func (b *tileBulk) product(z, x, y, work *uint64, n int) {
	b.set.Product(z, x, y, &b.m[0], work, n)
	if b.set.Plain > b.narrow {
		b.set.Lower(z, z, &b.m[0], work, n)
	}
}

// montgomery sets n numbers z, whole tiles of packed ones, to xy/2^(64w). The kernels' products are xy/2^(52L), so that
// one factor is taken as many times as large.
func (b *tileBulk) montgomery(z, x, y []uint64, n int) {
	s := b.scratch.Get().(*tileScratch)
	m := &b.m[0]
	for i := b.packed(b.set.PackedMontgomery, z, x, y, n, s); i < n; i += b.chunk {
		c := min(b.chunk, n-i)
		at, count := i*b.w, c/lanes
		b.PackWords(s.words, x[at:], count)
		b.set.Split(&s.x.W[0], &s.words[0], m, b.w, b.shift(), count)
		b.PackWords(s.words, y[at:], count)
		b.set.Split(&s.y.W[0], &s.words[0], m, b.w, 0, count)
		b.set.Montgomery(&s.x.W[0], &s.x.W[0], &s.y.W[0], m, &s.work[0], count)
		b.set.Join(&s.words[0], &s.x.W[0], m, &s.work[0], b.w, count, true)
		b.UnpackWords(z[at:], s.words, count)
	}
	b.scratch.Put(s)
}

type packedKernel = func(z, x, y, m, scratch *uint64, n int)

// packed sets packed numbers z to products of x and y by a kernel, if there is one, and returns how many of n.
func (b *tileBulk) packed(kernel packedKernel, z, x, y []uint64, n int, s *tileScratch) (whole int) {
	if kernel == nil {
		return 0
	}
	whole = n / lanes * lanes
	for i := 0; i < whole; i += lanes * b.set.Tiles {
		at := i * b.w
		kernel(&z[at], &x[at], &y[at], &b.m[0], &s.work[0], min(b.set.Tiles, (whole-i)/lanes))
	}
	return whole
}

// shift is the bits that limbs have beyond words.
func (b *tileBulk) shift() int { return limb.Bits*b.Rows - 64*b.w }

// numberTiles is the bulk for elements of type Number, which lie apart.
type numberTiles struct{ *tileBulk }

func (b numberTiles) Traits() bulks.Traits {
	t := b.tileBulk.Traits()
	t.InPlace, t.Canonical = false, false
	return t
}

func (b numberTiles) Pack(to, from bulks.View) {
	s := b.scratch.Get().(*tileScratch)
	a := bulks.SliceOf[Number](from)
	for v, i := b.Vector(to), 0; i < len(a); i += b.chunk {
		n := min(b.chunk, len(a)-i)
		for j := range n {
			copy(s.words[j*b.w:], numbers{b.modulus}.of(&a[i+j]))
		}
		b.Move(b.Slice(v, i, i+n), tiles.Vector{W: s.words[:n*b.w]}, line(n))
	}
	b.scratch.Put(s)
}

func (b numberTiles) Unpack(to, from bulks.View) {
	s := b.scratch.Get().(*tileScratch)
	a := bulks.SliceOf[Number](to)
	numbers{b.modulus}.rooms(a)
	for v, i := b.Vector(from), 0; i < len(a); i += b.chunk {
		n := min(b.chunk, len(a)-i)
		b.Move(tiles.Vector{W: s.words[:n*b.w]}, b.Slice(v, i, i+n), line(n))
		for j := range n {
			copy(a[i+j], s.words[j*b.w:])
		}
	}
	b.scratch.Put(s)
}
