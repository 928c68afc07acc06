package bluestein

import (
	"errors"
	"fmt"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/internal/cases"
)

// bluestein is DFT_n as a correlation, by cyclic convolutions of a length L ≥ 2n − 1, a power of two. With T(m) =
// m(m−1)/2, jk is T(j+k) − T(j) − T(k), so that
//
//	X_k = w^−T(k) · Σ_j (x_j·s^j·w^−T(j)) · w^T(j+k),
//
// for which no root of order 2n is needed (L. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970), with T in place of
// m²/2).
type bluestein struct {
	f                bulks.Bulk
	n, l, chunk      int           // columns that are taken together
	cyclic           cases.Case    // of length L; nil where convolutions are the field's own, and in phases
	inner            engine.Scheme // of length L, in phases; nil where convolutions are the field's own
	forward, inverse chirp
	reverse          []int32     // n − 1, …, 1
	zeros            engine.View // a row
	scratch          *cases.Scratch
}

// chirp is the factors of one direction.
type chirp struct {
	in, out bulks.Table // s^j·w^−T(j) for j = 0, n − 1, …, 1, and w^−T(k)
	by      convolution // by w^T(m), m < 2n − 1
}

// convolution takes L rows of so many columns to their cyclic convolutions by a fixed one.
type convolution interface {
	convolve(w *engine.Watch, v engine.View, columns int)
	Bytes() int
	Scratch(columns int) int
}

// newBluestein makes a case, or where build is not nil, which makes the scheme of its transforms, what the phases of
// Shared need.
func newBluestein(b *cases.Build, d engine.Domain, build engine.Builder) (*bluestein, error) {
	p, how := b.Problem, b.C.Primes[d.N]
	f, l := p.F, choice.ConvolutionLen(d.N)
	// Of both directions: the factors at input and output, and those between; and the powers in the making.
	if err := p.Take(float64(4*d.N)+2*float64(l), float64(3*d.N)+2*float64(l)); err != nil {
		return nil, err
	}
	c := &bluestein{f: f, n: d.N, l: l, chunk: columnsOf(p, l), scratch: b.Scratch}
	var by func(h engine.View) (convolution, error)
	var err error
	if how == choice.ByField {
		s := field.Spec{MemoryLimit: p.M.Left(), Context: p.M.Watch().Context(), Unchecked: true}
		if build != nil {
			s.Workers, s.Grain, s.Runner = p.S.Workers, p.S.Grain, p.S.Runner
		}
		integers, err := d.Convolution(l, s)
		if err != nil {
			return nil, err
		}
		r := integers.Report()
		if err := p.M.Add(r.Tables + 2*r.Vector); err != nil {
			return nil, err
		}
		rooms := new(sync.Pool)
		by = func(h engine.View) (convolution, error) { return newThrough(p, integers, rooms, h) }
	} else if u, err := d.Roots(l); err != nil {
		return nil, err
	} else if build != nil {
		inside, err := p.Inside(u)
		if err != nil {
			return nil, err
		}
		if c.inner, err = build(inside); err != nil {
			return nil, err
		}
		by = func(h engine.View) (convolution, error) { return newValues(p, c.inner, h) }
	} else {
		if c.cyclic, err = b.Apart(u); err != nil { // a root of its own
			return nil, err
		}
		by = func(h engine.View) (convolution, error) { return newPointwise(p, u, c.cyclic, h) }
	}
	if build != nil {
		c.chunk = shareOf(l)
	}
	if c.zeros, err = f.Make(c.chunk); err != nil {
		return nil, err
	}
	c.reverse = make([]int32, 0, d.N-1)
	for j := d.N - 1; j > 0; j-- {
		c.reverse = append(c.reverse, int32(j-1))
	}
	if c.forward, err = c.newChirp(p, d, d.Shift, 0, by); err == nil {
		c.inverse, err = c.newChirp(p, d.Inverse(), 0, -d.Shift, by)
	}
	return c, err
}

