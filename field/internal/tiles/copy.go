package tiles

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/digits"
)

// Move is Copy of vectors. Between packed numbers and tiles, and to transpose tiles, kernels move squares of words,
// with lists of places: see gather, scatter and turn.
func (f *Form) Move(dst, src Vector, c bulks.Copy) {
	if c.Rows == 0 || c.Width == 0 {
		return
	}
	rows, width := c.Rows, c.Width // of the source
	if c.Transpose {
		rows, width = width, rows
	}
	switch even := evenRows(dst, c.Rows, c.Width, c.Dst) && evenRows(src, rows, width, c.Src); {
	case !c.Transpose && c.ColPerm == nil && dst.Tiled == src.Tiled && even:
		n := f.size(src)
		for i := range c.Rows {
			copy(dst.W[i*c.Dst*n:][:c.Width*n], src.W[c.From(i, 0)*n:])
		}
	case !dst.Tiled && !src.Tiled:
		for i := range c.Rows {
			for j := range c.Width {
				copy(dst.W[(i*c.Dst+j)*f.Words:][:f.Words], src.W[c.From(i, j)*f.Words:])
			}
		}
	case !even || !c.Transpose && c.ColPerm != nil:
		s := f.scratch.Get().(*scratch)
		for i := range c.Rows {
			for j := range c.Width {
				f.number(dst, i*c.Dst+j, src, c.From(i, j), s)
			}
		}
		f.scratch.Put(s)
	default:
		s := f.scratch.Get().(*scratch)
		switch {
		case !c.Transpose:
			f.rows(dst, src, c, s)
		case !src.Tiled:
			f.gather(dst, src, c, s)
		case !dst.Tiled:
			f.scatter(dst, src, c, s)
		default:
			f.turn(dst, src, c, s)
		}
		f.scratch.Put(s)
	}
}

// evenRows reports whether rows of width numbers, stride apart, are whole tiles, or packed.
func evenRows(v Vector, rows, width, stride int) bool {
	return !v.Tiled || v.Lane == 0 && width%Lanes == 0 && (rows == 1 || stride%Lanes == 0)
}

// number sets number i of dst to number j of src.
func (f *Form) number(dst Vector, i int, src Vector, j int, s *scratch) {
	at, step := src.Place(j, f.size(src))
	x := src.W[at:]
	to, by := dst.Place(i, f.size(dst))
	z := dst.W[to:]
	if f.convert != nil && dst.Tiled != src.Tiled { // by the first lane of a tile
		if dst.Tiled {
			copyWords(s.words, Lanes, x, step, f.Words)
			f.convert.Split(s.tile, s.words, 1)
			x = s.tile
		} else {
			copyWords(s.tile, Lanes, x, step, f.Rows)
			f.convert.Join(s.words, s.tile, s.work, 1)
			x = s.words
		}
		step = Lanes
	}
	copyWords(z, by, x, step, f.size(dst))
}

// copyWords copies n words from places step apart to places by apart.
func copyWords(z []uint64, by int, x []uint64, step, n int) {
	for d := range n {
		z[d*by] = x[d*step]
	}
}

var inOrder = [Lanes]int32{0, 1, 2, 3, 4, 5, 6, 7}

// rows copies rows between packed numbers and tiles.
func (f *Form) rows(dst, src Vector, c bulks.Copy, s *scratch) {
	for i := range c.Rows {
		d, e := dst.W[i*c.Dst*f.size(dst):], src.W[c.From(i, 0)*f.size(src):]
		switch count := c.Width / Lanes; {
		case f.convert == nil && dst.Tiled:
			f.PackWords(d, e, count)
		case f.convert == nil:
			f.UnpackWords(d, e, count)
		default:
			for j := 0; j < count; j += batch {
				n := min(batch, count-j)
				if dst.Tiled {
					f.PackWords(s.words, e[Lanes*f.Words*j:], n)
					f.convert.Split(d[Lanes*f.Rows*j:], s.words, n)
				} else {
					f.convert.Join(s.words, e[Lanes*f.Rows*j:], s.work, n)
					f.UnpackWords(d[Lanes*f.Words*j:], s.words, n)
				}
			}
		}
	}
}

// PackWords sets n tiles of words z to packed numbers x.
func (f *Form) PackWords(z, x []uint64, n int) {
	if f.set.Load != nil && digits.Loads(f.Words) {
		f.set.Load(&z[0], &x[0], f.Words, n)
		return
	}
	size := Lanes * f.Words
	for i := range n {
		f.gatherWords(z[i*size:], x[i*size:], &inOrder, 1)
	}
}

