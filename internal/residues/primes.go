package residues

import (
	"iter"
	"math/big"
	"slices"
	"sync"

	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/kernels/rns"
)

// Primes of products have KernelBits bits where Kernels says so, and PlainBits elsewhere: kernels take a fifth more of
// them, and half of the time for each.
const (
	KernelBits = rns.PrimeBits
	PlainBits  = 62
)

// Bits is the size of primes on the active tier.
func Bits() int {
	if Kernels() {
		return KernelBits
	}
	return PlainBits
}

// What the product of the primes exceeds, beside the greatest absolute value of a sum, as powers of two.
const (
	Natural = iota // sums are not negative: System
	Signed         // sums of either sign: System, symmetric
	Modulo         // sums of either sign, modulo p: Combiner, signed
)

// LeastModulo is Least for a Combiner, of sums of at most n products of numbers below p: of either sign, or none
// negative.
func LeastModulo(n int, p *big.Int, signed bool) *big.Int {
	room := uint(0)
	if signed {
		room = 1
	}
	z := Least(n, p, p, room)
	return z.Add(z, new(big.Int).Rsh(z, marginBits-2))
}

// Least returns 2^room·n·a·b: the primes serve sums of at most n products, of factors of absolute values at most a and
// b, where their product is greater. The sums meet the bound where all factors are a and b, so that no lower one
// follows from n, a and b.
func Least(n int, a, b *big.Int, room uint) *big.Int {
	z := new(big.Int).Mul(a, b)
	return z.Lsh(z.Mul(z, big.NewInt(int64(n))), room)
}

// Few returns the primes that all yields first, as few as have a product above least, and whether there are enough.
func Few(all iter.Seq[uint64], least *big.Int) ([]uint64, bool) {
	var list []uint64
	product, t := big.NewInt(1), new(big.Int)
	for q := range all {
		list = append(list, q)
		if product.Mul(product, t.SetUint64(q)).Cmp(least) > 0 {
			return list, true
		}
	}
	return list, false
}

// Orders of the roots of unity that primes of products have at least: of every power of two that a slice can want, and
// one that more primes have.
const (
	mostRoots = 1 << 40
	someRoots = 1 << 34
)

// known are the largest primes of each size and order of roots, as far as they have been needed.
var known struct {
	sync.Mutex
	of map[[2]uint64][]uint64
}

// Primes returns primes of so many bits that have roots of unity of order 2n, for a power of two n ≤ 2^39, as few as
// have a product above least, and whether there are enough.
func Primes(size, n int, least *big.Int) ([]uint64, bool) {
	order := uint64(someRoots)
	if uint64(n) > someRoots/2 {
		order = mostRoots
	}
	known.Lock()
	defer known.Unlock()
	key := [2]uint64{uint64(size), order}
	if count := least.BitLen()/(size-1) + 1; len(known.of[key]) < count {
		var list []uint64
		for q := range factor.PrimesBelow(size, order) {
			if list = append(list, q); len(list) == count || q>>(size-1) == 0 {
				break
			}
		}
		if last := len(list) - 1; last >= 0 && list[last]>>(size-1) == 0 { // there are no more
			list = list[:last]
		}
		if known.of == nil {
			known.of = map[[2]uint64][]uint64{}
		}
		known.of[key] = list
	}
	return Few(slices.Values(known.of[key]), least)
}
