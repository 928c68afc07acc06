package base

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// newPrime makes the case of an odd prime length, as a factor of others: by the definition, or by Bluestein's algorithm where that
// takes less.
func newPrime[E, V any](p *core.Problem[E, V], d field.Domain[E], cache *Tables[E, V]) (Case[V], error) {
	if b, err := newBluestein(p, d, cache); b != nil || err != nil {
		return b, err
	}
	f, factors := p.F, float64(d.N)*float64(d.N) // of one direction, at most
	if err := p.Take(2*factors, factors); err != nil {
		return nil, err
	}
	c := &prime[E, V]{f: f, q: d.N, chunk: columnsOf(p, d.N+spare), scratch: cache.scratch(f)}
	inv, err := core.InvertDomain[E](f, d)
	if err != nil {
		return nil, err
	}
	if c.forward, err = newSums(p, d); err == nil {
		c.inverse, err = newSums(p, inv)
	}
	return c, err
}

// columnsOf is the number of columns of so many rows that fit in cache, in whole lanes, and at least one of these.
func columnsOf[E, V any](p *core.Problem[E, V], rows int) int {
	const most = 1 << 10
	return max(field.Lanes, min(most, p.S.Cache/rows&^(field.Lanes-1)))
}

// prime is DFT_q by its definition, for columns of q rows. With u_j = x_j + x_(q−j) and v_j = x_j − x_(q−j), 0 < j ≤ h = (q−1)/2,
//
//	X_0 = x_0 + Σ u_j,  X_k, X_(q−k) = (x_0 + Σ u_j·(w^jk + w^−jk)/2) ± Σ v_j·(w^jk − w^−jk)/2,
//
// a quarter of the products of the definition. In characteristic 2 there is no half, and X_k = x_0 + Σ w^jk·x_j as it stands. Sums are
// passes of radix 2, which take products into them; the difference that they make as well is not used.
type prime[E, V any] struct {
	f                field.Bulk[E, V]
	q, chunk         int // columns that are taken together
	forward, inverse sums[V]
	scratch          *scratch[V]
}

// sums is the factors of one direction.
type sums[V any] struct {
	field.Table[V]                // 1, then those of k = 1, 2, … in turn: h of u and h of v, or q − 1 of x
	shift          field.Table[V] // powers of the shift; nil: it is 1
	halves         bool
}

const spare = 3 // rows of scratch behind the q of x: two sums, and the term that is added

func newSums[E, V any](p *core.Problem[E, V], d field.Domain[E]) (s sums[V], err error) {
	f := p.F
	w, err := core.Powers[E](p.M, f, &d.Root, d.N)
	if err != nil {
		return s, err
	}
	at := func(e int) *E { return &w[e%d.N] }
	half := core.Int[E](f, 2)
	s.halves = f.Inv(&half, &half) == nil
	h := d.N / 2
	count := 1 + (d.N-1)*(d.N-1)
	if s.halves {
		count = 1 + 2*h*h
	}
	factors := append(make([]E, 0, count), core.Int[E](f, 1))
	add := func(set func(z *E)) {
		var z E
		set(&z)
		factors = append(factors, z)
	}
	for k := 1; s.halves && k <= h; k++ {
		if err := p.M.Err(); err != nil {
			return s, err
		}
		for j := 1; j <= h; j++ {
			add(func(z *E) { f.Add(z, at(j*k), at(d.N*k-j*k)); f.Mul(z, z, &half) })
		}
		for j := 1; j <= h; j++ {
			add(func(z *E) { f.Sub(z, at(j*k), at(d.N*k-j*k)); f.Mul(z, z, &half) })
		}
	}
	for k := 1; !s.halves && k < d.N; k++ {
		if err := p.M.Err(); err != nil {
			return s, err
		}
		for j := 1; j < d.N; j++ {
			add(func(z *E) { f.Set(z, at(j*k)) })
		}
	}
	if s.Table, err = f.Table(factors); err != nil || core.IsOne(f, &d.Shift) {
		return s, err
	}
	powers, err := core.Powers[E](p.M, f, &d.Shift, d.N)
	if err != nil {
		return s, err
	}
	s.shift, err = f.Table(powers)
	return s, err
}

func (c *prime[E, V]) Forward(w *core.Watch, v V, width int, canonical bool) {
	if s := c.forward.shift; s != nil {
		s.Scale(v, 0, c.q, width, width)
	}
	c.all(w, &c.forward, v, width)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *prime[E, V]) Inverse(w *core.Watch, v V, width int, by field.Table[V], canonical bool) {
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

// all takes chunks of columns.
func (c *prime[E, V]) all(w *core.Watch, s *sums[V], v V, width int) {
	r := c.scratch.get((c.q + spare) * min(c.chunk, width))
	for i := 0; i < width; i += c.chunk {
		n := min(c.chunk, width-i)
		x := rowsOf[E, V]{c.f, r.v, n}
		out := c.f.Slice(v, i, (c.q-1)*width+i+n)
		c.f.Copy(r.v, out, field.Copy{Rows: c.q, Width: n, Dst: n, Src: width})
		store := func(k, from int) {
			c.f.Copy(c.f.Slice(v, k*width+i, k*width+i+n), x.row(from), field.Copy{Rows: 1, Width: n})
		}
		if s.halves {
			c.symmetric(w, s, x, store)
		} else {
			c.direct(w, s, x, store)
		}
	}
	c.scratch.put(r)
}

func (c *prime[E, V]) symmetric(w *core.Watch, s *sums[V], x rowsOf[E, V], store func(k, from int)) {
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

func (c *prime[E, V]) direct(w *core.Watch, s *sums[V], x rowsOf[E, V], store func(k, from int)) {
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
type rowsOf[E, V any] struct {
	f field.Bulk[E, V]
	v V
	n int
}

func (x rowsOf[E, V]) row(i int) V { return x.f.Slice(x.v, i*x.n, (i+1)*x.n) }

func (x rowsOf[E, V]) copy(to, from int) {
	x.f.Copy(x.row(to), x.row(from), field.Copy{Rows: 1, Width: x.n})
}

// radix2 maps rows i < j to x_i + wx_j and x_i − wx_j, w the factor at place at.
func (x rowsOf[E, V]) radix2(s *sums[V], i, j, at int) {
	s.Radix2(x.f.Slice(x.v, i*x.n, (j+1)*x.n), field.Layer{Off: at, Blocks: 1, Half: 1, Width: x.n, Stride: (j - i) * x.n})
}

// add adds the product of row j and the factor at place at to row i, by way of row term.
func (x rowsOf[E, V]) add(s *sums[V], i, j, term, at int) {
	x.copy(term, j)
	x.radix2(s, i, term, at)
}

func (c *prime[E, V]) Sizes() []int { return []int{c.q} }

func (c *prime[E, V]) Bytes() int {
	b := c.forward.Bytes() + c.inverse.Bytes()
	for _, s := range []field.Table[V]{c.forward.shift, c.inverse.shift} {
		if s != nil {
			b += s.Bytes()
		}
	}
	return b
}

func (c *prime[E, V]) Scratch(width int) int {
	return c.f.VecBytes((c.q + spare) * min(c.chunk, width))
}
