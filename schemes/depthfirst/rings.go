package depthfirst

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Factors that nobody asks the values of need no last layers: before these, polynomials of few coefficients are
// multiplied modulo X^n − c, each in one vector. So no layer is inside of vectors.

// leastRings is the elements of factors that have such products. A first pass leaves as many in each row.
const leastRings = 1 << 6

// rings returns the elements of a row of factors of so many elements; 0 where values are asked for, or where there are
// no such products.
func (c *layers) rings(p *engine.Product, elements int) int {
	if p.Way == engine.One || p.Way == engine.Two && !p.Spoil || elements < leastRings {
		return 0
	}
	return c.ring
}

// nearRings is the rows of blocks that passes go over one after the other, as they fit in the first-level cache.
const nearRings = 1 << 9

// downRings is down as far as rows of n elements.
func (c *layers) downRings(v engine.View, at, blocks, rows, n int) {
	if rows == 1 {
		return
	}
	if blocks > 1 && blocks*rows > nearRings {
		c.eachRings(v, at, blocks, func(v engine.View, at int) { c.downRings(v, at, 1, rows, n) })
		return
	}
	layers := c.passes.Share(rows)
	rows >>= layers
	c.forward.Pass(v, bulks.Pass{Off: at, Layers: int32(layers)}, bulks.NewRows(blocks, rows, n, n))
	c.downRings(v, at<<layers, blocks<<layers, rows, n)
}

// upRings is its transpose, with what join does.
func (c *layers) upRings(v engine.View, at, blocks, rows, n int, by bulks.Table, canonical bool) {
	if rows == 1 {
		return
	}
	if blocks > 1 && blocks*rows > nearRings {
		c.eachRings(v, at, blocks, func(v engine.View, at int) { c.upRings(v, at, 1, rows, n, by, canonical) })
		return
	}
	layers := c.passes.Share(rows)
	c.upRings(v, at<<layers, blocks<<layers, rows>>layers, n, nil, false)
	c.join(v, bulks.Pass{Off: at, Layers: int32(layers)}, bulks.NewRows(blocks, rows>>layers, n, n), by, canonical)
}

// eachRings calls do for each block of v, and its place.
func (c *layers) eachRings(v engine.View, at, blocks int, do func(v engine.View, at int)) {
	size := v.N / blocks
	for i := range blocks {
		do(v.Slice(i*size, (i+1)*size), at+i)
	}
}
