// Package choice is the one place that decides how a transform runs.
//
// [Of] is a pure function of what a bulk says of itself, the length, and the parameters that were asked for: the same
// call on the same kind of machine gives the same plan. Builders follow what it returns, and decide nothing.
package choice

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/par"
)

// Problem is what a choice depends on.
type Problem struct {
	N      int
	Traits bulks.Traits
	Bytes  func(n int) int // of a vector
	Spec   field.Spec      // whose MemoryLimit is set
	// Roots reports whether the field has roots of order l; nil: it has none.
	Roots     func(l int) (bool, error)
	Convolves bool // the field has convolutions of its own
}

// Choice is how a transform runs.
type Choice struct {
	Algorithm field.Algorithm // never Auto
	Reason    string          // why that one
	Tasks     int             // that share a call
	Base      int             // the longest base case of a power of two
	Cache     int             // elements that a base case takes to fit in the first-level cache
	N1        int             // the first factor of a scheme that splits
	Columns   int             // the least width of rows at which passes are fast
	Strip     int             // columns that such a scheme takes together
	Full      bool            // its twiddles stand in one table
	Radix     int             // the highest of passes; 0 is that of the tables
	Codelet   int             // the longest base case that is straight-line code; 0: none
	Primes    map[int]Prime   // how transforms of the odd prime factors of N run, other than by the definition
	Odd       int             // the longest odd length that is one case though it is no prime
	Halves    bool            // tasks share the case of the second factor, which is made of two, by columns and by rows
}

const (
	leastStrip   = 8 // columns, whose elements in one row fill a line of cache
	perTask      = 4 // steps: a task that is through early takes from others
	leastPerTask = 2 // steps, for which N1 grows
)

const (
	cache     = 1 << 18 // bytes, of the second level, that rows take
	mostShort = 8
)

// Shorten makes columns of n points shorter while rows take at most so many bytes, where passes take rows as they lie:
// columns touch memory in longer runs then, which copies to strips and back move faster, and a strip has fewer twiddle
// factors. Each is still mostShort times as long as least.
func (c *Choice) Shorten(bytes func(n int) int, n, least, row int) {
	for c.N1 > mostShort*least && bytes(2*n/c.N1) <= row {
		c.N1 /= 2
	}
}

// MostCodelet is the longest straight-line base case.
const MostCodelet = 64

// Of returns the choice for p, or an ErrSpec with the reason where what was asked for cannot run.
func Of(p Problem) (Choice, error) { return p.of("asked for", "") }

