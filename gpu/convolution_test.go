package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// Products over every size of word, through one prime and more, are those of the processor: cyclic and negacyclic, of
// random and of the largest elements, with operands shorter than the vector.
func TestConvolution(t *testing.T) {
	d := alone(t)
	for _, p := range []uint32{3, 17, 1<<31 - 1, 1<<32 - 5} {
		convolutions(t, d, must(smallprime.New32(p)), p-1)
	}
	// Of 3·2^57 + 5 two primes hold the products of 64 elements, but for their signs: it needs three.
	for _, p := range []uint64{5, 1<<45 - 55, 3<<57 + 5, 1<<61 - 1, goldilocks, 1<<64 - 59} {
		convolutions(t, d, must(smallprime.New64(p)), p-1)
	}
}

func convolutions[E comparable](t *testing.T, d *Device, f interface {
	field.Rooted[E]
	field.Convolver[E]
}, last E) {
	g, err := Field[E](f, On(d))
	require.NoError(t, err)
	ctx := t.Context()
	for _, n := range []int{2, 64, 1 << 11} {
		for _, negacyclic := range []bool{false, true} {
			name := fmt.Sprint(g.Name(), n, negacyclic)
			here, err := f.Convolution(n, negacyclic, field.Spec{})
			require.NoError(t, err, name)
			there, err := g.Convolution(n, negacyclic, field.Spec{})
			require.NoError(t, err, name)
			require.NotEmpty(t, there.Report().Device, name)
			m := there.(field.Multiplier[E])
			opts := []fft.Option{fft.WithProducts(fft.CRTProducts)}
			if negacyclic {
				opts = append(opts, fft.WithNegacyclic())
			}
			planned, err := fft.NewConvolution[E](ctx, g, n, opts...)
			require.NoError(t, err, name)
			require.Implements(t, (*field.Multiplier[E])(nil), planned, name)
			a, b := random[E](f, n, 1), random[E](f, n, 2)
			if n == 64 { // the bound of the primes
				a, b = slices.Repeat([]E{last}, n), slices.Repeat([]E{last}, n)
			}
			v, w := must(there.NewVec()), must(there.NewVec())
			for _, count := range []int{n, n/2 + 1} {
				want, square := make([]E, n), make([]E, n)
				x, y := must(here.NewVec()), must(here.NewVec())
				require.NoError(t, errors.Join(here.Load(x, a), here.Load(y, b[:count]), here.ForwardVec(ctx, x),
					here.ForwardVec(ctx, y), here.MulVec(y, x, y), here.InverseVec(ctx, y), here.Store(want, y),
					here.MulVec(x, x, x), here.InverseVec(ctx, x), here.Store(square, x)))
				got := make([]E, n)
				require.NoError(t, errors.Join(there.Load(v, a), there.Load(w, b[:count]), there.ForwardVec(ctx, v),
					there.ForwardVec(ctx, w), there.MulVec(w, v, w), there.InverseVec(ctx, w), there.Store(got, w)))
				require.Equal(t, want, got, name)
				for range 3 { // of which the last ones are graphs
					clear(got)
					require.NoError(t, m.Multiply(ctx, got, 0, a, b[:count], v, w), name)
					require.Equal(t, want, got, name)
				}
				clear(got)
				require.NoError(t, m.Multiply(ctx, got[:count-1], 1, a, nil, v, w), name)
				require.Equal(t, want[1:count], got[:count-1], "%s, a factor that is kept", name)
				require.NoError(t, m.Multiply(ctx, got, 0, a, a, v, nil), name)
				require.Equal(t, square, got, "%s, a square", name)
			}
		}
	}
}

