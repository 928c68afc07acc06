package binary

import (
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
)

// words is the arithmetic of vectors of elements as they lie in memory, polynomials modulo x^64 or x^128 plus a short
// rest: see gf2.Words. What its kernels do not take it does element by element.
type words struct {
	bulks.Bulk // by element methods
	c          *core
	f          int // as kernels have it
	set        *gf2.Words
	bytes      *planes // which fold vectors as bytes: sums know no elements
}

// packedWords is words for fields that have their elements in another basis. Vectors take the memory of elements.
type packedWords struct {
	*words
	from, to *planes // of the field, and of the words
}

// newWords returns a bulk for f of 64 or 128 bits, by kernels that there are.
func newWords[E Elements](f *Field[E], set *gf2.Words) (bulks.Bulk, error) {
	if f.core.rest != nil {
		return wordsOver(f, set), nil
	}
	g, err := New[E](f.core.m)
	if err != nil {
		return nil, err
	}
	return &packedWords{wordsOver(g, set), newPlanes(&f.core), newPlanes(&g.core)}, nil
}

func wordsOver[E Elements](g *Field[E], set *gf2.Words) *words {
	p := &planes{set: gf2.Active(), at: memory}
	p.scratch.New = func() any { return new(scratch) }
	c := &g.core
	return &words{Bulk: bulks.NewSlices(g, true), c: c, f: c.m/64 - 1, set: set.For(c.m, c.rest),
		bytes: p}
}

// memory is that of a vector.
func memory(buf any) unsafe.Pointer {
	if p, ok := buf.(*[2]uint64); ok {
		return unsafe.Pointer(p)
	}
	return unsafe.Pointer(buf.(*uint64))
}

// Traits describes the kernels.
func (w *words) Traits() bulks.Traits {
	tails := make([][]int, w.longestTail()+1)
	for k := range tails[1:] {
		tails[k+1] = []int{k + 1}
	}
	return bulks.Traits{
		InPlace: true, Canonical: true, Affine: true,
		Scratch:   int(unsafe.Sizeof(wordRoom{})) + int(unsafe.Sizeof(scratch{})), // which folds of bytes take
		Passes:    w.far(bulks.Passes{Layers: wordLayers, Tails: tails}),
		Butterfly: 0.4 * float64(int(1)<<w.f), // an estimate from counts of instructions, not measured
		Form:      "words, " + w.set.Form,
	}
}

// far adds to p the pass for long blocks: of 128 bits, where it was measured.
func (w *words) far(p bulks.Passes) bulks.Passes {
	if w.f == 1 {
		p.Far, p.Second = farLayers, secondLevel/w.size(1)
	}
	return p
}

// wordLayers is the layers of the longest pass, and tailPasses those that a tail has before what is inside vectors.
// tailBytes is what it takes at a time: it stays in the first level of cache.
const (
	wordLayers = 2
	tailPasses = 6
	tailBytes  = 1 << 14
)

// lastLayers is what gf2.Words.Last does, on groups of as many layers more.
const lastLayers = 2

// lasts reports whether tails of so many layers end by gf2.Words.Last, and else by gf2.Words.Tail: a pass of one layer
// takes more than half of one of two.
func (w *words) lasts(layers int) bool {
	return w.f == 1 && w.set.Last != nil && layers%2 == 0 && layers >= 2*lastLayers
}

// longestTail is the layers of the longest tail.
func (w *words) longestTail() int {
	n := w.set.Turns(w.f) + tailPasses
	if w.lasts(n + 1) {
		n++
	}
	return n
}

// size is the bytes of n elements.
func (w *words) size(n int) int { return n * 8 << w.f }

// from returns the bytes of v from element i on.
func (w *words) from(v bulks.View, i int) []byte {
	return unsafe.Slice((*byte)(memory(v.Buf)), w.size(v.Off+v.N))[w.size(v.Off+i):]
}

