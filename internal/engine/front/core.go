package front

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// core is the part of a transform that is compiled once for all elements. What is no method of field.Transform is a
// function: the compiler makes each method of an embedded struct once more for each type of elements.
type core struct {
	t       engine.Transform
	m       engine.Multiplier      // t, where it multiplies; or nil
	c       engine.Convolver       // t, where it convolves; or nil
	invalid func(v bulks.View) int // of operands; or nil, where they are not checked
	alone   bool                   // slices are looked at from end to end, on one worker
	seeker  seeker                 // t, where it looks at slices by itself; or nil
	rows    engine.Rows            // checkRows, for a seeker
	apart   bool                   // elements hold pointers
	n       int
	length  int // of the slices of a call
	batch   field.Batch
}

// seeker is a transform that looks at the elements of a call by itself.
type seeker interface {
	Seeks() bool
	Checked(ctx context.Context, dst, src bulks.View, inverse bool, invalid engine.Rows) error
}

// set makes t the transform, of operands that invalid checks, if it is not nil.
func set(c *core, t engine.Transform, b field.Batch, workers int, invalid func(v bulks.View) int, apart bool) {
	c.t, c.batch, c.n, c.invalid, c.apart = t, b, t.Len(), invalid, apart
	_, c.length, _ = b.Layout(c.n) // checked before
	if invalid != nil {
		c.alone = workers < 2 && c.length == b.Count*c.n && !apart
		if s, ok := t.(seeker); ok && s.Seeks() {
			c.seeker, c.alone = s, false
			c.rows = func(src bulks.View, b field.Batch) error { return checkRows(c, src, b) }
		}
	}
	if !apart { // products go by way of vectors
		c.m, _ = t.(engine.Multiplier)
		c.c, _ = t.(engine.Convolver)
	}
}

// run is Forward or Inverse, of slices whose lengths fit, that are not checked yet.
func run(c *core, ctx context.Context, dst, src bulks.View, same, inverse bool) error {
	if c.seeker != nil {
		return c.seeker.Checked(ctx, dst, src, inverse, c.rows)
	}
	if c.invalid != nil {
		if err := checkRows(c, src, c.batch); err != nil {
			return err
		}
	}
	return c.t.Run(ctx, dst, src, same, inverse)
}

// checkPart is a RangeError where an element of rows of src is not canonical.
func checkPart(c *core, what string, src bulks.View, rows, width, stride int) error {
	if i := c.t.First(src, rows, width, stride, c.invalid); i >= 0 {
		return &field.RangeError{What: what, Index: i}
	}
	return nil
}

// checkRows is checkPart for what a batch covers: there may be anything in gaps.
func checkRows(c *core, src bulks.View, b field.Batch) error {
	rows, width := b.Count, c.n
	if b.Columns {
		rows, width = c.n, b.Count
	}
	return checkPart(c, "src", src, rows, width, b.Stride)
}

// load checks what Load takes, a part of one transform or a whole batch, and loads it.
func load(c *core, ctx context.Context, v field.Vec, a bulks.View) error {
	if c.invalid != nil && a.N <= c.length {
		var err error
		if a.N == c.length {
			err = checkRows(c, a, c.batch)
		} else {
			err = checkPart(c, "src", a, 1, a.N, a.N)
		}
		if err != nil {
			return err
		}
	}
	return c.t.Load(ctx, v, a)
}

func (c *core) NewVec() (field.Vec, error) { return c.t.NewVec() }

// VecIn is NewVec in the memory that make returns for a vector of the bulk. Calls on it but Store do not wait for what
// they begin.
func (c *core) VecIn(make func(f bulks.Bulk, n int) (bulks.View, error)) (field.Vec, error) {
	return c.t.VecIn(make)
}

func (c *core) ForwardVec(ctx context.Context, v field.Vec) error { return c.t.ForwardVec(ctx, v) }

func (c *core) InverseVec(ctx context.Context, v field.Vec) error { return c.t.InverseVec(ctx, v) }

func (c *core) MulVec(z, x, y field.Vec) error { return c.t.MulVec(context.Background(), z, x, y) }

// MulVecContext is MulVec, which stops where ctx ends.
func (c *core) MulVecContext(ctx context.Context, z, x, y field.Vec) error {
	return c.t.MulVec(ctx, z, x, y)
}

func (c *core) Permutation() []int { return c.t.Permutation() }

func (c *core) Report() field.Report {
	r := c.t.Report()
	r.Checked = c.invalid != nil
	return r
}

// Multiplies reports whether there is a way to products.
func (c *core) Multiplies() bool { return c.m != nil }

// Convolves reports whether there is one on slices.
func (c *core) Convolves() bool { return c.c != nil }

func multiply(c *core, ctx context.Context, dst bulks.View, from int, a, b bulks.View, square bool, x,
	y field.Vec) error {
	if c.m == nil {
		return errProducts
	}
	if c.invalid != nil {
		if err := checkPart(c, "a", a, 1, a.N, a.N); err != nil {
			return err
		}
		if err := checkPart(c, "b", b, 1, b.N, b.N); err != nil {
			return err
		}
	}
	return c.m.Multiply(ctx, dst, from, a, b, square, x, y)
}

var errProducts = fmt.Errorf("fft: %w: a transform without a way to products of slices", field.ErrSpec)
