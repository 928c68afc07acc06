package intmul

import (
	"context"
	"math"
	"sync"

	"github.com/galfft/fft/internal/residues"
)

// Products that have a little more bits than a shape holds are taken modulo 2^N − 1, where N is what it holds: with
// what a product of their low words tells, that takes less than the next shape, which has a prime or half a length
// more.
const (
	overlapped      = 16      // one part in so many of N is the most that a product has beyond it
	leastOverlapped = 16      // words beyond N, which hold what the highest coefficients have there
	leastOverlap    = 1 << 12 // length of transforms: shorter ones take too little time
)

// overlaps has the shapes of such products, by the bits of primes.
var overlaps sync.Map // bits of primes → []shape

// overlapsOf returns shapes whose bound holds where the shorter factor has at most overlapDigits: half of what a
// product has.
func overlapsOf() []shape {
	key := residues.Bits()
	if c, ok := overlaps.Load(key); ok {
		return c.([]shape)
	}
	var list []shape
	for k, l := leastPrimes, primes(); k < len(l.products); k++ {
		for n := leastOverlap; n <= mostLength; n *= 2 {
			s := shape{primes: k, n: n, side: overlap}
			if s.size = l.widest(k, 1, s.overlapDigits()); s.size > 0 {
				list = append(list, s)
			}
		}
	}
	overlaps.Store(key, list)
	return list
}

// overlapDigits is half of the digits of the longest product.
func (s shape) overlapDigits() int { return (s.n+s.n/overlapped)/2 + 1 }

// over is by how many words a product of so many is longer than N bits.
func (s shape) over(words int) int { return words - s.halfWords() }

// overlaps reports whether products of numbers of x and y words can overlap.
func (s shape) overlaps(x, y int) bool {
	if s.size > math.MaxInt/s.n {
		return false
	}
	over, most := s.over(x+y), s.halfWords()/overlapped
	return over >= leastOverlapped && over <= most && s.digits(64*max(x, y)) <= s.n &&
		s.digits(64*min(x, y)) <= s.overlapDigits()
}

// What has been measured to pay costs less than this part of a whole product. Weights take those of two transforms for
// slower than they are, where caches hold the rows.
const (
	gain          = .9
	gainTruncated = .75
	gainLong      = .95 // of two transforms of rows that caches do not hold
)

// chooseOverlap returns the cheapest shape that overlaps for a product of x and y words, and whether it costs enough
// less than the one that choose returns.
func chooseOverlap(x, y int) (best shape, ok bool) {
	whole, found := choose(1, 64*x, 64*y)
	if !found {
		return best, false
	}
	least := whole.cost()
	switch {
	case !whole.truncated():
		least *= gain
	case whole.n > cached:
		least *= gainLong
	default:
		least *= gainTruncated
	}
	for _, s := range overlapsOf() {
		if s.cost() >= least || !s.overlaps(x, y) {
			continue
		}
		if c := s.cost() + lowCost(s.over(x+y)); c < least {
			best, least = s, c
		}
	}
	return best, best.n > 0
}

// lowCost is that of a product of so many low words, in the unit of shapes.
func lowCost(words int) float64 {
	const school = 1.3 // of a product of two words
	if measured.small(binary, words, words, false) {
		return school * float64(words) * float64(words)
	}
	if t, ok := choose(1, 64*words, 64*words); ok {
		return t.cost()
	}
	return math.Inf(1)
}

// overlapBytes is about the memory of a product of so many words beside operands and result.
func (a *Arithmetic) overlapBytes(s shape, words int) int {
	bytes := s.roomBytes(s.others(min(a.workersOf(s), s.primes), a.limit)) + s.over(words)*lowBytes
	if t := s.tableBytes(); t <= a.tableLimit(s) {
		bytes += t
	}
	return bytes
}

// holds reports whether the limit holds such a product.
func (a *Arithmetic) holds(s shape, words int) bool { return a.overlapBytes(s, words) <= a.limit }

// overlapped sets z to x·y, of len(x) + len(y) words, by a shape of chooseOverlap. It is as multiply: z may be x or y.
func (a *Arithmetic) overlapped(ctx context.Context, s shape, z, x, y []uint64) error {
	n, more := s.halfWords(), s.over(len(z))
	low := a.borrow(more)
	defer a.lend(low)
	u, v := x[:min(more, len(x))], y[:min(more, len(y))]
	if err := a.product(ctx, binary, low, u, v); err != nil {
		return err
	}
	e, err := a.engine(ctx, s)
	if err != nil {
		return err
	}
	if err := e.multiply(ctx, z, x, y); err != nil {
		return err
	}
	fold(z[:n], z[n:])
	complete(z, n, low)
	return nil
}
