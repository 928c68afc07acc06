package gfpf

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/digits"
)

// FirstInvalid returns the least i for which x[i] is not canonical: all digits are below r, or the last is r and the
// others are 0. It is −1 where there is none.
func (f *Field[E]) FirstInvalid(x []E) int {
	const block = 1 << 12 // words
	b := f.tiles
	for w, first := packed(x).w, 0; first < len(w); first += block {
		part := w[first:min(first+block, len(w))]
		i := b.moves.Above(part, b.r-1)
		for i >= 0 && i < len(part) {
			if i -= i % b.k; !b.canonical(part[i : i+b.k]) {
				return (first + i) / b.k
			}
			i += b.k
		}
	}
	return -1
}

// canonical reports whether the digits x are those of an element: all below r, or those of −1.
func (f *ring) canonical(x []uint64) bool {
	last := x[f.k-1]
	for _, d := range x[:f.k-1] {
		if d >= f.r || last == f.r && d != 0 {
			return false
		}
	}
	return last <= f.r
}

// AddVec sets zᵢ = xᵢ + yᵢ: see field.Vectors. Like the others below it panics where x or y is shorter than z.
func (f *Field[E]) AddVec(z, x, y []E) { f.tiles.sums(packed(z).w, packed(x).w, packed(y).w, false) }

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Field[E]) SubVec(z, x, y []E) { f.tiles.sums(packed(z).w, packed(x).w, packed(y).w, true) }

// sums adds packed elements, or subtracts them, by kernels where there are some, and one by one in groups that they
// refuse.
func (b *bulk) sums(z, x, y []uint64, subtract bool) {
	x, y = x[:len(z):len(x)], y[:len(z):len(y)] // kernels trust lengths
	elements := func(n int) {
		for range n {
			if subtract {
				b.sub(z, x, y)
			} else {
				b.add(z, x, y)
			}
			z, x, y = z[b.k:], x[b.k:], y[b.k:]
		}
	}
	size := b.k * digits.PackedGroup(b.k)
	kernel := b.sumKernel(subtract)
	if kernel == nil {
		elements(len(z) / b.k)
		return
	}
	const call = 1 << 15 // words
	for len(z) >= size {
		n := min(len(z), call) / size
		done := kernel(&z[0], &x[0], &y[0], b.r, b.carries, n)
		z, x, y = z[done*size:], x[done*size:], y[done*size:]
		if done < n {
			elements(size / b.k)
		}
	}
	elements(len(z) / b.k)
}

// sumKernel returns the kernel for packed elements, or nil.
func (b *bulk) sumKernel(subtract bool) func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int) {
	i := max(0, bits.Len(uint(b.k))-4)
	switch {
	case b.set == nil || b.k > 64:
		return nil
	case subtract:
		return b.set.SubPacked[i]
	}
	return b.set.AddPacked[i]
}

// MulVec sets zᵢ = xᵢ·yᵢ, through tiles where kernels have the products.
func (f *Field[E]) MulVec(z, x, y []E) { f.products(z, x, y, false) }

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Field[E]) MulAddVec(z, x, y []E) { f.products(z, x, y, true) }

// products takes a chunk at a time through tiles, and the rest one by one.
func (f *Field[E]) products(z, x, y []E, add bool) {
	x, y = x[:len(z):len(x)], y[:len(z):len(y)]
	i := 0
	if b := f.tiles; b.product && len(z) >= lanes {
		s, t := b.scratch.Get().(*scratch), b.scratch.Get().(*scratch)
		for i+lanes <= len(z) {
			n := min(chunk, (len(z)-i)/lanes*lanes)
			c := field.Copy{Rows: 1, Width: n}
			b.copy(s.tiles, packed(x[i:i+n]), c)
			b.copy(t.tiles, packed(y[i:i+n]), c)
			b.mulTiles(s.tiles.w, s.tiles.w, t.tiles.w, n/lanes)
			p := packed(z[i : i+n])
			if add {
				b.copy(t.tiles, p, c)
				b.set.Add(&s.tiles.w[0], &s.tiles.w[0], &t.tiles.w[0], b.r, b.k, n/lanes)
			}
			b.copy(p, s.tiles, c)
			i += n
		}
		b.scratch.Put(s)
		b.scratch.Put(t)
	}
	for ; i < len(z); i++ {
		if add {
			var t E
			f.Mul(&t, &x[i], &y[i])
			f.Add(&z[i], &z[i], &t)
		} else {
			f.Mul(&z[i], &x[i], &y[i])
		}
	}
}
