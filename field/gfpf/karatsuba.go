package gfpf

import "math/bits"

const (
	// leastSplit is the number of digits from which on products of halves are faster than all products of digits
	// (BenchmarkProducts).
	leastSplit = 64
	// leastSplitRadix is above 16k for all k, as the offsets of products of halves need: see ring.end.
	leastSplitRadix = 1 << 16
)

// karatsuba sets z = xy for k ≥ 16 and r ≥ leastSplitRadix; z is neither x nor y.
//
// With h = k/2, x = x₀ + x₁·r^h and y alike, xy = x₀y₀ − x₁y₁ + r^h·(x₀y₀ + x₁y₁ − (x₀ − x₁)(y₀ − y₁)). The differences
// are taken of numbers, with borrows and one sign for all digits, so that digits fit words on every level.
//
// Coefficients are less than 8k·r² in absolute value. Let C bound those of products of m digits, and the sum of the
// absolute values of any two that are m places apart: 8r² does for m = 8. Then 3C does for 2m, and here: two such pairs
// and one more, or a pair and two more, add up to a pair or a coefficient. From 8 to 128 digits that is 3^4·8r² <
// 6·128r².
func (f *ring) karatsuba(z, x, y []uint64) {
	var (
		sums  [4 * most]wide
		words [2 * most]uint64
	)
	k, h := f.k, f.k/2
	u, m, room := sums[:2*k], sums[2*k:3*k], sums[3*k:]
	f.full(u[:k], x[:h], y[:h], room, words[:])
	f.full(u[k:], x[h:k], y[h:k], room, words[:])
	sign := f.middle(m, x[:k], y[:k], room, words[:])
	a0, a1, b0, b1, m0, m1 := u[:h], u[h:][:h], u[2*h:][:h], u[3*h:][:h], m[:h], m[h:][:h]
	for i := range a0 {
		s, d := a1[i].add(b0[i]), a0[i].sub(b1[i])
		a0[i] = d.sub(s).signed(m1[i], sign)
		a1[i] = d.add(s).signed(m0[i], ^sign)
	}
	offset, q := f.first, wide{}
	for n, u := range u[:k] {
		z[n], q = f.quoRem(u.add(offset).add(q))
		offset = f.other
	}
	f.end(z[:k], q)
}

// full sets z to the 2m coefficients of xy for m = 8, 16, … digits; the last is 0. The room in sums and words is 2m at
// most.
func (f *ring) full(z []wide, x, y []uint64, sums []wide, words []uint64) {
	m, h := len(x), len(x)/2
	if m == 8 {
		eight((*[16]wide)(z), (*[8]uint64)(x), (*[8]uint64)(y))
		return
	}
	f.full(z[:m], x[:h], y[:h], sums, words)
	f.full(z[m:], x[h:], y[h:], sums, words)
	sign := f.middle(sums[:m], x, y, sums[m:], words)
	a0, a1, b0, b1, m0, m1 := z[:h], z[h:][:h], z[2*h:][:h], z[3*h:][:h], sums[:h], sums[h:][:h]
	for i := range a0 {
		s := a1[i].add(b0[i])
		a1[i] = s.add(a0[i]).signed(m0[i], ^sign)
		b0[i] = s.add(b1[i]).signed(m1[i], ^sign)
	}
}

// middle sets z to the coefficients of |x₀ − x₁|·|y₀ − y₁| for halves of x and y, and returns the sign of (x₀ − x₁)(y₀
// − y₁) as distance does.
func (f *ring) middle(z []wide, x, y []uint64, sums []wide, words []uint64) (sign uint64) {
	h := len(x) / 2
	dx, dy := words[:h], words[h:2*h]
	sign = f.distance(dx, x[:h], x[h:]) ^ f.distance(dy, y[:h], y[h:])
	f.full(z, dx, dy, sums, words[2*h:])
	return sign
}

// distance sets z = |x − y|, and returns the sign of x − y: 0, or all bits where it is negative.
func (f *ring) distance(z, x, y []uint64) (sign uint64) {
	i := len(x) - 1
	for i > 0 && x[i] == y[i] {
		i--
	}
	if x[i] < y[i] {
		x, y, sign = y, x, ^uint64(0)
	}
	var b uint64
	for i := range z {
		z[i], b = bits.Sub64(x[i], y[i], b)
		z[i] += f.r & -b
	}
	return sign
}

// eight sets z to the coefficients of xy. Loops would take twice the time.
func eight(z *[16]wide, x, y *[8]uint64) {
	var o wide
	z[0] = o.plus(x[0], y[0])
	z[1] = o.plus(x[0], y[1]).plus(x[1], y[0])
	z[2] = o.plus(x[0], y[2]).plus(x[1], y[1]).plus(x[2], y[0])
	z[3] = o.plus(x[0], y[3]).plus(x[1], y[2]).plus(x[2], y[1]).plus(x[3], y[0])
	z[4] = o.plus(x[0], y[4]).plus(x[1], y[3]).plus(x[2], y[2]).plus(x[3], y[1]).plus(x[4], y[0])
	z[5] = o.plus(x[0], y[5]).plus(x[1], y[4]).plus(x[2], y[3]).plus(x[3], y[2]).plus(x[4], y[1]).plus(x[5], y[0])
	z[6] = o.plus(x[0], y[6]).plus(x[1], y[5]).plus(x[2], y[4]).plus(x[3], y[3]).plus(x[4], y[2]).plus(x[5],
		y[1]).plus(x[6], y[0])
	z[7] = o.plus(x[0], y[7]).plus(x[1], y[6]).plus(x[2], y[5]).plus(x[3], y[4]).plus(x[4], y[3]).plus(x[5],
		y[2]).plus(x[6], y[1]).plus(x[7], y[0])
	z[8] = o.plus(x[1], y[7]).plus(x[2], y[6]).plus(x[3], y[5]).plus(x[4], y[4]).plus(x[5], y[3]).plus(x[6],
		y[2]).plus(x[7], y[1])
	z[9] = o.plus(x[2], y[7]).plus(x[3], y[6]).plus(x[4], y[5]).plus(x[5], y[4]).plus(x[6], y[3]).plus(x[7], y[2])
	z[10] = o.plus(x[3], y[7]).plus(x[4], y[6]).plus(x[5], y[5]).plus(x[6], y[4]).plus(x[7], y[3])
	z[11] = o.plus(x[4], y[7]).plus(x[5], y[6]).plus(x[6], y[5]).plus(x[7], y[4])
	z[12] = o.plus(x[5], y[7]).plus(x[6], y[6]).plus(x[7], y[5])
	z[13] = o.plus(x[6], y[7]).plus(x[7], y[6])
	z[14] = o.plus(x[7], y[7])
	z[15] = o
}
