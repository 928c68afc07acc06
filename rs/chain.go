package rs

import (
	"cmp"
	"slices"
	"sync"

	"github.com/galfft/fft/kernels/gf2"
)

// chain is vectors v_0 = 1, v_(i+1)² + v_(i+1) = v_i of a field of package gf2. Point i of an additive code is the sum
// of those vectors for which i has a bit.
type chain []gf2.Element

// of returns the sum of vectors from first on for which i has a bit.
func (c chain) of(first, i int) (z gf2.Element) {
	for j := first; i != 0; i >>= 1 {
		if i&1 != 0 {
			z = gf2.Plus(z, c[j])
		}
		j++
	}
	return z
}

// leopards are the moduli of Leopard's fields, and the vectors of its bases as polynomials. Numbers in shards are sums
// of these vectors.
var leopards = [2]struct {
	modulus int
	basis   []int
}{
	{0x11d, []int{1, 214, 152, 146, 86, 200, 88, 230}},
	{0x1002d, []int{0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012,
		0x6c98, 0x10d8, 0x6a72, 0xb900, 0xfdb8, 0xfb34, 0xff38, 0x991e}},
}

// chains are those of the additive codes, by level. Of the two solutions for a vector of Additive32, which differ by 1,
// it has the smaller one.
var chains = [3]func() chain{
	sync.OnceValue(func() chain { return leopardChain(0) }),
	sync.OnceValue(func() chain { return leopardChain(1) }),
	sync.OnceValue(ownChain),
}

// leopardChain has Leopard's vectors in the field of package gf2: a root of the modulus stands for x there. All roots
// make the same code.
func leopardChain(k int) (c chain) {
	l := leopards[k]
	root := gf2.Element{2}
	for value(k, l.modulus, root) != (gf2.Element{}) {
		root[0]++
	}
	for _, b := range l.basis {
		c = append(c, value(k, b, root))
	}
	return c
}

// value returns that of a polynomial of bits.
func value(k, polynomial int, x gf2.Element) (z gf2.Element) {
	for i := 16; i >= 0; i-- {
		z = gf2.Product(k, z, x)
		z[0] ^= uint64(polynomial >> i & 1)
	}
	return z
}

// ownChain solves v² + v = w, a linear system over GF(2), for one vector after the other.
func ownChain() chain {
	const k, bits = 2, 32
	type row struct{ image, of uint64 } // image has a highest bit that no other has
	var rows []row
	reduce := func(r row) row {
		for _, s := range rows {
			if r.image^s.image < r.image {
				r.image, r.of = r.image^s.image, r.of^s.of
			}
		}
		return r
	}
	for i := range bits {
		x := gf2.Element{1 << i}
		if r := reduce(row{gf2.Product(k, x, x)[0] ^ x[0], x[0]}); r.image != 0 {
			rows = append(rows, r)
			slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.image, a.image) })
		}
	}
	c := chain{{1}}
	for len(c) < bits {
		x := reduce(row{c[len(c)-1][0], 0}).of
		c = append(c, gf2.Element{min(x, x^1)})
	}
	return c
}
