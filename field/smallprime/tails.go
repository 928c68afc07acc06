package smallprime

import (
	"math/bits"

	"github.com/galfft/fft/field"
	kernels "github.com/galfft/fft/kernels/word"
)

// Kernels do the layers inside short blocks in one call. Where values need a way from words into registers and back,
// tails are long: passes on what they do not leave as words between them, depth first, then the kernel for short
// blocks.

// shortTail is the words of blocks that fit in the first-level cache: their passes go over all of them.
const shortTail = 1 << 12

// TailSize is the largest that the kernels have, or all rows.
func (t *vectorTable[W]) TailSize(rows int) int {
	if size := t.kernelTail(rows); size == 1 || !t.f.k.Opens {
		return size
	}
	return rows
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
		count = max(1, shortTail/b.Size)
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
	inner(v, b, layers, func(v []W, b field.Blocks) { t.down(v, b, how|kernels.Open) })
}

// up is its transpose; how is Leave or not. c is a multiplier for the end, with its companion, or nil.
func (t *vectorTable[W]) up(v []W, b field.Blocks, c *W, how uint8) {
	if t.kernelTail(b.Size) == b.Size {
		t.tail(v, b, how, true)
		return
	}
	layers := t.layersOf(b.Size)
	inner(v, b, layers, func(v []W, b field.Blocks) { t.up(v, b, nil, kernels.Leave) })
	t.block(t.f.k.LayersT[layers], v, b, layers, c, how|kernels.Open)
}

// layersOf returns the layers of the first pass over blocks: as many as the fastest pass has where those left are a
// multiple of it, else the rest, but no single layer where another pass follows.
func (t *vectorTable[W]) layersOf(size int) int {
	left := bits.Len(uint(size)) - bits.Len(uint(t.kernelTail(size)))
	most := t.f.k.OpenLayers
	switch rest := left % most; {
	case rest == 0:
		return most
	case rest == 1 && left > 1:
		return 3
	default:
		return rest
	}
}

// inner calls f for the blocks into which layers split those of b: together, or each large one alone.
func inner[W word](v []W, b field.Blocks, layers int, f func(v []W, b field.Blocks)) {
	b = field.Blocks{Off: b.Off << layers, Size: b.Size >> layers, Count: b.Count << layers}
	if len(v) <= shortTail {
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
	t.columns(k, v, &field.Layer{Off: b.Off, Blocks: b.Count, Half: 1, Width: row, Stride: row}, layers, row, c, how)
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
