package testfields

import (
	"math/bits"

	"github.com/galfft/fft/field"
)

// Tile is eight elements of [Tile256] side by side: digit k of lane l is at [k][l], in little-endian digits
// of 52 bits. A lane holds x·2^260 mod q, below q.
type Tile [5][field.Lanes]uint64

const mask52 = 1<<52 - 1

// Digits of 52 bits of q.
const (
	d0 = q0 & mask52
	d1 = q0>>52 | q1&(1<<40-1)<<12
	d2 = q1>>40 | q2&(1<<28-1)<<24
	d3 = q2>>28 | q3&(1<<16-1)<<36
	d4 = q3 >> 16
)

var (
	tileR1 = powerOfTwo(260)
	tileR2 = powerOfTwo(520)
)

// set sets lane l to the number x itself.
func (z *Tile) set(l int, x *[4]uint64) {
	z[0][l] = x[0] & mask52
	z[1][l] = (x[0]>>52 | x[1]<<12) & mask52
	z[2][l] = (x[1]>>40 | x[2]<<24) & mask52
	z[3][l] = (x[2]>>28 | x[3]<<36) & mask52
	z[4][l] = x[3] >> 16
}

// spread returns the tile with the number x itself in every lane.
func spread(x *[4]uint64) (z Tile) {
	for l := range field.Lanes {
		z.set(l, x)
	}
	return z
}

// store sets a to the numbers that the lanes of x are.
func (x *Tile) store(a *[field.Lanes][4]uint64) {
	for l := range a {
		a[l] = [4]uint64{
			x[0][l] | x[1][l]<<52,
			x[1][l]>>12 | x[2][l]<<40,
			x[2][l]>>24 | x[3][l]<<28,
			x[3][l]>>36 | x[4][l]<<16,
		}
	}
}

// put sets lane l to s mod q, for s in [0, 2q) in signed digits of any size.
func (z *Tile) put(l int, s0, s1, s2, s3, s4 uint64) {
	s1 += uint64(int64(s0) >> 52)
	s2 += uint64(int64(s1) >> 52)
	s3 += uint64(int64(s2) >> 52)
	s4 += uint64(int64(s3) >> 52)
	s0, s1, s2, s3 = s0&mask52, s1&mask52, s2&mask52, s3&mask52

	r0 := s0 - d0
	r1 := s1 - d1 + uint64(int64(r0)>>52)
	r2 := s2 - d2 + uint64(int64(r1)>>52)
	r3 := s3 - d3 + uint64(int64(r2)>>52)
	r4 := s4 - d4 + uint64(int64(r3)>>52)
	if int64(r4) >= 0 {
		s0, s1, s2, s3, s4 = r0&mask52, r1&mask52, r2&mask52, r3&mask52, r4
	}
	z[0][l], z[1][l], z[2][l], z[3][l], z[4][l] = s0, s1, s2, s3, s4
}

// mul sets each lane of z to xy/2^260 mod q: Montgomery's product, one digit of y at a time. Each step adds
// at most four halves of products, below 2^52 each, to a digit, so that five steps stay below 2^57 with no
// carries between them.
func (z *Tile) mul(x, y *Tile) {
	for l := range field.Lanes {
		// The high half of a product with a factor shifted left by 12 bits is the product's digit 1.
		x0, x1, x2, x3, x4 := x[0][l]<<12, x[1][l]<<12, x[2][l]<<12, x[3][l]<<12, x[4][l]<<12
		var t0, t1, t2, t3, t4 uint64
		for k := range y {
			v := y[k][l]
			h0, l0 := bits.Mul64(x0, v)
			h1, l1 := bits.Mul64(x1, v)
			h2, l2 := bits.Mul64(x2, v)
			h3, l3 := bits.Mul64(x3, v)
			h4, l4 := bits.Mul64(x4, v)
			t0 += l0 >> 12
			t1 += l1>>12 + h0
			t2 += l2>>12 + h1
			t3 += l3>>12 + h2
			t4 += l4>>12 + h3
			t5 := h4

			m := t0 * (qNegInv & mask52) << 12
			h0, l0 = bits.Mul64(m, d0)
			h1, l1 = bits.Mul64(m, d1)
			h2, l2 = bits.Mul64(m, d2)
			h3, l3 = bits.Mul64(m, d3)
			h4, l4 = bits.Mul64(m, d4)
			t0 += l0 >> 12 // a multiple of 2^52
			t0, t1, t2, t3, t4 = t1+l1>>12+h0+t0>>52, t2+l2>>12+h1, t3+l3>>12+h2, t4+l4>>12+h3, t5+h4
		}
		z.put(l, t0, t1, t2, t3, t4)
	}
}
