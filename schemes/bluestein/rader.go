package bluestein

import (
	"errors"
	"fmt"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// rader is DFT_q, q = L + 1 a Fermat prime, by one cyclic convolution of length L, a power of two. With a generator g
// of the units modulo q, the values but the first are
//
//	X_(g^−m) = x_0 + Σ_j x_(g^j) · w^g^(j−m)
//
// (C. Rader, Proc. IEEE 56 (1968)): a transform of half of the shortest length that Bluestein's algorithm takes, and
// no factors before and after it. The first value at the L-th roots of unity is the sum of the elements but x_0, and
// x_0 added to the first product, −1/L times it, is x_0 added to all values. The inverse is the same sum, with the
// values k and q − k in each other's place.
type rader struct {
	f                bulks.Bulk
	q, chunk         int         // columns that are taken together
	cyclic           cases.Case  // of length L
	values           bulks.Table // those of w^g^(−j) at the L-th roots of unity, over L, in the order of cyclic
	ends             bulks.Table // 1 and 1/L
	shift, back      bulks.Table // s^j and s^−j; nil where s is 1
	in               []int32     // where x_(g^j) stands among rows 1 to q − 1
	forward, inverse []int32     // which value of the convolution stands in each of these
	scratch          *cases.Scratch
}

// generator generates the units modulo every Fermat prime but 3, as it is no square there.
const generator = 3

// newRader makes the case of a Fermat prime from 17 on.
func newRader(b *cases.Build, d engine.Domain) (*rader, error) {
	p, l := b.Problem, d.N-1
	if err := p.Take(4*float64(d.N), 4*float64(d.N)); err != nil {
		return nil, err
	}
	c := &rader{f: p.F, q: d.N, chunk: columnsOf(p, d.N+raderEnds), in: make([]int32, l), forward: make([]int32, l),
		inverse: make([]int32, l), scratch: b.Scratch}
	at := make([]int32, l) // the exponents of w^g^(−j)
	for j, k := 0, 1; j < l; j, k = j+1, k*generator%d.N {
		c.in[j] = int32(k - 1)
		m := (l - j) % l
		at[m] = int32(k)
		c.forward[k-1], c.inverse[d.N-k-1] = int32(m), int32(m)
	}
	if err := c.makeValues(b, d, at); err != nil || !d.Shifted() {
		return c, err
	}
	powers := func(d engine.Domain) (bulks.Table, error) {
		v, err := engine.Powers(p, d.Exponents, engine.Factor{Shift: d.Shift}, d.N)
		if err != nil {
			return nil, err
		}
		return p.F.Table(v, bulks.Alone)
	}
	var err, errBack error
	c.shift, err = powers(d)
	c.back, errBack = powers(d.Inverse())
	return c, errors.Join(err, errBack, p.M.Err())
}

// makeValues makes the transform of length L, and what it makes of the powers of w at the exponents at.
func (c *rader) makeValues(b *cases.Build, d engine.Domain, at []int32) error {
	p, l := b.Problem, c.q-1
	powers, err := engine.Powers(p, d.Exponents, engine.Factor{Root: d.Root}, d.N)
	if err != nil {
		return err
	}
	u, err := d.Roots(l)
	if err != nil {
		return err
	}
	if c.cyclic, err = b.Apart(u); err != nil { // a root of its own
		return err
	}
	ends, err := u.Factors(engine.Factor{}, engine.Factor{Over: l})
	if err != nil {
		return err
	}
	if c.ends, err = p.F.Table(ends, bulks.Alone); err != nil {
		return err
	}
	h, err := p.F.Make(l)
	if err != nil {
		return err
	}
	p.F.Copy(h, powers, bulks.Copy{Rows: l, Width: 1, Dst: 1, Src: 1, RowPerm: at})
	c.ends.Scale(h, 1, 1, l, l)
	w := p.M.Watch()
	c.cyclic.Forward(w, h, 1, true)
	if err := w.Err(); err != nil {
		return err
	}
	c.values, err = p.Table(h)
	return errors.Join(err, p.M.Err())
}

func (c *rader) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	if c.shift != nil {
		c.shift.Scale(v, 0, c.q, width, width)
	}
	c.run(w, v, width, c.forward)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *rader) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	c.run(w, v, width, c.inverse)
	if c.back != nil {
		c.back.Scale(v, 0, c.q, width, width)
	}
	if by != nil {
		by.Scale(v, 0, 1, c.q*width, c.q*width)
	}
	if canonical || by == nil && c.back == nil { // values are wide
		c.f.Reduce(v)
	}
}

// raderEnds is the rows of scratch behind those of the convolution: x_0 and the sum of the others, twice.
const raderEnds = 4

// columns is how many of so many are taken together: up to three go one by one, as rows of them fill no vector.
func (c *rader) columns(width int) int {
	if width < bulks.Lanes/2 {
		return 1
	}
	return min(c.chunk, width)
}

// run takes a chunk of columns at a time.
func (c *rader) run(w *engine.Watch, v engine.View, width int, out []int32) {
	l, chunk := c.q-1, c.columns(width)
	r := c.scratch.Get(w, (l+raderEnds)*chunk)
	if r == nil {
		return
	}
	for i := 0; i < width && !w.Stopped(); i += chunk {
		n := min(chunk, width-i)
		x, ends := r.V.Slice(0, l*n), r.V.Slice(l*n, (l+raderEnds)*n)
		move := bulks.Copy{Rows: 1, Width: n}
		first, rest := v.Slice(i, i+n), v.Slice(width+i, l*width+i+n)
		c.f.Copy(x, rest, bulks.Copy{Rows: l, Width: n, Dst: n, Src: width, RowPerm: c.in})
		c.cyclic.Forward(w, x, n, false)
		c.values.Scale(x.Slice(n, x.N), 1, l-1, n, n)

		at := func(i int) engine.View { return ends.Slice(i*n, (i+1)*n) }
		twice := bulks.Copy{Rows: raderEnds / 2, Width: n, Dst: 2 * n}
		c.f.Copy(ends, first, twice)
		c.f.Copy(ends.Slice(n, ends.N), x, twice)
		c.ends.Pass(ends, bulks.Pass{Layers: 1}, bulks.NewRows(2, 1, n, n))
		c.f.Reduce(at(3)) // narrow
		c.f.Copy(first, at(0), move)
		c.f.Copy(x, at(3), move)
		c.cyclic.Inverse(w, x, n, nil, false)
		c.f.Copy(rest, x, bulks.Copy{Rows: l, Width: n, Dst: width, Src: n, RowPerm: out})
	}
	c.scratch.Put(r)
}

func (c *rader) Passes(int) []string {
	return []string{fmt.Sprintf("Rader's algorithm, a convolution of length %d", c.q-1)}
}

func (c *rader) Sizes() []int { return []int{c.q} }

func (c *rader) Bytes() int {
	b := 4*3*(c.q-1) + c.cyclic.Bytes() + c.values.Bytes() + c.ends.Bytes()
	if c.shift != nil {
		b += c.shift.Bytes() + c.back.Bytes()
	}
	return b
}

func (c *rader) Scratch(width int) int {
	chunk := c.columns(width)
	return c.f.Bytes((c.q-1+raderEnds)*chunk) + c.cyclic.Scratch(chunk)
}
