package gfpf

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// binaryRing multiplies in radix 2^64, an experiment: it takes digits to words, multiplies modulo p by Montgomery's
// algorithm and takes the product to digits again. BenchmarkWaysToMultiply compares it with the product of digits.
type binaryRing struct {
	*ring
	n             int        // words of numbers up to k·p, or more
	prime         []uint64   // p, n words
	inverse       uint64     // 1/p modulo 2^64
	from          int        // the first place of p but 0 that has not the word 0; 0 where p is not 1 modulo 2^64
	scaled        [][]uint64 // r^i·2^(64(n+1)) mod p
	halves        []divisor  // r^(k/2), r^(k/4), …
	x, y, z, room []uint64
	sums          []wide
}

// divisor is r^h·2^shift, of w words with the highest bit set, and ⌊(2^(128w) − 1)/(r^h·2^shift)⌋ − 2^(64w).
type divisor struct {
	d, reciprocal []uint64
	shift         uint
}

// leastHalves is the number of digits from which on halves of them are found first, and not one after the other.
const leastHalves = 16

// wordRing has words for digits: borrows of differences add r, modulo 2^64.
var wordRing = ring{r: 0}

func newBinary(f *ring) *binaryRing {
	b := &binaryRing{ring: f, n: (f.p.BitLen()+bits.Len(uint(f.k)))/64 + 1}
	if b.n > 8 {
		b.n = (b.n + 7) / 8 * 8 // as product wants
	}
	b.prime = toWords(f.p, b.n)
	b.inverse = toWords(new(big.Int).ModInverse(f.p, new(big.Int).Lsh(big.NewInt(1), 64)), 1)[0]
	if b.prime[0] == 1 {
		for b.from = 1; b.prime[b.from] == 0; b.from++ {
		}
	}
	s := new(big.Int).Lsh(big.NewInt(1), uint(64*(b.n+1)))
	for range f.k {
		s.Mod(s, f.p)
		b.scaled = append(b.scaled, toWords(s, b.n))
		s.Mul(s, new(big.Int).SetUint64(f.r))
	}
	for i := len(f.powers) - 2; 2<<i >= leastHalves; i-- {
		d := f.powers[i]
		w := (d.BitLen() + 63) / 64
		shift := uint(64*w - d.BitLen())
		d = new(big.Int).Lsh(d, shift)
		m := new(big.Int).Lsh(big.NewInt(1), uint(128*w))
		m.Sub(m, big.NewInt(1)).Div(m, d)
		b.halves = append(b.halves, divisor{toWords(d, w), toWords(m, w+1)[:w], shift})
	}
	b.x, b.y, b.z, b.sums = make([]uint64, b.n), make([]uint64, b.n), make([]uint64, b.n), make([]wide, 4*b.n)
	b.room = make([]uint64, 16*b.n+16)
	return b
}

// toWords returns the n lowest words of x.
func toWords(x *big.Int, n int) []uint64 {
	z, x := make([]uint64, n), new(big.Int).Set(x)
	for i := range z {
		z[i] = new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1)).Uint64()
		x.Rsh(x, 64)
	}
	return z
}

// mul sets z = xy.
func (b *binaryRing) mul(z, x, y []uint64) {
	b.words(b.x, x)
	b.scaledWords(b.y, y)
	b.montgomery(b.z, b.x, b.y)
	b.digits(z, b.z)
}

// prepare returns y·2^(64n) mod p, which mulBy takes.
func (b *binaryRing) prepare(y []uint64) []uint64 {
	t := b.toBig(new(big.Int), y)
	return toWords(t.Lsh(t, uint(64*b.n)).Mod(t, b.p), b.n)
}

// mulBy sets z = xy for a prepared y.
func (b *binaryRing) mulBy(z, x, y []uint64) {
	b.words(b.x, x)
	b.montgomery(b.z, b.x, y)
	b.digits(z, b.z)
}

// words sets z to the number with the digits x, by Horner's rule.
func (b *binaryRing) words(z, x []uint64) {
	n := 0
	for i := b.k - 1; i >= 0; i-- {
		c := x[i]
		for j, w := range z[:n] {
			h, l := bits.Mul64(w, b.r)
			z[j], c = bits.Add64(l, c, 0)
			c, _ = bits.Add64(h, 0, c)
		}
		if n < len(z) {
			z[n] = c
			n++
		}
	}
	clear(z[n:])
}

