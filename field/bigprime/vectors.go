package bigprime

import "github.com/galfft/fft/field/internal/tiles"

// FirstInvalid returns the least i for which x[i] is not below p, and −1 where there is none.
func (f *Field[E]) FirstInvalid(x []E) int { return f.prime.firstInvalid(packed(x)) }

func (f *modulus) firstInvalid(x []uint64) int {
	last := f.w - 1
	for i := 0; i < len(x); i += f.w {
		if x[i+last] >= f.p[last] && !f.valid(x[i:i+f.w]) {
			return i / f.w
		}
	}
	return -1
}

// AddVec sets zᵢ = xᵢ + yᵢ: see field.Vectors. Like the others below it panics where x or y is shorter than z.
func (f *Field[E]) AddVec(z, x, y []E) { f.prime.sums(packed(z), packed(x), packed(y)) }

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Field[E]) SubVec(z, x, y []E) { f.prime.differences(packed(z), packed(x), packed(y)) }

// MulVec sets zᵢ = xᵢ·yᵢ.
func (f *Field[E]) MulVec(z, x, y []E) { f.prime.multiply(packed(z), packed(x), packed(y), false) }

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Field[E]) MulAddVec(z, x, y []E) { f.prime.multiply(packed(z), packed(x), packed(y), true) }

// multiply sets z to xy, or to z + xy: whole tiles by kernels, where there are some.
func (f *prime) multiply(z, x, y []uint64, add bool) {
	x, y = x[:len(z)], y[:len(z)] // kernels trust lengths
	whole := 0
	if f.tiles != nil && f.tiles.vectors {
		whole = len(z) / (lanes * f.w) * lanes * f.w
		f.tiles.multiply(tiles.Vector{W: z[:whole]}, tiles.Vector{W: x}, tiles.Vector{W: y}, whole/f.w, add)
	}
	if add {
		f.mulAdd(z[whole:], x[whole:], y[whole:])
	} else {
		f.products(z[whole:], x[whole:], y[whole:])
	}
}

// mulMontgomery sets z to xy/2^(64w) in packed elements.
func (f *prime) mulMontgomery(z, x, y []uint64) {
	whole := 0
	if f.tiles != nil && f.tiles.vectors && f.tiles.shift() >= 0 {
		whole = len(z) / (lanes * f.w) * lanes * f.w
		f.tiles.montgomery(z, x, y, whole/f.w)
	}
	f.times(z[whole:], x[whole:], y[whole:], pairs((len(z)-whole)/f.w))
}

func (f *modulus) sums(z, x, y []uint64) {
	x, y = x[:len(z)], y[:len(z)]
	for i := 0; i < len(z); i += f.w {
		f.add(z[i:], x[i:], y[i:])
	}
}

func (f *modulus) differences(z, x, y []uint64) {
	x, y = x[:len(z)], y[:len(z)]
	for i := 0; i < len(z); i += f.w {
		f.sub(z[i:], x[i:], y[i:])
	}
}

// mulAdd sets z = z + xy in packed elements.
func (f *modulus) mulAdd(z, x, y []uint64) {
	x, y = x[:len(z)], y[:len(z)]
	var room [2 * most]uint64
	t := room[:len(room)/f.w*f.w]
	for len(z) > 0 {
		n := min(len(t), len(z))
		f.products(t[:n], x[:n], y[:n])
		f.sums(z[:n], z[:n], t[:n])
		z, x, y = z[n:], x[n:], y[n:]
	}
}

// Butterflies sets (xᵢ, yᵢ) = (xᵢ + w·yᵢ, xᵢ − w·yᵢ): see field.Butterflies. It takes one product more for each row,
// and panics where y is shorter than x.
func (f *Field[E]) Butterflies(x, y []E, w *E) {
	var t E
	f.prime.mont(words(&t), words(w), f.prime.r2)
	f.prime.down(packed(x), packed(y[:len(x)]), words(&t), row(len(x)))
}

// ButterfliesT sets (xᵢ, yᵢ) = (xᵢ + yᵢ, (xᵢ − yᵢ)·w).
func (f *Field[E]) ButterfliesT(x, y []E, w *E) {
	var t E
	f.prime.mont(words(&t), words(w), f.prime.r2)
	f.prime.up(packed(x), packed(y[:len(x)]), words(&t), row(len(x)))
}
