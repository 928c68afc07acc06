package smallprime

import (
	"math"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	kernels "github.com/galfft/fft/kernels/word"
)

// A tail is passes, depth first, then the kernel that does the layers inside short blocks. Between them values are left
// as registers have them, where words need a way there and back.

// lists has the passes of sets of kernels that fields have asked for, by the set: nobody changes them, and lists for
// every width of narrow rows are more than the tables of a short transform.
var lists sync.Map

// passes returns the passes of a set of kernels.
func passes[W word](k *kernels.Set[W]) bulks.Passes {
	if p, ok := lists.Load(k); ok {
		return p.(bulks.Passes)
	}
	p := listed(k)
	lists.Store(k, p)
	return p
}

// listed makes them.
func listed[W word](k *kernels.Set[W]) bulks.Passes {
	const most = 16 // layers of a tail
	p := bulks.Passes{Layers: k.MaxLayers, Tails: make([][]int, most+1), By: true}
	for log := range p.Tails {
		p.Tails[log] = tailOf(k, log, 1)
	}
	for width := 0; width < k.Lanes && len(k.Narrow) > 0; width++ {
		var tails [][]int
		for log := 0; width > 1 && width<<log <= 1<<most; log++ {
			tails = append(tails, tailOf(k, log, width))
		}
		p.Narrow = append(p.Narrow, tails)
	}
	if len(p.Narrow) > 0 {
		layers := narrowLayers(k, k.Lanes)
		p.Wide = append(make([][]int, layers), []int{layers})
	}
	if k.Odd != nil {
		p.Odd, p.OddScratch, p.OddSums = mostOdd, oddVectors*k.Lanes, k.OddSums
	}
	if k.Rings != nil {
		p.Ring = k.Lanes
	}
	return p
}

// tailOf returns the layers of the passes of a tail of 2^log rows of width words.
func tailOf[W word](k *kernels.Set[W], log, width int) (list []int) {
	last := kernelTail(k, 1<<log, width)
	if last == 0 {
		return nil
	}
	for log > last {
		layers := tailLayers(k, log-last, width<<log)
		list = append(list, layers)
		log -= layers
	}
	return append(list, last)
}

// tailLayers returns the layers of the first pass over blocks of a tail, which no kernel does as a whole, of so many
// words, with so many layers left before the kernel. Passes over blocks that fit in the first-level cache have as many
// as the fastest has, but the last. Above that the first pass has what is left over, so that the others do.
func tailLayers[W word](k *kernels.Set[W], left, size int) int {
	most := k.TailLayers
	switch rest := left % most; {
	case left <= k.MaxLayers && rest == 1: // a longer pass rather than a single layer behind another pass
		return left
	case size > shortTail[W]() && rest > 0:
		return rest
	default:
		return min(left, most)
	}
}

// shortTail is the words of blocks that fit in the first-level cache: their passes go over all of them.
func shortTail[W word]() int { return 1 << 15 / int(unsafe.Sizeof(W(0))) }

// kernelTail is the layers of a kernel that ends transforms of so many rows of width words; 0: there is none.
func kernelTail[W word](k *kernels.Set[W], rows, width int) int {
	if width > 1 {
		if layers := narrowLayers(k, width); rows >= 1<<layers {
			return layers
		}
		return 0
	}
	for i := range k.Tails {
		if size := k.Tails[i].Size; size <= rows {
			return bits.Len(uint(size)) - 1
		}
	}
	return 0
}

// inside is the logarithm of the rows of width words that a vector has, or that share one vector.
func inside[W word](k *kernels.Set[W], width int) int {
	return bits.Len(uint(max(1, k.Lanes/width))) - 1
}

// narrowLayers is the layers of the kernel for rows of width words.
func narrowLayers[W word](k *kernels.Set[W], width int) int {
	return bits.Len(kernels.NarrowVectors) - 1 + inside(k, width)
}

// fronts reports whether a kernel does both passes of a list.
func (f *vectorBulk[W]) fronts(list []int) bool {
	return len(list) == 2 && list[0] == f.k.Front && 1<<list[1] == f.k.Tails[0].Size
}

// leastTail is the size of the shortest tail, and more than any where there is none.
func leastTail[W word](k *kernels.Set[W]) int {
	least := math.MaxInt
	for i := range k.Tails {
		least = min(least, k.Tails[i].Size)
	}
	return least
}

