package bluestein

import (
	"errors"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/internal/cases"
)

// bluestein is DFT_n, n odd, by cyclic convolutions of length L, a power of two. With Q(m) = m²/2 modulo n, jk is
// Q(j) + Q(k) − Q(k−j), so that
//
//	X_k = w^Q(k) · Σ_j (x_j·s^j·w^Q(j)) · w^−Q(k−j)
//
// (L. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970)). The values may come in parts, each by a convolution of
// its own: n elements and m values need L ≥ n + m − 1. The inverse is the same sum, whose X_k stands at place n − k, so
// that both directions have one chirp. There s^−(n−k) is s^k, over s^n, so that they have the same factors as well.
type bluestein struct {
	f           bulks.Bulk
	n, l, share int           // share values are a part, but for the last
	rows        int           // of scratch
	chunk       int           // columns that are taken together
	cyclic      cases.Case    // of length L; nil where convolutions are the field's own, and in phases
	inner       engine.Scheme // of length L, in phases; nil where convolutions are the field's own
	values      []bulks.Table // those of the chirp at the L-th roots of unity for each part, over L where cyclic is
	through     *through      // the field's own convolutions, one of which may have the chirp of two parts; or nil
	factors     bulks.Table   // w^Q(k)
	shifted     bulks.Table   // s^j·w^Q(j); factors where s is 1
	back        bulks.Table   // s^−n; nil where s is 1
	reverse     []int32       // n − 2, …, 0
	zeros       engine.View   // a row
	scratch     *cases.Scratch
}

