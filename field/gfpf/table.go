package gfpf

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
	"github.com/galfft/fft/kernels/digits"
)

// table is multipliers with the passes that use them. Those that are powers of r move digits.
type table struct {
	*bulk
	w     tiles.Vector // a vector of the bulk's own
	power []int16      // their exponents, or −1
	ones  []bool       // of each whole tile of w: all are 1
}

func (b *bulk) Table(w bulks.View, _ bulks.Share) (bulks.Table, error) {
	n := w.N
	t := &table{b, tiles.New(n, b.k), make([]int16, n), make([]bool, n/lanes)}
	b.Move(t.w, b.Vector(w), bulks.Copy{Rows: 1, Width: n})
	var x [most]uint64
	for i := range n {
		t.power[i] = int16(b.ring.power(t.w.Load(i, b.k, &x)))
	}
	for i := range t.ones {
		t.ones[i] = [lanes]int16(t.power[lanes*i:]) == [lanes]int16{}
	}
	return t, nil
}

func (t *table) Bytes() int { return t.bulk.Bytes(len(t.power)) + 2*len(t.power) + len(t.ones) }

// cache is the part of the first-level cache that columns of tiles take, in bytes.
const cache = 1 << 15

// column is the elements, or runs of tiles, that meet in a pass of several layers.
type column struct {
	v      tiles.Vector
	at     int // the first element
	step   int // between rows
	layers int
	first  int // the place of the first layer's multiplier
	tiles  int // in each row; 0: one element
	s      *scratch
}

// Pass goes column by column: the layers of decimation in time from the outermost on, or up, their transposes from the
// innermost on.
func (t *table) Pass(of bulks.View, p bulks.Pass, l bulks.Rows) {
	v, layers, up := t.Vector(of), int(p.Layers), p.Has(bulks.Transposed)
	s := t.scratch.Get().(*scratch)
	s.prepared = -1
	c := &s.column
	*c = column{v: v, step: l.Half * l.Stride, layers: layers, s: s}
	width := 1
	if v.Whole(0) && l.Width%lanes == 0 && l.Stride%lanes == 0 {
		c.tiles = max(1, min(l.Width, chunk, cache/(8*t.k)>>layers)/lanes)
		width = c.tiles * lanes
	}
	for b := range l.Blocks {
		c.first = p.Off + b
		for j := range l.Half {
			row := (l.Half<<layers*b + j) * l.Stride
			for i := 0; i < l.Width; i += width {
				if c.at = row + i; c.tiles > 0 {
					c.tiles = min(width, l.Width-i) / lanes
				}
				for d := range layers {
					if up {
						d = layers - 1 - d
					}
					t.layer(c, d, up)
				}
			}
		}
	}
	c.v = tiles.Vector{}
	t.scratch.Put(s)
}

// layer is layer d of a column, of 2^d blocks.
func (t *table) layer(c *column, d int, up bool) {
	half := 1 << (c.layers - 1 - d)
	for i := range 1 << d {
		w := c.first<<d + i
		for j := range half {
			x := c.at + (2*half*i+j)*c.step
			switch y := x + half*c.step; {
			case c.tiles == 0 && up:
				t.elementsUp(c.v, x, y, w)
			case c.tiles == 0:
				t.elementsDown(c.v, x, y, w)
			case up:
				t.tilesUp(c, x, y, w)
			default:
				t.tilesDown(c, x, y, w)
			}
		}
	}
}

// tilesDown maps runs of tiles (x, y) to (x + wy, x − wy).
func (t *table) tilesDown(c *column, x, y, w int) {
	a, b := c.v.W[x*t.k:], c.v.W[y*t.k:]
	z := b
	switch e := t.power[w]; {
	case e > 0:
		z = c.s.tiles.W
		t.set.Shift(&z[0], &b[0], t.r, int(e), t.k, c.tiles)
	case e < 0:
		t.mulBy(b, c.tiles, w, c.s)
	}
	t.set.Cross(&a[0], &b[0], &a[0], &z[0], t.r, t.k, c.tiles)
}

// tilesUp maps them to (x + y, w(x − y)).
func (t *table) tilesUp(c *column, x, y, w int) {
	a, b := c.v.W[x*t.k:], c.v.W[y*t.k:]
	z, e := b, t.power[w]
	if e > 0 {
		z = c.s.tiles.W
	}
	t.set.Cross(&a[0], &z[0], &a[0], &b[0], t.r, t.k, c.tiles)
	switch {
	case e > 0:
		t.set.Shift(&b[0], &z[0], t.r, int(e), t.k, c.tiles)
	case e < 0:
		t.mulBy(b, c.tiles, w, c.s)
	}
}