// tails does the blocks of a tail, of rows of width words; they are contiguous.
func (t *vectorTable[W]) tails(of bulks.View, p bulks.Pass, count, width int) {
	v, b := bulks.SliceOf[W](of), blocks{p.Off, width << p.Layers, count, alike{int32(width), p.Has(bulks.Same)}}
	up, how := p.Has(bulks.Transposed), uint8(0)
	if p.Has(bulks.Reduced) {
		how = kernels.Canonical
	}
	list := t.f.traits.Passes.Tails[p.Layers]
	if width > 1 {
		list = t.f.traits.Passes.Tail(1<<p.Layers, width)
	}
	if len(list) == 1 {
		t.tail(v, b, how, up)
		if p.By != nil { // there is no pass that could multiply
			n := b.count * b.size
			p.By.Scale(of, 0, 1, n, n)
			t.f.Reduce(of.Slice(0, n))
		}
		return
	}
	together := 1 // blocks: those that fit in the first-level cache, or one that stands at a place of its own
	if !b.same {
		together = max(1, shortTail[W]()/b.size)
	}
	for i := 0; i < b.count; i += together {
		x, g := some(v, b, i, together)
		if up {
			t.up(x, g, list, end[W](p.By), 0)
		} else {
			t.down(x, g, list, how)
		}
	}
}

// PassInto is that of bulks.Into. What a kernel takes at once, and no pass before the kernel of the tail, serves alone.
func (t *vectorTable[W]) PassInto(dst, src bulks.View, p bulks.Pass) bool {
	size := 1 << p.Layers
	if !t.f.k.Into || size > kernels.MaxWords || p.Has(bulks.Transposed) {
		return false
	}
	list := t.f.traits.Passes.Tails[p.Layers]
	if len(list) < 2 {
		return false
	}
	b, how := blocks{p.Off, size, 1, alike{width: 1}}, uint8(0)
	if p.Has(bulks.Reduced) {
		how = kernels.Canonical
	}
	to := bulks.SliceOf[W](dst)[:size]
	t.block(t.f.k.Layers[list[0]], bulks.SliceOf[W](src)[:size], b, list[0], &to[0], kernels.Leave)
	t.rest(to, b, list, how|kernels.Open)
	return true
}

// blocks are count contiguous blocks of size words. Block i stands at place off+i among all blocks of that size.
type blocks struct {
	off, size, count int
	alike
}

// alike is what blocks have in common: rows of width words, and with same the place off. It is apart because structs of
// more than four fields, or of more than four words, are not kept in registers.
type alike struct {
	width int32
	same  bool
}

// some returns up to count of the blocks of b, from block i on, and their part of v.
func some[W word](v []W, b blocks, i, count int) ([]W, blocks) {
	v = v[i*b.size:]
	if b.count = min(count, b.count-i); !b.same {
		b.off += i
	}
	return v[:b.count*b.size], b
}

// split returns the blocks into which layers split those of b, and how many of them go together: all, or each large one
// alone.
func split[W word](b blocks, layers int) (inner blocks, count int) {
	inner = blocks{b.off << layers, b.size >> layers, b.count << layers, alike{width: b.width}}
	if b.count*b.size <= shortTail[W]() {
		return inner, inner.count
	}
	return inner, 1
}

// down does blocks by the passes of list; how is Open or not, and Canonical or not.
func (t *vectorTable[W]) down(v []W, b blocks, list []int, how uint8) {
	switch {
	case len(list) == 1:
		t.tail(v, b, how, false)
		return
	case t.f.fronts(list) && b.width == 1:
		inner, _ := split[W](b, list[0])
		t.tail(v, inner, how|kernels.Front|t.one(b.off), false)
		return
	}
	t.block(t.f.k.Layers[list[0]], v, b, list[0], nil, how&kernels.Open|kernels.Leave)
	t.rest(v, b, list, how|kernels.Open)
}

// rest does blocks by the passes of list behind the first.
func (t *vectorTable[W]) rest(v []W, b blocks, list []int, how uint8) {
	b, count := split[W](b, list[0])
	for i := 0; i < b.count; i += count {
		x, g := some(v, b, i, count)
		t.down(x, g, list[1:], how)
	}
}

// up is its transpose; how is Leave or not. c is a multiplier for the end, with its companion, or nil; list has the
// passes of down.
func (t *vectorTable[W]) up(v []W, b blocks, list []int, c *W, how uint8) {
	if len(list) == 1 {
		t.tail(v, b, how, true)
		return
	}
	inner, count := split[W](b, list[0])
	for i := 0; i < inner.count; i += count {
		x, g := some(v, inner, i, count)
		t.up(x, g, list[1:], nil, kernels.Leave)
	}
	t.block(t.f.k.LayersT[list[0]], v, b, list[0], c, how|kernels.Open)
}

