package base

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// bluestein is DFT_n as a correlation, by cyclic convolutions of a length L ≥ 2n − 1, a power of two. With T(m) = m(m−1)/2, jk
// is T(j+k) − T(j) − T(k), so that
//
//	X_k = w^−T(k) · Σ_j (x_j·s^j·w^−T(j)) · w^T(j+k),
//
// for which no root of order 2n is needed (L. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970), with T in place of m²/2).
type bluestein[E, V any] struct {
	f                field.Bulk[E, V]
	n, l, chunk      int     // columns that are taken together
	cyclic           Case[V] // of length L; nil where convolutions are the field's own
	forward, inverse chirp[V]
	reverse          []int32 // n − 1, …, 1
	zeros            V       // a row
	scratch          *scratch[V]
}

// chirp is the factors of one direction.
type chirp[V any] struct {
	in, out field.Table[V] // s^j·w^−T(j) for j = 0, n − 1, …, 1, and w^−T(k)
	by      convolution[V] // by w^T(m), m < 2n − 1
}

// convolution takes L rows of so many columns to their cyclic convolutions by a fixed one.
type convolution[V any] interface {
	convolve(w *core.Watch, v V, columns int)
	Bytes() int
	Scratch(columns int) int
}

// convolutionLen is the length L for n.
func convolutionLen(n int) int {
	l := 1
	for l < 2*n-1 {
		l *= 2
	}
	return l
}

// newBluestein takes the field's own roots of order L where it has them, and its convolutions over the integers elsewhere; it
// returns nil where there are neither, and where the definition takes less.
func newBluestein[E, V any](p *core.Problem[E, V], d field.Domain[E], cache *Tables[E, V]) (Case[V], error) {
	if p.D.Roots == nil {
		return nil, nil
	}
	f, l := p.F, convolutionLen(d.N)
	c := &bluestein[E, V]{f: f, n: d.N, l: l, chunk: columnsOf(p, l), scratch: cache.scratch(f)}
	u := field.Domain[E]{N: l}
	f.One(&u.Shift)
	err := p.D.Roots.RootOfUnity(&u.Root, uint64(l))
	conv, ok := p.D.Roots.(field.Convolver[E])
	ok = ok && !p.S.NoPlanner
	through := errors.Is(err, field.ErrNoRoot) && ok && (d.N >= leastThrough || d.N >= leastAlone && d.N == p.D.N)
	switch {
	case err == nil && float64(l)*float64(bits.Len(uint(l))+2) < float64(d.N)*float64(d.N), through:
	case err == nil || errors.Is(err, field.ErrNoRoot):
		return nil, nil
	default:
		return nil, err
	}
	// Of both directions: the factors at input and output, and those between; and the powers in the making.
	if err := p.Take(float64(4*d.N)+2*float64(l), float64(3*d.N)+2*float64(l)); err != nil {
		return nil, err
	}
	var by func(h []E) (convolution[V], error)
	if through {
		integers, err := conv.Convolution(l, false, field.Spec{MemoryLimit: p.M.Left(), Context: p.M.Watch().Context(), Unchecked: true})
		if err != nil {
			return nil, err
		}
		r := integers.Report()
		if err := p.M.Add(r.Tables + 2*r.Vector); err != nil {
			return nil, err
		}
		columns := &sync.Pool{New: func() any { return &column[E, V]{f.Make(l), make([]E, l), integers.NewVec()} }}
		by = func(h []E) (convolution[V], error) { return newThrough(p, integers, columns, h) }
	} else {
		if c.cyclic, err = New(p, u, &Tables[E, V]{room: c.scratch}); err != nil { // a root of its own
			return nil, err
		}
		by = func(h []E) (convolution[V], error) { return newPointwise(p, c.cyclic, h) }
	}
	c.zeros = f.Make(c.chunk)
	c.reverse = make([]int32, 0, d.N-1)
	for j := d.N - 1; j > 0; j-- {
		c.reverse = append(c.reverse, int32(j-1))
	}
	inv, err := core.InvertDomain[E](f, d)
	if err != nil {
		return nil, err
	}
	one := core.Int[E](f, 1)
	if c.forward, err = c.newChirp(p.M, d, &d.Shift, &one, by); err == nil {
		c.inverse, err = c.newChirp(p.M, inv, &one, &inv.Shift, by)
	}
	return c, err
}

