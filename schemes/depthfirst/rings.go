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

// nearRings is the elements of blocks that passes go over one after the other, as they fit in the first-level cache.
const nearRings = 1 << 12

// downRings is down as far as rows of n elements, which it leaves as passes do with Leave. how is Open or 0.
func (c *layers) downRings(v engine.View, at, blocks, rows, n int, how bulks.How) {
	if rows == 1 {
		return
	}
	if blocks > 1 && v.N > nearRings {
		c.eachRings(v, at, blocks, func(v engine.View, at int) { c.downRings(v, at, 1, rows, n, how) })
		return
	}
	layers := c.passes.Share(rows)
	rows >>= layers
	c.forward.Pass(v, bulks.Pass{Off: at, Layers: int32(layers), How: how | bulks.Leave},
		bulks.NewRows(blocks, rows, n, n))
	c.downRings(v, at<<layers, blocks<<layers, rows, n, bulks.Open)
}

// upRings is its transpose, with what join does. how is Leave or 0.
func (c *layers) upRings(v engine.View, at, blocks, rows, n int, by bulks.Table, canonical bool, how bulks.How) {
	if rows == 1 {
		return
	}
	if blocks > 1 && v.N > nearRings {
		c.eachRings(v, at, blocks, func(v engine.View, at int) { c.upRings(v, at, 1, rows, n, by, canonical, how) })
		return
	}
	layers := c.passes.Share(rows)
	c.upRings(v, at<<layers, blocks<<layers, rows>>layers, n, nil, false, bulks.Leave)
	c.join(v, bulks.Pass{Off: at, Layers: int32(layers), How: how | bulks.Open},
		bulks.NewRows(blocks, rows>>layers, n, n), by, canonical)
}

// eachRings calls do for each block of v, and its place.
func (c *layers) eachRings(v engine.View, at, blocks int, do func(v engine.View, at int)) {
	size := v.N / blocks
	for i := range blocks {
		do(v.Slice(i*size, (i+1)*size), at+i)
	}
}
