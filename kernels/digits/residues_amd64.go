//go:build amd64 && !purego

package digits

// memory is the scratch of a product through residues: the values of both factors modulo one prime, and the
// coefficients of the product modulo each.
type memory struct{ x, y, product *uint64 }

func newMemory(scratch *uint64, k int) memory {
	return memory{scratch, words(scratch, lanes*k), words(scratch, 2*lanes*k)}
}

// mulResidues sets n tiles z to xy, k ≥ 16.
func mulResidues(z, x, y, scratch, m *uint64, k, n int) {
	s := newMemory(scratch, k)
	for i := range n {
		for j := range moduli {
			p := words(m, primeAt(j, k))
			valuesIFMA(s.x, tile(x, i, k), p, k)
			valuesIFMA(s.y, tile(y, i, k), p, k)
			coefficientsIFMA(words(s.product, lanes*k*j), s.x, s.y, p, k)
		}
		recombineIFMA(tile(z, i, k), s.product, m, k)
	}
}

// mulByResidues sets n tiles z to xy, k ≥ 16, where y is one of the elements that factorResidues took, word l of f for
// element l.
func mulByResidues(z, x, f, scratch, m *uint64, k, n int) {
	s := newMemory(scratch, k)
	for i := range n {
		for j := range moduli {
			p := words(m, primeAt(j, k))
			valuesIFMA(s.x, tile(x, i, k), p, k)
			coefficientsByIFMA(words(s.product, lanes*k*j), s.x, words(f, lanes*k*j), p, k)
		}
		recombineIFMA(tile(z, i, k), s.product, m, k)
	}
}

// factorResidues sets f, 3k vectors, to the values of the tile y modulo each prime.
func factorResidues(f, y, m *uint64, k int) {
	for j := range moduli {
		valuesIFMA(words(f, lanes*k*j), y, words(m, primeAt(j, k)), k)
	}
}
