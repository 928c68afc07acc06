package intmul

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
)

// digitsOf is the digits of bases up to 62, which are those of math/big.
const digitsOf = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// checkBase is field.ErrRange for bases that math/big does not have.
func checkBase(base int) error {
	if base < 2 || base > big.MaxBase {
		return fmt.Errorf("intmul: %w: base %d, want 2 to %d", field.ErrRange, base, big.MaxBase)
	}
	return nil
}

// leafDigits is the number of digits of a leaf.
func (a *Arithmetic) leafDigits(base int) int {
	return max(1, int(float64(a.least.leaf)/math.Log2(float64(base))))
}

// Append appends x in a base from 2 to 62 to dst, as big.Int.Append does, whose digits it has. On an error it returns
// dst. Errors are field.ErrRange for other bases, and those of Mul.
func (a *Arithmetic) Append(ctx context.Context, dst []byte, x *big.Int, base int) ([]byte, error) {
	z := dst
	err := a.text(ctx, x, base, func(digits []byte) error {
		if len(z) == len(dst) { // x and the base are right
			z = slices.Grow(z, int(float64(x.BitLen())/math.Log2(float64(base)))+2)
		}
		z = append(z, digits...)
		return nil
	})
	if err != nil {
		return dst, err
	}
	return z, nil
}

// Format writes what Append appends to w, from the highest digit on and a part at a time. On an error w has got some
// of it, or nothing. Errors are those of Append, field.ErrSpec where w is nil, and those of w.
func (a *Arithmetic) Format(ctx context.Context, w io.Writer, x *big.Int, base int) error {
	if w == nil {
		return fmt.Errorf("intmul: %w: the writer is nil", field.ErrSpec)
	}
	return a.text(ctx, x, base, func(digits []byte) error {
		_, err := w.Write(digits)
		return err
	})
}

// text passes the sign and the digits of x to emit, from the highest on: those of the quotient and of the remainder of
// a division by the power of the base that has about half of the digits, or those of a Decimal.
func (a *Arithmetic) text(ctx context.Context, x *big.Int, base int, emit func(digits []byte) error) error {
	if err := a.begin(ctx, x); err != nil {
		return err
	}
	if err := checkBase(base); err != nil {
		return err
	}
	if base == 10 && x.BitLen() >= a.least.text {
		var d Decimal
		if err := a.ToDecimal(ctx, &d, x); err != nil {
			return err
		}
		err := d.emit(ctx, emit)
		a.lend(d.words)
		return err
	}
	if x.Sign() < 0 {
		if err := emit([]byte("-")); err != nil {
			return err
		}
	}
	t := &printer{a, base, emit, nil, nil}
	y := new(big.Int).Abs(x)
	if base&(base-1) == 0 { // bits stand for digits
		return t.bits(ctx, y)
	}
	power := new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(a.leafDigits(base))), nil)
	for base != 10 && power.BitLen() <= y.BitLen() {
		d, err := a.Divisor(ctx, power)
		if err != nil {
			return err
		}
		t.powers = append(t.powers, d)
		if 2*power.BitLen()-1 > y.BitLen() {
			break
		}
		next := new(big.Int)
		if err := a.mul(ctx, next, power, power); err != nil {
			return err
		}
		power = next
	}
	return t.print(ctx, y, len(t.powers), 0)
}

// printer passes digits on.
type printer struct {
	a      *Arithmetic
	base   int
	emit   func(digits []byte) error
	powers []*Divisor // of leafDigits·2^i digits
	buf    []byte
}

// print passes x on, which is below the power of level, with zeros in front up to so many digits.
func (t *printer) print(ctx context.Context, x *big.Int, level, width int) error {
	if level == 0 {
		if err := stopped(ctx); err != nil {
			return err
		}
		t.buf = x.Append(t.buf[:0], t.base)
		if missing := width - len(t.buf); missing > 0 {
			if err := t.emit([]byte(strings.Repeat("0", missing))); err != nil {
				return err
			}
		}
		return t.emit(t.buf)
	}
	d, digits := t.powers[level-1], t.a.leafDigits(t.base)<<(level-1)
	if width == 0 && x.Cmp(d.y) < 0 {
		return t.print(ctx, x, level-1, 0)
	}
	q, r := new(big.Int), new(big.Int)
	if err := d.quoRem(ctx, q, r, x); err != nil {
		return err
	}
	if err := t.print(ctx, q, level-1, max(0, width-digits)); err != nil {
		return err
	}
	return t.print(ctx, r, level-1, digits)
}

// bits passes x on in a base that is a power of two.
func (t *printer) bits(ctx context.Context, x *big.Int) error {
	size := bits.Len(uint(t.base)) - 1
	words, count := of(x), max(1, (x.BitLen()+size-1)/size)
	for count > 0 {
		if err := stopped(ctx); err != nil {
			return err
		}
		t.buf = t.buf[:0]
		for range min(count, t.a.least.leaf) {
			count--
			at := count * size
			var v uint64
			if w := at / 64; w < len(words) {
				v = words[w] >> (at % 64)
				if w+1 < len(words) {
					v |= words[w+1] << 1 << (63 - at%64)
				}
			}
			t.buf = append(t.buf, digitsOf[v&(1<<size-1)])
		}
		if err := t.emit(t.buf); err != nil {
			return err
		}
	}
	return nil
}

