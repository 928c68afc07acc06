package testfields_test

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/schemetest"
)

// word is the field of p62 with elements in Montgomery form and element methods alone: what a user would write
// for a word-size prime.
type word struct{}

const (
	wordP    = 4611686018326724609
	wordNinv = 4601552919165140991 // −1/p mod 2^64, checked in TestWord
)

func wordMul(x, y uint64) uint64 {
	h, l := bits.Mul64(x, y)
	t, u := bits.Mul64(l*wordNinv, wordP)
	_, c := bits.Add64(l, u, 0)
	h += t + c
	return min(h, h-wordP)
}

func (word) Set(z, x *uint64) { *z = *x }
func (word) Add(z, x, y *uint64) {
	s := *x + *y
	*z = min(s, s-wordP)
}
func (word) Sub(z, x, y *uint64) {
	s := *x - *y
	*z = min(s, s+wordP)
}
func (f word) Neg(z, x *uint64)      { var zero uint64; f.Sub(z, &zero, x) }
func (word) Mul(z, x, y *uint64)     { *z = wordMul(*x, *y) }
func (word) Equal(x, y *uint64) bool { return *x == *y }
func (word) One(z *uint64)           { *z, _ = divWord(1, 0) }
func (f word) Inv(z, x *uint64) error {
	if *x == 0 {
		return field.ErrNotInvertible
	}
	field.PowUint[uint64](f, z, x, wordP-2)
	return nil
}
func (f word) RootOfUnity(z *uint64, n uint64) error {
	if n == 0 || n&(n-1) != 0 || (wordP-1)%n != 0 {
		return field.ErrNoRoot
	}
	var one, c uint64
	f.One(&one)
	for c = one; ; f.Add(&c, &c, &one) { // a quadratic non-residue
		field.PowUint[uint64](f, z, &c, (wordP-1)/2)
		if *z != one {
			break
		}
	}
	field.PowUint[uint64](f, z, &c, (wordP-1)/n)
	return nil
}

// rows is word with rows of butterflies.
type rows struct{ word }

func (rows) Butterflies(x, y []uint64, w *uint64) {
	z := *w
	for i := range x {
		t, u := wordMul(y[i], z), x[i]
		s, d := u+t, u-t
		x[i], y[i] = min(s, s-wordP), min(d, d+wordP)
	}
}

func (rows) ButterfliesT(x, y []uint64, w *uint64) {
	z := *w
	for i := range x {
		s, d := x[i]+y[i], x[i]-y[i]
		x[i], y[i] = min(s, s-wordP), wordMul(min(d, d+wordP), z)
	}
}

// divWord returns (h·2^64 + l) mod p.
func divWord(h, l uint64) (r, q uint64) {
	q, r = bits.Div64(h, l, wordP)
	return r, q
}

func TestRows(t *testing.T) {
	fieldtest.Run(t, rows{}, fieldtest.Config[uint64]{Random: func(z *uint64, r *rand.Rand) { *z = r.Uint64N(wordP) }})
	wide := wideRows{newWide()}
	random := func(z *[2]uint64, r *rand.Rand) {
		wide.Mul(z, &[2]uint64{r.Uint64(), r.Uint64() >> 2}, &wide.r2)
	}
	fieldtest.Run(t, wide, fieldtest.Config[[2]uint64]{Random: random})
	schemetest.Run(t, rows{}, schemetest.Config[uint64]{MaxN: 256, Random: func(z *uint64,
		r *rand.Rand) {
		*z = r.Uint64N(wordP)
	}})
}

func TestWord(t *testing.T) {
	if p := uint64(wordP); p*wordNinv != ^uint64(0) {
		t.Fatal("the constant is not −1/p mod 2^64")
	}
}

// wide is a prime field of 127 bits, p = (2^63 + 2^53)^2 + 1, with elements in Montgomery form and element methods
// alone.
type wide struct{ p, inv, r, r2 [2]uint64 }

func newWide() *wide {
	f, p := new(wide), big.NewInt(1<<10+1)
	p.Lsh(p, 53).Mul(p, p).Add(p, big.NewInt(1))
	words := func(z *[2]uint64, x *big.Int) { z[0], z[1] = x.Uint64(), new(big.Int).Rsh(x, 64).Uint64() }
	words(&f.p, p)
	R := new(big.Int).Lsh(big.NewInt(1), 128)
	words(&f.r, new(big.Int).Mod(R, p))
	words(&f.r2, new(big.Int).Mod(new(big.Int).Mul(R, R), p))
	f.inv[0] = -arith.Newton(f.p[0])
	return f
}

