package smallprime

import kernels "github.com/galfft/fft/kernels/word"

// elements runs operations on canonical elements by kernels, those of the tier that was active when the field was
// made. Each method returns how many elements it did: those that fill vectors, or none.
type elements[W word] struct {
	k *kernels.Set[W] // nil: none
	m []W
}

func newElements[W word](p uint64, k *kernels.Set[W]) elements[W] {
	if k == nil {
		return elements[W]{}
	}
	return elements[W]{k, k.Mod(p)}
}

// above returns the least i for which x[i] > bound, or −1.
func (e *elements[W]) above(x []W, bound W) int {
	if e.k == nil {
		return (*kernels.Moves[W])(nil).Above(x, bound)
	}
	return e.k.Moves.Above(x, bound)
}

func (e *elements[W]) add(z, x, y []W) int {
	if e.k == nil {
		return 0
	}
	return e.run(e.k.Add, z, x, y)
}

func (e *elements[W]) sub(z, x, y []W) int {
	if e.k == nil {
		return 0
	}
	return e.run(e.k.Sub, z, x, y)
}

func (e *elements[W]) mulAdd(z, x, y []W) int {
	if e.k == nil {
		return 0
	}
	return e.run(e.k.MulAdd, z, x, y)
}

func (e *elements[W]) mul(z, x, y []W) int {
	if e.k == nil {
		return 0
	}
	const part = 1 << 10 // words that stay in the first-level cache between both kernels
	n := len(z) &^ (e.k.Lanes - 1)
	for i := 0; i < n; i += part {
		c := min(part, n-i)
		e.run(e.k.Product, z[i:i+c], x[i:i+c], y[i:i+c])
		e.k.Reduce(&z[i], &z[i], &e.m[0], c)
	}
	return n
}

func (e *elements[W]) run(k func(z, x, y, m *W, n int), z, x, y []W) int {
	n := len(z) &^ (e.k.Lanes - 1)
	x, y = x[:len(z)], y[:len(z)]
	for i := 0; i < n; i += kernels.MaxWords {
		k(&z[i], &x[i], &y[i], &e.m[0], min(kernels.MaxWords, n-i))
	}
	return n
}
