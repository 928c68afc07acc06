package gfpf

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
	"github.com/galfft/fft/kernels/digits"
)

// FirstInvalid returns the least i for which x[i] is not canonical: all digits are below r, or the last is r and the
// others are 0. It is −1 where there is none.
func (f *Field[E]) FirstInvalid(x []E) int { return f.prime.tiles.firstInvalid(tiles.Packed(x).W) }

// firstInvalid is that of packed elements.
func (b *bulk) firstInvalid(w []uint64) int {
	const block = 1 << 12 // words
	for first := 0; first < len(w); first += block {
		part := w[first:min(first+block, len(w))]
		i := b.Above(part, b.r-1)
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
func (f *Field[E]) AddVec(z, x, y []E) {
	f.prime.tiles.sums(tiles.Packed(z).W, tiles.Packed(x).W, tiles.Packed(y).W, false)
}

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Field[E]) SubVec(z, x, y []E) {
	f.prime.tiles.sums(tiles.Packed(z).W, tiles.Packed(x).W, tiles.Packed(y).W, true)
}

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
func (f *Field[E]) MulVec(z, x, y []E) {
	for i := f.prime.tiles.products(tiles.Packed(z).W, tiles.Packed(x).W, tiles.Packed(y).W, false); i < len(z); i++ {
		f.Mul(&z[i], &x[i], &y[i])
	}
}

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Field[E]) MulAddVec(z, x, y []E) {
	var t E
	for i := f.prime.tiles.products(tiles.Packed(z).W, tiles.Packed(x).W, tiles.Packed(y).W, true); i < len(z); i++ {
		f.Mul(&t, &x[i], &y[i])
		f.Add(&z[i], &z[i], &t)
	}
}

// products sets packed elements z to xy, or to z + xy, a chunk at a time through tiles. It does whole tiles, none where
// there are no kernels, and returns the number of elements done.
func (b *bulk) products(z, x, y []uint64, add bool) (done int) {
	x, y = x[:len(z):len(x)], y[:len(z):len(y)]
	size := b.k * lanes
	if !b.product || b.k > b.set.PackedDigits || len(z) < size {
		return 0
	}
	s, t := b.scratch.Get().(*scratch), b.scratch.Get().(*scratch)
	for len(z) >= size {
		n := min(chunk, len(z)/size*lanes)
		w, c := n*b.k, bulks.Copy{Rows: 1, Width: n}
		b.Move(s.tiles, tiles.Vector{W: x[:w]}, c)
		b.Move(t.tiles, tiles.Vector{W: y[:w]}, c)
		b.mulTiles(s.tiles.W, s.tiles.W, t.tiles.W, n/lanes)
		if add {
			b.Move(t.tiles, tiles.Vector{W: z[:w]}, c)
			b.set.Add(&s.tiles.W[0], &s.tiles.W[0], &t.tiles.W[0], b.r, b.k, n/lanes)
		}
		b.Move(tiles.Vector{W: z[:w]}, s.tiles, c)
		z, x, y = z[w:], x[w:], y[w:]
		done += n
	}
	b.scratch.Put(s)
	b.scratch.Put(t)
	return done
}
