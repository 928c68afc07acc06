//go:build cgo && gmp

package mpz

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bigprime/gmp"
	"github.com/galfft/fft/field/literal"
)

// open returns a transform with random inputs, and a plan with the same root.
func open(t testing.TB, f *bigprime.Field[[2]uint64], n int, scheme field.Algorithm) (*Transform, [][2]uint64) {
	var root [2]uint64
	if err := f.RootOfUnity(&root, uint64(n)); err != nil {
		t.Fatal(err)
	}
	c := New(f.Order(), f.Big(nil, &root), n, scheme)
	t.Cleanup(c.Close)
	x, r := make([][2]uint64, n), rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], r)
		c.Load(i, f.Big(nil, &x[i]))
	}
	return c, x
}

func TestForward(t *testing.T) {
	for _, scheme := range []field.Algorithm{field.SixStep, field.SixStepMerged, field.FourStep} {
		for n := 2; n <= 1<<8; n *= 2 {
			f := bigprime.P2()
			c, x := open(t, f, n, scheme)
			c.Forward()
			if err := fft.Must(fft.NewPlan(f, n)).Forward(x, x); err != nil {
				t.Fatal(err)
			}
			for j := range x {
				if got, want := c.Value(j), f.Big(nil, &x[j]); got.Cmp(want) != 0 {
					t.Fatalf("%v, length %d, value %d: %v, want %v", scheme, n, j, got, want)
				}
			}
		}
	}
}

func TestProducts(t *testing.T) {
	f, r := bigprime.BN254(), rand.New(rand.NewPCG(3, 4))
	const n = 20
	var x, y, z [4 * n]uint64
	var a, b, product, montgomery [n][4]uint64
	for i := range a {
		f.Random(&a[i], r)
		f.Random(&b[i], r)
		copy(x[4*i:], a[i][:])
		copy(y[4*i:], b[i][:])
	}
	f.MulVec(product[:], a[:], b[:])
	if err := f.MulMontgomery(montgomery[:], a[:], b[:]); err != nil {
		t.Fatal(err)
	}
	var p []uint64
	for _, w := range f.Order().Bits() {
		p = append(p, uint64(w))
	}
	m := NewProducts(p)
	for name, c := range map[string]struct {
		do   func(z, x, y []uint64)
		want [n][4]uint64
	}{"Montgomery": {m.Montgomery, montgomery}, "plain": {m.Plain, product}} {
		c.do(z[:], x[:], y[:])
		for i, want := range c.want {
			if got := [4]uint64(z[4*i:]); got != want {
				t.Fatalf("%s, element %d: %x, want %x", name, i, got, want)
			}
		}
	}
}

// BenchmarkForward prints the time of a butterfly of each arithmetic.
func BenchmarkForward(b *testing.B) {
	f := bigprime.P2()
	g, err := gmp.Of(f)
	n, errNCW := literal.NCW(f)
	m, errBig := literal.Big(f)
	if err != nil || errNCW != nil || errBig != nil {
		b.Fatal(err, errNCW, errBig)
	}
	for k := 12; k <= 16; k += 4 {
		c, _ := open(b, f, 1<<k, field.FourStep)
		report(b, "C", k, c.Forward)
		ours(b, "gmp", g, k)
		ours(b, "go", f, k)
		ours(b, "ncw", n, k)
		ours(b, "big", m, k)
	}
}

func ours[E any](b *testing.B, name string, f interface {
	field.Rooted[E]
	field.Codec[E]
	field.Sampler[E]
}, k int) {
	x, r := make([]E, 1<<k), rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], r)
	}
	p, err := fft.NewPlan(f, 1<<k, fft.WithOrder(fft.BitReversed))
	if err != nil {
		b.Fatal(err)
	}
	report(b, name, k, func() {
		if err := p.Forward(x, x); err != nil {
			b.Fatal(err)
		}
	})
}

func report(b *testing.B, name string, k int, forward func()) {
	b.Run(fmt.Sprintf("%s/2^%d", name, k), func(b *testing.B) {
		for b.Loop() {
			forward()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*k<<(k-1)), "ns/butterfly")
	})
}
