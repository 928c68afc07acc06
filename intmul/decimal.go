package intmul

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/residues"
)

// radix is what words stand for.
type radix int

const (
	binary  radix = iota // digits of radix 2^64
	decimal              // digits of radix 10^19
)

// What a word of a decimal has.
const (
	wordDigits = 19
	wordRadix  = 10_000_000_000_000_000_000
)

var ten = residues.NewRadix(wordRadix)

// addTo adds x to z, without what is beyond the end of z.
func (r radix) addTo(z, x []uint64) {
	if r == decimal {
		ten.AddTo(z, x)
		return
	}
	residues.AddTo(z, x)
}

// Decimal is an integer in radix 10^19, whose digits need no conversion; the zero Decimal is 0. Products go by the same
// transforms as those of math/big, with a coefficient for each 19 digits, and take about as long as binary ones.
//
// Methods of Arithmetic compute with decimals. A Decimal may be copied: what is computed gets memory of its own. It is
// safe for concurrent use as long as nothing is written to it.
type Decimal struct {
	words    []uint64 // below 10^19, low first; the highest is not 0
	negative bool
}

// setWords sets x to the words, whose highest may be 0.
func (x *Decimal) setWords(words []uint64, negative bool) {
	words = trim(words)
	x.words, x.negative = words, negative && len(words) > 0
}

// trim returns x without zeros on top.
func trim(x []uint64) []uint64 {
	for len(x) > 0 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}

// Sign returns −1, 0 or 1, as the sign of x, which is 0 for nil.
func (x *Decimal) Sign() int {
	switch {
	case x == nil || len(x.words) == 0:
		return 0
	case x.negative:
		return -1
	}
	return 1
}

// Digits returns the number of digits of x, without its sign: 1 for 0 and 0 for nil.
func (x *Decimal) Digits() int {
	switch {
	case x == nil:
		return 0
	case len(x.words) == 0:
		return 1
	}
	n := wordDigits * (len(x.words) - 1)
	for w := x.words[len(x.words)-1]; w > 0; w /= 10 {
		n++
	}
	return n
}

// String returns the digits of x, with a sign where it is negative, and "<nil>" for nil.
func (x *Decimal) String() string { return string(x.Append(nil)) }

// Append appends what String returns to dst.
func (x *Decimal) Append(dst []byte) []byte {
	if x == nil {
		return append(dst, "<nil>"...)
	}
	dst = slices.Grow(dst, x.Digits()+1)
	if x.negative {
		dst = append(dst, '-')
	}
	return appendWords(dst, x.words, x.Digits())
}

// appendWords appends the lowest digits of some words.
func appendWords(dst []byte, words []uint64, digits int) []byte {
	if digits == 0 {
		return dst
	}
	if len(words) == 0 {
		return append(dst, '0')
	}
	dst = slices.Grow(dst, digits)
	z := dst[len(dst):][:digits]
	for _, w := range words[:len(words)-1] {
		at := len(z) - wordDigits
		putDigits(z[at:], w)
		z = z[:at]
	}
	var text [wordDigits]byte
	putDigits(text[:], words[len(words)-1])
	copy(z, text[wordDigits-len(z):])
	return dst[:len(dst)+digits]
}

// pairs has the digits of 0 to 99.
var pairs = func() (list [200]byte) {
	for i := range 100 {
		list[2*i], list[2*i+1] = byte('0'+i/10), byte('0'+i%10)
	}
	return list
}()

// putDigits sets text, of wordDigits, to the digits of w.
func putDigits(text []byte, w uint64) {
	const half = 1_000_000_000
	text[0] = byte('0' + w/half/half)
	for at, w := range [2]uint64{w / half % half, w % half} { // 9 digits each
		text, v := text[1+9*at:][:9], uint32(w)
		for i := 7; i >= 1; i -= 2 {
			p := 2 * (v % 100)
			text[i], text[i+1] = pairs[p], pairs[p+1]
			v /= 100
		}
		text[0] = byte('0' + v)
	}
}

// glanceWords is the number of words of decimals between two looks at a context.
const glanceWords = 1 << 14

// FormatDecimal writes the digits of x to w, with a sign where it is negative, from the highest on and a part at a
// time. On an error w has got some of it, or nothing. Errors are those of Mul, field.ErrSpec where w is nil, and those
// of w.
func (a *Arithmetic) FormatDecimal(ctx context.Context, w io.Writer, x *Decimal) error {
	if err := a.beginDecimal(ctx, x); err != nil {
		return err
	}
	if w == nil {
		return fmt.Errorf("intmul: %w: the writer is nil", field.ErrSpec)
	}
	return x.emit(ctx, func(text []byte) error {
		_, err := w.Write(text)
		return err
	})
}