// newBluestein makes a case, or where build is not nil, which makes the scheme of its transforms, what the phases of
// Shared need.
func newBluestein(b *cases.Build, d engine.Domain, build engine.Builder) (*bluestein, error) {
	p, how := b.Problem, b.C.Primes[d.N]
	f, by := p.F, choice.ConvolutionOf(d.N)
	factors, values := float64(d.N), 0.0
	if d.Shifted() {
		factors *= 2
	}
	if how == choice.ByRoots {
		values = float64(by.Len) * float64(by.Parts)
	}
	if err := p.Take(factors+values, passing(d.N, by.Len)); err != nil {
		return nil, err
	}
	c := &bluestein{f: f, n: d.N, l: by.Len, share: (d.N + by.Parts - 1) / by.Parts, rows: by.Len * min(2, by.Parts),
		scratch: b.Scratch}
	if how == choice.ByField {
		c.rows = c.n
	}
	c.chunk = columnsOf(p, c.rows)
	add, err := c.convolutions(b, d, how, build)
	if err != nil {
		return nil, err
	}
	if build != nil {
		c.chunk = shareOf(c.l)
	}
	if c.zeros, err = f.Make(c.chunk); err != nil {
		return nil, err
	}
	c.reverse = make([]int32, 0, d.N-1)
	for j := d.N - 2; j >= 0; j-- {
		c.reverse = append(c.reverse, int32(j))
	}
	powers, err := engine.Powers(p, d.Exponents, engine.Factor{Root: d.Root}, d.N)
	if err != nil {
		return nil, err
	}
	chirps := by.Parts
	if c.through != nil {
		chirps = c.through.chirps
	}
	for i := range chirps {
		if err := p.M.Err(); err != nil {
			return nil, err
		}
		h, err := c.chirp(powers, i*c.share)
		if err == nil {
			err = add(h)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, c.newFactors(p, d, powers)
}

// passing is the elements of the making, for n values by convolutions of length l: the powers, a vector of factors, and
// a part of the chirp.
func passing(n, l int) float64 { return 2*float64(n) + 2*float64(l) }

// convolutions makes what they need, and returns the function that adds the chirp of the next part.
func (c *bluestein) convolutions(b *cases.Build, d engine.Domain, how choice.Prime, build engine.Builder) (
	add func(h engine.View) error, err error) {
	p := b.Problem
	if how == choice.ByField {
		s := field.Spec{MemoryLimit: p.M.Left(), Context: p.M.Watch().Context(), Unchecked: true, Terms: d.N}
		if build != nil {
			s.Workers, s.Grain, s.Runner = p.S.Workers, p.S.Grain, p.S.Runner
		}
		if c.through, err = newThrough(p, d, c.l, c.share, s); err != nil {
			return nil, err
		}
		add = func(h engine.View) error { return c.through.add(p.M, h) }
		r := c.through.c.Report()
		if err := p.M.Add(r.Tables + c.through.chirps*r.Vector); err != nil {
			return nil, err
		}
		return add, p.Take(0, passing(d.N, c.l)) // beside what the convolutions take
	}
	u, err := d.Roots(c.l)
	if err != nil {
		return nil, err
	}
	var values func(h engine.View) error // in place of h
	if build != nil {
		inside, err := p.Inside(u)
		if err != nil {
			return nil, err
		}
		if c.inner, err = build(inside); err != nil {
			return nil, err
		}
		values = func(h engine.View) error { return valuesOf(p, c.inner, h) }
	} else {
		if c.cyclic, err = b.Apart(u); err != nil { // a root of its own
			return nil, err
		}
		values = func(h engine.View) error {
			w := p.M.Watch()
			c.cyclic.Forward(w, h, 1, true)
			return w.Err()
		}
	}
	over, err := u.Factors(engine.Factor{Over: c.l})
	if err != nil {
		return nil, err
	}
	scale, err := p.F.Table(over, bulks.Alone)
	return func(h engine.View) error {
		if c.cyclic != nil {
			scale.Scale(h, 0, 1, h.N, h.N)
		}
		if err := values(h); err != nil {
			return err
		}
		t, err := p.Table(h)
		c.values = append(c.values, t)
		return errors.Join(err, p.M.Err())
	}, err
}

// chirp returns w^−Q(m) for first − n < m < first + share, at place m − first modulo L, of the powers of w. The rest
// is 0.
func (c *bluestein) chirp(powers engine.View, first int) (engine.View, error) {
	h, err := c.f.Make(c.l)
	if err != nil {
		return h, err
	}
	at := func(m int) int { return (c.n - halfSquare(m, c.n)) % c.n }
	c.gather(h.Slice(0, c.share), powers, func(i int) int { return at(first + i) })
	c.gather(h.Slice(c.l-c.n+1, c.l), powers, func(i int) int { return at(first + i + 1) })
	return h, nil
}

// gather sets the elements of v to those at(0), at(1), … of another vector.
func (c *bluestein) gather(v, from engine.View, at func(i int) int) {
	places := make([]int32, v.N)
	for i := range places {
		places[i] = int32(at(i))
	}
	c.f.Copy(v, from, bulks.Copy{Rows: v.N, Width: 1, Dst: 1, Src: 1, RowPerm: places})
}

// newFactors makes the tables of factors.
func (c *bluestein) newFactors(p *engine.Problem, d engine.Domain, powers engine.View) error {
	q, err := c.f.Make(c.n)
	if err != nil {
		return err
	}
	c.gather(q, powers, func(m int) int { return halfSquare(m, c.n) })
	if c.factors, err = p.Table(q); err != nil {
		return err
	}
	c.shifted = c.factors
	if !d.Shifted() {
		return p.M.Err()
	}
	v, err := engine.Powers(p, d.Exponents, engine.Factor{Shift: d.Shift}, c.n)
	if err != nil {
		return err
	}
	c.factors.Scale(v, 0, c.n, 1, 1)
	c.f.Reduce(v)
	if c.shifted, err = p.Table(v); err != nil {
		return err
	}
	back, err := d.Factors(engine.Factor{Shift: -d.Shift * int64(c.n)})
	if err != nil {
		return err
	}
	c.back, err = c.f.Table(back, bulks.Alone)
	return errors.Join(err, p.M.Err())
}

// halfSquare returns m²/2 modulo n, for an odd n below 2^32, of which a slice has fewer elements.
func halfSquare(m, n int) int {
	r := uint64(m % n)
	r = r * r % uint64(n)
	return int(r * uint64(n/2+1) % uint64(n))
}

func (c *bluestein) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.run(w, v, width, false)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *bluestein) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	c.run(w, v, width, true)
	if by != nil {
		by.Scale(v, 0, 1, c.n*width, c.n*width)
	}
	if canonical {
		c.f.Reduce(v)
	}
}

// run takes a chunk of columns at a time, in L rows, and as many for the values of all parts but the last.
func (c *bluestein) run(w *engine.Watch, v engine.View, width int, inverse bool) {
	chunk := min(c.chunk, width)
	r := c.scratch.Get(w, c.rows*chunk)
	if r == nil {
		return
	}
	for i := 0; i < width && !w.Stopped(); i += chunk {
		n := min(chunk, width-i)
		x, part := r.V.Slice(0, c.n*n), v.Slice(i, (c.n-1)*width+i+n)
		c.f.Copy(x, part, rowsTo(n, width, c.n, n))
		c.enter(x, 0, c.n, n, inverse)
		if c.through != nil {
			c.through.convolve(w, x, n)
			c.leave(part, x, 0, c.n, n, width, inverse, false)
			continue
		}
		x = r.V.Slice(0, c.l*n)
		c.clear(x.Slice(c.n*n, x.N), n)
		c.cyclic.Forward(w, x, n, false)
		for j, values := range c.values {
			y := x
			if j < len(c.values)-1 {
				y = r.V.Slice(c.l*n, 2*c.l*n)
				c.f.Copy(y, x, bulks.Copy{Rows: 1, Width: x.N})
			}
			values.Scale(y, 0, c.l, n, n)
			c.cyclic.Inverse(w, y, n, nil, false)
			c.leave(part, y, j*c.share, min(c.n, (j+1)*c.share), n, width, inverse, false)
		}
	}
	c.scratch.Put(r)
}