// SyntaxError is a field.ErrRange for a text that is no number: it says where. Methods of a nil one panic.
type SyntaxError struct {
	Base   int
	Offset int // of the first byte that is no digit, or the length where digits are missing
	Byte   byte
	End    bool // there is no byte: digits are missing
}

func (e *SyntaxError) Error() string {
	if e.End {
		return fmt.Sprintf("intmul: %v: text of %d bytes, want digits of base %d", field.ErrRange, e.Offset, e.Base)
	}
	return fmt.Sprintf("intmul: %v: byte %q at offset %d, want a digit of base %d", field.ErrRange, e.Byte, e.Offset,
		e.Base)
}

// Is reports whether target is field.ErrRange.
func (e *SyntaxError) Is(target error) bool { return target == field.ErrRange }

// values has the value of each byte that is a digit of a base, and 255 for others: letters of both cases are the same
// up to base 36, in the first table.
var values = func() (list [2][256]byte) {
	for i := range list {
		for c := range list[i] {
			list[i][c] = 255
		}
		for v, c := range []byte(digitsOf) {
			if i == 0 && v >= 36 {
				v -= 26
			}
			list[i][c] = byte(v)
		}
	}
	return list
}()

// Parse sets z to the number of a text: a sign or none, and digits of a base from 2 to 62 as Append has them, letters
// of either case up to base 36. Errors are a *SyntaxError where there is anything else, which is found before anything
// is computed, field.ErrRange for other bases, and those of Mul.
func (a *Arithmetic) Parse(ctx context.Context, z *big.Int, text []byte, base int) error {
	if err := a.begin(ctx, z); err != nil {
		return err
	}
	if err := checkBase(base); err != nil {
		return err
	}
	digits, err := checkDigits(ctx, text, base)
	if err != nil {
		return err
	}
	if base == 10 {
		words, err := decimalOf(ctx, a.borrow(len(digits)/wordDigits + 1)[:0], digits)
		if err != nil {
			return err
		}
		defer a.lend(words)
		return a.fromDecimal(ctx, z, words, text[0] == '-')
	}
	var powers []*big.Int
	for leaf := a.leafDigits(base); leaf<<len(powers) < len(digits); {
		next := new(big.Int)
		if len(powers) == 0 {
			next.Exp(big.NewInt(int64(base)), big.NewInt(int64(leaf)), nil)
		} else if err := a.mul(ctx, next, powers[len(powers)-1], powers[len(powers)-1]); err != nil {
			return err
		}
		powers = append(powers, next)
	}
	x, err := a.parse(ctx, digits, base, powers)
	if err != nil {
		return err
	}
	if len(text) > len(digits) && text[0] == '-' {
		x.Neg(x)
	}
	z.Set(x)
	return nil
}

// checkDigits returns the digits of a text behind its sign, or the *SyntaxError of one that is no number.
func checkDigits(ctx context.Context, text []byte, base int) ([]byte, error) {
	digits := text
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		digits = text[1:]
	}
	table := &values[0]
	if base > 36 {
		table = &values[1]
	}
	for from := 0; from < len(digits); from += glance {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		part := digits[from:min(len(digits), from+glance)]
		known := 0
		if base == 10 {
			known = knownDigits(part)
		}
		for i, c := range part[known:] {
			if int(table[c]) >= base {
				return nil, &SyntaxError{Base: base, Offset: len(text) - len(digits) + from + known + i, Byte: c}
			}
		}
	}
	if len(digits) == 0 {
		return nil, &SyntaxError{Base: base, Offset: len(text), End: true}
	}
	return digits, nil
}

// parse returns the number of some digits, as the number of the higher ones times the power that the others reach.
func (a *Arithmetic) parse(ctx context.Context, digits []byte, base int, powers []*big.Int) (*big.Int, error) {
	leaf := a.leafDigits(base)
	for len(powers) > 0 && leaf<<(len(powers)-1) >= len(digits) {
		powers = powers[:len(powers)-1]
	}
	z := new(big.Int)
	if len(powers) == 0 {
		if err := stopped(ctx); err != nil {
			return nil, err
		}
		z.SetString(string(digits), base)
		return z, nil
	}
	last := len(powers) - 1
	cut := len(digits) - leaf<<last
	high, err := a.parse(ctx, digits[:cut], base, powers[:last])
	if err != nil {
		return nil, err
	}
	low, err := a.parse(ctx, digits[cut:], base, powers[:last])
	if err != nil {
		return nil, err
	}
	if err := a.mul(ctx, z, high, powers[last]); err != nil {
		return nil, err
	}
	return z.Add(z, low), nil
}

// Scan reads r to its end and sets z to the number of its text, as Parse does, with white space around it or none. It
// reads at most most bytes: field.ErrMemory where there are more. Errors are those of Parse, whose offsets count from
// the first byte that is no white space, field.ErrSpec where r is nil, and those of r.
func (a *Arithmetic) Scan(ctx context.Context, r io.Reader, z *big.Int, base int, most int64) error {
	if err := a.begin(ctx, z); err != nil {
		return err
	}
	if r == nil {
		return fmt.Errorf("intmul: %w: the reader is nil", field.ErrSpec)
	}
	var text []byte
	block := make([]byte, 1<<16)
	for {
		if err := stopped(ctx); err != nil {
			return err
		}
		n, err := r.Read(block)
		if text = append(text, block[:n]...); int64(len(text)) > most {
			return fmt.Errorf("intmul: %w: a text of more than %d bytes", field.ErrMemory, most)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return a.Parse(ctx, z, bytes.TrimSpace(text), base)
}
