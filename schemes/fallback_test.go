package schemes_test

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
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
	for _, n := range []int{1 << 8, 1 << 10, 1 << 12} {
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
	d, err := field.Cyclic(f, n)
	if err != nil {
		b.Fatal(err)
	}
	w := make([]E, n/2)
	f.One(&w[0])
	for i := 1; i < n/2; i++ {
		f.Mul(&w[i], &w[i-1], &d.Root)
	}
	field.Slices[E]{}.Reorder(field.ViewOf(w), 0, 1)
	return w
}

func compare[E any](b *testing.B, f field.Rooted[E], n, base int, v []E, hand func()) {
	d, err := field.Cyclic(f, n)
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
