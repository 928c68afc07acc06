package testfields

import (
	"fmt"
	"sync/atomic"

	"github.com/galfft/fft/field"
)

// Counting wraps a field and counts its operations. It has the element methods and the roots of the field,
// whose every other interface is hidden; Field gives the shifts back. It is safe for concurrent use.
type Counting[E any] struct {
	f field.Field[E]

	Adds   atomic.Int64 // calls of Add and of Sub
	Muls   atomic.Int64 // calls of Mul
	Shifts atomic.Int64 // calls of Shift
}

// NewCounting returns f with counters at 0.
func NewCounting[E any](f field.Field[E]) *Counting[E] { return &Counting[E]{f: f} }

// Field returns c as a field that offers field.Shifter when the wrapped field does.
func (c *Counting[E]) Field() field.Rooted[E] {
	if s, ok := c.f.(field.Shifter[E]); ok {
		return &countingShifter[E]{c, s}
	}
	return c
}

// Reset sets the counters to 0.
func (c *Counting[E]) Reset() {
	c.Adds.Store(0)
	c.Muls.Store(0)
	c.Shifts.Store(0)
}

func (c *Counting[E]) Set(z, x *E)        { c.f.Set(z, x) }
func (c *Counting[E]) Neg(z, x *E)        { c.f.Neg(z, x) }
func (c *Counting[E]) Inv(z, x *E) error  { return c.f.Inv(z, x) }
func (c *Counting[E]) One(z *E)           { c.f.One(z) }
func (c *Counting[E]) Equal(x, y *E) bool { return c.f.Equal(x, y) }

func (c *Counting[E]) Add(z, x, y *E) {
	c.Adds.Add(1)
	c.f.Add(z, x, y)
}

func (c *Counting[E]) Sub(z, x, y *E) {
	c.Adds.Add(1)
	c.f.Sub(z, x, y)
}

func (c *Counting[E]) Mul(z, x, y *E) {
	c.Muls.Add(1)
	c.f.Mul(z, x, y)
}

// RootOfUnity gives the roots of the wrapped field; one without roots has none of any order.
func (c *Counting[E]) RootOfUnity(z *E, n uint64) error {
	r, ok := c.f.(field.Rooted[E])
	if !ok {
		return fmt.Errorf("testfields: %w: %T gives no roots", field.ErrNoRoot, c.f)
	}
	return r.RootOfUnity(z, n)
}

type countingShifter[E any] struct {
	*Counting[E]
	s field.Shifter[E]
}

func (c *countingShifter[E]) ShiftOrder() uint64 { return c.s.ShiftOrder() }

func (c *countingShifter[E]) Shift(z, x *E, s uint64) {
	c.Shifts.Add(1)
	c.s.Shift(z, x, s)
}