// elementsDown is tilesDown for elements, and elementsUp is tilesUp.
func (t *table) elementsDown(v tiles.Vector, x, y, w int) {
	var s, u, z, m [most]uint64
	a, b, p := v.Load(x, t.k, &s), v.Load(y, t.k, &u), z[:t.k]
	if !t.times(p, b, w, &m) {
		copy(p, b)
	}
	t.sub(b, a, p)
	t.add(a, a, p)
	v.Store(x, a)
	v.Store(y, b)
}

func (t *table) elementsUp(v tiles.Vector, x, y, w int) {
	var s, u, z, m [most]uint64
	a, b, p := v.Load(x, t.k, &s), v.Load(y, t.k, &u), z[:t.k]
	t.sub(p, a, b)
	t.add(a, a, b)
	v.Store(x, a)
	if t.times(b, p, w, &m) {
		p = b
	}
	v.Store(y, p)
}

// times sets z = x·w[i] where that is not x, and says whether it did; z is not x.
func (t *table) times(z, x []uint64, i int, m *[most]uint64) bool {
	switch e := t.power[i]; {
	case e == 0:
		return false
	case e > 0:
		t.shift(z, x, uint64(e))
	default:
		t.mul(z, x, t.w.Load(i, t.k, m))
	}
	return true
}

// Scale multiplies rows of tiles by one factor each, and tiles of a column of elements by as many factors.
func (t *table) Scale(of bulks.View, off, rows, width, stride int) {
	v := t.Vector(of)
	switch {
	case width == 1 && stride == 1 && rows%lanes == 0 && off%lanes == 0 && t.product:
		t.scaleTiles(v, off, rows)
	case v.Whole(0) && width%lanes == 0 && (rows == 1 || stride%lanes == 0):
		s := t.scratch.Get().(*scratch)
		s.prepared = -1
		for i := range rows {
			t.scaleRow(v.W[i*stride*t.k:], width/lanes, off+i, s)
		}
		t.scratch.Put(s)
	default:
		t.scaleElements(v, off, rows, width, stride)
	}
}

func (t *table) scaleElements(v tiles.Vector, off, rows, width, stride int) {
	var s, z, m [most]uint64
	for i := range rows {
		for j := range width {
			if at := i*stride + j; t.times(z[:t.k], v.Load(at, t.k, &s), off+i, &m) {
				v.Store(at, z[:t.k])
			}
		}
	}
}

// scaleRow multiplies n tiles by w[i].
func (t *table) scaleRow(x []uint64, n, i int, s *scratch) {
	switch e := t.power[i]; {
	case e < 0:
		t.mulBy(x, n, i, s)
	case e > 0:
		for ; n > 0; n -= lanes {
			m := min(n, lanes)
			copy(s.tiles.W, x[:m*lanes*t.k])
			t.set.Shift(&x[0], &s.tiles.W[0], t.r, int(e), t.k, m)
			x = x[m*lanes*t.k:]
		}
	}
}

// scaleTiles multiplies n elements by w[off], w[off+1], …: tiles by tiles, those of factors 1 left out.
func (t *table) scaleTiles(v tiles.Vector, off, n int) {
	if !v.Whole(0) { // packed: through tiles
		s := t.scratch.Get().(*scratch)
		for i := 0; i < n; i += chunk {
			m := min(chunk, n-i)
			part := t.Slice(v, i, i+m)
			t.Move(s.tiles, part, bulks.Copy{Rows: 1, Width: m})
			t.scaleTiles(s.tiles, off+i, m)
			t.Move(part, s.tiles, bulks.Copy{Rows: 1, Width: m})
		}
		t.scratch.Put(s)
		return
	}
	for i, end := off/lanes, (off+n)/lanes; i < end; i++ {
		first := i
		for i < end && !t.ones[i] {
			i++
		}
		if i > first {
			x := t.Tile(v.W, first-off/lanes)
			t.mulTiles(x, x, t.Tile(t.w.W, first), i-first)
		}
	}
}

// mulBy multiplies n tiles by w[i]. With kernels the eight factors of a tile are prepared together; s.prepared is −1
// before the first one.
func (t *table) mulBy(x []uint64, n, i int, s *scratch) {
	if !t.product {
		t.mulElementsBy(x, n, i)
		return
	}
	m := &t.constants[0]
	if s.prepared != i/lanes {
		t.set.Factors(&s.factors[0], &t.Tile(t.w.W, i/lanes)[0], m, t.k)
		s.prepared = i / lanes
	}
	limit := digits.Tiles(t.k)
	for j := 0; j < n; j += limit {
		z := &t.Tile(x, j)[0]
		t.set.MulBy(z, z, &s.factors[i%lanes], &s.products[0], m, t.k, min(n-j, limit))
	}
}

func (t *table) mulElementsBy(x []uint64, n, i int) {
	var e, u, z [most]uint64
	v := tiles.Vector{W: x, Tiled: true}
	w := t.w.Load(i, t.k, &e)
	for j := range n * lanes {
		t.mul(z[:t.k], v.Load(j, t.k, &u), w)
		v.Store(j, z[:t.k])
	}
}