// of is Of. The reason is that of a scheme by name, or why one was chosen, and what is added to that.
func (p Problem) of(named, added string) (Choice, error) {
	s, t, n := p.Spec, p.Traits, p.N
	c := Choice{Algorithm: s.Algorithm, Reason: named, Tasks: Tasks(t, n, s, 1), Base: s.Base, Cache: s.Cache,
		Columns: Columns(t, n), Radix: s.Radix}
	power := n&(n-1) == 0
	if c.Base == 0 {
		c.Base = defaultBase(p)
	}
	if c.Cache == 0 {
		c.Cache = defaultCache(p)
	}
	if t.Single && !t.Affine {
		c.Codelet = MostCodelet
	}
	if !power && s.Algorithm != field.Naive {
		if c.Odd = t.Passes.OddSums; n <= shortOdd && t.Butterfly <= lightOdd {
			c.Odd = min(t.Passes.Odd, mostOdd)
		}
		var err error
		if c.Primes, err = p.primes(); err != nil {
			return c, err
		}
	}
	if s.Algorithm == field.Auto {
		c.Algorithm, c.Reason = p.auto(&c, power)
		c.Reason += added
	}
	refuse := func(why string) (Choice, error) {
		return c, fmt.Errorf("fft: %w: %w: %v of length %d: %s", field.ErrSpec, field.ErrScheme, c.Algorithm, n, why)
	}
	if t.Affine && c.Algorithm != field.DepthFirst {
		return refuse("want a cyclic domain")
	}
	switch c.Algorithm {
	case field.Naive:
	case field.DepthFirst:
		if !power {
			return refuse("want a power of two")
		}
		c.Base = max(2, n)
	case field.Codelet:
		if !power || n < 2 || n > MostCodelet || !t.Single {
			return refuse(fmt.Sprintf("want a power of two from 2 to %d, and element methods", MostCodelet))
		}
		c.Base = MostCodelet
	case field.MixedRadix:
		if power || LargestFactor(n) == n {
			return refuse("want a length of several prime factors, not all of them 2")
		}
	case field.Bluestein:
		if n < 3 || LargestFactor(n) != n {
			return refuse("want an odd prime length")
		}
		if c.Primes[n] == Definition {
			return refuse(fmt.Sprintf("the field has no roots of order %d, and no convolutions of its own",
				ConvolutionOf(n).Len))
		}
		if s.Grain == 0 && Tasks(t, n/primePhases, s, 1) < 2 || c.Primes[n] == ByUnits {
			c.Tasks = 1
		}
	case field.SixStep, field.SixStepMerged, field.FourStep:
		if power { // base cases are parts
			c.Base = max(2, min(c.Base, n/max(2, c.Columns)))
		}
		c.N1 = FirstFactor(n, c.Base, c.Columns)
		short := c.Algorithm == field.FourStep && power && s.Base == 0 && HighRadix(t) && s.Order != field.Natural &&
			s.Spread == nil // ranks shorten columns by themselves
		if short {
			c.Shorten(p.Bytes, n, leastStrip, cache)
		}
		least := max(leastStrip, c.Columns)
		rows := leastPerTask * least // for each task
		// Tasks that wait for a step of another cost more than one more walk over memory.
		c.Halves = c.Algorithm == field.SixStepMerged && power && c.Tasks > 1 && c.Case(n/c.N1) == Parts &&
			n/c.N1 >= rows*c.Tasks && c.N1 < perTask*least*c.Tasks
		if short {
			rows = perTask // each is a step
		}
		for power && c.Tasks > 1 && c.N1 < rows*c.Tasks && 4*c.N1*c.N1 <= n && !c.Halves {
			c.N1 *= 2 // one more product costs less than tasks that wait for a step of another
		}
		if c.N1 == 1 {
			return refuse("it has no two factors to split into")
		}
		c.Strip = s.Strip
		if c.Strip == 0 {
			c.Strip = p.defaultStrip(c.Columns, n/c.N1)
			for short && c.Strip < mostShort*leastStrip && p.Bytes(2*c.Strip*c.N1) <= cache {
				c.Strip *= 2
			}
			steps := c.N1
			if short || c.Halves { // of columns alone
				steps = n / c.N1
			}
			for c.Tasks > 1 && c.Strip > max(c.Columns, leastStrip) && steps < perTask*c.Tasks*c.Strip {
				c.Strip /= 2 // for more steps
			}
		}
		c.Strip = min(max(c.Strip, c.Columns), common(c.N1, n/c.N1))
		c.Full = p.full()
	default:
		return refuse("there is none of that name")
	}
	return c, nil
}

// auto chooses the scheme. It lowers the base case where tasks or columns need parts.
func (p Problem) auto(c *Choice, power bool) (field.Algorithm, string) {
	n, s, t := p.N, p.Spec, p.Traits
	switch {
	case t.Affine:
		return field.DepthFirst, "an affine domain"
	case n > 2 && LargestFactor(n) == n && c.Primes[n] == Definition:
		return field.Naive, "a prime length that is short, or for which there are neither roots nor convolutions"
	case n > 2 && LargestFactor(n) == n:
		return field.Bluestein, "an odd prime length"
	case power && s.Base == 0 && HighRadix(t) && p.Bytes(n) <= s.MemoryLimit/16:
		// Passes of high radix go through memory so seldom that splitting, which costs a product and two copies of
		// each element, does not pay (BenchmarkSchemes), and passes by columns make parts for any number of tasks.
		return field.DepthFirst, "passes of several layers, and a part for every task"
	case n > c.Base && c.Tasks == 1 && !power && c.MixedFactor(n) == 1 &&
		s.Base == 0 && HighRadix(t) && p.Bytes(n) <= s.MemoryLimit/16:
		c.Base = n // of the power of two, for which the same holds
		return field.MixedRadix, "odd factors first, then passes of several layers"
	case n > c.Base && n <= longestCase && c.Tasks <= fewTasks && !power && s.Base == 0 && HighRadix(t) &&
		p.narrow(c) && p.Bytes(n) <= s.MemoryLimit/16:
		c.Base, c.Tasks = n, 1
		return field.MixedRadix, "no power of two that strips of columns could be as wide as"
	}
	if s.Base == 0 && c.Tasks > 1 && n <= c.Base {
		c.Base = max(2, n/2)
	}
	if c.Columns > 1 {
		c.Base = min(c.Base, n/c.Columns)
	}
	if n <= c.Base {
		switch {
		case !power:
			return field.MixedRadix, "a length that is one base case"
		case t.Single && n >= 2 && n <= MostCodelet:
			return field.Codelet, "short, over element methods"
		}
		return field.DepthFirst, "a length that is one base case"
	}
	// Both schemes take two passes over memory, and each is free of a permutation in its own order. Rows of the
	// four-step are transposed twice where passes want columns.
	if s.Order == field.Natural || !power || c.Columns > 1 {
		return field.SixStepMerged, "longer than a base case"
	}
	return field.FourStep, "longer than a base case, and not in natural order"
}