// emit passes the sign and the digits on, from the highest on.
func (x *Decimal) emit(ctx context.Context, emit func(text []byte) error) error {
	var text []byte
	if x.negative {
		text = append(text, '-')
	}
	words, digits := x.words, x.Digits()
	for {
		if err := stopped(ctx); err != nil {
			return err
		}
		from := max(0, len(words)-glanceWords)
		text = appendWords(text, words[from:], digits-wordDigits*from)
		if err := emit(text); err != nil || from == 0 {
			return err
		}
		words, digits, text = words[:from], wordDigits*from, text[:0]
	}
}

// ParseDecimal sets z to the number of a text: a sign or none, and decimal digits. Errors are a *SyntaxError where
// there is anything else, and those of Mul.
func (a *Arithmetic) ParseDecimal(ctx context.Context, z *Decimal, text []byte) error {
	if err := a.beginDecimal(ctx, z); err != nil {
		return err
	}
	digits, err := checkDigits(ctx, text, 10)
	if err != nil {
		return err
	}
	words, err := decimalOf(ctx, make([]uint64, 0, len(digits)/wordDigits+1), digits)
	if err != nil {
		return err
	}
	z.setWords(words, text[0] == '-')
	return nil
}

// decimalOf appends the words of decimal digits to words.
func decimalOf(ctx context.Context, words []uint64, digits []byte) ([]uint64, error) {
	for end := len(digits); end > 0; end -= wordDigits {
		if len(words)%glanceWords == 0 {
			if err := stopped(ctx); err != nil {
				return nil, err
			}
		}
		words = append(words, wordOf(digits[max(0, end-wordDigits):end]))
	}
	return words, nil
}

// beginDecimal is begin for decimals.
func (a *Arithmetic) beginDecimal(ctx context.Context, decimals ...*Decimal) error {
	if slices.Contains(decimals, nil) {
		return fmt.Errorf("intmul: %w: a decimal is nil", field.ErrSpec)
	}
	return a.begin(ctx)
}

// AddDecimal sets z = x + y. Errors are those of Mul.
func (a *Arithmetic) AddDecimal(ctx context.Context, z, x, y *Decimal) error {
	if err := a.beginDecimal(ctx, z, x, y); err != nil {
		return err
	}
	return z.sum(ctx, x, y, y.negative)
}

// SubDecimal sets z = x − y. Errors are those of Mul.
func (a *Arithmetic) SubDecimal(ctx context.Context, z, x, y *Decimal) error {
	if err := a.beginDecimal(ctx, z, x, y); err != nil {
		return err
	}
	return z.sum(ctx, x, y, !y.negative)
}

// sum sets z to x and |y| with a sign.
func (z *Decimal) sum(ctx context.Context, x, y *Decimal, negative bool) error {
	u, v, sign := x.words, y.words, x.negative
	subtract := sign != negative
	if len(u) < len(v) || len(u) == len(v) && compare(u, v) < 0 {
		u, v, sign = v, u, negative
	}
	w := make([]uint64, len(u)+1)
	var carry uint64
	if subtract {
		carry = 1 // x − y is x + (radix − 1 − y) + 1
	}
	for i, d := range u {
		if i%glanceWords == 0 {
			if err := stopped(ctx); err != nil {
				return err
			}
		}
		var e, c uint64
		if i < len(v) {
			e = v[i]
		}
		if subtract {
			e = wordRadix - 1 - e
		}
		d, c = ten.Add(d, e)
		w[i], carry = ten.Add(d, carry)
		carry |= c
	}
	if !subtract {
		w[len(u)] = carry
	}
	z.setWords(w, sign)
	return nil
}

// compare returns the order of numbers of as many words.
func compare(x, y []uint64) int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// MulDecimal sets z = x·y. Errors are those of Mul.
func (a *Arithmetic) MulDecimal(ctx context.Context, z, x, y *Decimal) error {
	if err := a.beginDecimal(ctx, z, x, y); err != nil {
		return err
	}
	w := make([]uint64, len(x.words)+len(y.words))
	if err := a.product(ctx, decimal, w, x.words, y.words); err != nil {
		return err
	}
	z.setWords(w, x.negative != y.negative)
	return nil
}