// enter multiplies rows from to to, which are those of x, of so many columns, by the factors at the input.
func (c *bluestein) enter(x engine.View, from, to, columns int, inverse bool) {
	t := c.shifted
	if inverse {
		t = c.factors
	}
	t.Scale(x, from, to-from, columns, columns)
}

// rowsTo moves rows of so many columns from one distance to another.
func rowsTo(dst, src, rows, columns int) bulks.Copy {
	if dst == columns && src == columns {
		return bulks.Copy{Rows: 1, Width: rows * columns}
	}
	return bulks.Copy{Rows: rows, Width: columns, Dst: dst, Src: src}
}

// clear sets rows of so many columns to 0.
func (c *bluestein) clear(gap engine.View, columns int) {
	c.f.Copy(gap, c.zeros, bulks.Copy{Rows: 1, Width: columns})
	for done := columns; done < gap.N; done *= 2 {
		c.f.Copy(gap.Slice(done, gap.N), gap, bulks.Copy{Rows: 1, Width: min(done, gap.N-done)})
	}
}

// leave multiplies values from to to, which are the first rows of x, of so many columns, by the factors at the output,
// and moves them to v.
func (c *bluestein) leave(v, x engine.View, from, to, columns, width int, inverse, canonical bool) {
	rows, t := to-from, c.factors
	if inverse {
		t = c.shifted
	}
	t.Scale(x, from, rows, columns, columns)
	first := 0 // of those that go back
	if inverse && from == 0 {
		first = 1
	}
	last := x.Slice(first*columns, rows*columns)
	if inverse && c.back != nil {
		c.back.Scale(last, 0, 1, last.N, last.N)
	}
	if canonical {
		c.f.Reduce(x.Slice(0, rows*columns))
	}
	if !inverse {
		c.f.Copy(v.Slice(from*width, (to-1)*width+columns), x, rowsTo(width, columns, rows, columns))
		return
	}
	c.f.Copy(v, x, bulks.Copy{Rows: first, Width: columns, Dst: width, Src: columns})
	if rows -= first; rows > 0 {
		c.f.Copy(v.Slice((c.n-to+1)*width, (c.n-from-first)*width+columns), last, bulks.Copy{Rows: rows, Width: columns,
			Dst: width, Src: columns, RowPerm: c.reverse[len(c.reverse)-rows:]})
	}
}

// Form says what makes the convolutions, for reports.
func (c *bluestein) Form() string {
	by := "transforms"
	if c.through != nil {
		by = c.through.c.Report().Form
	}
	return fmt.Sprintf("Bluestein's algorithm, %s by %s", c.lengths(), by)
}

// lengths says how many convolutions there are, and how long they are.
func (c *bluestein) lengths() string {
	if parts := (c.n + c.share - 1) / c.share; parts > 1 {
		return fmt.Sprintf("%d convolutions of length %d", parts, c.l)
	}
	return fmt.Sprintf("a convolution of length %d", c.l)
}

func (c *bluestein) Passes(int) []string { return []string{"factors", c.lengths(), "factors"} }

func (c *bluestein) Sizes() []int { return []int{c.n} }

func (c *bluestein) Bytes() int {
	b := 4*len(c.reverse) + c.f.Bytes(c.chunk) + c.factors.Bytes()
	if c.back != nil {
		b += c.shifted.Bytes() + c.back.Bytes()
	}
	if c.cyclic != nil {
		b += c.cyclic.Bytes()
	}
	for _, t := range c.values {
		b += t.Bytes()
	}
	if c.through != nil {
		b += c.through.Bytes()
	}
	return b
}

func (c *bluestein) Scratch(width int) int {
	chunk := min(c.chunk, width)
	b := c.f.Bytes(c.rows * chunk)
	if c.through != nil {
		return b + c.through.Scratch(c.n, chunk)
	}
	return b + c.cyclic.Scratch(chunk)
}
