package layers

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// leastBlock is the rows of a tail that copies of layers do not make shorter.
const leastBlock = 1 << 6

// Multiply makes a product of a length that fits in cache, unless p is stopped on the way. zeros is as many as the
// transform is long.
func (c *Layers) Multiply(p *core.Product, zeros core.View, by field.Table) {
	c.enter(p.X, p.A, zeros)
	if p.Way == core.Two {
		c.enter(p.Y, p.B, zeros)
	}
	if p.Stopped() {
		return
	}
	c.f.VecMul(p.X, p.X, p.Y)
	c.Inverse(&p.Watch, p.X, 1, by, true)
	c.f.Copy(p.Dst, p.X.Slice(p.From, p.From+p.Dst.N), field.Copy{Rows: 1, Width: p.Dst.N})
}

// enter sets v to the transform of a polynomial. Layers in which the second rows of all butterflies are 0 only copy the
// first ones.
func (c *Layers) enter(v, a, zeros core.View) {
	layers, _ := c.plan(&c.forward, c.n, 1)
	if layers == 0 && c.n <= c.cache { // a tail takes its blocks, if they are not too short
		layers = bits.Len(uint(c.n)) - bits.Len(uint(leastBlock))
	}
	rows, copied := c.n, 0
	for ; copied < layers && a.N <= rows/2; copied++ {
		rows /= 2
	}
	c.f.Copy(v, a, field.Copy{Rows: 1, Width: a.N})
	c.f.Copy(v.Slice(a.N, rows), zeros, field.Copy{Rows: 1, Width: rows - a.N})
	for n := rows; n < c.n; n *= 2 {
		c.f.Copy(v.Slice(n, 2*n), v, field.Copy{Rows: 1, Width: n})
	}
	c.down(nil, v, c.first<<copied, 1<<copied, rows, 1, false)
}
