package word

import "math/bits"

// Narrow is the tails of columns that touch and fill no vector. A vector takes as many rows as it has room for, a power
// of two; a block is NarrowVectors of them. They do every layer inside cnt ≥ 1 blocks that touch: block b uses
// multiplier off+b and those below it in the tree. Vector i of a block begins at word i·row, and mask has its low row
// bits. places is of [Moves.Narrow]. how is Canonical or not, but of transposes, and Open and Leave.
type Narrow[W uint32 | uint64] struct {
	Tail, T func(v, w, q, m, places *W, off, cnt, row, mask int, how uint8)
}

// NarrowVectors is the vectors of a block of a narrow tail.
const NarrowVectors = 16

// places lists, for a vector of lanes words that has rows of width words each, from where among two vectors the words
// of two others come: those of even and odd rows in turn, or back for transposes. Behind both lists there is one for
// each layer inside of vectors, which has 2, 4, … multipliers: each row's own.
func places[W uint32 | uint64](lanes, rows, width int, transpose bool) []W {
	var list []W
	vector := func(of func(row, column int) int) {
		for at := range lanes {
			if at >= rows*width {
				list = append(list, 0)
				continue
			}
			list = append(list, W(of(at/width, at%width)))
		}
	}
	for v := range 2 {
		vector(func(row, column int) int {
			if transpose {
				from := 2*row + v
				return from/rows*lanes + from%rows*width + column
			}
			return row%2*lanes + (v*rows/2+row/2)*width + column
		})
	}
	for count := 2; count <= rows; count *= 2 {
		vector(func(row, _ int) int { return row % count })
	}
	return list
}

// Narrow returns the lists of a narrow tail, or of its transpose, for rows of width words of vectors of lanes. They are
// shared, and not to be written.
func (m *Moves[W]) Narrow(lanes, width int, transpose bool) []W {
	m.narrow.Do(func() {
		for i := range m.places {
			m.places[i] = make([][]W, lanes)
			for width := 1; width < lanes; width++ {
				rows := 1 << (bits.Len(uint(lanes/width)) - 1)
				m.places[i][width] = places[W](lanes, rows, width, i == 1)
			}
		}
	})
	if transpose {
		return m.places[1][width]
	}
	return m.places[0][width]
}
