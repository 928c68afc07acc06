package digits

import (
	"math/big"
	"math/bits"

	"github.com/galfft/fft/internal/arith"
)

// moduli are the three largest primes below 2^46 that are 1 modulo 256.
var moduli = [3]modulus{1<<46 - 9471, 1<<46 - 10751, 1<<46 - 14591}

// modulus is one of them. Its numbers are below it.
type modulus uint64

func (p modulus) mul(x, y uint64) uint64 { return arith.Mul(x, y, uint64(p)) }
func (p modulus) pow(x, e uint64) uint64 { return arith.Pow(x, e, uint64(p)) }
func (p modulus) inv(x uint64) uint64    { return arith.Inverse(x, uint64(p)) }

// root returns an element of the order n, a power of two.
func (p modulus) root(n uint64) uint64 {
	for x := uint64(2); ; x++ {
		if w := p.pow(x, (uint64(p)-1)/n); p.pow(w, n/2) == uint64(p)-1 {
			return w
		}
	}
}

// factor appends what a multiplication by w reads: ⌊2^52·w/p⌋ and w.
func (p modulus) factor(z []uint64, w uint64) []uint64 {
	q, _ := bits.Div64(w>>12, w<<52, uint64(p))
	return append(z, q, w)
}

// constants returns what transforms of k digits modulo p read, in the order of kernels/_gen.
func (p modulus) constants(k int) []uint64 {
	const mask = 1<<52 - 1
	m := uint64(p)
	z := []uint64{1<<52 - m, arith.Newton(m) & mask, 1<<46 - m, m, 2 * m, 5 * m, 10 * m, 20 * m}
	psi := p.root(uint64(2 * k))
	back := p.inv(psi)
	for i := range 3 {
		z = p.factor(z, p.pow(back, uint64(i+1)*uint64(k/4)))
	}
	// Node n of the tree of factors takes polynomials modulo T^m − ψ^2e to those modulo T^(m/2) ∓ ψ^e, where
	// e = exponents[n].
	exponents := make([]int, k)
	exponents[1] = k / 2
	for n := 2; n < k; n++ {
		exponents[n] = (exponents[n/2] + n%2*k) / 2
	}
	tree := func(node, nodes int) {
		for layer := 1; layer < nodes+1; layer *= 2 {
			for i := range layer {
				z = p.factor(z, p.pow(psi, uint64(exponents[node*layer+i])))
			}
		}
	}
	tree(1, k/8-1)
	for b := range k / 8 {
		tree(k/8+b, 7)
	}
	// Column c of eight has the factors ω^−(c + 8i) for ω of the orders 16, 32, …, k.
	for c := range 8 {
		for half := 8; half < k; half *= 2 {
			for i := c; i < half; i += 8 {
				z = p.factor(z, p.pow(back, uint64(i*k/half)))
			}
		}
	}
	return z
}

// primeAt returns the place of the constants of prime j in those that Constants returns.
func primeAt(j, k int) int {
	const product, recombination = 19 + 16, 12 + 48
	return product + recombination + 2*len(moduli)*k + j*(14+2*(k-1)+16*(k/8-1))
}

// residueConstants returns what products through residues read behind the constants of others: of their recombination,
// with offsets of coefficient 0 and of the others, and of each prime.
func residueConstants(offsets [2]*big.Int, k int) []uint64 {
	var z, shares, others []uint64
	product := big.NewInt(1)
	for _, p := range moduli {
		z = append(z, 1<<52-uint64(p))
		q, _ := bits.Div64(1<<33, 0, uint64(p))
		shares = append(shares, q)
		product.Mul(product, p.big())
	}
	twists := make([][]uint64, len(moduli))
	for i, p := range moduli {
		other := new(big.Int).Div(product, p.big())
		others = append(others, limbs(other, 2)...)
		// ψ^−n/k·2^52·(P/p)^−1, see the kernels
		t := p.mul(p.inv(uint64(k)), p.pow(2, 52))
		t = p.mul(t, p.inv(new(big.Int).Mod(other, p.big()).Uint64()))
		back := p.inv(p.root(uint64(2 * k)))
		for range k {
			twists[i] = p.factor(twists[i], t)
			t = p.mul(t, back)
		}
	}
	z = append(append(z, shares...), others...)
	for _, offset := range offsets {
		var table [3][8]uint64
		x := new(big.Int).Set(offset)
		for e := range 8 {
			for l, w := range limbs(x, 3) {
				table[l][e] = w
			}
			x.Sub(x, product)
		}
		for _, row := range table {
			z = append(z, row[:]...)
		}
	}
	for n := range k {
		for _, t := range twists {
			z = append(z, t[2*n:2*n+2]...)
		}
	}
	for _, p := range moduli {
		z = append(z, p.constants(k)...)
	}
	return z
}

func (p modulus) big() *big.Int { return new(big.Int).SetUint64(uint64(p)) }
