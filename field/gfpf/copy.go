package gfpf

import "github.com/galfft/fft/field"

// copy is Copy. Between packed elements and tiles, and to transpose tiles, kernels move squares of words, with lists of
// places: see toTile, fromTile and turn.
func (b *bulk) copy(dst, src vector, c field.Copy) {
	if c.Rows == 0 || c.Width == 0 {
		return
	}
	rows, width := c.Rows, c.Width // of the source
	if c.Transpose {
		rows, width = width, rows
	}
	switch even := evenRows(dst, c.Rows, c.Width, c.Dst) && evenRows(src, rows, width, c.Src); {
	case !c.Transpose && c.ColPerm == nil && (dst.tiled == src.tiled) && even:
		for i := range c.Rows {
			copy(dst.w[i*c.Dst*b.k:][:c.Width*b.k], src.w[c.From(i, 0)*b.k:])
		}
	case !dst.tiled && !src.tiled:
		for i := range c.Rows {
			for j := range c.Width {
				copy(dst.w[(i*c.Dst+j)*b.k:][:b.k], src.w[c.From(i, j)*b.k:])
			}
		}
	case !even || !c.Transpose && c.ColPerm != nil:
		var t [most]uint64
		for i := range c.Rows {
			for j := range c.Width {
				dst.store(i*c.Dst+j, src.load(c.From(i, j), b.k, &t))
			}
		}
	default:
		s := b.scratch.Get().(*scratch)
		switch {
		case !c.Transpose:
			b.convert(dst, src, c)
		case !src.tiled:
			b.gather(dst, src, c, s)
		case !dst.tiled:
			b.scatter(dst, src, c, s)
		default:
			b.turn(dst, src, c, s)
		}
		b.scratch.Put(s)
	}
}

// evenRows reports whether rows of width elements, stride apart, are whole tiles, or packed.
func evenRows(v vector, rows, width, stride int) bool {
	return !v.tiled || v.lane == 0 && width%lanes == 0 && (rows == 1 || stride%lanes == 0)
}

var inOrder = [lanes]int32{0, 1, 2, 3, 4, 5, 6, 7}

// convert copies rows between packed elements and tiles.
func (b *bulk) convert(dst, src vector, c field.Copy) {
	for i := range c.Rows {
		d, e := dst.w[i*c.Dst*b.k:], src.w[c.From(i, 0)*b.k:]
		if b.set.Load != nil && b.k%lanes == 0 {
			move := b.set.Load
			if !dst.tiled {
				move = b.set.Store
			}
			move(&d[0], &e[0], b.k, c.Width/lanes)
			continue
		}
		for j := 0; j < c.Width; j += lanes {
			if dst.tiled {
				b.toTile(d[j*b.k:], e[j*b.k:], &inOrder, 1)
			} else {
				b.fromTile(d[j*b.k:], &inOrder, 1, e[j*b.k:])
			}
		}
	}
}

// gather transposes packed elements into tiles: Lanes of a column of the source become one.
func (b *bulk) gather(dst, src vector, c field.Copy, s *scratch) {
	for j := 0; j < c.Width; j += lanes {
		for l := range s.from {
			s.from[l] = columnOf(&c, j+l)
		}
		for i := range c.Rows {
			b.toTile(dst.w[(i*c.Dst+j)*b.k:], src.w[rowOf(&c, i)*b.k:], &s.from, c.Src)
		}
	}
}

// scatter transposes tiles into packed elements: a tile becomes Lanes of a column.
func (b *bulk) scatter(dst, src vector, c field.Copy, s *scratch) {
	for i := 0; i < c.Rows; i += lanes {
		for l := range s.to {
			s.to[l] = int32(rowOf(&c, i+l)) // its own inverse
		}
		for j := range c.Width {
			b.fromTile(dst.w[j*b.k:], &s.to, c.Dst, src.w[(int(columnOf(&c, j))*c.Src+i)*b.k:])
		}
	}
}

// turn transposes tiles: lane l of tile m becomes lane m of tile l.
func (b *bulk) turn(dst, src vector, c field.Copy, s *scratch) {
	for i := 0; i < c.Rows; i += lanes {
		for l := range s.to {
			s.to[l] = int32(rowOf(&c, i+l))
		}
		for j := 0; j < c.Width; j += lanes {
			for l := range s.from {
				s.from[l] = columnOf(&c, j+l)
			}
			for d := range b.k {
				for l := 0; l < lanes; l += b.side {
					b.moves.Transpose(&dst.w[j*b.k+lanes*d+l], &src.w[i*b.k+lanes*d], &s.from[l], &s.to[0], lanes,
						c.Dst*b.k, c.Src*b.k)
				}
			}
		}
	}
}

// rowOf is the permutation of rows of a copy, and columnOf that of columns.
func rowOf(c *field.Copy, i int) int {
	if c.RowPerm != nil {
		return int(c.RowPerm[i])
	}
	return i
}

func columnOf(c *field.Copy, j int) int32 {
	if c.ColPerm != nil {
		return c.ColPerm[j]
	}
	return int32(j)
}

// toTile sets the tile z to the packed elements at from[l]·stride of x.
func (b *bulk) toTile(z, x []uint64, from *[lanes]int32, stride int) {
	switch {
	case b.k%b.side == 0:
		for l := 0; l < lanes; l += b.side {
			b.moves.Transpose(&z[l], &x[0], &from[l], &upTo[0], b.k, lanes, stride*b.k)
		}
	case b.set.Gather != nil:
		b.set.Gather(&z[0], &x[0], &from[0], stride*b.k, b.k)
	default:
		for l, p := range from {
			vector{w: z, tiled: true}.store(l, x[int(p)*stride*b.k:][:b.k])
		}
	}
}

// fromTile sets the packed elements at to[l]·stride of z to the tile x.
func (b *bulk) fromTile(z []uint64, to *[lanes]int32, stride int, x []uint64) {
	switch {
	case b.k%b.side == 0:
		for d := 0; d < b.k; d += b.side {
			b.moves.Transpose(&z[d], &x[lanes*d], &inOrder[0], &to[0], lanes, stride*b.k, lanes)
		}
	case b.set.Scatter != nil:
		b.set.Scatter(&z[0], &x[0], &to[0], stride*b.k, b.k)
	default:
		for l, p := range to {
			copy(z[int(p)*stride*b.k:], vector{w: x, tiled: true}.load(l, b.k, new([most]uint64)))
		}
	}
}

// upTo are the places of digits in their order.
var upTo = func() (p [most]int32) {
	for i := range p {
		p[i] = int32(i)
	}
	return p
}()
