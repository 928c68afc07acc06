package residues

import (
	"context"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/rns"
)

// Reverses reports whether there are products by reverses, and coefficients from first on can be stored.
func (p *Product) Reverses(first int) bool { return p.reverses && first >= rns.Block && 2*first <= p.n }

// From returns coefficients first to first+n of x, at most first of them, as a vector for Store alone. They are those
// of x at any time.
func (p *Product) From(x field.Vec, first int) (field.Vec, error) {
	v, err := p.vec(x, "src", 0)
	if err != nil {
		return nil, err
	}
	part := &Vec{p, make([][]uint64, len(v.rows)), p.n - first}
	for i, r := range v.rows {
		part.rows[i] = r[first:]
	}
	return part, nil
}

// MulReversed sets z, which is not y, to the products of x and the values of the reverse of y, whose coefficient k is
// coefficient −k of y, modulo n: coefficients of z are the sums of x_j·y_(j−k). It stops where ctx ends.
func (p *Product) MulReversed(ctx context.Context, z, x, y field.Vec) error {
	return p.multiply(ctx, z, x, y, (*step).multiplyReversed)
}

// multiplyReversed does it for some parts of rows. The values of a reverse at the n-th roots w^f are those at w^(−f).
// In bit-reversed order these stand at place 0, and else at place 3·2^b − 1 − i for i, which has b+1 bits.
func (s *step) multiplyReversed(from, to int) {
	var room [1 << 9]uint64
	parts := s.p.parts()
	for ; from < to && s.ctx.Err() == nil; from++ {
		i, at := from/parts, from%parts*part
		z, x, y, end := s.z.rows[i], s.x.rows[i], s.y.rows[i], min(at+part, s.p.n)
		for count := 0; at < end; at += count {
			top := 1 << bits.Len(uint(at)) // above place at
			count = min(len(room), end-at, top-at)
			behind := max(1, top+top/2-at)
			reverse(room[:count], y[behind-count:behind])
			s.p.images[i].f.MulVec(z[at:at+count], x[at:at+count], room[:count])
		}
	}
}

// reverse sets z to x in reverse.
func reverse(z, x []uint64) {
	const some = 8 // words without a check between them
	for ; len(z) >= some; z = z[some:] {
		at := len(x) - some
		a, b := (*[some]uint64)(z), (*[some]uint64)(x[at:])
		a[0], a[1], a[2], a[3] = b[7], b[6], b[5], b[4]
		a[4], a[5], a[6], a[7] = b[3], b[2], b[1], b[0]
		x = x[:at]
	}
	for i := range z {
		z[i] = x[len(x)-1-i]
	}
}
