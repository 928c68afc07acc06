//go:build cgo && gmp

package gmp

import (
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/integer"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

func open[E bigprime.Words](t testing.TB, p *big.Int) *Field[E] {
	f, err := New[E](p)
	require.NoError(t, err)
	return f
}

func parse(t testing.TB, text string) *big.Int {
	p, ok := integer.Parse(text)
	require.True(t, ok)
	return p
}

// conforms runs the suites over the field of p, with transforms of up to most points; those of fields and bulks for
// primes up to 1024 bits alone, as longer ones take minutes.
func conforms[E bigprime.Words](t *testing.T, name string, p *big.Int, most int) {
	t.Run(name, func(t *testing.T) {
		f := open[E](t, p)
		if p.BitLen() <= 1024 {
			t.Run("field", func(t *testing.T) { fieldtest.Run(t, f, fieldtest.Config[E]{}) })
			t.Run("bulk", func(t *testing.T) { fieldtest.RunBulk(t, f, f.bulk, fieldtest.Config[E]{}) })
		}
		t.Run("schemes", func(t *testing.T) {
			schemetest.Run(t, roots[E]{f, new(sync.Map)}, schemetest.Config[E]{MaxN: most, Large: []int{4 * most},
				Bases: []int{2, 8, 0}, Workers: []int{1, 2}})
		})
		t.Run("same", func(t *testing.T) { same(t, f) })
	})
}

// roots is a field that remembers its roots of unity, which take long to find.
type roots[E bigprime.Words] struct {
	*Field[E]
	known *sync.Map // by orders
}

func (r roots[E]) RootOfUnity(z *E, n uint64) error {
	w, ok := r.known.Load(n)
	if !ok {
		var e E
		if err := r.Field.RootOfUnity(&e, n); err != nil {
			return err
		}
		w, _ = r.known.LoadOrStore(n, e)
	}
	*z = w.(E)
	return nil
}

// Primes of few words and of many, of all bits of their elements or less. Those of 8192 bits divide.
func TestConformance(t *testing.T) {
	conforms[[2]uint64](t, "P2", bigprime.P2().Order(), 64)
	conforms[[4]uint64](t, "bn254", bigprime.BN254().Order(), 32)
	conforms[[16]uint64](t, "1024 bits", parse(t, "2^1024-2^880+1"), 16)
	conforms[[64]uint64](t, "4032 bits", gfpf.P6().Order(), 8)
	conforms[[128]uint64](t, "8192 bits", gfpf.P7().Order(), 4)
}

// edges are elements at the ends of words and of the field, and random ones.
func edges[E bigprime.Words](f *Field[E], rnd *rand.Rand) (list []E) {
	p, one := f.Order(), big.NewInt(1)
	add := func(x *big.Int) {
		var e E
		if f.SetBig(&e, x.Mod(x, p)) == nil {
			list = append(list, e)
		}
	}
	for d := int64(-2); d <= 2; d++ {
		add(big.NewInt(d))
		for _, k := range []uint{63, 64, 128, uint(p.BitLen() - 1), uint(p.BitLen())} {
			x := new(big.Int).Lsh(one, k)
			add(x.Add(x, big.NewInt(d)))
		}
	}
	for range 4 {
		var e E
		f.Random(&e, rnd)
		list = append(list, e)
	}
	return list
}

// same compares f with the field of package bigprime, and products with math/big.
func same[E bigprime.Words](t *testing.T, f *Field[E]) {
	rnd := rand.New(rand.NewPCG(1, 2))
	list := edges(f, rnd)
	n := len(list)
	for i := range list {
		x, y := list, append(list[i:], list[:i]...)
		got, want := make([]E, n), make([]E, n)
		for _, c := range []struct {
			name string
			op   func(v field.Vectors[E], z []E)
		}{
			{"MulVec", func(v field.Vectors[E], z []E) { v.MulVec(z, x, y) }},
			{"AddVec", func(v field.Vectors[E], z []E) { v.AddVec(z, x, y) }},
			{"SubVec", func(v field.Vectors[E], z []E) { v.SubVec(z, x, y) }},
			{"MulAddVec", func(v field.Vectors[E], z []E) { v.MulAddVec(z, y, y) }},
		} {
			if copy(got, dirty[E](n)); c.name == "MulAddVec" {
				copy(got, want)
			}
			c.op(f, got)
			c.op(f.Field, want)
			require.Equal(t, want, got, c.name)
		}
		p, q := new(big.Int), new(big.Int)
		for j := range x {
			f.Mul(&got[j], &x[j], &y[j])
			p.Mul(f.Big(p, &x[j]), f.Big(q, &y[j]))
			require.Equal(t, p.Mod(p, f.Order()).String(), f.Big(nil, &got[j]).String())
		}
		for _, rows := range []func(b field.Butterflies[E], x, y []E){
			func(b field.Butterflies[E], x, y []E) { b.Butterflies(x, y, &list[i]) },
			func(b field.Butterflies[E], x, y []E) { b.ButterfliesT(x, y, &list[i]) },
		} {
			a, b := append([]E{}, x...), append([]E{}, y...)
			c, d := append([]E{}, x...), append([]E{}, y...)
			rows(f, a, b)
			rows(f.Field, c, d)
			require.Equal(t, c, a)
			require.Equal(t, d, b)
		}
	}
	x := make([]E, 64)
	for i := range x {
		x[i] = list[i%n]
	}
	y := make([]E, len(x))
	for _, run := range []func(p *fft.Plan[E], x []E) error{
		func(p *fft.Plan[E], x []E) error { return p.Forward(x, x) },
		func(p *fft.Plan[E], x []E) error { return p.Inverse(x, x) },
	} {
		copy(y, x)
		require.NoError(t, run(fft.Must(fft.NewPlan(f.Field, len(x))), y))
		require.NoError(t, run(fft.Must(fft.NewPlan(f, len(x))), x))
		require.Equal(t, y, x)
	}
	require.Zero(t, testing.AllocsPerRun(4, func() {
		f.Mul(&x[0], &x[1], &x[2])
		f.MulAddVec(x, y, y)
		f.AddVec(x, x, y)
		f.SubVec(x, x, y)
		f.Butterflies(x, y, &list[0])
	}))
}

// dirty returns values that are no elements, as destinations may hold.
func dirty[E bigprime.Words](n int) []E {
	z := make([]E, n)
	for i := range z {
		w := words(&z[i])
		for j := range w {
			w[j] = ^uint64(0)
		}
	}
	return z
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		p    string
		want string
	}{
		{"2^127+1", "composite"}, {"2^128-2", "even"}, {"2^61-1", "smallprime"}, {"2^8193-1", "8193 bits"},
		{"2^255-19", "want elements of 4"},
	} {
		_, err := New[[2]uint64](parse(t, c.p))
		require.ErrorIs(t, err, field.ErrModulus)
		require.ErrorContains(t, err, c.want)
	}
}
