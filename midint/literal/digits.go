package literal

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
)

// Digits is the digits of an integer, lowest first.
type Digits struct {
	Count int // of an integer
	Bits  int // of a digit; the paper has 15 in words of 32 bits, 31 in words of 64
}

// BoundError says that a product by one prime need not be exact: Points is below 2·Count − 1, so that high digits wrap
// onto low ones; or Count·(2^Bits − 1)² is not below the prime, or what it carries fills a word. It is field.ErrRange
// too.
type BoundError struct {
	Digits
	Points int
	Prime  uint64
}

// Error says what would be exact.
func (e *BoundError) Error() string {
	if e == nil {
		return "literal: no error"
	}
	return fmt.Sprintf("literal: products of %d digits of %d bits by %d points modulo %d, want twice as many points as "+
		"digits but one, and sums of products below the prime", e.Count, e.Bits, e.Points, e.Prime)
}

// Unwrap is field.ErrRange.
func (e *BoundError) Unwrap() error { return field.ErrRange }

// Check says whether products of integers of such digits are exact: it is a *BoundError where they are not for all.
// Digits of less than one bit, or of more than the half of a word but one, and none of them are field.ErrSpec; so are
// those of which more leave a thread than it has points.
func (t *FFT[W]) Check(d Digits) error {
	if t == nil || t.m == 0 {
		return fmt.Errorf("literal: %w: transforms that are nil or the zero value", field.ErrSpec)
	}
	if most := wordBits[W]()/2 - 1; d.Count < 1 || d.Bits < 1 || d.Bits > most {
		return fmt.Errorf("literal: %w: %+v, want at least one of 1 to %d bits", field.ErrSpec, d, most)
	}
	if !t.exact(d) {
		return &BoundError{d, t.m, uint64(t.field.P)}
	}
	if n := leaving(d); n > t.q {
		return fmt.Errorf("literal: %w: %d digits leave a thread of %d points", field.ErrSpec, n, t.q)
	}
	return nil
}

// exact is whether no index wraps, no sum of products reaches the prime, and none does reach the end of a word with
// what is carried to it, which is at most Count·(2^Bits − 1).
func (t *FFT[W]) exact(d Digits) bool {
	if d.Count > t.m || 2*d.Count-1 > t.m {
		return false
	}
	digit := uint64(1)<<d.Bits - 1
	line := uint64(d.Count) * digit // below 2^46
	high, low := bits.Mul64(line, digit)
	if high != 0 || low >= uint64(t.field.P) {
		return false
	}
	high, low = bits.Mul64(line, digit+1)
	return high == 0 && low <= uint64(^W(0))
}

// leaving is the digits of what a thread carries to the next one.
func leaving(d Digits) int {
	return (bits.Len64(uint64(d.Count)*(uint64(1)<<d.Bits-1)) + d.Bits - 1) / d.Bits
}

// Mul sets the integers of z to those of a·b: all 2·Count digits, or where z is as long as a the Count low ones. It is
// the paper's FFT 1-Mul, with carries as Add has them. What Check refuses is refused, and digits that have more bits
// are field.ErrRange. z may be a or b where it has their length.
func (t *FFT[W]) Mul(z, a, b []W, d Digits) error {
	out, err := t.operands(z, a, b, d, 2)
	if err != nil {
		return err
	}
	t.grid(z, a, b, d, out, func(x, y []W) []W { return t.product(x, y, d) })
	return nil
}

// Poly sets the integers of z to those of (a·a + b)·(b·b + b) + a·b modulo 2^(Count·Bits), by four products and three
// sums in one kernel: the paper's FFT Poly. z may be a or b. Errors are those of Mul.
func (t *FFT[W]) Poly(z, a, b []W, d Digits) error {
	if _, err := t.operands(z, a, b, d, 1); err != nil {
		return err
	}
	low := func(x []W) []W { clear(x[d.Count:]); return x }
	t.grid(z, a, b, d, d.Count, func(x, y []W) []W {
		first := low(t.sum(low(t.product(x, x, d)), y, d, true))
		second := low(t.sum(low(t.product(y, y, d)), y, d, true))
		return t.sum(low(t.product(first, second, d)), low(t.product(x, y, d)), d, true)
	})
	return nil
}