// newChirp makes the factors for the root of d, with the powers of the shift to the exponent before at the input and of
// that to the exponent after at the output.
func (c *bluestein) newChirp(p *engine.Problem, d engine.Domain, before, after int64,
	by func(h engine.View) (convolution, error)) (t chirp, err error) {
	f, n := c.f, c.n
	w, err := engine.Powers(p, d.Exponents, engine.Factor{Root: d.Root}, n)
	if err != nil {
		return t, err
	}
	// gather makes a vector of the size of elements at(0), …, at(count−1) of another, and zeros.
	gather := func(from engine.View, size, count int, at func(m int) int) (engine.View, error) {
		places := make([]int32, count)
		for m := range places {
			places[m] = int32(at(m))
		}
		v, err := f.Make(size)
		if err == nil {
			f.Copy(v, from, bulks.Copy{Rows: count, Width: 1, Dst: 1, Src: 1, RowPerm: places})
		}
		return v, err
	}
	weights := func(shift int64, at func(m int) int) (bulks.Table, error) {
		v, err := gather(w, n, n, func(m int) int { return (n - triangle(at(m), n)) % n })
		if err != nil || shift == 0 {
			return tableOf(f, v, err)
		}
		powers, err := engine.Powers(p, d.Exponents, engine.Factor{Shift: shift}, n)
		if err != nil {
			return nil, err
		}
		if powers, err = gather(powers, n, n, at); err != nil {
			return nil, err
		}
		f.VecMul(v, v, powers)
		f.Reduce(v)
		return f.Table(v, bulks.Alone)
	}
	if t.in, err = weights(before, func(m int) int { return (n - m) % n }); err != nil {
		return t, err
	}
	if t.out, err = weights(after, func(m int) int { return m }); err != nil {
		return t, err
	}
	h, err := gather(w, c.l, 2*n-1, func(m int) int { return triangle(m, n) })
	if err != nil {
		return t, err
	}
	t.by, err = by(h)
	return t, err
}

// tableOf is the table of v, unless there is an error.
func tableOf(f bulks.Bulk, v engine.View, err error) (bulks.Table, error) {
	if err != nil {
		return nil, err
	}
	return f.Table(v, bulks.Alone)
}

// triangle returns m(m−1)/2 modulo n, for 0 ≤ m < 2n.
func triangle(m, n int) int {
	t := uint64(m) * uint64(max(0, m-1)) / 2 // no slice has the 2^32 elements that would make this overflow
	return int(t % uint64(n))
}

func (c *bluestein) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.run(w, &c.forward, v, width)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *bluestein) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	c.run(w, &c.inverse, v, width)
	if by != nil {
		by.Scale(v, 0, 1, c.n*width, c.n*width)
	}
	if canonical {
		c.f.Reduce(v)
	}
}

// run takes a chunk of columns at a time, in L rows. The correlation has x_j at row −j, and the rest 0.
func (c *bluestein) run(w *engine.Watch, t *chirp, v engine.View, width int) {
	chunk := min(c.chunk, width)
	r := c.scratch.Get(w, c.l*chunk)
	if r == nil {
		return
	}
	for i := 0; i < width && !w.Stopped(); i += chunk {
		n := min(chunk, width-i)
		x, zeros := r.V.Slice(0, c.l*n), c.zeros.Slice(0, n)
		last := x.Slice((c.l-c.n+1)*n, c.l*n)
		part := v.Slice(i, (c.n-1)*width+i+n)
		c.f.Copy(x, part, bulks.Copy{Rows: 1, Width: n})
		c.f.Copy(last, part.Slice(width, (c.n-1)*width+n), bulks.Copy{Rows: c.n - 1, Width: n, Dst: n, Src: width,
			RowPerm: c.reverse})
		gap := x.Slice(n, (c.l-c.n+1)*n)
		c.f.Copy(gap, zeros, bulks.Copy{Rows: 1, Width: n})
		for done := n; done < gap.N; done *= 2 {
			c.f.Copy(gap.Slice(done, gap.N), gap, bulks.Copy{Rows: 1, Width: min(done, gap.N-done)})
		}
		t.in.Scale(x, 0, 1, n, n)
		t.in.Scale(last, 1, c.n-1, n, n)
		t.by.convolve(w, x, n)
		t.out.Scale(x, 0, c.n, n, n)
		c.f.Copy(part, x, bulks.Copy{Rows: c.n, Width: n, Dst: width, Src: n})
	}
	c.scratch.Put(r)
}

// Form says what makes the convolutions, for reports.
func (c *bluestein) Form() string {
	by := "transforms"
	if t, ok := c.forward.by.(*through); ok {
		by = t.c.Report().Form
	}
	return fmt.Sprintf("Bluestein's algorithm, convolutions of length %d by %s", c.l, by)
}

func (c *bluestein) Passes(int) []string {
	return []string{"factors", fmt.Sprintf("cyclic convolution of length %d", c.l), "factors"}
}

func (c *bluestein) Sizes() []int { return []int{c.n} }