// scaledWords sets z to 2^(64n) times the number with the digits y, modulo p.
func (b *binaryRing) scaledWords(z, y []uint64) {
	t := b.room[:b.n+1]
	clear(t)
	for i, d := range y[:b.k] {
		t[b.n] += addMul(t[:b.n], b.scaled[i], d)
	}
	b.reduce(z, t)
}

// montgomery sets z = xy/2^(64n) mod p.
func (b *binaryRing) montgomery(z, x, y []uint64) {
	t := b.room[:2*b.n]
	if b.n%8 == 0 {
		b.product(t, x, y)
	} else {
		clear(t[:b.n])
		for i, v := range y {
			t[i+b.n] = addMul(t[i:i+b.n], x, v)
		}
	}
	b.reduce(z, t)
}

// product sets t = xy by products of digits, where n is a multiple of 8.
func (b *binaryRing) product(t, x, y []uint64) {
	n := b.n
	wordRing.full(b.sums[:2*n], x[:n], y[:n], b.sums[2*n:], b.room[2*n:])
	var c wide
	for i, s := range b.sums[:2*n] {
		c = c.add(s)
		t[i] = c.w0
		c = wide{c.w1, c.w2, uint64(int64(c.w2) >> 63)}
	}
}

// reduce sets z = t/2^(64m) mod p for t of n + m words, below 2^(64m)·p, which it spoils.
//
// Multiples of p are subtracted: where p = 1 modulo 2^64 the lowest word is the quotient, and words of p that are 0
// leave no borrow.
func (b *binaryRing) reduce(z, t []uint64) {
	n := b.n
	var c uint64
	for i := range len(t) - n {
		t[i+n], c = bits.Sub64(t[i+n], subMul(t[i+b.from:i+n], b.prime[b.from:], t[i]*b.inverse), c)
	}
	copy(z, t[len(t)-n:])
	if c == 1 {
		c = 0
		for i, w := range b.prime {
			z[i], c = bits.Add64(z[i], w, c)
		}
	}
}

// addMul adds xv to z, of as many words, and returns the carry.
func addMul(z, x []uint64, v uint64) (c uint64) {
	z = z[:len(x)]
	for i, w := range x {
		h, l := bits.Mul64(w, v)
		l, carry := bits.Add64(l, z[i], 0)
		h, _ = bits.Add64(h, 0, carry)
		z[i], c = bits.Add64(l, c, 0)
		c, _ = bits.Add64(h, 0, c)
	}
	return c
}

// subMul subtracts xv from z, of as many words, and returns the borrow.
func subMul(z, x []uint64, v uint64) (c uint64) {
	z = z[:len(x)]
	for i, w := range x {
		h, l := bits.Mul64(w, v)
		l, carry := bits.Add64(l, c, 0)
		h, _ = bits.Add64(h, 0, carry)
		z[i], c = bits.Sub64(z[i], l, 0)
		c, _ = bits.Add64(h, 0, c)
	}
	return c
}

// digits sets z to the digits of x.
func (b *binaryRing) digits(z, x []uint64) { b.split(z[:b.k], x, b.halves, b.room) }

// split sets z to the digits of x ≤ r^m, m = len(z), and spoils x.
func (b *binaryRing) split(z, x []uint64, halves []divisor, room []uint64) {
	m := len(z)
	if m < leastHalves {
		b.oneByOne(z, x)
		return
	}
	d := &halves[0]
	w := len(d.d)
	// u = x·2^shift
	u, q, t, room := room[:2*w], room[2*w:][:w], room[3*w:][:2*w], room[5*w:]
	if len(x) > 2*w {
		x = x[:2*w]
	}
	var low uint64
	for i, v := range x {
		u[i] = v<<d.shift | low
		low = v >> 1 >> (63 - d.shift)
	}
	if len(x) < 2*w {
		u[len(x)] = low
		clear(u[len(x)+1:])
	}
	// The quotient by its high half times the reciprocal, less a few.
	high := u[w:]
	first := max(0, w-2)
	clear(t[first:w])
	for i, v := range d.reciprocal {
		j := max(0, first-i)
		t[i+w] = addMul(t[i+j:i+w], high[j:], v)
	}
	var c uint64
	for i := range q {
		q[i], c = bits.Add64(high[i], t[w+i], c)
	}
	u[w] -= subMul(u[:w], d.d, q[0])
	for i := 1; i < w; i++ {
		subMul(u[i:w+1], d.d[:w+1-i], q[i])
	}
	for u[w] != 0 || !less(u[:w], d.d) {
		c = 0
		for i, v := range d.d {
			u[i], c = bits.Sub64(u[i], v, c)
		}
		u[w] -= c
		for i := range q {
			if q[i]++; q[i] != 0 {
				break
			}
		}
	}
	// The remainder is u/2^shift.
	for i := range w - 1 {
		u[i] = u[i]>>d.shift | u[i+1]<<1<<(63-d.shift)
	}
	u[w-1] >>= d.shift
	b.split(z[:m/2], u[:w], halves[1:], room)
	b.split(z[m/2:], q, halves[1:], room)
}

