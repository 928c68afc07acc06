package base

import (
	"fmt"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// straight runs straight-line code on the elements of each column. Over a coset it multiplies the inputs by
// the powers of the shift first: N−1 products for each column.
type straight struct {
	n     int
	code  engine.Codelet
	coset [2]bulks.Table // s^i and s^−i; nil: no shift
}

// newStraight makes the case of d, or returns nil where tables hand out no elements.
func newStraight(p *engine.Problem, d engine.Domain) (cases.Case, error) {
	c := &straight{n: d.N}
	var err error
	if c.code, err = d.Codelet(d); err != nil {
		return nil, err
	}
	if !d.Shifted() {
		return c, nil
	}
	for i, shift := range [2]int64{d.Shift, -d.Shift} {
		powers, err := engine.Powers(p, d.Exponents, engine.Factor{Shift: shift}, d.N)
		if err != nil {
			return nil, err
		}
		if c.coset[i], err = p.F.Table(powers, bulks.Alone); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *straight) Forward(_ *engine.Watch, v engine.View, width int, _ bool) {
	if t := c.coset[0]; t != nil {
		t.Scale(v, 0, c.n, width, width)
	}
	c.code.Columns(v, width, false)
}

func (c *straight) Inverse(_ *engine.Watch, v engine.View, width int, by bulks.Table, _ bool) {
	c.code.Columns(v, width, true)
	if t := c.coset[1]; t != nil {
		t.Scale(v, 0, c.n, width, width)
	}
	if by != nil {
		by.Scale(v, 0, 1, c.n*width, c.n*width)
	}
}

func (c *straight) Passes(int) []string { return []string{fmt.Sprintf("straight-line DFT_%d", c.n)} }

func (c *straight) Sizes() []int { return []int{c.n} }

func (c *straight) Bytes() int {
	b := c.code.Bytes()
	for _, t := range c.coset {
		if t != nil {
			b += t.Bytes()
		}
	}
	return b
}

func (c *straight) Scratch(int) int { return 0 }