func (c *bluestein) Bytes() int {
	b := 4*len(c.reverse) + c.f.Bytes(c.chunk)
	if c.cyclic != nil {
		b += c.cyclic.Bytes()
	}
	for _, t := range []*chirp{&c.forward, &c.inverse} {
		b += t.in.Bytes() + t.out.Bytes() + t.by.Bytes()
	}
	if t, ok := c.forward.by.(*through); ok {
		b += t.c.Report().Tables // of both directions
	}
	return b
}

func (c *bluestein) Scratch(width int) int {
	chunk := min(c.chunk, width)
	return c.f.Bytes(c.l*chunk) + c.forward.by.Scratch(chunk)
}

// pointwise is a convolution by the products of values at the L-th roots of unity.
type pointwise struct {
	l      int
	cyclic cases.Case
	values bulks.Table // by L, in the order of the case
}

func newPointwise(p *engine.Problem, u engine.Domain, cyclic cases.Case, h engine.View) (*pointwise, error) {
	l, err := u.Factors(engine.Factor{Over: h.N})
	if err != nil {
		return nil, err
	}
	scale, err := p.F.Table(l, bulks.Alone)
	if err != nil {
		return nil, err
	}
	scale.Scale(h, 0, 1, h.N, h.N)
	w := p.M.Watch()
	cyclic.Forward(w, h, 1, true)
	if err := w.Err(); err != nil {
		return nil, err
	}
	t, err := p.F.Table(h, bulks.Alone)
	return &pointwise{h.N, cyclic, t}, errors.Join(err, p.M.Err())
}

func (c *pointwise) convolve(w *engine.Watch, v engine.View, columns int) {
	c.cyclic.Forward(w, v, columns, false)
	c.values.Scale(v, 0, c.l, columns, columns)
	c.cyclic.Inverse(w, v, columns, nil, false)
}

func (c *pointwise) Bytes() int { return c.values.Bytes() }

func (c *pointwise) Scratch(columns int) int { return c.cyclic.Scratch(columns) }

// through is a convolution by the field's own, column by column.
type through struct {
	f, host bulks.Bulk
	l       int
	c       engine.Convolution
	h       field.Vec  // the values of the fixed factor
	rooms   *sync.Pool // *column, of both directions
}

// column is one column: in working form, as elements, and as the convolution has it.
type column struct {
	v, x engine.View
	c    field.Vec
}

func newThrough(p *engine.Problem, c engine.Convolution, rooms *sync.Pool, h engine.View) (*through, error) {
	t := &through{f: p.F, host: p.D.Host(), l: h.N, c: c, rooms: rooms}
	x, err := t.host.Make(h.N)
	if err != nil {
		return nil, err
	}
	p.F.Unpack(x, h)
	if t.h, err = c.NewVec(); err != nil {
		return nil, err
	}
	return t, c.Fixed(p.M.Watch(), t.h, x)
}

func (t *through) room() (*column, error) {
	if r, ok := t.rooms.Get().(*column); ok {
		return r, nil
	}
	r, err := new(column), error(nil)
	if r.v, err = t.f.Make(t.l); err != nil {
		return nil, err
	}
	if r.x, err = t.host.Make(t.l); err != nil {
		return nil, err
	}
	r.c, err = t.c.NewVec()
	return r, err
}

func (t *through) convolve(w *engine.Watch, v engine.View, count int) {
	r, err := t.room()
	if w.Failed(err) {
		return
	}
	in, out := bulks.Copy{Rows: t.l, Width: 1, Dst: 1, Src: count}, bulks.Copy{Rows: t.l, Width: 1, Dst: count, Src: 1}
	if count == 1 {
		in, out = bulks.Copy{Rows: 1, Width: t.l}, bulks.Copy{Rows: 1, Width: t.l}
	}
	for i := 0; i < count && !w.Stopped(); i++ {
		x := v.Slice(i, (t.l-1)*count+i+1)
		t.f.Copy(r.v, x, in)
		t.f.Unpack(r.x, r.v)
		w.Failed(t.c.Times(w, r.x, r.c, t.h))
		t.f.Pack(r.v, r.x)
		t.f.Copy(x, r.v, out)
	}
	t.rooms.Put(r)
}

// Bytes is the memory of h; that of the convolution counts once for both directions.
func (t *through) Bytes() int { return t.c.Report().Vector }

// Scratch is that of the convolution, and a column.
func (t *through) Scratch(int) int {
	r := t.c.Report()
	return r.Scratch + r.Vector + t.f.Bytes(t.l) + t.host.Bytes(t.l)
}