// less reports whether x < y.
func less(x, y []uint64) bool {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}

// oneByOne is split by divisions by r.
func (b *binaryRing) oneByOne(z, x []uint64) {
	last := len(z) - 1
	for i := range last {
		var rest uint64
		if top := len(x) - 1; top > 0 && x[top] < b.r {
			x, rest = x[:top], x[top]
		}
		for j := len(x) - 1; j >= 0; j-- {
			x[j], rest = bits.Div64(rest, x[j], b.r)
		}
		z[i] = rest
	}
	z[last] = x[0]
}

// binaries are the fields that the experiment takes.
func binaries(do func(name string, f *ring)) {
	for _, p := range presets[:11] {
		if p.K <= 32 {
			f := newRing(p.Radix, p.K)
			do(p.Name, &f)
		}
	}
}

func TestBinary(t *testing.T) {
	binaries(func(name string, f *ring) {
		b, list := newBinary(f), oracle{f, f.p}.samples(rand.New(rand.NewPCG(1, f.r)))
		z, want := make([]uint64, f.k), make([]uint64, f.k)
		for _, y := range list {
			prepared := b.prepare(y)
			for _, x := range list {
				f.mul(want, x, y)
				b.mul(z, x, y)
				require.Equal(t, want, z, "%s: %x · %x", name, x, y)
				b.mulBy(z, x, prepared)
				require.Equal(t, want, z, "%s: %x · %x, prepared", name, x, y)
			}
		}
	})
}

// BenchmarkWaysToMultiply prints the time of products of digits; of those through words, of two factors that are digits
// and of one with one that is prepared; of their steps; and of products modulo p of big integers, without conversions.
func BenchmarkWaysToMultiply(b *testing.B) {
	binaries(func(name string, f *ring) {
		const n = 64
		m, z, rnd := newBinary(f), make([]uint64, f.k), rand.New(rand.NewPCG(1, 2))
		var x, y, words, prepared [n][]uint64
		var bigs [n][2]big.Int
		for i := range n {
			x[i], y[i], words[i] = f.random(rnd), f.random(rnd), make([]uint64, m.n)
			prepared[i] = m.prepare(y[i])
			m.words(words[i], x[i])
			f.toBig(&bigs[i][0], x[i])
			f.toBig(&bigs[i][1], y[i])
		}
		var product, quotient, rest big.Int
		for _, step := range []struct {
			name string
			do   func(i int)
		}{
			{"digits", func(i int) { f.mul(z, x[i], y[i]) }},
			{"words", func(i int) { m.mul(z, x[i], y[i]) }},
			{"words-one-prepared", func(i int) { m.mulBy(z, x[i], prepared[i]) }},
			{"words-alone", func(i int) { m.montgomery(m.z, words[i], prepared[i]) }},
			{"to-words", func(i int) { m.words(m.x, x[i]) }},
			{"to-scaled-words", func(i int) { m.scaledWords(m.y, y[i]) }},
			{"to-digits", func(i int) { m.digits(z, append(m.z[:0], words[i]...)) }},
			{"big", func(i int) { quotient.QuoRem(product.Mul(&bigs[i][0], &bigs[i][1]), f.p, &rest) }},
		} {
			b.Run(fmt.Sprintf("%s/%s", name, step.name), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					step.do(i % n)
				}
			})
		}
	})
}
