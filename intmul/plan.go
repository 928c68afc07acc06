package intmul

import (
	"math"
	"math/big"
	"math/bits"
	"sync"

	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// shape is how products are made: modulo the first primes of the list, as polynomials in 2^size of at most n
// coefficients. n is 2^k, for products modulo x^n − 1, or 3·2^k, for products modulo (x^(2n/3) + 1)·(x^(n/3) + 1).
type shape struct {
	primes, size, n int
	radix           radix
	side            side
}

// Products take so many primes, and transforms of such lengths.
const (
	leastPrimes = 2
	mostPrimes  = 9
	leastLength = 1 << 6
	mostLength  = 1 << (24 + 9*(bits.UintSize/64)) // what an int counts
)

// primeList is the primes of one size, with the products of the first of them.
type primeList struct {
	primes   []uint64
	products []*big.Int // products[k] is p₁…p_k
}

var primeLists struct {
	sync.Mutex
	of map[int]*primeList
}

// primes returns those of the active tier: mostPrimes of them, largest first.
func primes() *primeList {
	size := residues.Bits()
	primeLists.Lock()
	defer primeLists.Unlock()
	if l := primeLists.of[size]; l != nil {
		return l
	}
	// No product of fewer primes below 2^size exceeds this, and one of so many does.
	least := new(big.Int).Lsh(big.NewInt(1), uint((mostPrimes-1)*size))
	list, _ := residues.Primes(size, mostLength, least)
	l := &primeList{list, []*big.Int{big.NewInt(1)}}
	for i, p := range list {
		l.products = append(l.products, new(big.Int).Mul(l.products[i], new(big.Int).SetUint64(p)))
	}
	if primeLists.of == nil {
		primeLists.of = map[int]*primeList{}
	}
	primeLists.of[size] = l
	return l
}

// bound returns the greatest coefficient of a sum of so many products of numbers of size-bit digits, where the shorter
// one of each has at most count of them:
//
//	c_k = Σ x_i·y_(k−i) ≤ terms·count·(2^size − 1)²,
//
// which is met where all digits are 2^size − 1. So the residues tell the coefficient where the product of the primes is
// greater.
func bound(terms, count, size int) *big.Int {
	most := new(big.Int).Lsh(big.NewInt(1), uint(size))
	most.Sub(most, big.NewInt(1))
	b := residues.Least(count, most, most, residues.Natural)
	return b.Mul(b, big.NewInt(int64(terms)))
}

// widest returns the greatest size whose bound is below p₁…p_k.
func (l *primeList) widest(k, terms, count int) int {
	size := (l.products[k].BitLen() - bits.Len(uint(count)) - bits.Len(uint(terms))) / 2
	for size++; size > 0 && bound(terms, count, size).Cmp(l.products[k]) >= 0; {
		size--
	}
	return size
}

// Weights of the choice, in layers of three transforms that caches hold, as BenchmarkShapes measures them: what a
// coefficient costs on its way in and out, by the number of primes, first where Garner's algorithm takes several
// kernels or none and then where it takes one, and what a product of two transforms takes beside one of a power of two,
// with long tables and with short ones.
var ends = [2][mostPrimes + 1]float64{
	{2: 25, 3: 53, 4: 75, 5: 85, 6: 115, 7: 165, 8: 175, 9: 240},
	{2: 25, 3: 51, 4: 52, 5: 63, 6: 87, 7: 100, 8: 123, 9: 149},
}

const (
	joint      = 1.2
	jointShort = 1.1
)

// cached is the most coefficients of rows that caches hold.
const cached = 1 << 18

// layer is what one of a transform takes: more where no cache holds the rows, and most where tables are short ones.
func (s shape) layer() float64 {
	switch {
	case s.tableBytes() > tablesKept:
		return 2
	case s.n > cached:
		return 1.25
	}
	return 1
}

// cost is about how long each of three transforms takes with its share of what is around them.
func (s shape) cost() float64 {
	layers := math.Log2(float64(s.n)) * float64(s.primes) * s.layer()
	switch {
	case s.truncated() && s.tableBytes() > tablesKept:
		layers *= jointShort
	case s.truncated():
		layers *= joint
	}
	kernels := 0
	if set := rns.Active(); set != nil && set.Garner[s.primes] != nil {
		kernels = 1
	}
	return float64(s.n) * (layers + ends[kernels][s.primes])
}

// truncated reports whether transforms have two parts.
func (s shape) truncated() bool { return s.n&(s.n-1) != 0 }

// digits is the number of digits of so many bits.
func (s shape) digits(bits int) int { return (bits + s.size - 1) / s.size }

// fits reports whether the product of numbers of x and y bits has at most n coefficients.
func (s shape) fits(x, y int) bool { return s.digits(x)+s.digits(y)-1 <= s.n }

// catalog has the shapes of sums of so many products, for each number of primes from the shortest on.
type catalog [mostPrimes + 1][]shape

type catalogKey struct {
	bits, terms int
}

var catalogs sync.Map // catalogKey → *catalog

func catalogOf(terms int) *catalog {
	key := catalogKey{residues.Bits(), terms}
	if c, ok := catalogs.Load(key); ok {
		return c.(*catalog)
	}
	c, l := new(catalog), primes()
	for k := leastPrimes; k < len(l.products); k++ {
		for n := leastLength; n <= mostLength; n *= 2 {
			for _, n := range [2]int{n / 4 * 3, n} {
				s := shape{primes: k, n: n}
				// The shorter factor of a product of at most n coefficients has at most (n + 1)/2.
				if s.size = l.widest(k, terms, (n+1)/2); s.size > 0 {
					c[k] = append(c[k], s)
				}
			}
		}
	}
	catalogs.Store(key, c)
	return c
}

// choose returns the cheapest shape for a sum of so many products of numbers of x and y bits, and whether there is one.
func choose(terms, x, y int) (best shape, ok bool) {
	least := math.Inf(1)
	for _, shapes := range catalogOf(terms) {
		most := math.Inf(1) // two shapes fit of which the longer one may cost less
		for _, s := range shapes {
			if !s.fits(x, y) {
				continue
			}
			c := s.cost()
			if c < least {
				best, least, ok = s, c, true
			}
			if c > most || !s.truncated() {
				break
			}
			most = c
		}
	}
	return best, ok
}