// block runs a kernel of layers on whole blocks.
func (t *vectorTable[W]) block(k kernels.Pass[W], v []W, b blocks, layers int, c *W, how uint8) {
	row := b.size >> layers
	how = t.known(how)
	if len(v) > kernels.MaxWords {
		l := layer{b.off, bulks.Rows{Blocks: b.count, Half: 1, Width: row, Stride: row}}
		t.columns(k, v, &l, layers, row, c, how)
		return
	}
	_, _ = v[b.count*b.size-1], t.p.w[(b.off+b.count)<<layers>>1-1]
	k(&v[0], &t.p.w[0], &t.p.q[0], &t.f.m[0], c, b.off, b.count, row, 1, row, row, how|t.one(b.off))
}

// known leaves out of how what the kernels do not know.
func (t *vectorTable[W]) known(how uint8) uint8 {
	if !t.f.k.Opens {
		how &^= kernels.Open | kernels.Leave
	}
	return how
}

// tail runs a kernel of tails.
func (t *vectorTable[W]) tail(v []W, b blocks, how uint8, transpose bool) {
	if b.count == 0 {
		return
	}
	last, step := b.off, 0
	if !b.same {
		last, step = b.off+b.count-1, 1
	}
	how = t.known(how)
	limit := kernels.MaxWords / b.size
	if b.width > 1 {
		t.narrow(v, b, limit, how, transpose)
		return
	}
	_, _ = v[b.count*b.size-1], t.p.w[(last+1)*b.size/2-1]
	k := t.kernel(b.size)
	f := k.Tail
	if transpose {
		f = k.T
	}
	for i := 0; i < b.count; i += limit {
		f(&v[i*b.size], &t.p.w[0], &t.p.q[0], &t.f.m[0], b.off+i*step, step, min(limit, b.count-i), how)
		how &^= kernels.One
	}
}

// narrow runs a kernel of tails of narrow rows, of at most limit blocks in a call. Wide rows go by columns that fill a
// vector, and those that are left over: each row has its own, in blocks that fit in the first-level cache. One column
// behind one vector goes by single.
func (t *vectorTable[W]) narrow(v []W, b blocks, limit int, how uint8, transpose bool) {
	width, lanes := int(b.width), t.f.k.Lanes
	_, _ = v[b.count*b.size-1], t.p.w[(b.off+b.count)*(b.size/width)/2-1]
	log := inside(t.f.k, width)
	f, places := t.f.k.Narrow[log].Tail, t.f.k.Moves.Narrow(lanes, min(width, lanes-1), transpose)
	if transpose {
		f = t.f.k.Narrow[log].T
	}
	row := width << log
	masked := row
	if row > lanes {
		limit = max(1, min(limit, shortTail[W]()/b.size))
		if row == lanes+1 {
			masked = lanes
		}
	}
	for i := 0; i < b.count; i += limit {
		n := min(limit, b.count-i)
		for c := 0; c < masked; c += lanes {
			f(&v[i*b.size+c], &t.p.w[0], &t.p.q[0], &t.f.m[0], &places[0], b.off+i, n, row, 1<<min(lanes, row-c)-1, how)
		}
		if masked < row {
			t.single(v[i*b.size+masked:], blocks{b.off + i, b.size, n, b.alike}, how, transpose)
		}
	}
}

// single does the first column of blocks of rows, in a copy, by the kernel for single words: in vectors with a mask it
// would take as long as a vector of columns.
func (t *vectorTable[W]) single(v []W, b blocks, how uint8, transpose bool) {
	width := int(b.width)
	rows := b.size / width
	room := t.f.room(b.count * rows)
	x := (*room)[:b.count*rows]
	for i, at := 0, 0; i < len(x); i, at = i+1, at+width {
		x[i] = v[at]
	}
	t.tail(x, blocks{b.off, rows, b.count, alike{width: 1}}, how, transpose)
	for i, at := 0, 0; i < len(x); i, at = i+1, at+width {
		v[at] = x[i]
	}
	t.f.scratch.Put(room)
}

func (t *vectorTable[W]) kernel(size int) *kernels.Tails[W] {
	for i := range t.f.k.Tails {
		if k := &t.f.k.Tails[i]; k.Size == size {
			return k
		}
	}
	panic("smallprime: a tail of a size that no kernel has")
}
