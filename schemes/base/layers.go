package base

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// layers is the transform by passes over whole layers. Seen as polynomial arithmetic it is a remainder tree:
// the root stands for x^N − s^N, the block at place b of depth d for x^h − z with h = N/2^d, and a layer splits
// every x^(2h) − z² into x^h − z and x^h + z, with z = s^h·w_N^(h·rev(b)).
//
// Without a shift z depends on b alone, so that all depths use a prefix of one table of N/2 factors. With a
// shift the factor of block b at depth d stands at 2^d + b, in a table of N. In both layouts the children of
// the factor at i stand at 2i and 2i+1, so that only the root's place differs: 0 or 1.
type layers[V any] struct {
	n, first int
	reduce   func(v V)
	cache    int
	forward  passes[V]
	inverse  passes[V]
	slice    func(v V, i, j int) V
}

// passes is a table with what it offers.
type passes[V any] struct {
	field.Table[V]
	high      field.HighRadix[V] // nil: none
	maxLayers int                // of a pass
	tail      field.Tail[V]      // nil: none
	tailSize  int                // 1: none
}

func newPasses[E, V any](f field.Bulk[E, V], w []E) (p passes[V], err error) {
	p.maxLayers, p.tailSize = 1, 1
	if p.Table, err = f.Table(w); err != nil {
		return p, err
	}
	if p.high, _ = p.Table.(field.HighRadix[V]); p.high != nil {
		p.maxLayers = p.high.MaxLayers()
	}
	if p.tail, _ = p.Table.(field.Tail[V]); p.tail != nil {
		p.tailSize = p.tail.TailSize()
	}
	return p, nil
}

// HighRadix reports whether f has passes of high radix.
func HighRadix[E, V any](f field.Bulk[E, V]) bool {
	t, err := f.Table([]E{core.Int[E](f, 1)})
	_, ok := t.(field.HighRadix[V])
	return ok && err == nil
}

// Tables holds the tables of cyclic cases by length, both directions, so that equal factors of a length
// share them. The zero value is empty; it serves the making of one plan, of one root.
type Tables[E, V any] struct{ pair map[int][2]passes[V] }

func (t *Tables[E, V]) cyclic(f field.Bulk[E, V], d, inv field.Domain[E]) (p [2]passes[V], err error) {
	p, ok := t.pair[d.N]
	if ok {
		return p, nil
	}
	for i, w := range []*E{&d.Root, &inv.Root} {
		a := core.Powers[E](f, w, max(1, d.N/2))
		field.Slices[E]{}.Reorder(a, len(a), 0, 1)
		if p[i], err = newPasses(f, a); err != nil {
			return p, err
		}
	}
	if t.pair == nil {
		t.pair = make(map[int][2]passes[V])
	}
	t.pair[d.N] = p
	return p, nil
}

func newLayers[E, V any](p *core.Problem[E, V], d field.Domain[E], cache *Tables[E, V]) (Case[V], error) {
	f := p.F
	inv, err := core.InvertDomain[E](f, d)
	if err != nil {
		return nil, err
	}
	c := &layers[V]{n: d.N, cache: p.S.Cache, slice: f.Slice, reduce: f.Reduce}
	if core.IsOne(f, &d.Shift) {
		pair, err := cache.cyclic(f, d, inv)
		c.forward, c.inverse = pair[0], pair[1]
		return c, err
	}
	c.first = 1
	if c.forward, err = newPasses(f, cosetTree[E](f, d)); err == nil {
		c.inverse, err = newPasses(f, cosetTree[E](f, inv))
	}
	return c, err
}

// cosetTree returns the factor of block b at depth k at 2^k + b.
func cosetTree[E any](f field.Field[E], d field.Domain[E]) []E {
	w := core.Powers(f, &d.Root, max(1, d.N/2))
	field.Slices[E]{}.Reorder(w, len(w), 0, 1)
	t := make([]E, max(2, d.N))
	f.One(&t[0]) // no block; any value serves
	f.One(&t[1])
	for depth := 1; depth < d.N; depth *= 2 {
		s := core.Pow(f, &d.Shift, d.N/(2*depth))
		for b := range depth {
			f.Mul(&t[depth+b], &w[b], &s)
		}
	}
	return t
}

func (c *layers[V]) Forward(v V, width int, canonical bool) {
	c.down(v, c.first, 1, c.n, width, canonical)
	if canonical && c.forward.end(c.n, width) == 1 {
		c.reduce(v)
	}
}

