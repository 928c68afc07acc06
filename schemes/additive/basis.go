// Package additive changes between the bases of polynomials over affine domains: powers of x, which callers have, and
// the basis of Lin, Chung and Han, which layers take. It is for packages of this module, and does not check what it
// gets.
package additive

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// Basis changes coefficients in place. For each vector k of the basis of the domain in turn it scales x by c_k, which
// makes the vector 1, and expands at x² + x, where the parts are polynomials in x² + x over what is left of the basis
// (S. Gao, T. Mateer, IEEE Trans. Inform. Theory 56 (2010), with the first vector first, so that nothing is reordered).
// Values have one range in fields of characteristic 2.
type Basis struct {
	f       bulks.Bulk
	n       int
	one     bulks.Table
	into    []bulks.Table // powers of c_k; nil: it is 1
	from    []bulks.Table // powers of 1/c_k
	scratch *cases.Scratch
}

// chunk is how many elements a sum takes at a time.
const chunk = 1 << 12

// New returns the change for an affine domain.
func New(b *cases.Build, d engine.Domain) (*Basis, error) {
	m := bits.Len(uint(d.N)) - 1
	c := &Basis{f: b.F, n: d.N, into: make([]bulks.Table, m), from: make([]bulks.Table, m), scratch: b.Scratch}
	if err := b.Take(4*float64(d.N), 2*float64(d.N)); err != nil {
		return nil, err
	}
	table := func(k, n int, inverse bool) (bulks.Table, error) {
		v, one, err := d.Powers(k, n, inverse)
		if err != nil || one && n > 1 {
			return nil, err
		}
		return b.F.Table(v, bulks.Alone)
	}
	var err error
	if m > 0 {
		c.one, err = table(0, 1, false)
	}
	for k := 0; k < m && err == nil; k++ {
		if c.into[k], err = table(k, d.N>>k, false); err == nil {
			c.from[k], err = table(k, d.N>>k, true)
		}
	}
	return c, err
}

// Enter takes N rows of width elements from coefficients of powers of x to those that layers take, and Leave takes them
// back. Where w stops them the rows are unspecified.
func (c *Basis) Enter(w *engine.Watch, v engine.View, width int) {
	for k, t := range c.into {
		c.scale(v, t, k, width)
		for rows := c.n >> k; rows > 2; rows /= 2 {
			c.expand(w, v, rows, width<<k, [2]int{2, 1})
		}
	}
}

func (c *Basis) Leave(w *engine.Watch, v engine.View, width int) {
	for k := len(c.from) - 1; k >= 0; k-- {
		for rows := 4; rows <= c.n>>k; rows *= 2 {
			c.expand(w, v, rows, width<<k, [2]int{1, 2})
		}
		c.scale(v, c.from[k], k, width)
	}
}

// scale multiplies coefficient i of the parts by power i of a factor.
func (c *Basis) scale(v engine.View, t bulks.Table, k, width int) {
	if t != nil {
		t.Scale(v, 0, c.n>>k, width<<k, width<<k)
	}
}

// expand adds to quarters of each block of rows the ones behind them, in an order.
func (c *Basis) expand(w *engine.Watch, v engine.View, rows, width int, order [2]int) {
	quarter := rows / 4 * width
	r := c.scratch.Get(w, 2*min(chunk, quarter))
	if r == nil {
		return
	}
	for at := 0; at < v.N && !w.Stopped(); at += 4 * quarter {
		for _, i := range order {
			c.add(v.Slice(at+i*quarter, at+(i+2)*quarter), quarter, r.V)
		}
	}
	c.scratch.Put(r)
}

// add adds the second of two runs of n elements to the first: a butterfly by 1, of which the other half is not used.
func (c *Basis) add(v engine.View, n int, x engine.View) {
	for i := 0; i < n; i += chunk {
		size := min(chunk, n-i)
		pair := bulks.Copy{Rows: 2, Width: size, Dst: size, Src: n}
		c.f.Copy(x, v.Slice(i, n+i+size), pair)
		c.one.Pass(x, bulks.Pass{Layers: 1}, bulks.NewRows(1, 1, size, size))
		c.f.Copy(v.Slice(i, i+size), x, bulks.Copy{Rows: 1, Width: size})
	}
}

// Passes says what Enter does.
func (c *Basis) Passes() []string { return []string{"change of basis"} }

// Bytes is the memory of the tables, and Scratch that of one call.
func (c *Basis) Bytes() (n int) {
	for _, list := range [][]bulks.Table{c.into, c.from, {c.one}} {
		for _, t := range list {
			if t != nil {
				n += t.Bytes()
			}
		}
	}
	return n
}

func (c *Basis) Scratch(width int) int { return c.f.Bytes(2 * min(chunk, max(1, c.n/4*width))) }