// newChirp makes the factors for the root of d, with the powers of before at the input and those of after at the output.
func (c *bluestein[E, V]) newChirp(m *core.Making, d field.Domain[E], before, after *E, by func(h []E) (convolution[V], error)) (t chirp[V], err error) {
	f, n := c.f, c.n
	w, err := core.Powers[E](m, f, &d.Root, n)
	if err != nil {
		return t, err
	}
	at := func(m int) *E { return &w[triangle(m, n)] }
	weight := func(m int) *E { return &w[(n-triangle(m, n))%n] }
	in, err := core.Powers[E](m, f, before, n)
	if err != nil {
		return t, err
	}
	out, err := core.Powers[E](m, f, after, n)
	if err != nil {
		return t, err
	}
	for m := range n {
		f.Mul(&in[m], &in[m], weight(m))
		f.Mul(&out[m], &out[m], weight(m))
	}
	for i, j := 1, n-1; i < j; i, j = i+1, j-1 {
		in[i], in[j] = in[j], in[i]
	}
	if t.in, err = f.Table(in); err != nil {
		return t, err
	}
	if t.out, err = f.Table(out); err != nil {
		return t, err
	}
	h := make([]E, c.l)
	for m := range 2*n - 1 {
		f.Set(&h[m], at(m))
	}
	t.by, err = by(h)
	return t, err
}

// triangle returns m(m−1)/2 modulo n, for 0 ≤ m < 2n.
func triangle(m, n int) int {
	t := uint64(m) * uint64(max(0, m-1)) / 2 // no slice has the 2^32 elements that would make this overflow
	return int(t % uint64(n))
}

func (c *bluestein[E, V]) Forward(w *core.Watch, v V, width int, canonical bool) {
	c.run(w, &c.forward, v, width)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *bluestein[E, V]) Inverse(w *core.Watch, v V, width int, by field.Table[V], canonical bool) {
	c.run(w, &c.inverse, v, width)
	if by != nil {
		by.Scale(v, 0, 1, c.n*width, c.n*width)
	}
	if canonical {
		c.f.Reduce(v)
	}
}

// run takes a chunk of columns at a time, in L rows. The correlation has x_j at row −j, and the rest 0.
func (c *bluestein[E, V]) run(w *core.Watch, t *chirp[V], v V, width int) {
	chunk := min(c.chunk, width)
	r := c.scratch.get(c.l * chunk)
	for i := 0; i < width && !w.Stopped(); i += chunk {
		n := min(chunk, width-i)
		x, zeros := c.f.Slice(r.v, 0, c.l*n), c.f.Slice(c.zeros, 0, n)
		last := c.f.Slice(x, (c.l-c.n+1)*n, c.l*n)
		part := c.f.Slice(v, i, (c.n-1)*width+i+n)
		c.f.Copy(x, part, field.Copy{Rows: 1, Width: n})
		c.f.Copy(last, c.f.Slice(part, width, (c.n-1)*width+n), field.Copy{Rows: c.n - 1, Width: n, Dst: n, Src: width, RowPerm: c.reverse})
		for j := 1; j <= c.l-c.n; j++ {
			c.f.Copy(c.f.Slice(x, j*n, (j+1)*n), zeros, field.Copy{Rows: 1, Width: n})
		}
		t.in.Scale(x, 0, 1, n, n)
		t.in.Scale(last, 1, c.n-1, n, n)
		t.by.convolve(w, x, n)
		t.out.Scale(x, 0, c.n, n, n)
		c.f.Copy(part, x, field.Copy{Rows: c.n, Width: n, Dst: width, Src: n})
	}
	c.scratch.put(r)
}

// form says what makes the convolutions, for reports.
func (c *bluestein[E, V]) form() string {
	by := "transforms"
	if t, ok := c.forward.by.(*through[E, V]); ok {
		by = t.c.Report().Form
	}
	return fmt.Sprintf("Bluestein's algorithm, convolutions of length %d by %s", c.l, by)
}

func (c *bluestein[E, V]) Sizes() []int { return []int{c.n} }

func (c *bluestein[E, V]) Bytes() int {
	b := 4*len(c.reverse) + c.f.VecBytes(c.chunk)
	if c.cyclic != nil {
		b += c.cyclic.Bytes()
	}
	for _, t := range []*chirp[V]{&c.forward, &c.inverse} {
		b += t.in.Bytes() + t.out.Bytes() + t.by.Bytes()
	}
	if t, ok := c.forward.by.(*through[E, V]); ok {
		b += t.c.Report().Tables // of both directions
	}
	return b
}

