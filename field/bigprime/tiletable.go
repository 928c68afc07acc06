package bigprime

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
)

// tileTable is multipliers in the form of kernels, with the passes that use them. Products by 1 are left out.
type tileTable struct {
	*tileBulk
	w    []uint64 // table tiles
	ones []bool
}

func (b *tileBulk) Table(of bulks.View, share bulks.Share) (bulks.Table, error) {
	t := &tileTable{b, tiles.New(of.N, b.set.Factor*b.Rows).W, make([]bool, of.N)}
	share((of.N+lanes-1)/lanes, func(from, to int) { t.fill(of, from*lanes, min(of.N, to*lanes)) })
	return t, nil
}

// fill makes multipliers from to to, whole tiles but for the last, of the elements of a view.
func (t *tileTable) fill(of bulks.View, from, to int) {
	w, size := t.Vector(of), t.set.Factor*t.Rows
	s := t.scratch.Get().(*tileScratch)
	x := s.x.W
	for i := from; i < to; i += lanes {
		count := min(lanes, to-i)
		t.Move(s.x, t.Slice(w, i, i+count), line(count))
		t.set.Reduce(&x[0], &x[0], &t.m[0], &s.work[0], 1)
		t.set.Table(&t.w[i*size], &x[0], &t.m[0], &s.work[0], 1)
		for l := range count {
			one := x[l] == 1
			for d := 1; one && d < t.Rows; d++ {
				one = x[l+d*lanes] == 0
			}
			t.ones[i+l] = one
		}
	}
	t.scratch.Put(s)
}

func (t *tileTable) Bytes() int { return 8*len(t.w) + len(t.ones) }

// at is the place of multiplier i.
func (t *tileTable) at(i int) *uint64 {
	return &t.w[i/lanes*lanes*t.set.Factor*t.Rows+i%lanes]
}

// column is the rows of numbers that meet in a pass of several layers.
type column struct {
	v      tiles.Vector
	at     int // the first number
	step   int // between rows
	layers int
	first  int  // the place of the first layer's multiplier
	width  int  // of rows, in numbers
	whole  bool // rows are whole tiles; others go through those of s
	joined bool // these rows follow each other, and kernels take all of a layer at once
	s      *tileScratch
}

// Pass goes column by column: the layers of decimation in time from the outermost on, or up, their transposes from the
// innermost on.
func (t *tileTable) Pass(of bulks.View, p bulks.Pass, l bulks.Rows) {
	v, layers, up := t.Vector(of), int(p.Layers), p.Has(bulks.Transposed)
	s := t.scratch.Get().(*tileScratch)
	c := &s.column
	*c = column{v: v, step: l.Half * l.Stride, layers: layers, s: s}
	width, rows, row := t.chunk, l.Half, l.Width
	if c.whole = v.Whole(0) && l.Width%lanes == 0 && l.Stride%lanes == 0; c.whole {
		width = lanes * max(1, min(t.set.Tiles, cache/(8*lanes*t.Rows)>>layers))
	}
	if h, ok := l.Contiguous(); ok { // rows with one multiplier follow each other
		rows, row = 1, h
	}
	c.joined = c.whole && row == c.step && row <= width && row<<layers <= 2*lanes*t.set.Tiles
	for b := range l.Blocks {
		c.first = p.Off + b
		for j := range rows {
			at := (l.Half<<layers*b + j) * l.Stride
			for i := 0; i < row; i += width {
				c.at, c.width = at+i, min(width, row-i)
				if up {
					t.up(c)
				} else {
					t.down(c)
				}
			}
		}
	}
	c.v = tiles.Vector{}
	t.scratch.Put(s)
}

// down maps rows (x, y) of a column to (x + wy, x − wy), layer by layer.
func (t *tileTable) down(c *column) {
	for d := range c.layers {
		half, w := 1<<(c.layers-1-d), &t.downs[c.layers][d]
		for i, count := 0, 0; i < 1<<d; i += count {
			k, rows := c.first<<d+i, half
			if count = 1; c.joined {
				count, rows = t.blocks(k, 1<<d-i), 1
			}
			for j := range rows {
				a, b, n := t.rows(c, 2*half*i+j, half)
				if t.ones[k] {
					t.cross(a, b, w.log, n, w.cross, c.s)
				} else {
					t.set.Radix2(a, b, t.at(k), &t.m[0], &c.s.work[0], n, count, w.reduce)
				}
				t.back(c, 2*half*i+j, half)
			}
		}
	}
}

// up maps them to (x + y, w(x − y)). Values are narrow before and after.
func (t *tileTable) up(c *column) {
	weight, log := t.narrow, bits.Len(uint(t.narrow-1))
	for d := c.layers - 1; d >= 0; d-- {
		next := weight + 1<<log
		nextLog := bits.Len(uint(next - 1))
		reduce := d == 0 || next+1<<nextLog > t.most // as the next layer takes a difference of such values
		half := 1 << (c.layers - 1 - d)
		for i, count := 0, 0; i < 1<<d; i += count {
			k, rows := c.first<<d+i, half
			if count = 1; c.joined {
				count, rows = t.blocks(k, 1<<d-i), 1
			}
			for j := range rows {
				a, b, n := t.rows(c, 2*half*i+j, half)
				if t.ones[k] {
					t.cross(a, b, log, n, reduce, c.s)
				} else {
					t.set.Radix2T(a, b, t.at(k), &t.m[0], &c.s.work[0], log, n, count, reduce)
				}
				t.back(c, 2*half*i+j, half)
			}
		}
		if weight, log = next, nextLog; reduce {
			weight, log = t.narrow, bits.Len(uint(t.narrow-1))
		}
	}
}

