package smallprime

import (
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	kernels "github.com/galfft/fft/kernels/word"
)

// A tail is passes, depth first, then the kernel that does the layers inside short blocks. Between them values are left
// as registers have them, where words need a way there and back.

// shortTail is the words of blocks that fit in the first-level cache: their passes go over all of them.
func (t *vectorTable[W]) shortTail() int { return 1 << 15 / int(unsafe.Sizeof(W(0))) }

// TailSize is all rows, unless they are too few for a kernel.
func (t *vectorTable[W]) TailSize(rows int) int {
	if t.kernelTail(rows) == 1 {
		return 1
	}
	return rows
}

func (t *vectorTable[W]) TailLayers(size int) int {
	if size == t.kernelTail(size) {
		return 0
	}
	return t.layersOf(size)
}

// kernelTail is the size of the blocks of a kernel.
func (t *vectorTable[W]) kernelTail(rows int) int {
	for _, k := range t.f.k.Tails {
		if k.Size <= rows {
			return k.Size
		}
	}
	return 1
}

func (t *vectorTable[W]) Tail(of field.View, b field.Blocks, canonical bool) {
	how := uint8(0)
	if canonical {
		how = kernels.Canonical
	}
	v := field.SliceOf[W](of)
	t.groups(v, b, func(v []W, g field.Blocks) { t.down(v, g, how) })
}

func (t *vectorTable[W]) TailT(of field.View, b field.Blocks) {
	v := field.SliceOf[W](of)
	t.groups(v, b, func(v []W, g field.Blocks) { t.up(v, g, nil, 0) })
}

// FinalTail has the last pass multiply. A tail that is one kernel has no pass.
func (t *vectorTable[W]) FinalTail(of field.View, b field.Blocks, by field.Table) {
	if t.kernelTail(b.Size) == b.Size {
		t.TailT(of, b)
		n := b.Count * b.Size
		by.Scale(of, 0, 1, n, n)
		t.f.Reduce(of.Slice(0, n))
		return
	}
	v, c := field.SliceOf[W](of), by.(*vectorTable[W]).p
	t.groups(v, b, func(v []W, g field.Blocks) { t.up(v, g, &c.w[0], 0) })
}

// groups calls f for blocks that go together: all where a kernel does them, or as many as fit in the first-level cache,
// or one that stands at a place of its own.
func (t *vectorTable[W]) groups(v []W, b field.Blocks, f func(v []W, g field.Blocks)) {
	count := b.Count
	if t.kernelTail(b.Size) < b.Size {
		count = max(1, t.shortTail()/b.Size)
		if b.Same {
			count = 1
		}
	}
	for i := 0; i < b.Count; i += count {
		g := b
		g.Count = min(count, b.Count-i)
		if !b.Same {
			g.Off += i
		}
		f(v[i*b.Size:][:g.Count*b.Size], g)
	}
}

// down does blocks; how is Open or not, and Canonical or not.
func (t *vectorTable[W]) down(v []W, b field.Blocks, how uint8) {
	if t.kernelTail(b.Size) == b.Size {
		t.tail(v, b, how, false)
		return
	}
	layers := t.layersOf(b.Size)
	t.block(t.f.k.Layers[layers], v, b, layers, nil, how&kernels.Open|kernels.Leave)
	t.inner(v, b, layers, func(v []W, b field.Blocks) { t.down(v, b, how|kernels.Open) })
}

// up is its transpose; how is Leave or not. c is a multiplier for the end, with its companion, or nil.
func (t *vectorTable[W]) up(v []W, b field.Blocks, c *W, how uint8) {
	if t.kernelTail(b.Size) == b.Size {
		t.tail(v, b, how, true)
		return
	}
	layers := t.layersOf(b.Size)
	t.inner(v, b, layers, func(v []W, b field.Blocks) { t.up(v, b, nil, kernels.Leave) })
	t.block(t.f.k.LayersT[layers], v, b, layers, c, how|kernels.Open)
}

// layersOf returns the layers of the first pass over blocks. Passes over blocks that fit in the first-level cache have
// as many as the fastest has, but the last. Above that the first pass has what is left over, so that the others do.
func (t *vectorTable[W]) layersOf(size int) int {
	left, most := bits.Len(uint(size))-bits.Len(uint(t.kernelTail(size))), t.f.k.TailLayers
	switch rest := left % most; {
	case left <= t.f.k.MaxLayers && rest == 1: // a longer pass rather than a single layer behind another pass
		return left
	case size > t.shortTail() && rest > 0:
		return rest
	default:
		return min(left, most)
	}
}

// inner calls f for the blocks into which layers split those of b: together, or each large one alone.
func (t *vectorTable[W]) inner(v []W, b field.Blocks, layers int, f func(v []W, b field.Blocks)) {
	b = field.Blocks{Off: b.Off << layers, Size: b.Size >> layers, Count: b.Count << layers}
	if len(v) <= t.shortTail() {
		f(v, b)
		return
	}
	for i := range b.Count {
		f(v[i*b.Size:][:b.Size], field.Blocks{Off: b.Off + i, Size: b.Size, Count: 1})
	}
}

// block runs a kernel of layers on whole blocks.
func (t *vectorTable[W]) block(k kernels.Pass[W], v []W, b field.Blocks, layers int, c *W, how uint8) {
	row := b.Size >> layers
	how = t.known(how)
	if len(v) > kernels.MaxWords {
		l := field.Layer{Off: b.Off, Blocks: b.Count, Half: 1, Width: row, Stride: row}
		t.columns(k, v, &l, layers, row, c, how)
		return
	}
	_, _ = v[b.Count*b.Size-1], t.p.w[(b.Off+b.Count)<<layers>>1-1]
	k(&v[0], &t.p.w[0], &t.p.q[0], &t.f.m[0], c, b.Off, b.Count, row, 1, row, row, how|t.one(b.Off))
}

// known leaves out of how what the kernels do not know.
func (t *vectorTable[W]) known(how uint8) uint8 {
	if !t.f.k.Opens {
		how &^= kernels.Open | kernels.Leave
	}
	return how
}

// tail runs a kernel of tails.
func (t *vectorTable[W]) tail(v []W, b field.Blocks, how uint8, transpose bool) {
	if b.Count == 0 {
		return
	}
	last, step := b.Off, 0
	if !b.Same {
		last, step = b.Off+b.Count-1, 1
	}
	_, _ = v[b.Count*b.Size-1], t.p.w[(last+1)*b.Size/2-1]
	how = t.known(how)
	limit := kernels.MaxWords / b.Size
	k := t.tails(b.Size)
	f := k.Tail
	if transpose {
		f = k.T
	}
	for i := 0; i < b.Count; i += limit {
		f(&v[i*b.Size], &t.p.w[0], &t.p.q[0], &t.f.m[0], b.Off+i*step, step, min(limit, b.Count-i), how)
	}
}

func (t *vectorTable[W]) tails(size int) *kernels.Tails[W] {
	for i := range t.f.k.Tails {
		if k := &t.f.k.Tails[i]; k.Size == size {
			return k
		}
	}
	panic("smallprime: a tail of a size that TailSize does not tell")
}