func (f *wide) Set(z, x *[2]uint64) { *z = *x }
func (f *wide) Add(z, x, y *[2]uint64) {
	a, c := bits.Add64(x[0], y[0], 0)
	b, _ := bits.Add64(x[1], y[1], c)
	f.once(z, a, b)
}

// once sets z to the number of words a and b, below 2p, modulo p.
func (f *wide) once(z *[2]uint64, a, b uint64) {
	u, c := bits.Sub64(a, f.p[0], 0)
	v, c := bits.Sub64(b, f.p[1], c)
	z[0], z[1] = u^(u^a)&-c, v^(v^b)&-c
}

func (f *wide) Sub(z, x, y *[2]uint64) {
	a, c := bits.Sub64(x[0], y[0], 0)
	b, c := bits.Sub64(x[1], y[1], c)
	z[0], a = bits.Add64(a, f.p[0]&-c, 0)
	z[1], _ = bits.Add64(b, f.p[1]&-c, a)
}
func (f *wide) Neg(z, x *[2]uint64)        { f.Sub(z, new([2]uint64), x) }
func (f *wide) One(z *[2]uint64)           { *z = f.r }
func (f *wide) Equal(x, y *[2]uint64) bool { return *x == *y }

// Mul is Montgomery's product, a word of y at a time.
func (f *wide) Mul(z, x, y *[2]uint64) {
	x0, x1 := x[0], x[1]
	var t0, t1 uint64
	for i := range 2 {
		v := y[i]
		h0, l0 := bits.Mul64(x0, v)
		h1, l1 := bits.Mul64(x1, v)
		l0, c := bits.Add64(l0, t0, 0)
		l1, c2 := bits.Add64(l1, t1, c)
		h1 += c2
		l1, c = bits.Add64(l1, h0, 0)
		h1 += c
		m := l0 * f.inv[0]
		g0, k0 := bits.Mul64(m, f.p[0])
		g1, k1 := bits.Mul64(m, f.p[1])
		_, c = bits.Add64(l0, k0, 0)
		l1, c2 = bits.Add64(l1, k1, c)
		h1 += c2
		t0, c = bits.Add64(l1, g0, 0)
		t1 = h1 + g1 + c
	}
	f.once(z, t0, t1)
}

func (f *wide) Inv(z, x *[2]uint64) error {
	if *x == ([2]uint64{}) {
		return field.ErrNotInvertible
	}
	field.Pow[[2]uint64](f, z, x, f.exponent(2, 1))
	return nil
}

// exponent is (p − less)/by.
func (f *wide) exponent(less int64, by uint64) *big.Int {
	e := new(big.Int).SetUint64(f.p[1])
	e.Lsh(e, 64).Add(e, new(big.Int).SetUint64(f.p[0])).Sub(e, big.NewInt(less))
	return e.Div(e, new(big.Int).SetUint64(by))
}

func (f *wide) RootOfUnity(z *[2]uint64, n uint64) error {
	if n == 0 || n&(n-1) != 0 {
		return field.ErrNoRoot
	}
	for c, m := f.r, f.r; ; f.Add(&c, &c, &f.r) { // a quadratic non-residue
		if field.Pow[[2]uint64](f, &m, &c, f.exponent(1, 2)); m != f.r {
			field.Pow[[2]uint64](f, z, &c, f.exponent(1, n))
			return nil
		}
	}
}

// wideRows is wide with rows of butterflies.
type wideRows struct{ *wide }

func (f wideRows) Butterflies(x, y [][2]uint64, w *[2]uint64) { handWide(f.wide, x, y, w) }

func (f wideRows) ButterfliesT(x, y [][2]uint64, w *[2]uint64) {
	var d [2]uint64
	for i := range x {
		f.wide.Sub(&d, &x[i], &y[i])
		f.wide.Add(&x[i], &x[i], &y[i])
		f.wide.Mul(&y[i], &d, w)
	}
}

func handWide(f *wide, x, y [][2]uint64, w *[2]uint64) {
	var t [2]uint64
	for i := range x {
		f.Mul(&t, &y[i], w)
		f.Sub(&y[i], &x[i], &t)
		f.Add(&x[i], &x[i], &t)
	}
}

// hand128 is the radix-2 transform as one would write it for this field alone, by direct calls.
func hand128(f *wide, v, w [][2]uint64) {
	for half := len(v) / 2; half > 0; half /= 2 {
		for b := range len(v) / (2 * half) {
			handWide(f, v[2*half*b:][:half], v[2*half*b+half:][:half], &w[b])
		}
	}
}