func (w *words) get(v bulks.View, i int) (x gf2.Element) {
	copy(x[:], w.element(v, i))
	return x
}

func (w *words) put(v bulks.View, i int, x gf2.Element) { copy(w.element(v, i), x[:]) }

func (w *words) element(v bulks.View, i int) []uint64 {
	return unsafe.Slice((*uint64)(memory(v.Buf)), (v.Off+v.N)<<w.f)[(v.Off+i)<<w.f:][:1<<w.f]
}

func (w *words) product(x, y gf2.Element) gf2.Element {
	if w.f == 0 {
		return gf2.Element{w.c.mul1(x[0], y[0])}
	}
	// Not by w.c.mul: slices that an interface takes would put all three into memory of the heap.
	var p [4]uint64
	for i, a := range x {
		for j, b := range y {
			hi, lo := clmul(a, b)
			p[i+j] ^= lo
			p[i+j+1] ^= hi
		}
	}
	for i := 3; i > 1; i-- {
		hi, lo := clmul(p[i], w.c.rest[0])
		p[i-2] ^= lo
		p[i-1] ^= hi
	}
	return gf2.Element{p[0], p[1]}
}

// modulus is the words that kernels take.
func (w *words) modulus() *byte { return (*byte)(unsafe.Pointer(w.c.rest)) }

func (w *words) Pack(v, a bulks.View) {
	if v.N > 0 {
		copy(w.from(v, 0), w.from(a, 0))
	}
}

func (w *words) Unpack(a, v bulks.View) { w.Pack(a, v) }

func (w *words) Copy(dst, src bulks.View, c bulks.Copy) {
	switch {
	case turns(c):
		w.turnElements(dst, src, c)
		return
	case c.ColPerm != nil || c.Transpose:
		w.Bulk.Copy(dst, src, c)
		return
	}
	n, one := w.size(c.Width), w.size(1)
	if n == 0 || c.Rows == 0 {
		return
	}
	to, from := w.from(dst, 0), w.from(src, 0)
	if c.RowPerm == nil && copies(n) {
		w.bytes.copyRows(to, from, c.Rows, n, c.Dst*one, c.Src*one)
		return
	}
	for i := range c.Rows {
		copy(to[i*c.Dst*one:][:n], from[c.From(i, 0)*one:])
	}
}

// Swap implements bulks.Spanner, for rows that go past the caches: see copyRows.
func (w *words) Swap(v, z, x bulks.View, c bulks.Copy) bool {
	n, one, set := w.size(c.Width), w.size(1), w.bytes.set
	rows, to, from := w.from(v, 0), w.from(z, 0), w.from(x, 0)
	stride := c.Dst * one
	if set.Swap == nil || c.Src != c.Width || !copies(n) || !w.bytes.past(to, c.Rows, stride) {
		return false
	}
	for i, most := 0, set.Call/n; i < c.Rows; i += most {
		set.Swap(&rows[i*n], &to[i*stride], &from[i*stride], min(most, c.Rows-i), n, stride)
	}
	return true
}

// mulWords sets the first elements of z to the products of those of x and y, as many as fill vectors, and returns how
// many.
func mulWords(set *gf2.Words, f int, rest *[gf2.RestWords]uint64, z, x, y []byte) int {
	n := len(z) &^ (set.Vector - 1)
	if n >= streamed && f == 1 && streamWords(set, rest, z[:n], x, y) {
		return n >> 3 >> f
	}
	for i := 0; i < n; i += set.Call {
		set.Mul[f](&z[i], &x[i], &y[i], min(set.Call, n-i), 0, (*byte)(unsafe.Pointer(rest)))
	}
	return n >> 3 >> f
}

// streamed is the bytes of products that are written past caches, at least: with both factors they are more than a
// processor's share of the third level has.
const streamed = 1 << 24

