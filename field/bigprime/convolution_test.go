package bigprime

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// convolved is a field whose products are tested.
type convolved[E any] interface {
	field.Field[E]
	field.Codec[E]
	field.Sampler[E]
	field.Convolver[E]
	field.RangeChecker[E]
	field.Info
}

// Moduli of products, at and beside bounds of words and limbs. Nothing here asks for a prime.
var productModuli = []string{"2^64+13", "2^104-1", "2^104+1", "2^127-1", "2^255-19", "2^256-2^32-977", "2^260-1",
	"0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", "2^521-1",
	"2^1024-105", "2^1040+1"}

// Products of both kinds are those of integers modulo p, on all tiers.
func TestConvolution(t *testing.T) {
	lengths := []int{1, 2, 16, 64}
	if testscale.Of(t) >= testscale.Full {
		lengths = []int{1, 2, 4, 8, 16, 32, 64, 256}
	}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		convolves(t, BN254(), lengths...)
		convolves(t, P2(), lengths...)
		for _, text := range productModuli {
			p := number(t, text)
			w, err := Size(p)
			require.NoError(t, err)
			convolves(t, newAny(p, w), lengths...)
		}
		convolves(t, newAny(number(t, "2^8192-3"), 128), 2)
		undo()
	}
}

func convolves[E any](t *testing.T, f convolved[E], lengths ...int) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range lengths {
		for _, negacyclic := range []bool{false, true} {
			c, err := f.Convolution(n, negacyclic, field.Spec{})
			require.NoError(t, err)
			x, y := newVec(t, c), newVec(t, c)
			require.Equal(t, n, x.Len())
			for round := range 4 { // coefficients of greatest absolute value, and prefixes of vectors
				a, b := operand(f, n, round < 2, r), operand(f, n-n/3, round%2 == 0, r)
				want, got := schoolbook(f, a, b, n, negacyclic), make([]E, n)
				multiply(t, c, x, y, a, b)
				require.NoError(t, c.Store(got, x))
				require.Equal(t, want, integers(f, got), "%s, length %d, negacyclic %t", f.Name(), n, negacyclic)
				require.NoError(t, c.Store(got[:n/2], x))
				require.Equal(t, want, integers(f, got), "prefix")
			}
			require.NoError(t, c.Load(x, nil))
			got := make([]E, n)
			require.NoError(t, c.Store(got, x))
			require.Equal(t, schoolbook(f, nil, nil, n, false), integers(f, got), "nothing loaded")
		}
	}
}

func newVec[E any](t testing.TB, c field.Convolution[E]) field.Vec {
	t.Helper()
	v, err := c.NewVec()
	require.NoError(t, err)
	return v
}

// multiply sets x to the product of a and b, in residues.
func multiply[E any](t testing.TB, c field.Convolution[E], x, y field.Vec, a, b []E) {
	t.Helper()
	ctx := context.Background()
	require.NoError(t, c.Load(x, a))
	require.NoError(t, c.Load(y, b))
	require.NoError(t, c.ForwardVec(ctx, x))
	require.NoError(t, c.ForwardVec(ctx, y))
	require.NoError(t, c.MulVec(x, x, y))
	require.NoError(t, c.InverseVec(ctx, x))
}

// operand returns n elements: random ones, or all −1.
func operand[E any](f convolved[E], n int, random bool, r *rand.Rand) []E {
	a := make([]E, n)
	for i := range a {
		if random {
			f.Random(&a[i], r)
			continue
		}
		f.One(&a[i])
		f.Neg(&a[i], &a[i])
	}
	return a
}

// integers returns elements as integers.
func integers[E any](f convolved[E], a []E) []*big.Int {
	z := make([]*big.Int, len(a))
	for i := range a {
		z[i] = f.Big(nil, &a[i])
	}
	return z
}

// schoolbook is a·b modulo x^n − 1, or x^n + 1, by integers.
func schoolbook[E any](f convolved[E], a, b []E, n int, negacyclic bool) []*big.Int {
	z, u, v, t := make([]*big.Int, n), integers(f, a), integers(f, b), new(big.Int)
	for i := range z {
		z[i] = new(big.Int)
	}
	for i := range u {
		for j := range v {
			t.Mul(u[i], v[j])
			if to := z[(i+j)%n]; negacyclic && i+j >= n {
				to.Sub(to, t)
			} else {
				to.Add(to, t)
			}
		}
	}
	for i := range z {
		z[i] = f.Big(nil, element(f, z[i].Mod(z[i], f.Characteristic()))) // in the form that Big gives
	}
	return z
}

