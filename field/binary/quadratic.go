package binary

import "math/bits"

// quadratic solves z² + z = y, which is linear over GF(2): each row is the z of an image with a leading bit that no
// other image has.
type quadratic struct {
	w    int
	rows [][]uint64 // by the leading bit of the image: z, or nil
}

func (c *core) newQuadratic() *quadratic {
	q := &quadratic{c.w, make([][]uint64, c.m)}
	e := newEchelon(c.m)
	for i := 1; i < c.m; i++ { // bit 0 is 1, whose image is 0: solutions without it are the smaller ones
		row := make([]uint64, 2*c.w) // image, then z
		z := c.unit(i)
		c.square(row[:c.w], z)
		xor(row, z)
		copy(row[c.w:], z)
		e.insert(row)
	}
	e.finish()
	for lead, row := range e.rows {
		if row != nil {
			q.rows[lead] = row[c.w:]
		}
	}
	return q
}

// solve sets z to the solution with bit 0 clear, for y of trace 0.
func (q *quadratic) solve(z, y []uint64) {
	clear(z)
	for i, w := range y {
		for ; w != 0; w &= w - 1 {
			xor(z, q.rows[64*i+bits.TrailingZeros64(w)])
		}
	}
}

// echelon is a set of vectors over GF(2) by the leading bits among their first m, which are all different.
type echelon struct {
	m    int
	rows [][]uint64
}

func newEchelon(m int) *echelon { return &echelon{m, make([][]uint64, m)} }

// insert adds a vector that does not depend on those before, which it changes, and reports whether it did not.
func (e *echelon) insert(v []uint64) bool {
	for w := (e.m - 1) / 64; w >= 0; w-- {
		for v[w] != 0 {
			lead := 64*w + bits.Len64(v[w]) - 1
			if e.rows[lead] == nil {
				e.rows[lead] = v
				return true
			}
			xor(v, e.rows[lead])
		}
	}
	return false
}

// finish clears the leading bits of all vectors in the others.
func (e *echelon) finish() {
	for lead, row := range e.rows {
		if row == nil {
			continue
		}
		for below, from := range e.rows[:lead] {
			if row[below/64]>>(below%64)&1 == 1 {
				xor(row, from)
			}
		}
	}
}
