package verbs

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/vecfile"
	"github.com/galfft/fft/intmul"
)

// Notation is how a file holds a signed integer.
type Notation string

// Notations. Binary is bytes of the two's complement, little-endian and at least one: as few as hold the sign when
// written, any number when read.
const (
	Decimal     Notation = "dec"
	Hexadecimal Notation = "hex"
	Binary      Notation = "bin"
)

func (n Notation) String() string { return string(n) }

// ParseNotation returns the notation of a name.
func ParseNotation(s string) (Notation, error) {
	for _, n := range []Notation{Decimal, Hexadecimal, Binary} {
		if s == string(n) {
			return n, nil
		}
	}
	return "", fmt.Errorf("%w: notation %q, want dec, hex or bin", field.ErrSpec, s)
}

// base of the digits of a text.
func (n Notation) base() int {
	if n == Hexadecimal {
		return 16
	}
	return 10
}

// Huge computes with integers of any length, one a file.
type Huge struct {
	Operation HugeOperation
	From, To  Notation
	Workers   int
	Step      func(note string) // begins what takes time, apart from reading; nil: nobody wants to know
}

// HugeOperation sets z to what is computed of some integers.
type HugeOperation func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error

// Operations of Huge. Products, quotients and remainders take two integers, powers two, with a modulus three, and the
// others one.
var (
	HugeProduct HugeOperation = func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		return a.Mul(ctx, z, x[0], x[1])
	}
	HugeSquare HugeOperation = func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		return a.Sqr(ctx, z, x[0])
	}
	HugePower HugeOperation = func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		if len(x) < 3 {
			return a.Exp(ctx, z, x[0], x[1], nil)
		}
		if x[2].Sign() == 0 {
			return fmt.Errorf("galfft: %w: the modulus is 0", field.ErrNotInvertible)
		}
		return a.Exp(ctx, z, x[0], x[1], x[2])
	}
	HugeQuotient HugeOperation = func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		return a.QuoRem(ctx, z, new(big.Int), x[0], x[1])
	}
	HugeRemainder HugeOperation = func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		return a.QuoRem(ctx, new(big.Int), z, x[0], x[1])
	}
	HugeRoot HugeOperation = func(ctx context.Context, a *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		return a.Sqrt(ctx, z, x[0])
	}
	HugeSame HugeOperation = func(_ context.Context, _ *intmul.Arithmetic, z *big.Int, x []*big.Int) error {
		z.Set(x[0])
		return nil
	}
)

// Number is a result of Huge.
type Number struct {
	a  *intmul.Arithmetic
	x  big.Int
	to Notation
}

// Run reads integers and computes.
func (h Huge) Run(ctx context.Context, in []vecfile.Source) (*Number, error) {
	a, err := intmul.New(intmul.WithWorkers(h.Workers))
	if err != nil {
		return nil, err
	}
	var x []*big.Int
	for _, s := range in {
		h.step("reading " + s.Name)
		v := new(big.Int)
		if err := h.read(ctx, a, v, s.Reader); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		x = append(x, v)
	}
	h.step("computing")
	z := &Number{a: a, to: h.To}
	return z, h.Operation(ctx, a, &z.x, x)
}

func (h Huge) step(note string) {
	if h.Step != nil {
		h.Step(note)
	}
}

// read sets z to the integer of a file.
func (h Huge) read(ctx context.Context, a *intmul.Arithmetic, z *big.Int, r io.Reader) error {
	const copies = 8 // of a text in memory: itself, while it grows, the number, its parts and powers of the base
	most := int64(memory.Limit() / copies)
	if h.From != Binary {
		return a.Scan(ctx, r, z, h.From.base(), most)
	}
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return err
	case int64(len(b)) > most:
		return fmt.Errorf("galfft: %w: more than %d bytes", field.ErrMemory, most)
	case len(b) == 0:
		return fmt.Errorf("galfft: %w: no bytes, want at least one", field.ErrRange)
	}
	slices.Reverse(b)
	negative := b[0] >= 1<<7
	if z.SetBytes(b); negative {
		z.Sub(z, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return nil
}

// Size is about how many bytes Write writes.
func (n *Number) Size() int {
	if n.to == Binary {
		return n.x.BitLen()/8 + 1
	}
	return int(float64(n.x.BitLen())/math.Log2(float64(n.to.base()))) + 2
}

// Write writes the integer: a text has one line.
func (n *Number) Write(ctx context.Context, w io.Writer) error {
	if n.to != Binary {
		err := n.a.Format(ctx, w, &n.x, n.to.base())
		if err == nil {
			_, err = io.WriteString(w, "\n")
		}
		return err
	}
	// x and ¬x = −x − 1 have the same bits below the sign.
	x, flip := &n.x, byte(0)
	if x.Sign() < 0 {
		x, flip = new(big.Int).Not(x), 0xff
	}
	b := x.FillBytes(make([]byte, x.BitLen()/8+1))
	slices.Reverse(b)
	for i := range b {
		b[i] ^= flip
	}
	_, err := w.Write(b)
	return err
}