// Of a length of which columns would be taken one by one, the longest that is one case instead, because a step of it is
// not stopped, and the most tasks that are given up for it: a vector of one element has eight places or more.
const (
	longestCase = 1 << 20
	fewTasks    = 4
)

// narrow reports whether the strips of a length that is split are narrower than a line of cache.
func (p Problem) narrow(c *Choice) bool {
	n1 := FirstFactor(p.N, c.Base, c.Columns)
	return n1 > 1 && max(c.Columns, common(n1, p.N/n1)) < leastStrip
}

// Kind is what a base case is.
type Kind int

const (
	Layers   Kind = iota // of a power of two
	Straight             // straight-line code
	Parts                // of a length of several factors
	Odd                  // of an odd prime length, or a short odd one
)

// Case is the kind of the base case of n points.
func (c *Choice) Case(n int) Kind {
	power := n&(n-1) == 0
	switch {
	case !power && (LargestFactor(n) == n || n%2 == 1 && n <= c.Odd):
		return Odd
	case !power || n > c.Base:
		return Parts
	case n > 1 && n <= c.Codelet:
		return Straight
	}
	return Layers
}

// Tasks is the number of tasks that count transforms of n points use. One transform of a power of two has as many parts
// as a power of two: 7 tasks take 8 parts in two rounds, as 4 do, so that they are 8 where there are workers.
func Tasks(t bulks.Traits, n int, s field.Spec, count int) int {
	const most = 16 // of longer ones there are several parts for each task
	k := par.Tasks(s.Workers, s.Grain, count*n, Element(t, n))
	if count > 1 || n&(n-1) != 0 || s.Grain > 0 || k < 3 || k > most {
		return k
	}
	if next := 1 << bits.Len(uint(k-1)); next <= s.Workers && 4*k >= 3*next {
		return next
	}
	return k
}

// Element is about how many nanoseconds a transform of n points takes for each of them.
func Element(t bulks.Traits, n int) float64 {
	return max(0.05, t.Butterfly) * float64(bits.Len(uint(n))) / 2
}

// Columns is the least width of rows at which passes are fast, and 1 where n points do not split into multiples of it.
func Columns(t bulks.Traits, n int) int {
	if c := t.Columns; c > 1 && n%(c*c) == 0 {
		return c
	}
	return 1
}

// HighRadix reports whether transforms go by passes of several layers, whatever their length: not where shifts make
// short base cases cheaper, and where passes want columns, which the last layers of a transform in one part do not
// have.
func HighRadix(t bulks.Traits) bool {
	return t.ShiftOrder == 0 && t.Passes.Layers > 1 && t.Columns <= 1
}

// defaultBase is as long as rows that stay in the second-level cache, because layers skip their products by 1 and then
// take no more than straight-line code (BenchmarkFallback). Where shifts are the products, it is the longest that they
// serve.
func defaultBase(p Problem) int {
	if k := bits.TrailingZeros64(p.Traits.ShiftOrder); k > 1 && k < 64 {
		most := math.MaxInt
		if p.Traits.Single {
			most = MostCodelet
		}
		return min(1<<min(k, bits.UintSize-2), most)
	}
	n := 1 << 6
	for p.Bytes(2*n) <= cache && n < cache {
		n *= 2
	}
	return n
}

func defaultCache(p Problem) int {
	if p.Traits.ShiftOrder > 0 {
		return math.MaxInt // base cases are short, and their passes choose their own way
	}
	const many = 1 << 10 // elements, which fill whole tiles of all sizes
	cache := 1 << 15     // bytes
	if p.Traits.Block > 0 {
		cache = p.Traits.Block
	}
	return max(64, cache*many/max(1, p.Bytes(many)))
}