// handWords is the radix-2 transform to bit-reversed order as one would write it for this field alone.
func handWords(v, w []uint64) {
	for half := len(v) / 2; half > 0; half /= 2 {
		for b := 0; b < len(v)/(2*half); b++ {
			x, y, z := v[2*half*b:][:half], v[2*half*b+half:][:half], w[b]
			for i := range x {
				t, u := wordMul(y[i], z), x[i]
				s, d := u+t, u-t
				x[i], y[i] = min(s, s-wordP), min(d, d+wordP)
			}
		}
	}
}

// hand256 is the same at 256 bits, by direct calls.
func hand256(f *testfields.Word256, v, w [][4]uint64) {
	var t [4]uint64
	for half := len(v) / 2; half > 0; half /= 2 {
		for b := 0; b < len(v)/(2*half); b++ {
			x, y := v[2*half*b:][:half], v[2*half*b+half:][:half]
			for i := range x {
				f.Mul(&t, &y[i], &w[b])
				f.Sub(&y[i], &x[i], &t)
				f.Add(&x[i], &x[i], &t)
			}
		}
	}
}

// BenchmarkFallback compares transforms over element methods with hand-written loops over the same arithmetic,
// in turn, and reports the ratio of the minima.
func BenchmarkFallback(b *testing.B) {
	for _, n := range []int{1 << 3, 1 << 6, 1 << 8, 1 << 10, 1 << 12} {
		for _, base := range []int{0, 8, 16, 32, 1 << 12} {
			b.Run(fmt.Sprintf("words/n=%d/base=%d", n, base), func(b *testing.B) {
				f := word{}
				v := make([]uint64, n)
				w := powers(b, field.Field[uint64](f), n)
				compare(b, f, n, base, v, func() { handWords(v, w) })
			})
			b.Run(fmt.Sprintf("rows/n=%d/base=%d", n, base), func(b *testing.B) {
				f := rows{}
				v := make([]uint64, n)
				w := powers(b, field.Field[uint64](f), n)
				compare(b, f, n, base, v, func() { handWords(v, w) })
			})
			b.Run(fmt.Sprintf("128/n=%d/base=%d", n, base), func(b *testing.B) {
				f := newWide()
				w := powers(b, field.Field[[2]uint64](f), n)
				v := make([][2]uint64, n)
				compare(b, f, n, base, v, func() { hand128(f, v, w) })
			})
			b.Run(fmt.Sprintf("128rows/n=%d/base=%d", n, base), func(b *testing.B) {
				f := wideRows{newWide()}
				w := powers(b, field.Field[[2]uint64](f), n)
				v := make([][2]uint64, n)
				compare(b, f, n, base, v, func() { hand128(f.wide, v, w) })
			})
			b.Run(fmt.Sprintf("256/n=%d/base=%d", n, base), func(b *testing.B) {
				f := testfields.NewWord256()
				v := make([][4]uint64, n)
				w := powers(b, field.Field[[4]uint64](f), n)
				compare(b, f, n, base, v, func() { hand256(f, v, w) })
			})
		}
	}
}

// powers returns the powers of the n-th root in bit-reversed order.
func powers[E any](b *testing.B, f field.Field[E], n int) []E {
	d, err := field.NewCyclic(f, n)
	if err != nil {
		b.Fatal(err)
	}
	w := make([]E, n/2)
	f.One(&w[0])
	for i := 1; i < n/2; i++ {
		f.Mul(&w[i], &w[i-1], &d.Root)
	}
	new(bulks.Slices[E]).Reorder(bulks.ViewOf(w), 1, 0, 1)
	return w
}

func compare[E any](b *testing.B, f field.Rooted[E], n, base int, v []E, hand func()) {
	d, err := field.NewCyclic(f, n)
	if err != nil {
		b.Fatal(err)
	}
	t, err := schemes.New(f, d, field.Spec{Base: base, Order: field.BitReversed, NoPlanner: true})
	if err != nil {
		b.Fatal(err)
	}
	f.Set(&v[1], &d.Root)
	generic, direct := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		if err := t.Forward(context.Background(), v, v); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		hand()
		generic, direct = min(generic, middle.Sub(start)), min(direct, time.Since(middle))
	}
	butterflies := float64(n / 2 * (bits.Len(uint(n)) - 1))
	b.ReportMetric(float64(generic)/butterflies, "ns/butterfly")
	b.ReportMetric(float64(direct)/butterflies, "hand-ns/butterfly")
	b.ReportMetric(float64(generic)/float64(direct), "ratio")
}
