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
func open(t testing.TB, f *bigprime.Field[[2]uint64], n int) (*Transform, [][2]uint64) {
	var root [2]uint64
	if err := f.RootOfUnity(&root, uint64(n)); err != nil {
		t.Fatal(err)
	}
	c := New(f.Order(), f.Big(nil, &root), n)
	t.Cleanup(c.Close)
	x, r := make([][2]uint64, n), rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], r)
		c.Load(i, f.Big(nil, &x[i]))
	}
	return c, x
}

func TestForward(t *testing.T) {
	for n := 2; n <= 1<<8; n *= 2 {
		f := bigprime.P2()
		c, x := open(t, f, n)
		c.Forward()
		if err := fft.Must(fft.NewPlan(f, n)).Forward(x, x); err != nil {
			t.Fatal(err)
		}
		for j := range x {
			if got, want := c.Value(j), f.Big(nil, &x[j]); got.Cmp(want) != 0 {
				t.Fatalf("length %d, value %d: %v, want %v", n, j, got, want)
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
		c, _ := open(b, f, 1<<k)
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