// defaultStrip is the number of columns of n points whose rows fill four cache lines, and at least 4; for passes that
// want columns, sixteen lines, and at least as many columns. Where rows are longer, and a step would be late, there are
// fewer.
func (p Problem) defaultStrip(columns, n int) int {
	c, bytes := 4, 256
	if columns > 1 {
		c, bytes = columns, 1024
	}
	for c < 32 && p.Bytes(2*c) <= bytes {
		c *= 2
	}
	for c > columns && p.Bytes(c) > bytes && late(p.Traits, c, n) {
		c /= 2
	}
	return c
}

// full decides whether twiddles are kept in one table: where a product is dear, and memory allows.
func (p Problem) full() bool {
	switch p.Spec.Twiddles {
	case field.FullTwiddles:
		return true
	case field.TwoLevel:
		return false
	}
	return (p.Traits.Single || p.Traits.ShiftOrder > 0) && p.Bytes(p.N) <= p.Spec.MemoryLimit/8
}

// FirstFactor returns N1 ≥ least for a length N and base cases of at most base: the largest N1 ≤ N2 for which both take
// the fewest base cases together, because there is a product for each element between any two.
//
// For other N it is a multiple of least, like N2, with which it shares the largest power of two up to 32, for strips;
// 1: there is no such factor.
func FirstFactor(n, base, least int) int {
	if n&(n-1) != 0 {
		best, strip := 1, 0
		for n1 := least; n1*n1 <= n; n1 += least {
			if n%n1 != 0 || n/n1%least != 0 || n1 == 1 {
				continue
			}
			if s := min(32, common(n1, n/n1)); s >= strip {
				best, strip = n1, s
			}
		}
		return best
	}
	k, b := bits.Len(uint(n))-1, bits.Len(uint(base))-1
	cases := func(k1 int) int { return (k1+b-1)/b + (k-k1+b-1)/b }
	best := k / 2
	for k1 := best - 1; k1 > 0 && 1<<k1 >= least; k1-- {
		if cases(k1) < cases(best) {
			best = k1
		}
	}
	return 1 << best
}

// common is the largest power of two that divides both.
func common(a, b int) int { return (a | b) & -(a | b) }

// LargestFactor returns the largest prime factor of n > 1.
func LargestFactor(n int) int {
	p := 2
	for p*p <= n {
		if n%p == 0 {
			n /= p
		} else {
			p++
		}
	}
	return n
}

// mostOdd is the longest odd length, of several prime factors, that is one case: DFT_15 and DFT_9 by their definition
// take up to twice the products of those of their factors, and a third of the calls. That pays up to shortOdd points
// where a butterfly takes lightOdd ns at most; where passes add up products, OddSums is the longest at any length.
const (
	mostOdd  = 15
	shortOdd = 1 << 8
	lightOdd = 0.3
)

// OddFactor returns the longest odd factor of n, no power of two, that is one case.
func (c *Choice) OddFactor(n int) int {
	best := LargestFactor(n)
	for f := best + 2; f <= c.Odd; f += 2 {
		if n%f == 0 {
			best = f
		}
	}
	return best
}

// cases is the fewest cases that n points are made of, n odd.
func (c *Choice) cases(n int) int {
	if c.Case(n) != Parts {
		return 1
	}
	q := LargestFactor(n)
	best := 1 + c.cases(n/q)
	for f := 3 * q; f <= c.Odd; f += 2 * q {
		if n%f == 0 && f < n {
			best = min(best, 1+c.cases(n/f))
		}
	}
	return best
}

// MixedFactor returns the first factor of a base case of n points, n of several prime factors, not all of them 2: about
// the square root, so that rows are long, of an odd n among those that make the fewest cases, and no power of two,
// whose values are in another order; of two alike the lower. It returns 1 where n has a power of two that is long
// enough to come after all odd factors.
func (c *Choice) MixedFactor(n int) int {
	const long = 64
	if n&-n >= long {
		return 1
	}
	best, count, distance := 1, math.MaxInt, math.Inf(1)
	for n1 := 3; n1 <= n/2; n1++ {
		if n%n1 != 0 || n1&(n1-1) == 0 {
			continue
		}
		d, cases := math.Abs(math.Log(float64(n1)*float64(n1)/float64(n))), 0
		if n%2 == 1 {
			cases = c.cases(n1) + c.cases(n/n1)
		}
		if cases < count || cases == count && d < distance-1e-9 {
			best, count, distance = n1, cases, d
		}
	}
	return best
}