// blocks returns how many of at most n multipliers from k on are for one call of a kernel: those of a table tile before
// a 1, or a 1.
func (t *tileTable) blocks(k, n int) int {
	count := 1
	for n = min(n, lanes-k%lanes); !t.ones[k] && count < n && !t.ones[k+count]; {
		count++
	}
	return count
}

// cross maps tiles (a, b) to (a + b, a − b), where the weight of b is at most 2^log. With reduce it lowers both first.
func (t *tileTable) cross(a, b *uint64, log, n int, reduce bool, s *tileScratch) {
	if reduce {
		log = 1
	}
	t.set.Cross(a, b, &t.m[0], &s.work[0], log, n, reduce)
}

// rows returns row i of a column and the one half rows below, and their tiles: of half rows where these are joined.
func (t *tileTable) rows(c *column, i, half int) (a, b *uint64, n int) {
	x, y := c.at+i*c.step, c.at+(i+half)*c.step
	if c.whole {
		n = c.width / lanes
		if c.joined {
			n *= half
		}
		return &c.v.W[x*t.Rows], &c.v.W[y*t.Rows], n
	}
	t.Move(c.s.x, t.Slice(c.v, x, x+c.width), line(c.width))
	t.Move(c.s.y, t.Slice(c.v, y, y+c.width), line(c.width))
	return &c.s.x.W[0], &c.s.y.W[0], (c.width + lanes - 1) / lanes
}

// back ends what rows began.
func (t *tileTable) back(c *column, i, half int) {
	if c.whole {
		return
	}
	x, y := c.at+i*c.step, c.at+(i+half)*c.step
	t.Move(t.Slice(c.v, x, x+c.width), c.s.x, line(c.width))
	t.Move(t.Slice(c.v, y, y+c.width), c.s.y, line(c.width))
}

// Scale multiplies rows by one factor each, and columns of numbers by as many.
func (t *tileTable) Scale(of bulks.View, off, rows, width, stride int) {
	v := t.Vector(of)
	s := t.scratch.Get().(*tileScratch)
	switch n := width / lanes; {
	case width == 1 && stride == 1 && off%lanes == 0:
		t.scale(v, off, rows, s)
	case width == stride && width%lanes == 0 && v.Whole(0) && n*lanes <= t.set.Tiles:
		for i, count := 0, 0; i < rows; i += count {
			z, k := &v.W[i*width*t.Rows], off+i
			if count = t.blocks(k, rows-i); t.ones[k] {
				t.set.Lower(z, z, &t.m[0], &s.work[0], n)
			} else {
				t.set.MulBy(z, z, t.at(k), &t.m[0], &s.work[0], n, count)
			}
		}
	default:
		for i := range rows {
			t.scaleRow(v, i*stride, width, off+i, s)
		}
	}
	t.scratch.Put(s)
}

// scale multiplies n numbers by w[off], w[off+1], …, where off begins a table tile.
func (t *tileTable) scale(v tiles.Vector, off, n int, s *tileScratch) {
	m, work := &t.m[0], &s.work[0]
	whole := 0
	if v.Whole(0) {
		whole = n / lanes * lanes
	}
	for i := 0; i < whole; i += lanes * t.set.Tiles {
		x := &v.W[i*t.Rows]
		t.set.Mul(x, x, t.at(off+i), m, work, min(t.set.Tiles, (whole-i)/lanes))
	}
	for i := whole; i < n; i += t.chunk {
		c := min(t.chunk, n-i)
		part, x := t.Slice(v, i, i+c), &s.x.W[0]
		t.Move(s.x, part, line(c))
		t.set.Mul(x, x, t.at(off+i), m, work, (c+lanes-1)/lanes)
		t.Move(part, s.x, line(c))
	}
}

// scaleRow multiplies n numbers from at on by w[k]. Those of tiles become narrow where that is 1.
func (t *tileTable) scaleRow(v tiles.Vector, at, n, k int, s *tileScratch) {
	if t.ones[k] && !v.Tiled {
		return
	}
	whole, width := v.Whole(at) && at%lanes == 0 && n%lanes == 0, t.chunk
	if whole {
		width = lanes * t.set.Tiles
	}
	for i := 0; i < n; i += width {
		c := min(width, n-i)
		x, part := s.x, tiles.Vector{}
		if whole {
			x.W = v.W[(at+i)*t.Rows:]
		} else {
			part = t.Slice(v, at+i, at+i+c)
			t.Move(x, part, line(c))
		}
		z, count := &x.W[0], (c+lanes-1)/lanes
		if t.ones[k] {
			t.set.Lower(z, z, &t.m[0], &s.work[0], count)
		} else {
			t.set.MulBy(z, z, t.at(k), &t.m[0], &s.work[0], count, 1)
		}
		if !whole {
			t.Move(part, x, line(c))
		}
	}
}