func element[E any](f convolved[E], x *big.Int) *E {
	z := new(E)
	if err := f.SetBig(z, x); err != nil {
		panic(err)
	}
	return z
}

// What a convolution refuses, and what it says of itself.
func TestConvolutionErrors(t *testing.T) {
	refuses(t, BN254())
	refuses(t, newAny(BN254().Characteristic(), 4))
	f := BN254()
	c, err := f.Convolution(8, false, field.Spec{})
	require.NoError(t, err)
	at := &field.RangeError{}
	require.ErrorAs(t, c.Load(newVec(t, c), [][4]uint64{1: [4]uint64(f.prime.p)}), &at)
	require.Equal(t, field.RangeError{What: "src", Index: 1}, *at)
	g := newAny(f.Characteristic(), 4)
	d, err := g.Convolution(8, false, field.Spec{})
	require.NoError(t, err)
	require.ErrorIs(t, d.Load(newVec(t, d), []Number{{1, 2}}), field.ErrRange)
}

func refuses[E any](t *testing.T, f convolved[E]) {
	ctx := context.Background()
	c, err := f.Convolution(8, false, field.Spec{})
	require.NoError(t, err)
	other, err := f.Convolution(8, false, field.Spec{Unchecked: true})
	require.NoError(t, err)
	x, closed := newVec(t, c), newVec(t, c)
	require.NoError(t, closed.Close())
	require.ErrorIs(t, closed.Close(), field.ErrVec)
	for _, v := range []field.Vec{nil, (*residues.Vec)(nil), newVec(t, other), closed} {
		for _, err := range []error{c.Load(v, nil), c.Store(nil, v), c.ForwardVec(ctx, v), c.InverseVec(ctx, v),
			c.MulVec(v, x, x), c.MulVec(x, v, x), c.MulVec(x, x, v)} {
			require.ErrorIs(t, err, field.ErrVec)
		}
	}
	require.ErrorIs(t, c.Load(x, make([]E, 9)), field.ErrLength)
	require.ErrorIs(t, c.Store(make([]E, 9), x), field.ErrLength)
	var none context.Context
	require.ErrorIs(t, c.ForwardVec(none, x), field.ErrSpec)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, c.ForwardVec(ended, x), context.Canceled)
	require.ErrorIs(t, c.InverseVec(ended, x), context.Canceled)

	for _, n := range []int{-4, 0, 3, 12} {
		_, err := f.Convolution(n, false, field.Spec{})
		require.ErrorIs(t, err, field.ErrLength)
	}
	for _, limit := range []int{1, 1 << 10, 1 << 16, 3 << 19} {
		_, err = f.Convolution(1<<15, false, field.Spec{MemoryLimit: limit})
		require.ErrorIs(t, err, field.ErrMemory)
	}
	for _, n := range []int{1 << 30, bits.UintSize / 64 << 34, bits.UintSize / 64 << 60} {
		_, err = f.Convolution(max(n, 1<<20), true, field.Spec{MemoryLimit: 1 << 28})
		require.ErrorIs(t, err, field.ErrMemory)
	}
	_, err = f.Convolution(8, false, field.Spec{Batch: field.Batch{Count: -3}})
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = f.Convolution(8, false, field.Spec{Workers: -1})
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = f.Convolution(1<<14, false, field.Spec{Context: ended})
	require.ErrorIs(t, err, context.Canceled)

	r, free := c.Report(), other.Report()
	require.True(t, r.Checked)
	require.False(t, free.Checked)
	require.Equal(t, 8, r.N)
	require.Contains(t, r.Form, "products of integers modulo ")
	require.Positive(t, r.Tables)
	require.Positive(t, r.Scratch)
	require.GreaterOrEqual(t, r.Vector, 8*8*2*f.Size()/8)
	large, err := f.Convolution(1<<10, false, field.Spec{Workers: 2})
	require.NoError(t, err)
	require.GreaterOrEqual(t, large.Report().Tables, 16<<10)
}

// Any number of workers, sharing transforms or primes, computes the same, and allocates nothing once warm.
func TestConvolutionWorkers(t *testing.T) {
	f, r := BN254(), rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1 << 5, 1 << 15} {
		a, b := operand(f, n, true, r), operand(f, n, true, r)
		var want [][4]uint64
		for _, s := range []field.Spec{{}, {Workers: 3}, {Workers: 2, Grain: 1}} {
			c, err := f.Convolution(n, false, s)
			require.NoError(t, err)
			x, y, got := newVec(t, c), newVec(t, c), make([][4]uint64, n)
			product := func() {
				multiply(t, c, x, y, a, b)
				require.NoError(t, c.Store(got, x))
			}
			if product(); want == nil {
				want = got
			}
			require.Equal(t, want, got, "%+v", s)
			if !raceEnabled {
				require.Truef(t, settles(product), "%+v allocates", s)
			}
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			require.ErrorIs(t, c.ForwardVec(ended, x), context.Canceled)
			require.NoError(t, c.ForwardVec(context.Background(), x))
		}
	}
}