// streamWords is mulWords for whole vectors past caches. It reports false, and does nothing, where kernels do not: if z
// is x or y, which are read all the same, and if no element of z begins at a multiple of a vector.
func streamWords(set *gf2.Words, rest *[gf2.RestWords]uint64, z, x, y []byte) bool {
	const element = 16
	first := int(-uintptr(unsafe.Pointer(&z[0])) & uintptr(set.Vector-1))
	if set.Stream == nil || &z[0] == &x[0] || &z[0] == &y[0] || first%element != 0 {
		return false
	}
	r := (*byte)(unsafe.Pointer(rest))
	last := len(z) - set.Vector
	for _, i := range []int{0, last} { // which may begin between vectors
		set.Mul[1](&z[i], &x[i], &y[i], set.Vector, 0, r)
	}
	for i := first; i <= last; i += set.Call {
		set.Stream(&z[i], &x[i], &y[i], min(set.Call, (len(z)-i)&^(set.Vector-1)), r)
	}
	return true
}

func (w *words) VecMul(z, x, y bulks.View) {
	if z.N == 0 {
		return
	}
	for i := mulWords(w.set, w.f, w.c.rest, w.from(z, 0), w.from(x, 0), w.from(y, 0)); i < z.N; i++ {
		w.put(z, i, w.product(w.get(x, i), w.get(y, i)))
	}
}

func (w *words) Fold(v bulks.View, list []bulks.Fold, width int, back bool) {
	one := w.size(1)
	if one*v.Off%lanes == 0 && one*v.N%lanes == 0 {
		w.bytes.Fold(bulks.View{Buf: v.Buf, Off: one * v.Off, N: one * v.N}, list, one*width, back)
		return
	}
	for i := range list {
		f := list[i]
		if back {
			f = list[len(list)-1-i]
		}
		run, half := f.Run*width, f.Run*width/2
		for at := 0; at < v.N; at += run {
			for j := range half {
				if !back {
					j = half - 1 - j
				}
				i := at + j + f.Shift*width
				w.put(v, i, gf2.Plus(w.get(v, i), w.get(v, at+half+j)))
			}
		}
	}
}

func (w *words) FoldPart(v bulks.View, shift, from, to int, back bool) {
	one := w.size(1)
	if one*v.Off%lanes == 0 && one*v.N%lanes == 0 {
		bytes := bulks.View{Buf: v.Buf, Off: one * v.Off, N: one * v.N}
		w.bytes.FoldPart(bytes, one*shift, one*from, one*to, back)
		return
	}
	foldPart(v.N/2, shift, from, to, back, func(i, j int) { w.put(v, i, gf2.Plus(w.get(v, i), w.get(v, j))) })
}

// Overlay and Tile implement bulks.Spanner.
func (w *words) Overlay(a bulks.View) bulks.View { return a }

func (w *words) Tile() int { return 1 }

func (p *packedWords) Traits() bulks.Traits {
	t := p.words.Traits()
	t.InPlace, t.Canonical, t.Turns, t.Form = false, false, true, t.Form+", packed"
	return t
}

func (p *packedWords) Pack(v, a bulks.View) { p.convert(v, a, p.from, p.to) }

func (p *packedWords) Unpack(a, v bulks.View) { p.convert(a, v, p.to, p.from) }

// convert goes from one basis to the other, by planes.
func (p *packedWords) convert(to, from bulks.View, in, out *planes) {
	tile := func(z, x *byte, n int) {
		in.into.do(z, x, n)
		out.from.do(z, z, n)
	}
	n := to.N &^ (lanes - 1)
	in.calls(n/lanes, func(i, tiles int) {
		tile(&p.words.from(to, i*lanes)[0], &p.words.from(from, i*lanes)[0], tiles)
	})
	if n < to.N {
		s := in.scratch.Get().(*scratch)
		copy(s.a[:], p.words.from(from, n)[:p.size(to.N-n)])
		tile(&s.a[0], &s.a[0], 1)
		copy(p.words.from(to, n)[:p.size(to.N-n)], s.a[:])
		in.scratch.Put(s)
	}
}
