// Package bluestein is transforms of odd prime lengths: by the definition, and by Bluestein's and Rader's algorithms.
// It is for packages of this module, and does not check what it gets.
package bluestein

import (
	"fmt"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/internal/cases"
)

// New makes the case of an odd prime length as it was chosen: by the definition, or by one of the algorithms.
func New(b *cases.Build, d engine.Domain) (cases.Case, error) {
	switch b.C.Primes[d.N] {
	case choice.Definition:
	case choice.ByUnits:
		return newRader(b, d)
	default:
		return newBluestein(b, d, nil)
	}
	p := b.Problem
	f, factors := p.F, float64(d.N)*float64(d.N) // of one direction, at most
	if err := p.Take(2*factors, factors); err != nil {
		return nil, err
	}
	c := &prime{f: f, q: d.N, chunk: columnsOf(p, d.N+spare), scratch: b.Scratch}
	var err error
	if c.forward, err = newSums(p, d); err == nil {
		c.inverse, err = newSums(p, d.Inverse())
	}
	c.alone, c.odd = c.forward.halves && d.N <= p.T.Passes.Odd, p.T.Passes.OddScratch
	return c, err
}

// columnsOf is the number of columns of so many rows that fit in cache, in whole lanes, and at least one of these.
func columnsOf(p *engine.Problem, rows int) int {
	const most = 1 << 10
	return max(bulks.Lanes, min(most, p.C.Cache/rows&^(bulks.Lanes-1)))
}

// prime is DFT_q by its definition, for columns of q rows. With u_j = x_j + x_(q−j) and v_j = x_j − x_(q−j), 0 < j ≤ h
// = (q−1)/2,
//
//	X_0 = x_0 + Σ u_j,  X_k, X_(q−k) = (x_0 + Σ u_j·(w^jk + w^−jk)/2) ± Σ v_j·(w^jk − w^−jk)/2,
//
// a quarter of the products of the definition. In characteristic 2 there is no half, and X_k = x_0 + Σ w^jk·x_j as it
// stands. Sums are passes of radix 2, which take products into them; the difference that they make as well is not used.
type prime struct {
	f                bulks.Bulk
	q, chunk         int  // columns that are taken together
	alone            bool // a pass of the table does it all
	odd              int  // the elements that this takes for each row
	forward, inverse sums
	scratch          *cases.Scratch
}

// sums is the factors of one direction.
type sums struct {
	bulks.Table             // 1, then those of k = 1, 2, … in turn: h of u and h of v, or q − 1 of x
	shift       bulks.Table // powers of the shift; nil: it is 1
	halves      bool
}

const spare = 3 // rows of scratch behind the q of x: two sums, and the term that is added

func newSums(p *engine.Problem, d engine.Domain) (s sums, err error) {
	if s.halves, err = engine.HasHalf(d.Exponents); err != nil {
		return s, err
	}
	powers, err := engine.Powers(p, d.Exponents, engine.Factor{Root: d.Root}, d.N)
	if err != nil {
		return s, err
	}
	h := d.N / 2
	count := 1 + (d.N-1)*(d.N-1)
	if s.halves {
		count = 1 + 2*h*h
	}
	v, err := p.F.Make(count)
	if err != nil {
		return s, err
	}
	p.F.Copy(v, powers, bulks.Copy{Rows: 1, Width: 1}) // w⁰
	if s.halves {
		err = s.makeHalves(p, d, v, powers)
	} else {
		for k := 1; k < d.N && err == nil; k++ {
			p.F.Copy(v.Slice(1+(k-1)*(d.N-1), v.N), powers, places(d.N, k, d.N-1))
			err = p.M.Err()
		}
	}
	if err != nil {
		return s, err
	}
	if s.Table, err = p.F.Table(v, bulks.Alone); err != nil || !d.Shifted() {
		return s, err
	}
	shifts, err := engine.Powers(p, d.Exponents, engine.Factor{Shift: d.Shift}, d.N)
	if err != nil {
		return s, err
	}
	s.shift, err = p.F.Table(shifts, bulks.Alone)
	return s, err
}