// settles reports whether calls come to allocate nothing: pools grow to what runs at once, and a collection empties
// them.
func settles(call func()) bool {
	for range 10 {
		if testing.AllocsPerRun(5, call) == 0 {
			return true
		}
	}
	return false
}

// Lengths with large prime factors, in fields without the powers of two that Bluestein's algorithm would take.
func TestPrimeLengths(t *testing.T) {
	f := newAny(number(t, "2^127-1"), 2) // p − 1 = 2·3^3·7^2·19·43·73·127·337·5419·92737·649657·77158673929
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{73, 337, 2 * 337, 3 * 127} {
		d, err := field.NewCyclic[Number](f, n)
		require.NoError(t, err)
		f.Random(&d.Shift, r)
		for _, b := range []field.Batch{{}, {Count: 3, Columns: true}} {
			_, size, err := b.Layout(n)
			require.NoError(t, err)
			x, got, want := operand[Number](f, size, true, r), make([]Number, size), make([]Number, size)
			naive, err := f.Plan(d, field.Spec{Algorithm: field.Naive, Batch: b})
			require.NoError(t, err)
			require.NoError(t, naive.Forward(context.Background(), want, x))
			for _, s := range []field.Spec{{Batch: b}, {Batch: b, Algorithm: field.Bluestein},
				{Batch: b, Workers: 2, Grain: 1}} {
				p, err := f.Plan(d, s)
				if errors.Is(err, field.ErrScheme) {
					continue
				}
				require.NoError(t, err)
				if s.Algorithm == field.Bluestein {
					require.Contains(t, p.Report().Form, "products of integers modulo ")
				}
				require.NoError(t, p.Forward(context.Background(), got, x))
				require.Equal(t, want, got, "length %d, %+v", n, s)
				require.NoError(t, p.Inverse(context.Background(), got, got))
				require.Equal(t, x, got, "inverse of length %d, %+v", n, s)
			}
		}
	}
}

// The cost grows with nothing that makes other primes faster, and is 1 where there is nothing to compare.
func TestConvolutionCost(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		f := BN254()
		for n := 1; n < 1<<30; n *= 2 {
			cost := f.ConvolutionCost(n)
			require.Positive(t, cost)
			require.Equal(t, cost, f.ConvolutionCost(n))
		}
		require.Equal(t, 1., f.ConvolutionCost(0))
		undo()
	}
}

// BenchmarkConvolution prints the time of a product of n/2 by n/2 coefficients and of its stages, for primes of several
// sizes. BenchmarkLongConvolution has longer elements.
func BenchmarkConvolution(b *testing.B) {
	stages(b, P2(), 1<<17)
	stages(b, BN254(), 1<<10)
	stages(b, BN254(), 1<<17)
}

func stages[E Words](b *testing.B, f *Field[E], n int) {
	ctx := context.Background()
	c, err := f.Convolution(n, false, field.Spec{Unchecked: true})
	require.NoError(b, err)
	x, err := c.NewVec()
	require.NoError(b, err)
	y, err := c.NewVec()
	require.NoError(b, err)
	a, z := make([]E, n/2), make([]E, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range a {
		f.Random(&a[i], r)
	}
	load := func() error { return errors.Join(c.Load(x, a), c.Load(y, a)) }
	forward := func() error { return errors.Join(c.ForwardVec(ctx, x), c.ForwardVec(ctx, y)) }
	product := func() error { return c.MulVec(x, x, y) }
	inverse := func() error { return c.InverseVec(ctx, x) }
	store := func() error { return c.Store(z, x) }
	all := func() error { return errors.Join(load(), forward(), product(), inverse(), store()) }
	require.NoError(b, all())
	for _, s := range []struct {
		name string
		do   func() error
	}{{"load", load}, {"forward", forward}, {"product", product}, {"inverse", inverse}, {"store", store}, {"all", all}} {
		b.Run(fmt.Sprintf("%d bits/2^%d/%s", f.Characteristic().BitLen(), bits.Len(uint(n-1)), s.name), func(b *testing.B) {
			for b.Loop() {
				if err := s.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
