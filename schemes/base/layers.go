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
	cache    int
	forward  passes[V]
	inverse  passes[V]
	slice    func(v V, i, j int) V
}

// passes is a table with what it offers.
type passes[V any] struct {
	field.Table[V]
	radix4   field.Radix4[V] // nil: none
	tail     field.Tail[V]   // nil: none
	tailSize int             // 1: none
}

func newPasses[E, V any](f field.Bulk[E, V], w []E) (p passes[V], err error) {
	p.tailSize = 1
	if p.Table, err = f.Table(w); err != nil {
		return p, err
	}
	p.radix4, _ = p.Table.(field.Radix4[V])
	if p.tail, _ = p.Table.(field.Tail[V]); p.tail != nil {
		p.tailSize = p.tail.TailSize()
	}
	return p, nil
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
		field.Slices[E]{}.Reorder(a, len(a))
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
	c := &layers[V]{n: d.N, cache: p.S.Cache, slice: f.Slice}
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
	field.Slices[E]{}.Reorder(w, len(w))
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

func (c *layers[V]) Forward(v V, width int) { c.down(v, c.first, c.n, width) }
func (c *layers[V]) Inverse(v V, width int) { c.up(v, c.first, c.n, width) }
func (c *layers[V]) Sizes() []int           { return []int{c.n} }
func (c *layers[V]) Bytes() int             { return c.forward.Bytes() + c.inverse.Bytes() }

// end is the size of the blocks that layers leave to the tail.
func (p *passes[V]) end(rows, width int) int {
	if width == 1 && rows >= p.tailSize {
		return p.tailSize
	}
	return 1
}

// radix is that of the next pass over blocks of rows. Two layers go together; an odd one goes first, while
// everything is in cache.
func (p *passes[V]) radix(layers int, big bool) int {
	if p.radix4 == nil || layers < 2 || !big && layers%2 == 1 {
		return 2
	}
	return 4
}

// down runs the layers of the subtree whose factor stands at place at.
func (c *layers[V]) down(v V, at, rows, width int) {
	p := &c.forward
	end := p.end(rows, width)
	for blocks := 1; ; {
		layers := bits.Len(uint(rows)) - bits.Len(uint(end))
		if layers == 0 {
			if end > 1 {
				p.tail.Tail(v, at, blocks)
			}
			return
		}
		big := rows*width > c.cache
		radix := p.radix(layers, big)
		if radix == 4 {
			p.radix4.Radix4(v, field.NewLayer(at, blocks, rows/4, width, width))
		} else {
			p.Radix2(v, field.NewLayer(at, blocks, rows/2, width, width))
		}
		rows, at = rows/radix, at*radix
		if big { // the parts one by one, so that each comes to fit in cache
			for i := range radix {
				c.down(c.slice(v, i*rows*width, (i+1)*rows*width), at+i, rows, width)
			}
			return
		}
		blocks *= radix
	}
}

// up is the transpose of down.
func (c *layers[V]) up(v V, at, rows, width int) {
	p := &c.inverse
	if big := rows*width > c.cache; big && rows > p.end(rows, width) {
		radix := p.radix(bits.Len(uint(rows))-bits.Len(uint(p.end(rows, width))), big)
		part := rows / radix
		for i := range radix {
			c.up(c.slice(v, i*part*width, (i+1)*part*width), at*radix+i, part, width)
		}
		c.join(v, at, 1, part, radix, width)
		return
	}
	size := p.end(rows, width)
	layers := bits.Len(uint(rows)) - bits.Len(uint(size))
	if size > 1 {
		p.tail.TailT(v, at*(rows/size), rows/size)
	}
	for ; layers > 0; layers = bits.Len(uint(rows)) - bits.Len(uint(size)) {
		radix := 4
		if p.radix4 == nil || layers == 1 {
			radix = 2
		}
		blocks := rows / size / radix
		c.join(v, at*blocks, blocks, size, radix, width)
		size *= radix
	}
}

// join makes blocks of radix·part rows out of parts.
func (c *layers[V]) join(v V, at, blocks, part, radix, width int) {
	if radix == 4 {
		c.inverse.radix4.Radix4T(v, field.NewLayer(at, blocks, part, width, width))
	} else {
		c.inverse.Radix2T(v, field.NewLayer(at, blocks, part, width, width))
	}
}