func (c *layers[V]) Inverse(v V, width int) { c.up(v, c.first, 1, c.n, width) }

// top returns the number of parts into which the first pass over elements splits a transform that does not fit in
// cache; 1: it does. The pass goes by columns of one element in each part, and the parts are transforms of their own.
func (c *layers[V]) top() (parts int) {
	if layers, big := c.plan(&c.forward, c.n, 1); big {
		return 1 << layers
	}
	return 1
}

// columns is the first pass of the forward transform, or the last of the inverse, on columns from to to.
func (c *layers[V]) columns(v V, from, to int, forward bool) {
	parts := c.top()
	row := c.n / parts
	p, layers := &c.forward, bits.Len(uint(parts))-1
	l := field.NewLayer(c.first, 1, 1, to-from, row)
	v = c.slice(v, from, c.n-row+to)
	switch {
	case forward && layers == 1:
		p.Radix2(v, l)
	case forward:
		p.high.Layers(v, l, layers)
	case layers == 1:
		c.inverse.Radix2T(v, l)
	default:
		c.inverse.high.LayersT(v, l, layers)
	}
}

// part is the forward or the inverse transform of part i, which v is.
func (c *layers[V]) part(v V, i int, forward, canonical bool) {
	parts := c.top()
	at, rows := c.first*parts+i, c.n/parts
	if !forward {
		c.up(v, at, 1, rows, 1)
		return
	}
	c.down(v, at, 1, rows, 1, canonical)
	if canonical && c.forward.end(rows, 1) == 1 {
		c.reduce(v)
	}
}

func (c *layers[V]) Sizes() []int { return []int{c.n} }
func (c *layers[V]) Bytes() int   { return c.forward.Bytes() + c.inverse.Bytes() }

// end is the size of the blocks that layers leave to the tail.
func (p *passes[V]) end(rows, width int) int {
	if width == 1 && rows >= p.tailSize {
		return p.tailSize
	}
	return 1
}

// next returns the number of layers that the next pass takes of those left. Blocks that do not fit in cache take as
// many as they can; in cache the passes share the layers evenly.
func (p *passes[V]) next(left int, big bool) int {
	if big {
		return min(left, p.maxLayers)
	}
	return left / ((left + p.maxLayers - 1) / p.maxLayers)
}

// plan returns, for a subtree of rows, the layers of the first pass, 0 where only a tail is left, and whether its parts
// are to be taken one by one, so that each comes to fit in cache.
func (c *layers[V]) plan(p *passes[V], rows, width int) (layers int, big bool) {
	left := bits.Len(uint(rows)) - bits.Len(uint(p.end(rows, width)))
	if left == 0 {
		return 0, false
	}
	big = rows*width > c.cache
	return p.next(left, big), big
}

// down runs the layers of blocks of rows, the first of which has its factor at place at. Big blocks come alone.
func (c *layers[V]) down(v V, at, blocks, rows, width int, canonical bool) {
	p := &c.forward
	layers, big := c.plan(p, rows, width)
	if layers == 0 {
		if size := p.end(rows, width); size > 1 {
			p.tail.Tail(v, at*(rows/size), blocks*(rows/size), canonical)
		}
		return
	}
	part := rows >> layers
	l := field.NewLayer(at, blocks, part, width, width)
	if layers == 1 {
		p.Radix2(v, l)
	} else {
		p.high.Layers(v, l, layers)
	}
	if !big {
		c.down(v, at<<layers, blocks<<layers, part, width, canonical)
		return
	}
	for i := range 1 << layers {
		c.down(c.slice(v, i*part*width, (i+1)*part*width), at<<layers+i, 1, part, width, canonical)
	}
}

// up is the transpose of down.
func (c *layers[V]) up(v V, at, blocks, rows, width int) {
	p := &c.inverse
	layers, big := c.plan(p, rows, width)
	if layers == 0 {
		if size := p.end(rows, width); size > 1 {
			p.tail.TailT(v, at*(rows/size), blocks*(rows/size))
		}
		return
	}
	part := rows >> layers
	if big {
		for i := range 1 << layers {
			c.up(c.slice(v, i*part*width, (i+1)*part*width), at<<layers+i, 1, part, width)
		}
	} else {
		c.up(v, at<<layers, blocks<<layers, part, width)
	}
	l := field.NewLayer(at, blocks, part, width, width)
	if layers == 1 {
		p.Radix2T(v, l)
	} else {
		p.high.LayersT(v, l, layers)
	}
}