// Errors of operands and of the device; nothing is written then.
func TestConvolutionErrors(t *testing.T) {
	d := spare(t)
	f := must(smallprime.New64(1<<61 - 1))
	g, err := Field(f, On(d))
	require.NoError(t, err)
	ctx := t.Context()
	for _, seek := range []int{8, 1 << 20} {
		g.b.(*words).seekFrom = seek
		c, err := g.Convolution(64, false, field.Spec{})
		require.NoError(t, err)
		other, err := g.Convolution(64, false, field.Spec{})
		require.NoError(t, err)
		m := c.(field.Multiplier[uint64])
		v, w, strange := must(c.NewVec()), must(c.NewVec()), must(other.NewVec())
		a, b, z := random[uint64](f, 64, 1), random[uint64](f, 64, 2), make([]uint64, 64)
		want := make([]uint64, 64)
		require.NoError(t, m.Multiply(ctx, want, 0, a, b, v, w))
		var out *field.RangeError
		for _, what := range []string{"a", "b"} {
			bad := slices.Clone(a)
			bad[5], bad[40] = 1<<61-1, 1<<63
			x, y := bad, b
			if what == "b" {
				x, y = a, bad
			}
			require.ErrorAs(t, m.Multiply(ctx, z, 0, x, y, v, w), &out)
			require.Equal(t, field.RangeError{What: what, Index: 5}, *out)
			require.ErrorAs(t, c.Load(v, bad), &out)
			require.Equal(t, field.RangeError{What: "src", Index: 5}, *out)
		}
		require.NoError(t, errors.Join(c.Load(v, a), c.ForwardVec(ctx, v)))
		bad := []uint64{1 << 62}
		require.Error(t, c.Load(v, bad))
		require.NoError(t, errors.Join(c.InverseVec(ctx, v), c.Store(z, v)))
		require.Equal(t, a, z, "a Load that fails changes nothing")
		clear(z)
		for _, err := range []error{c.Load(strange, a), c.Store(z, nil), c.MulVec(v, strange, v),
			c.ForwardVec(ctx, strange), m.Multiply(ctx, z, 0, a, b, strange, w), m.Multiply(ctx, z, 0, a, b, v, nil)} {
			require.ErrorIs(t, err, field.ErrVec)
		}
		for _, err := range []error{c.Load(v, make([]uint64, 65)), c.Store(make([]uint64, 65), v),
			m.Multiply(ctx, z, 1, a, b, v, w), m.Multiply(ctx, z[:1], -1, a, b, v, w)} {
			require.ErrorIs(t, err, field.ErrLength)
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, m.Multiply(over, z, 0, a, b, v, w), context.Canceled)
		require.ErrorIs(t, c.ForwardVec(over, v), context.Canceled)
		for _, function := range []string{"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuLaunchKernel", "cuGraphLaunch",
			"cuEventRecord", "cuStreamBeginCapture"} {
			for n := range 8 {
				clear(z)
				failing(t, function, n+1, 1)
				if err := m.Multiply(ctx, z, 0, a, b, v, w); err != nil {
					require.ErrorContains(t, err, function)
				} else {
					require.Equal(t, want, z, "%s %d", function, n)
				}
			}
			failing(t, "", 0, 0)
			require.NoError(t, m.Multiply(ctx, z, 0, a, b, v, w), function)
			require.Equal(t, want, z, function)
		}
		for _, us := range []string{"50", "0"} {
			t.Setenv("EMULATE_DELAY", us)
			clear(z)
			require.NoError(t, m.Multiply(ctx, z, 0, a, b, v, w))
			require.Equal(t, want, z)
		}
		require.NoError(t, v.Close())
		require.ErrorIs(t, v.Close(), field.ErrVec)
		require.ErrorIs(t, c.Load(v, a), field.ErrVec)
	}
	_, err = g.Convolution(64, false, field.Spec{MemoryLimit: 2000})
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = g.Convolution(63, false, field.Spec{})
	require.ErrorIs(t, err, field.ErrLength)
	few, err := Field(f, On(d), From(128))
	require.NoError(t, err)
	c, err := few.Convolution(64, false, field.Spec{})
	require.NoError(t, err)
	require.Empty(t, c.Report().Device, "short ones are the processor's")
}

// What needs products in place of roots has them on the device: polynomials, and transforms of prime lengths.
func TestThrough(t *testing.T) {
	d := spare(t)
	f := smallprime.Mersenne31()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	a, b := random(f, 300, 1), random(f, 200, 2)
	want := must(poly.Mul[uint32](f, a, b))
	require.Equal(t, want, must(poly.Mul[uint32](g, a, b)))
	r := must(poly.New[uint32](g))
	for range 2 {
		require.Equal(t, want, must(r.Mul(t.Context(), a, b)))
	}
	failing(t, "cuMemcpyHtoDAsync", 3, 1)
	require.Equal(t, want, must(r.Mul(t.Context(), a, b)), "two copies")
	failing(t, "cuMemcpyHtoDAsync", 2, 1)
	_, err = r.Mul(t.Context(), a, b)
	require.ErrorContains(t, err, "cuMemcpyHtoDAsync")
	failing(t, "", 0, 0)

	const n = 331 // divides 2^31 − 2, and 2^10 does not
	x, here, there := random(f, n, 3), make([]uint32, n), make([]uint32, n)
	require.NoError(t, must(fft.NewPlan[uint32](f, n)).Forward(here, x))
	p := must(fft.NewPlan[uint32](g, n))
	require.NoError(t, p.Forward(there, x))
	require.Equal(t, here, there)
	failing(t, "cuLaunchKernel", 1, 1)
	require.ErrorContains(t, p.Forward(there, x), "cuLaunchKernel", p.Report().Form)
	failing(t, "", 0, 0)
}

// A convolution is for many at once, each with vectors of its own.
func TestConvolutionAtOnce(t *testing.T) {
	d := alone(t)
	f := smallprime.Mersenne31()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 1 << 8
	ctx := t.Context()
	a, b := random(f, n, 1), random(f, n, 2)
	here, there := must(fft.NewConvolution[uint32](ctx, f, n)), must(fft.NewConvolution[uint32](ctx, g, n))
	x, y, want := must(here.NewVec()), must(here.NewVec()), make([]uint32, n)
	require.NoError(t, errors.Join(here.Load(x, a), here.Load(y, b), here.ForwardVec(ctx, x), here.ForwardVec(ctx, y),
		here.MulVec(x, x, y), here.InverseVec(ctx, x), here.Store(want, x)))
	factor := must(there.NewVec()) // that all read
	require.NoError(t, errors.Join(there.Load(factor, b), there.ForwardVec(ctx, factor)))
	for _, us := range []string{"0", "20"} {
		t.Setenv("EMULATE_DELAY", us)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				v, err := there.NewVec()
				check(t, err, true)
				got := make([]uint32, n)
				for range 4 {
					clear(got)
					err := errors.Join(there.Load(v, a), there.ForwardVec(ctx, v), there.MulVec(v, v, factor),
						there.InverseVec(ctx, v), there.Store(got, v))
					check(t, err, slices.Equal(want, got))
				}
				check(t, v.Close(), true)
			})
		}
		all.Wait()
	}
	require.NoError(t, d.Close())
	require.ErrorIs(t, there.Load(factor, b), ErrClosed)
	require.ErrorIs(t, there.ForwardVec(ctx, factor), ErrClosed)
	_, err = there.NewVec()
	require.ErrorIs(t, err, ErrClosed)
}