func (c *bluestein[E, V]) Scratch(width int) int {
	chunk := min(c.chunk, width)
	return c.f.VecBytes(c.l*chunk) + c.forward.by.Scratch(chunk)
}

// pointwise is a convolution by the products of values at the L-th roots of unity.
type pointwise[V any] struct {
	l      int
	cyclic Case[V]
	values field.Table[V] // by L, in the order of the case
}

func newPointwise[E, V any](p *core.Problem[E, V], cyclic Case[V], h []E) (*pointwise[V], error) {
	f := p.F
	scale := core.Int[E](f, len(h))
	if err := f.Inv(&scale, &scale); err != nil {
		return nil, err
	}
	for i := range h {
		f.Mul(&h[i], &h[i], &scale)
	}
	v := f.Make(len(h))
	f.Pack(v, h)
	cyclic.Forward(p.M.Watch(), v, 1, true)
	f.Unpack(h, v)
	t, err := f.Table(h)
	return &pointwise[V]{len(h), cyclic, t}, errors.Join(err, p.M.Err())
}

func (c *pointwise[V]) convolve(w *core.Watch, v V, columns int) {
	c.cyclic.Forward(w, v, columns, false)
	c.values.Scale(v, 0, c.l, columns, columns)
	c.cyclic.Inverse(w, v, columns, nil, false)
}

func (c *pointwise[V]) Bytes() int { return c.values.Bytes() }

func (c *pointwise[V]) Scratch(columns int) int { return c.cyclic.Scratch(columns) }

// The least n for which convolutions over the integers are faster than the definition on wide rows, and than that of a transform
// of n points alone, by BenchmarkPrimeLengths.
const (
	leastThrough = 200
	leastAlone   = 50
)

// through is a convolution by the field's own, column by column.
type through[E, V any] struct {
	f    field.Bulk[E, V]
	l    int
	c    field.Convolution[E]
	h    field.Vec  // the values of the fixed factor
	pool *sync.Pool // *column[E, V], of both directions
}

// column is one column: in working form, as elements, and as the convolution has it.
type column[E, V any] struct {
	v V
	x []E
	c field.Vec
}

func newThrough[E, V any](p *core.Problem[E, V], c field.Convolution[E], columns *sync.Pool, h []E) (*through[E, V], error) {
	t := &through[E, V]{f: p.F, l: len(h), c: c, h: c.NewVec(), pool: columns}
	if err := c.Load(t.h, h); err != nil {
		return nil, err
	}
	return t, c.ForwardVec(p.M.Watch().Context(), t.h)
}

func (t *through[E, V]) convolve(w *core.Watch, v V, count int) {
	r := t.pool.Get().(*column[E, V])
	for i := 0; i < count && !w.Stopped(); i++ {
		x := t.f.Slice(v, i, (t.l-1)*count+i+1)
		t.f.Copy(r.v, x, field.Copy{Rows: t.l, Width: 1, Dst: 1, Src: count})
		t.f.Unpack(r.x, r.v)
		w.Failed(t.times(w.Context(), r))
		t.f.Pack(r.v, r.x)
		t.f.Copy(x, r.v, field.Copy{Rows: t.l, Width: 1, Dst: count, Src: 1})
	}
	t.pool.Put(r)
}

// times sets r.x to the product of itself and the fixed factor. It fails where the context ends.
func (t *through[E, V]) times(ctx context.Context, r *column[E, V]) error {
	if err := t.c.Load(r.c, r.x); err != nil {
		return err
	}
	if err := t.c.ForwardVec(ctx, r.c); err != nil {
		return err
	}
	if err := t.c.MulVec(r.c, r.c, t.h); err != nil {
		return err
	}
	if err := t.c.InverseVec(ctx, r.c); err != nil {
		return err
	}
	return t.c.Store(r.x, r.c)
}

// Bytes is the memory of h; that of the convolution counts once for both directions.
func (t *through[E, V]) Bytes() int { return t.c.Report().Vector }

// Scratch is that of the convolution, and a column.
func (t *through[E, V]) Scratch(int) int {
	r := t.c.Report()
	return r.Scratch + r.Vector + t.f.VecBytes(t.l) + field.Slices[E]{}.VecBytes(t.l)
}