// Add sets the integers of z to those of a + b modulo 2^(Count·Bits), with the carries of Mul. z may be a or b. Errors
// are those of Mul.
func (t *FFT[W]) Add(z, a, b []W, d Digits) error {
	if _, err := t.operands(z, a, b, d, 1); err != nil {
		return err
	}
	t.grid(z, a, b, d, d.Count, func(x, y []W) []W { return t.sum(x, y, d, true) })
	return nil
}

// operands checks a call, whose results have as many digits as operands, or up to so many times as many: it returns the
// digits of a result.
func (t *FFT[W]) operands(z, a, b []W, d Digits, wide int) (out int, err error) {
	if err := t.Check(d); err != nil {
		return 0, err
	}
	if len(a) != len(b) || len(a)%d.Count != 0 || len(z) != len(a) && len(z) != wide*len(a) {
		return 0, fmt.Errorf("literal: %w: operands of %d and %d digits, a result of %d, want one multiple of %d, and at "+
			"most %d times as many of the result", field.ErrLength, len(a), len(b), len(z), d.Count, wide)
	}
	for _, x := range [][]W{a, b} {
		if i := slices.IndexFunc(x, func(v W) bool { return v>>d.Bits != 0 }); i >= 0 {
			return 0, fmt.Errorf("literal: %w: digit %d has more than %d bits", field.ErrRange, i, d.Bits)
		}
	}
	if len(z) > len(a) {
		return 2 * d.Count, nil
	}
	return d.Count, nil
}

// grid runs a block for each integer, whose operands it pads with zeros to M digits.
func (t *FFT[W]) grid(z, a, b []W, d Digits, out int, kernel func(x, y []W) []W) {
	x, y := make([]W, t.m), make([]W, t.m)
	for i := range len(z) / out {
		copy(x, a[i*d.Count:(i+1)*d.Count])
		copy(y, b[i*d.Count:(i+1)*d.Count])
		copy(z[i*out:(i+1)*out], kernel(x, y))
	}
}

// product is the M digits of x·y.
func (t *FFT[W]) product(x, y []W, d Digits) []W {
	x, y = slices.Clone(x), slices.Clone(y)
	t.cyclic(x, y)
	low, high := t.split(x, d)
	return t.sum(low, high, d, true)
}

// split carries the coefficients of each thread among themselves. low is a digit for each, and high what leaves a
// thread, at the first digits of the next one.
func (t *FFT[W]) split(x []W, d Digits) (low, high []W) {
	mask := W(1)<<d.Bits - 1
	low, high = make([]W, t.m), make([]W, t.m)
	for from := 0; from < t.m; from += t.q {
		var rest W
		for i := from; i < from+t.q; i++ {
			rest += x[i]
			low[i] = rest & mask
			rest >>= d.Bits
		}
		for i := from + t.q; rest != 0 && i < t.m; i++ {
			high[i] = rest & mask
			rest >>= d.Bits
		}
	}
	return low, high
}

// sum is x + y, digit by digit in half words: shifted up, so that digits overflow where half words do, and the lowest
// bit is free for the carry into a digit. Where a carry comes into digits of ones alone, what is left is 2^Bits, and
// mask makes 0 of it; as printed it stays.
func (t *FFT[W]) sum(x, y []W, d Digits, mask bool) []W {
	width := wordBits[W]() / 2
	shift, half := width-d.Bits, W(1)<<width-1
	ones := W(1)<<d.Bits - 1
	threads := t.m / t.q
	p, codes, sums := make([]W, t.m), make([]uint32, t.m), make([]uint32, threads)
	for thread := range threads {
		sums[thread] = neutral
		for i := thread * t.q; i < (thread+1)*t.q; i++ {
			p[i] = (x[i]<<shift + y[i]<<shift) & half
			if p[i] < x[i]<<shift {
				codes[i] |= overflow
			}
			if p[i] == ones<<shift {
				codes[i] |= highest
			}
			sums[thread] = Combine(sums[thread], codes[i])
		}
	}
	BlockScan(sums, sums, neutral, Combine)
	for thread := range threads {
		carry := sums[thread]
		for i := thread * t.q; i < (thread+1)*t.q; i++ {
			r := Resolve(p[i], carry)
			p[i] = r>>shift + r&1
			if mask {
				p[i] &= ones
			}
			carry = Combine(carry, codes[i])
		}
	}
	return p
}