// places gathers elements k, 2k, …, count·k modulo q of a vector.
func places(q, k, count int) bulks.Copy {
	at := make([]int32, count)
	for j := range at {
		at[j] = int32((j + 1) * k % q)
	}
	return bulks.Copy{Rows: count, Width: 1, Dst: 1, Src: 1, RowPerm: at}
}

// makeHalves sets v from its element 1 on to the halves of w^jk + w^−jk, and of w^jk − w^−jk, for each k in turn.
func (s *sums) makeHalves(p *engine.Problem, d engine.Domain, v, powers engine.View) error {
	list, err := d.Factors(engine.Factor{}, engine.Factor{Over: 2})
	if err != nil {
		return err
	}
	by, err := p.F.Table(list, bulks.Alone)
	if err != nil {
		return err
	}
	h := d.N / 2
	for k := 1; k <= h; k++ {
		if err := p.M.Err(); err != nil {
			return err
		}
		u := v.Slice(1+2*h*(k-1), 1+2*h*k)
		p.F.Copy(u, powers, places(d.N, k, h))
		p.F.Copy(u.Slice(h, 2*h), powers, places(d.N, d.N-k, h))
		by.Pass(u, bulks.Pass{Layers: 1}, bulks.NewRows(1, 1, h, h))
		by.Scale(u, 1, 1, 2*h, 2*h)
		p.F.Reduce(u)
	}
	return nil
}

func (c *prime) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	if s := c.forward.shift; s != nil {
		s.Scale(v, 0, c.q, width, width)
	}
	c.all(w, &c.forward, v, width)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *prime) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	c.all(w, &c.inverse, v, width)
	if s := c.inverse.shift; s != nil {
		s.Scale(v, 0, c.q, width, width)
	}
	if by != nil {
		by.Scale(v, 0, 1, c.q*width, c.q*width)
	}
	if canonical || by == nil && c.inverse.shift == nil { // sums are wide
		c.f.Reduce(v)
	}
}

// ForwardInto is Forward of the rows of src into those of dst, by a pass of the table: src is used up, and values are
// wide. It reports whether it has: else nothing is done. InverseInto is likewise Inverse.
func (c *prime) ForwardInto(_ *engine.Watch, dst, src engine.View, width int) bool {
	t, ok := c.forward.Table.(bulks.Into)
	if !ok || !c.alone {
		return false
	}
	if s := c.forward.shift; s != nil {
		s.Scale(src, 0, c.q, width, width)
	}
	return t.OddInto(dst, src, c.q, width)
}

func (c *prime) InverseInto(_ *engine.Watch, dst, src engine.View, width int) bool {
	t, ok := c.inverse.Table.(bulks.Into)
	if !ok || !c.alone || !t.OddInto(dst, src, c.q, width) {
		return false
	}
	if s := c.inverse.shift; s != nil {
		s.Scale(dst, 0, c.q, width, width)
	}
	return true
}

// all takes chunks of columns, but where the table does the whole DFT.
func (c *prime) all(w *engine.Watch, s *sums, v engine.View, width int) {
	if c.alone {
		s.Pass(v, bulks.Pass{How: bulks.Odd}, bulks.Rows{Blocks: 1, Half: c.q, Width: width, Stride: width})
		return
	}
	r := c.scratch.Get(w, (c.q+spare)*min(c.chunk, width))
	if r == nil {
		return
	}
	for i := 0; i < width; i += c.chunk {
		n := min(c.chunk, width-i)
		if c.q == 3 && s.halves {
			c.three(s, v.Slice(i, 2*width+i+n), width, rowsOf{c.f, r.V, n})
			continue
		}
		x := rowsOf{c.f, r.V, n}
		out := v.Slice(i, (c.q-1)*width+i+n)
		c.f.Copy(r.V, out, bulks.Copy{Rows: c.q, Width: n, Dst: n, Src: width})
		store := func(k, from int) {
			c.f.Copy(v.Slice(k*width+i, k*width+i+n), x.row(from), bulks.Copy{Rows: 1, Width: n})
		}
		if s.halves {
			c.symmetric(w, s, x, store)
		} else {
			c.direct(w, s, x, store)
		}
	}
	c.scratch.Put(r)
}

