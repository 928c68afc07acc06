package midint

import "math/bits"

// mostWindow is the most bits of an exponent that one product takes.
const mostWindow = 6

// ladder is how exponents are taken: windows of so many bits, of which there are so many. The zero value is for
// exponents that are 0.
type ladder struct{ window, digits int }

// newLadder finds the windows with the fewest products.
func newLadder(y *Batch) ladder {
	length := 0
	for i := range y.n {
		length = max(length, bitLen(y.of(i)))
	}
	if length == 0 {
		return ladder{}
	}
	var best ladder
	least := 0
	for w := 1; w <= mostWindow; w++ {
		l := ladder{w, (length + w - 1) / w}
		products := l.digits // but for a digit that is 0
		if y.n == 1 {
			products = 0
			for i := range l.digits {
				if l.digit(y.of(0), i) != 0 {
					products++
				}
			}
		}
		if n := 1<<w + products + (l.digits-1)*w; best.window == 0 || n < least {
			best, least = l, n
		}
	}
	return best
}

func bitLen(x []uint32) int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != 0 {
			return wordBits*i + bits.Len32(x[i])
		}
	}
	return 0
}

// digit is window i of an exponent.
func (l ladder) digit(x []uint32, i int) int {
	at := i * l.window
	word := at / wordBits
	if word >= len(x) {
		return 0
	}
	v := uint64(x[word])
	if word+1 < len(x) {
		v = pair(x[word], x[word+1])
	}
	return int(v >> (at % wordBits) & (1<<l.window - 1))
}

// powers is integers in Montgomery form, by places: those of the table of powers, from 0 to 2^window − 1, and those
// behind it.
type powers interface {
	product(z, x, y int)
	gather(z int, digits *[lanes]int) // each integer from its own place
	stopped() bool
}

// Places behind the table.
const (
	placeX = iota
	placeSquare
	placeUnit
	placePower
	placeGathered
	placesBehind
)

// products is about the products of a power, or of a product modulo m, for the zero value.
func (l ladder) products() int { return 4 + 1<<l.window + l.digits*(l.window+1) }

// climb is the exponents of at most eight powers, and the digits that are being taken.
type climb struct {
	exponents [lanes][]uint32
	digits    [lanes]int
}

// run sets the place of the power to x to the exponents, in no Montgomery form any more, and perhaps m in place of 0.
func (l ladder) run(p powers, c *climb) {
	behind := 1 << l.window
	x, power := behind+placeX, behind+placePower
	p.product(0, behind+placeUnit, behind+placeSquare)
	most := l.most(c)
	if most >= 1 {
		p.product(1, x, behind+placeSquare)
	}
	for i := 2; i <= most; i++ {
		p.product(i, i-1, 1)
	}
	from := 0
	for i := l.digits - 1; i >= 0 && !p.stopped(); i-- {
		if i == l.digits-1 {
			from, _ = l.factor(p, c, i, power)
			continue
		}
		for range l.window {
			p.product(power, from, from)
			from = power
		}
		if factor, any := l.factor(p, c, i, behind+placeGathered); any {
			p.product(power, power, factor)
		}
	}
	p.product(power, from, behind+placeUnit)
}

// factor is the place of powers to digits i of exponents: one of the table, or where they differ one that it gathers
// them to. any is whether a digit is not 0.
func (l ladder) factor(p powers, c *climb, i, gathered int) (place int, any bool) {
	same := true
	for k, y := range c.exponents {
		c.digits[k] = l.digit(y, i)
		any = any || c.digits[k] != 0
		same = same && c.digits[k] == c.digits[0]
	}
	if same {
		return c.digits[0], any
	}
	p.gather(gathered, &c.digits)
	return gathered, any
}

// most is the largest digit.
func (l ladder) most(c *climb) (most int) {
	for _, y := range c.exponents {
		for i := range l.digits {
			most = max(most, l.digit(y, i))
		}
	}
	return most
}