// UnpackWords does the reverse.
func (f *Form) UnpackWords(z, x []uint64, n int) {
	if f.set.Store != nil && digits.Loads(f.Words) {
		f.set.Store(&z[0], &x[0], f.Words, n)
		return
	}
	size := Lanes * f.Words
	for i := range n {
		f.scatterWords(z[i*size:], &inOrder, 1, x[i*size:])
	}
}

// gather transposes packed numbers into tiles: Lanes of a column of the source become one.
func (f *Form) gather(dst, src Vector, c bulks.Copy, s *scratch) {
	for j := 0; j < c.Width; j += Lanes {
		for l := range s.from {
			s.from[l] = columnOf(&c, j+l)
		}
		for i := range c.Rows {
			f.toTile(dst.W[(i*c.Dst+j)*f.Rows:], src.W[rowOf(&c, i)*f.Words:], &s.from, c.Src, s)
		}
	}
}

// scatter transposes tiles into packed numbers: a tile becomes Lanes of a column.
func (f *Form) scatter(dst, src Vector, c bulks.Copy, s *scratch) {
	for i := 0; i < c.Rows; i += Lanes {
		for l := range s.to {
			s.to[l] = int32(rowOf(&c, i+l)) // its own inverse
		}
		for j := range c.Width {
			f.fromTile(dst.W[j*f.Words:], &s.to, c.Dst, src.W[(int(columnOf(&c, j))*c.Src+i)*f.Rows:], s)
		}
	}
}

// turn transposes tiles: lane l of tile m becomes lane m of tile l.
func (f *Form) turn(dst, src Vector, c bulks.Copy, s *scratch) {
	n := f.Rows
	for i := 0; i < c.Rows; i += Lanes {
		for l := range s.to {
			s.to[l] = int32(rowOf(&c, i+l))
		}
		for j := 0; j < c.Width; j += Lanes {
			for l := range s.from {
				s.from[l] = columnOf(&c, j+l)
			}
			for d := range n {
				for l := 0; l < Lanes; l += f.side {
					f.moves.Transpose(&dst.W[j*n+Lanes*d+l], &src.W[i*n+Lanes*d], &s.from[l], &s.to[0], Lanes,
						c.Dst*n, c.Src*n)
				}
			}
		}
	}
}

// rowOf is the permutation of rows of a copy, and columnOf that of columns.
func rowOf(c *bulks.Copy, i int) int {
	if c.RowPerm != nil {
		return int(c.RowPerm[i])
	}
	return i
}

func columnOf(c *bulks.Copy, j int) int32 {
	if c.ColPerm != nil {
		return c.ColPerm[j]
	}
	return int32(j)
}

// toTile sets the tile z to the packed numbers at from[l]·stride of x.
func (f *Form) toTile(z, x []uint64, from *[Lanes]int32, stride int, s *scratch) {
	if f.convert != nil {
		f.gatherWords(s.words, x, from, stride)
		f.convert.Split(z, s.words, 1)
		return
	}
	f.gatherWords(z, x, from, stride)
}

// gatherWords is toTile for tiles of words.
func (f *Form) gatherWords(z, x []uint64, from *[Lanes]int32, stride int) {
	n := f.Words
	switch {
	case n%f.side == 0:
		for l := 0; l < Lanes; l += f.side {
			f.moves.Transpose(&z[l], &x[0], &from[l], &upTo[0], n, Lanes, stride*n)
		}
	case f.set.Gather != nil:
		f.set.Gather(&z[0], &x[0], &from[0], stride*n, n)
	default:
		for l, p := range from {
			copyWords(z[l:], Lanes, x[int(p)*stride*n:], 1, n)
		}
	}
}

// fromTile sets the packed numbers at to[l]·stride of z to the tile x.
func (f *Form) fromTile(z []uint64, to *[Lanes]int32, stride int, x []uint64, s *scratch) {
	if f.convert != nil {
		f.convert.Join(s.words, x, s.work, 1)
		x = s.words
	}
	f.scatterWords(z, to, stride, x)
}

// scatterWords is fromTile for tiles of words.
func (f *Form) scatterWords(z []uint64, to *[Lanes]int32, stride int, x []uint64) {
	n := f.Words
	switch {
	case n%f.side == 0:
		for d := 0; d < n; d += f.side {
			f.moves.Transpose(&z[d], &x[Lanes*d], &inOrder[0], &to[0], Lanes, stride*n, Lanes)
		}
	case f.set.Scatter != nil:
		f.set.Scatter(&z[0], &x[0], &to[0], stride*n, n)
	default:
		for l, p := range to {
			copyWords(z[int(p)*stride*n:], 1, x[l:], Lanes, n)
		}
	}
}

// upTo are the places of words in their order.
var upTo = func() (p [Most]int32) {
	for i := range p {
		p[i] = int32(i)
	}
	return p
}()