func (c *prime) symmetric(w *engine.Watch, s *sums, x rowsOf, store func(k, from int)) {
	h, sum, difference, term := c.q/2, c.q, c.q+1, c.q+2
	for j := 1; j <= h; j++ {
		x.radix2(s, j, c.q-j, 0)
	}
	x.copy(sum, 0)
	for j := 1; j <= h; j++ {
		x.add(s, sum, j, term, 0)
	}
	store(0, sum)
	for k := 1; k <= h && !w.Stopped(); k++ {
		u := 1 + 2*h*(k-1)
		x.copy(sum, 0)
		x.copy(difference, c.q-1)
		s.Scale(x.row(difference), u+h, 1, x.n, x.n)
		for j := 1; j <= h; j++ {
			x.add(s, sum, j, term, u+j-1)
			if j > 1 {
				x.add(s, difference, c.q-j, term, u+h+j-1)
			}
		}
		x.radix2(s, sum, difference, 0)
		store(k, sum)
		store(c.q-k, difference)
	}
}

// three is symmetric for rows of v that are stride apart, in place: sums take the place of what they are made of.
func (c *prime) three(s *sums, v engine.View, stride int, x rowsOf) {
	const sum, term = 0, 1
	const one, u, difference = 0, 1, 2 // places of factors
	row := func(i int) engine.View { return v.Slice(i*stride, i*stride+x.n) }
	butterfly := func(i, at int) { // of rows i and i + 1
		r := bulks.Rows{Blocks: 1, Half: 1, Width: x.n, Stride: stride}
		s.Pass(v.Slice(i*stride, (i+1)*stride+x.n), bulks.Pass{Off: at, Layers: 1}, r)
	}
	move := bulks.Copy{Rows: 1, Width: x.n}
	butterfly(1, one)
	c.f.Copy(x.row(sum), row(0), move)
	c.f.Copy(x.row(term), row(1), move)
	x.radix2(s, sum, term, u)
	butterfly(0, one)
	c.f.Copy(row(1), x.row(sum), move)
	butterfly(1, difference)
}

func (c *prime) direct(w *engine.Watch, s *sums, x rowsOf, store func(k, from int)) {
	sum, term := c.q, c.q+1
	for k := 0; k < c.q && !w.Stopped(); k++ {
		x.copy(sum, 0)
		for j := 1; j < c.q; j++ {
			factor := 0
			if k > 0 {
				factor = 1 + (k-1)*(c.q-1) + j - 1
			}
			x.add(s, sum, j, term, factor)
		}
		store(k, sum)
	}
}

// rowsOf is rows of n elements that touch.
type rowsOf struct {
	f bulks.Bulk
	v engine.View
	n int
}

func (x rowsOf) row(i int) engine.View { return x.v.Slice(i*x.n, (i+1)*x.n) }

func (x rowsOf) copy(to, from int) {
	x.f.Copy(x.row(to), x.row(from), bulks.Copy{Rows: 1, Width: x.n})
}

// radix2 maps rows i < j to x_i + wx_j and x_i − wx_j, w the factor at place at.
func (x rowsOf) radix2(s *sums, i, j, at int) {
	r := bulks.Rows{Blocks: 1, Half: 1, Width: x.n, Stride: (j - i) * x.n}
	s.Pass(x.v.Slice(i*x.n, (j+1)*x.n), bulks.Pass{Off: at, Layers: 1}, r)
}

// add adds the product of row j and the factor at place at to row i, by way of row term.
func (x rowsOf) add(s *sums, i, j, term, at int) {
	x.copy(term, j)
	x.radix2(s, i, term, at)
}

func (c *prime) Passes(int) []string { return []string{fmt.Sprintf("DFT_%d by its definition", c.q)} }

func (c *prime) Sizes() []int { return []int{c.q} }

func (c *prime) Bytes() int {
	b := c.forward.Bytes() + c.inverse.Bytes()
	for _, s := range []bulks.Table{c.forward.shift, c.inverse.shift} {
		if s != nil {
			b += s.Bytes()
		}
	}
	return b
}

func (c *prime) Scratch(width int) int {
	if c.alone {
		return c.f.Bytes(c.odd * c.q)
	}
	return c.f.Bytes((c.q + spare) * min(c.chunk, width))
}
