package gfpf

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// D. Mohajerani's thesis divides by sparse radices through shifts: section 3.1, and algorithm 4.6 for products of
// digits, both for r = 2^63 + 2^34 here. Nothing else uses them; BenchmarkSparse sets them beside what does.

const sparse = 1<<63 + 1<<34

// sparseQuoRem is quoRem of section 3.1, with the sign of its third case corrected. While z is no digit, z = h·2^63 + l
// is h·r + (l − h·2^34), a number 2^29 times smaller.
func sparseQuoRem(z wide) (d uint64, q wide) {
	for z.w1|z.w2 != 0 || z.w0 >= sparse {
		h := wide{z.w0>>63 | z.w1<<1, z.w1>>63 | z.w2<<1, uint64(int64(z.w2) >> 63)}
		l := wide{z.w0 & (1<<63 - 1), 0, 0}
		q = q.add(h)
		z = l.sub(wide{h.w0 << 34, h.w0>>30 | h.w1<<34, h.w1>>30 | h.w2<<34})
	}
	return z.w0, q
}

// split is algorithm 4.6, with the sign of its last term corrected: xy = l + h·r + c·r², where l and h have signs.
func split(x, y uint64) (l, h wide, c uint64) {
	high, low := bits.Mul64(x, y)
	if low >= sparse {
		low, h.w0 = low-sparse, 1
	}
	l.w0 = low
	n := 2 * high // n·2^63 = n·r − n·2^34
	if n >= sparse {
		c = 1
		h = h.add(wide{n - sparse, 0, 0})
	} else {
		h = h.add(wide{n, 0, 0})
	}
	d1 := int64(n >> 29)
	d0 := int64(n) - d1<<29
	e1 := (d0 - d1) >> 29
	e0 := (d0 - d1) - e1<<29
	l = l.sub(wide{uint64(e0-e1) << 34, uint64(e0-e1) >> 30, 0})
	return l, h.sub(wide{uint64(d1 + e1), 0, 0}), c
}

// bySplits sets z = xy by algorithms 4.5 to 4.8: sums of the three parts of products of digits, and these sums as
// digits one, two and three places up.
func (f *ring) bySplits(z, x, y []uint64) {
	var l, h [8]wide
	var c [8]uint64
	for i, v := range x {
		for j, w := range y {
			a, b, e := split(v, w)
			if n := i + j; n < f.k {
				l[n], h[n], c[n] = l[n].add(a), h[n].add(b), c[n]+e
			} else {
				l[n-f.k], h[n-f.k], c[n-f.k] = l[n-f.k].sub(a), h[n-f.k].sub(b), c[n-f.k]-e
			}
		}
	}
	offset, q := f.first, wide{}
	for n := range z {
		u := l[n].add(offset).add(q)
		if n > 0 {
			u = u.add(h[n-1])
		} else {
			u = u.sub(h[f.k-1])
		}
		e := c[(n+f.k-2)%f.k]
		sign := uint64(int64(e) >> 63)
		w := wide{e, sign, sign}
		if n < 2 {
			w = wide{}.sub(w)
		}
		z[n], q = sparseQuoRem(u.add(w))
		offset = f.other
	}
	f.end(z, q)
}

// Divisions and products through shifts are those by the divider, at the edges and at random values.
func TestSparse(t *testing.T) {
	f := newRing(sparse, 8)
	o := oracle{&f, f.p}
	rnd := rand.New(rand.NewPCG(3, 34))
	for range 2000 {
		u := wide{rnd.Uint64(), rnd.Uint64(), rnd.Uint64() >> (60 + rnd.IntN(4))}
		if rnd.IntN(4) == 0 {
			u = wide{rnd.Uint64(), rnd.Uint64N(2), 0}
		}
		d, q := f.quoRem(u)
		e, r := sparseQuoRem(u)
		require.Equal(t, d, e, "%v modulo r", u)
		require.Equal(t, q, r, "%v over r", u)
	}
	number := func(u wide) *big.Int { // in two's complement
		z := new(big.Int).SetInt64(int64(u.w2))
		for _, w := range []uint64{u.w1, u.w0} {
			z.Lsh(z, 64).Add(z, new(big.Int).SetUint64(w))
		}
		return z
	}
	digits := []uint64{0, 1, 1<<29 - 1, 1 << 34, 1 << 62, 1<<63 - 1, 1 << 63, sparse - 1}
	for range 20 {
		digits = append(digits, rnd.Uint64N(sparse))
	}
	r := new(big.Int).SetUint64(sparse)
	for _, x := range digits {
		for _, y := range digits {
			l, h, c := split(x, y)
			got := new(big.Int).SetUint64(c)
			got.Mul(got, r).Add(got, number(h)).Mul(got, r).Add(got, number(l))
			require.Zero(t, got.Cmp(new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))), "%d · %d", x,
				y)
		}
	}
	g := f.operations()
	g.mul = f.bySplits
	require.NoError(t, o.algebra(g))
}

// BenchmarkSparse prints the time of a division of a coefficient of three words, and of a product modulo P3, both by
// the divider and through shifts.
func BenchmarkSparse(b *testing.B) {
	f := newRing(sparse, 8)
	rnd := rand.New(rand.NewPCG(1, 2))
	const n = 64
	var u [n]wide
	var x, y [n][]uint64
	for i := range n {
		u[i] = wide{rnd.Uint64(), rnd.Uint64(), rnd.Uint64N(16)}
		x[i], y[i] = f.random(rnd), f.random(rnd)
	}
	z, sum := make([]uint64, 8), uint64(0)
	for _, step := range []struct {
		name string
		do   func(i int)
	}{
		{"division/divider", func(i int) { d, _ := f.quoRem(u[i]); sum += d }},
		{"division/shifts", func(i int) { d, _ := sparseQuoRem(u[i]); sum += d }},
		{"product/divider", func(i int) { f.schoolbook(z, x[i], y[i]) }},
		{"product/shifts", func(i int) { f.bySplits(z, x[i], y[i]) }},
	} {
		b.Run(step.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				step.do(i % n)
			}
		})
	}
}