// SqrDecimal sets z = x², with a transform less than MulDecimal takes.
func (a *Arithmetic) SqrDecimal(ctx context.Context, z, x *Decimal) error {
	return a.MulDecimal(ctx, z, x, x)
}

// chooseDecimal returns the cheapest shape for a product of decimals of x and y words, and whether there is one.
func chooseDecimal(x, y int) (best shape, ok bool) {
	l, most := primes(), new(big.Int).SetUint64(wordRadix-1)
	for k := 3; k < len(l.products); k++ { // residues.Digits.CarryRadix takes no fewer
		if residues.Least(min(x, y), most, most, residues.Natural).Cmp(l.products[k]) >= 0 {
			continue
		}
		n := max(leastLength, 1<<bits.Len(uint(x+y-2)))
		for _, n := range [2]int{n / 4 * 3, n} {
			s := shape{primes: k, size: 64, n: n, radix: decimal}
			if n <= mostLength && n >= x+y-1 && (!ok || s.cost() < best.cost()) {
				best, ok = s, true
			}
		}
		break
	}
	return best, ok
}

// schoolDecimal is school for decimals: the sums of products of words at each place, whose digits are carried.
func schoolDecimal(ctx context.Context, z, x, y []uint64) error {
	sum := residues.RadixSum{Radix: ten}
	step := schoolWords / max(1, len(y))
	back := slices.Clone(y) // y backwards, which meets x in its order
	slices.Reverse(back)
	for k := range z {
		if k%step == 0 {
			if err := stopped(ctx); err != nil {
				return err
			}
		}
		var s0, s1, s2 uint64
		if from, to := max(0, k-len(y)+1), min(len(x), k+1); from < to {
			u, v := x[from:to], back[from+len(y)-1-k:]
			v = v[:len(u)]
			for i, w := range u {
				var c uint64
				h, l := bits.Mul64(w, v[i])
				s0, c = bits.Add64(s0, l, 0)
				s1, c = bits.Add64(s1, h, c)
				s2 += c
			}
		}
		z[k] = sum.Next(s0, s1, s2)
	}
	return nil
}

// ToDecimal sets z = x. It splits long numbers by powers of two, of which products are taken in radix 10^19, and gets
// digits of the parts from products of fractions. Errors are those of Mul.
func (a *Arithmetic) ToDecimal(ctx context.Context, z *Decimal, x *big.Int) error {
	if err := a.beginDecimal(ctx, z); err != nil {
		return err
	}
	if err := a.begin(ctx, x); err != nil {
		return err
	}
	words := of(x)
	if len(words) <= a.least.quotients {
		z.setWords(toDecimal(words), x.Sign() < 0)
		return nil
	}
	c, err := a.converter(ctx, len(words))
	if err != nil {
		return err
	}
	w, err := c.convert(ctx, words, len(c.powers))
	if err != nil || len(words) > keptWords {
		c.close()
	} else {
		a.converters.Put(c)
	}
	if err != nil {
		return err
	}
	z.setWords(w, x.Sign() < 0)
	return nil
}

// keptWords is the length of numbers up to which what converts them is kept for others of as many words, until some
// garbage collections have passed: powers and their transforms take about a third of the time of a conversion.
const keptWords = 1 << 18

