package depthfirst

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// A product goes depth first as a whole: where a part of both factors fits in cache, it is transformed, multiplied and
// transformed back before the next one is met.

// narrow is the columns that Enter takes at a time, of which a few rows stay in the first-level cache.
const narrow = 1 << 8

// Zeros returns how many of them Multiply and Enter take.
func (c *layers) Zeros() int { return min(c.n, narrow) }

// Multiply makes a product in one step, unless p is stopped on the way.
func (c *layers) Multiply(p *engine.Product, zeros engine.View, by bulks.Table) {
	if c.passes.Product(c.n) == 0 {
		n := c.rings(p, c.n)
		c.enter(p.X, p.A, zeros, n)
		if p.Way == engine.Two {
			c.enter(p.Y, p.B, zeros, n)
		}
		if p.Stopped() {
			return
		}
		c.back(&p.Watch, p.X, p.Y, c.first, n, by, true)
	} else {
		top := c.passes.Top(c.n, 1)
		row := c.n / top
		c.Enter(p.X, p.A, zeros, top, 0, row)
		if p.Way == engine.Two {
			c.Enter(p.Y, p.B, zeros, top, 0, row)
		}
		for i := range top {
			c.MultiplyPart(p, i, top)
		}
		c.ColumnsInverse(p.X, top, 0, 1, 0, row, by, true)
	}
	c.f.Copy(p.Dst, p.X.Slice(p.From, p.From+p.Dst.N), bulks.Copy{Rows: 1, Width: p.Dst.N})
}

// enter sets v to the transform of a polynomial, or as far as rows of ring elements. Layers in which the second rows of
// all butterflies are 0 only copy the first ones.
func (c *layers) enter(v, a, zeros engine.View, ring int) {
	layers := c.passes.Copied(c.n)
	rows, copied := c.n, 0
	for ; copied < layers && a.N <= rows/2; copied++ {
		rows /= 2
	}
	c.f.Copy(v, a, bulks.Copy{Rows: 1, Width: a.N})
	for at := a.N; at < rows; at += narrow {
		n := min(narrow, rows-at)
		c.f.Copy(v.Slice(at, at+n), zeros, bulks.Copy{Rows: 1, Width: n})
	}
	for n := rows; n < c.n; n *= 2 {
		c.f.Copy(v.Slice(n, 2*n), v, bulks.Copy{Rows: 1, Width: n})
	}
	if ring > 0 {
		c.downRings(v, c.first<<copied, 1<<copied, rows/ring, ring, 0)
		return
	}
	c.down(nil, v, c.first<<copied, 1<<copied, rows, 1, false)
}

// back multiplies what down has left, or downRings in rows of ring elements, and transforms products back.
func (c *layers) back(w *engine.Watch, x, y engine.View, at, ring int, by bulks.Table, canonical bool) {
	if ring > 0 {
		rows := x.N / ring
		c.forward.(bulks.Into).MulRings(x, y, at*rows/2, bulks.Open|bulks.Leave)
		c.upRings(x, at, 1, rows, ring, by, canonical, 0)
		return
	}
	c.f.VecMul(x, x, y)
	c.up(w, x, at, 1, x.N, 1, by, canonical)
}

// Enter is the first pass of the transform of a polynomial, into top parts, on columns from to to of v, which sets
// them. Layers in which the second rows of all butterflies are 0 only copy the first ones.
func (c *layers) Enter(v, a, zeros engine.View, top, from, to int) {
	row, layers := c.n/top, bits.Len(uint(top))-1
	rows, copied := top, 0
	for ; copied < layers && a.N <= rows/2*row; copied++ {
		rows /= 2
	}
	for ; from < to; from += narrow {
		end := min(from+narrow, to)
		width := end - from
		columns := v.Slice(from, c.n-row+end)
		full := min(rows, max(0, (a.N-end+row)/row)) // rows of a that reach end
		if full > 0 {
			c.f.Copy(columns, a.Slice(from, a.N), bulks.Copy{Rows: full, Width: width, Dst: row, Src: row})
		}
		for r := full; r < rows; r++ {
			z, n := columns.Slice(r*row, r*row+width), min(width, max(0, a.N-r*row-from))
			if n > 0 {
				c.f.Copy(z, a.Slice(r*row+from, a.N), bulks.Copy{Rows: 1, Width: n})
			}
			c.f.Copy(z.Slice(n, width), zeros, bulks.Copy{Rows: 1, Width: width - n})
		}
		for r := rows; r < top; r *= 2 {
			c.f.Copy(columns.Slice(r*row, columns.N), columns, bulks.Copy{Rows: r, Width: width, Dst: row, Src: row})
		}
		if layers > copied {
			p := bulks.Pass{Off: c.first << copied, Layers: int32(layers - copied)}
			c.forward.Pass(columns, p, bulks.NewRows(1<<copied, 1, width, row))
		}
	}
}

// MultiplyPart makes part i of the product of what the first passes leave, without the factor 1/N.
func (c *layers) MultiplyPart(p *engine.Product, i, parts int) {
	n := c.n / parts
	part := func(v engine.View) engine.View { return v.Slice(i*n, (i+1)*n) }
	c.multiply(p, part(p.X), part(p.Y), c.first*parts+i)
}

// Product sets x to the product of x and y, coefficients of either, without the factor 1/N.
func (c *layers) Product(p *engine.Product, x, y engine.View) { c.multiply(p, x, y, c.first) }

// multiply sets x to the product of factors whose block has its factor at place at.
func (c *layers) multiply(p *engine.Product, x, y engine.View, at int) {
	rows := x.N
	layers := c.passes.Product(rows)
	if layers == 0 {
		n := c.rings(p, rows)
		factors := []engine.View{x, y}
		if p.Way != engine.Two {
			factors = factors[:1]
		}
		for _, v := range factors {
			if n > 0 {
				c.downRings(v, at, 1, rows/n, n, 0)
			} else {
				c.down(&p.Watch, v, at, 1, rows, 1, false)
			}
		}
		if !p.Stopped() {
			c.back(&p.Watch, x, y, at, n, nil, false)
		}
		return
	}
	part := rows >> layers
	pass, r := bulks.Pass{Off: at, Layers: int32(layers)}, bulks.NewRows(1, part, 1, 1)
	c.forward.Pass(x, pass, r)
	if p.Way == engine.Two {
		c.forward.Pass(y, pass, r)
	}
	for i := range 1 << layers {
		c.multiply(p, x.Slice(i*part, (i+1)*part), y.Slice(i*part, (i+1)*part), at<<layers+i)
	}
	c.join(x, pass, r, nil, false)
}
