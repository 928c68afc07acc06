package base

import (
	"errors"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// bluestein is DFT_n as a correlation, by cyclic transforms of a length L ≥ 2n − 1, a power of two. With T(m) = m(m−1)/2, jk is
// T(j+k) − T(j) − T(k), so that
//
//	X_k = w^−T(k) · Σ_j (x_j·s^j·w^−T(j)) · w^T(j+k),
//
// for which no root of order 2n is needed (L. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970), with T in place of m²/2).
type bluestein[E, V any] struct {
	f                field.Bulk[E, V]
	n, l, chunk      int // columns that are taken together
	cyclic           Case[V]
	forward, inverse chirp[V]
	reverse          []int32 // n − 1, …, 1
	zeros            V       // a row
	scratch          *scratch[V]
}

// chirp is the factors of one direction.
type chirp[V any] struct {
	in, out field.Table[V] // s^j·w^−T(j) for j = 0, n − 1, …, 1, and w^−T(k)
	values  field.Table[V] // of w^T(m) at the L-th roots of unity, by L, in the order of the cyclic case
}

// convolution is the length L for n.
func convolution(n int) int {
	l := 1
	for l < 2*n-1 {
		l *= 2
	}
	return l
}

// newBluestein returns nil where the field has no root of order l.
func newBluestein[E, V any](p *core.Problem[E, V], d field.Domain[E], l int, cache *Tables[E, V]) (Case[V], error) {
	f := p.F
	c := &bluestein[E, V]{f: f, n: d.N, l: l, chunk: columnsOf(p, l), scratch: cache.scratch(f)}
	c.zeros = f.Make(c.chunk)
	u := field.Domain[E]{N: l}
	f.One(&u.Shift)
	if err := p.D.Roots.RootOfUnity(&u.Root, uint64(l)); err != nil {
		if errors.Is(err, field.ErrNoRoot) {
			return nil, nil
		}
		return nil, err
	}
	var err error
	if c.cyclic, err = New(p, u, &Tables[E, V]{room: c.scratch}); err != nil { // a root of its own
		return nil, err
	}
	for j := d.N - 1; j > 0; j-- {
		c.reverse = append(c.reverse, int32(j-1))
	}
	inv, err := core.InvertDomain[E](f, d)
	if err != nil {
		return nil, err
	}
	one := core.Int[E](f, 1)
	if c.forward, err = c.newChirp(d, &d.Shift, &one); err == nil {
		c.inverse, err = c.newChirp(inv, &one, &inv.Shift)
	}
	return c, err
}

// newChirp makes the factors for the root of d, with the powers of before at the input and those of after at the output.
func (c *bluestein[E, V]) newChirp(d field.Domain[E], before, after *E) (t chirp[V], err error) {
	f, n := c.f, c.n
	w := core.Powers[E](f, &d.Root, n)
	at := func(m int) *E { return &w[triangle(m, n)] }
	weight := func(m int) *E { return &w[(n-triangle(m, n))%n] }
	in, out := core.Powers[E](f, before, n), core.Powers[E](f, after, n)
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
	scale := core.Int[E](f, c.l)
	if err := f.Inv(&scale, &scale); err != nil {
		return t, err
	}
	values := make([]E, c.l)
	for m := range 2*n - 1 {
		f.Mul(&values[m], at(m), &scale)
	}
	v := f.Make(c.l)
	f.Pack(v, values)
	c.cyclic.Forward(v, 1, true)
	f.Unpack(values, v)
	t.values, err = f.Table(values)
	return t, err
}

// triangle returns m(m−1)/2 modulo n, for 0 ≤ m < 2n.
func triangle(m, n int) int {
	t := uint64(m) * uint64(max(0, m-1)) / 2 // n fits 32 bits: a vector of Bluestein's has 2n elements
	return int(t % uint64(n))
}

func (c *bluestein[E, V]) Forward(v V, width int, canonical bool) {
	c.run(&c.forward, v, width)
	if canonical {
		c.f.Reduce(v)
	}
}

func (c *bluestein[E, V]) Inverse(v V, width int, by field.Table[V], canonical bool) {
	c.run(&c.inverse, v, width)
	if by != nil {
		by.Scale(v, 0, 1, c.n*width, c.n*width)
	}
	if canonical {
		c.f.Reduce(v)
	}
}

// run takes a chunk of columns at a time, in L rows. The correlation has x_j at row −j, and the rest 0.
func (c *bluestein[E, V]) run(t *chirp[V], v V, width int) {
	chunk := min(c.chunk, width)
	r := c.scratch.get(c.l * chunk)
	for i := 0; i < width; i += chunk {
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
		c.cyclic.Forward(x, n, false)
		t.values.Scale(x, 0, c.l, n, n)
		c.cyclic.Inverse(x, n, nil, false)
		t.out.Scale(x, 0, c.n, n, n)
		c.f.Copy(part, x, field.Copy{Rows: c.n, Width: n, Dst: width, Src: n})
	}
	c.scratch.put(r)
}

func (c *bluestein[E, V]) Sizes() []int { return []int{c.n} }

func (c *bluestein[E, V]) Bytes() int {
	b := c.cyclic.Bytes() + 4*len(c.reverse) + c.f.VecBytes(c.chunk)
	for _, t := range []*chirp[V]{&c.forward, &c.inverse} {
		b += t.in.Bytes() + t.out.Bytes() + t.values.Bytes()
	}
	return b
}