// converter returns one for numbers of so many words.
func (a *Arithmetic) converter(ctx context.Context, words int) (c *converter, err error) {
	part, levels := words, 0
	for ; part > a.least.parts && levels < partLevels; levels++ {
		part = (part + 1) / 2
	}
	c, ok := a.converters.Get(func(c *converter) bool { return c.part == part && c.most == words })
	if ok {
		return c, nil
	}
	c = &converter{a: a, part: part, most: words}
	if c.leaf, err = a.fractions(ctx, part); err != nil {
		return nil, err
	}
	if err := c.prepare(ctx, levels); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// close gives memory back.
func (c *converter) close() {
	c.leaf.close()
	for _, o := range c.powers {
		o.close()
		c.a.lend(o.x)
	}
}

// partLevels is how often numbers are halved before parts become fractions. A level of products in radix 10^19 takes
// longer than one of fractions, but a reciprocal of one digit takes five times as long as a level of fractions does.
const partLevels = 3

// decimalWords is the most words that a decimal has that has so many words in binary.
func decimalWords(count int) int {
	const shift = 1 << 20 // 64/log₂ 10^19 = 1.01401…
	return count + int(uint64(count)*14696/shift) + 1
}

// converter takes words to decimals.
type converter struct {
	a      *Arithmetic
	part   int // words of parts that leaf converts
	most   int // words of numbers
	leaf   *fractions
	powers []*Operand // of 2^(64·part·2^i)
}

// prepare sets the powers of so many levels.
func (c *converter) prepare(ctx context.Context, levels int) error {
	power, err := c.a.powerOfTwo(ctx, 64*c.part)
	if err != nil {
		return err
	}
	for i := range levels {
		if i > 0 {
			if power, err = c.a.squareDecimal(ctx, power); err != nil {
				return err
			}
		}
		o, count := &Operand{a: c.a, radix: decimal}, c.part<<i
		if err := o.prepare(ctx, power, decimalWords(min(count, c.most-count))); err != nil {
			return err
		}
		c.powers = append(c.powers, o)
	}
	return nil
}

// squareDecimal returns x², in borrowed words.
func (a *Arithmetic) squareDecimal(ctx context.Context, x []uint64) ([]uint64, error) {
	z := a.borrow(2 * len(x))
	err := a.product(ctx, decimal, z, x, x)
	return trim(z), err
}

// powerOfTwo returns 2^n in radix 10^19, by squares of which some are doubled, in borrowed words.
func (a *Arithmetic) powerOfTwo(ctx context.Context, n int) ([]uint64, error) {
	const word = 63 // 2^63 is below the radix
	shift := max(0, bits.Len(uint(n))-bits.Len(uint(word)))
	z := append(a.borrow(1)[:0], 1<<(n>>shift))
	for shift--; shift >= 0; shift-- {
		next, err := a.squareDecimal(ctx, z)
		if err != nil {
			return nil, err
		}
		if a.lend(z); n>>shift&1 > 0 {
			double := a.borrow(len(next) + 1)
			double[copy(double, next)] = 0
			ten.AddTo(double, next)
			a.lend(next)
			next = trim(double)
		}
		z = next
	}
	return z, nil
}

// convert returns x, of at most part·2^level words.
func (c *converter) convert(ctx context.Context, x []uint64, level int) ([]uint64, error) {
	for level > 0 && len(x) <= c.part<<(level-1) {
		level--
	}
	if level == 0 {
		if len(trim(x)) <= c.a.least.quotients {
			return toDecimal(trim(x)), stopped(ctx)
		}
		return c.leaf.convert(ctx, x)
	}
	cut := c.part << (level - 1)
	high, err := c.convert(ctx, x[cut:], level-1)
	if err != nil {
		return nil, err
	}
	low, err := c.convert(ctx, x[:cut], level-1)
	if err != nil {
		return nil, err
	}
	o, high := c.powers[level-1], trim(high)
	z := c.a.borrow(len(high) + len(o.x))
	if err := o.times(ctx, z, high); err != nil {
		return nil, err
	}
	ten.AddTo(z, low)
	c.a.lend(low)
	c.a.lend(high)
	return z, nil
}

// toDecimal returns x in radix 10^19, by quotients of one word.
func toDecimal(x []uint64) []uint64 {
	z := make([]uint64, 0, decimalWords(len(x)))
	for _, w := range slices.Backward(x) {
		for i, d := range z { // z·2^64 + w
			w, z[i] = ten.Div(d, w)
		}
		if w >= wordRadix {
			z = append(z, w-wordRadix, 1)
		} else if w > 0 {
			z = append(z, w)
		}
	}
	return z
}

// FromDecimal sets z = x. Errors are those of Mul.
func (a *Arithmetic) FromDecimal(ctx context.Context, z *big.Int, x *Decimal) error {
	if err := a.beginDecimal(ctx, x); err != nil {
		return err
	}
	if err := a.begin(ctx, z); err != nil {
		return err
	}
	return a.fromDecimal(ctx, z, x.words, x.negative)
}

// fromDecimal sets z to the number with the digits x and a sign.
func (a *Arithmetic) fromDecimal(ctx context.Context, z *big.Int, x []uint64, negative bool) error {
	c, err := a.joins(ctx, len(x))
	if err != nil {
		return err
	}
	if len(x) <= keptWords {
		defer a.joiners.Put(c)
	} else {
		defer c.close()
	}
	w, room := a.borrow(len(x)), a.borrow(len(x)+c.leaf<<len(c.powers))
	defer a.lend(room)
	if err := c.join(ctx, w, x, room, len(c.powers)); err != nil {
		return err
	}
	a.result(z, w, negative && len(trim(w)) > 0)
	return nil
}
