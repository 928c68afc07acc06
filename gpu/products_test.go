package gpu

import (
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// A product copies its operands in and itself out, and nothing else: what is in between, and zeros behind operands, are
// on the device.
func TestProductCopies(t *testing.T) {
	t.Run("words", func(t *testing.T) { productCopies(t, smallprime.P62(), 700) })
	t.Run("digits", func(t *testing.T) { productCopies(t, gfpf.P2(), 300) })
}

func productCopies[E comparable](t *testing.T, f field.Rooted[E], n int) {
	d := spare(t)
	g, err := Field(f, On(d))
	require.NoError(t, err)
	ctx := t.Context()
	here, err := poly.New(f)
	require.NoError(t, err)
	there, err := poly.New[E](g)
	require.NoError(t, err)
	a, b := random(f, n, 1), random(f, n-40, 2)
	o, err := there.Prepare(ctx, b, 2*n-41)
	require.NoError(t, err)
	host, err := here.Prepare(ctx, b, 2*n-41)
	require.NoError(t, err)
	prepared := func(r *poly.Ring[E]) *poly.Operand[E] {
		if r == there {
			return o
		}
		return host
	}
	for name, c := range map[string]struct {
		in  int
		run func(r *poly.Ring[E]) ([]E, error)
	}{
		"product":    {2, func(r *poly.Ring[E]) ([]E, error) { return r.Mul(ctx, a, b) }},
		"square":     {1, func(r *poly.Ring[E]) ([]E, error) { return r.Square(ctx, a) }},
		"cyclic":     {2, func(r *poly.Ring[E]) ([]E, error) { return r.Cyclic(ctx, a, b, 1<<10) }},
		"negacyclic": {2, func(r *poly.Ring[E]) ([]E, error) { return r.Negacyclic(ctx, a, b, 1<<10) }},
		"cached":     {1, func(r *poly.Ring[E]) ([]E, error) { return r.MulOperand(ctx, a, prepared(r)) }},
	} {
		want, err := c.run(here)
		require.NoError(t, err)
		_, err = c.run(there) // makes plans and vectors
		require.NoError(t, err)
		for function, n := range map[string]int{"cuMemcpyHtoDAsync": c.in, "cuMemcpyDtoHAsync": 1} {
			failing(t, function, n+1, 1)
			got, err := c.run(there)
			require.NoError(t, err, "%s: more than %d copies", name, n)
			require.Equal(t, want, got, name)
			failing(t, function, n, 1)
			_, err = c.run(there)
			require.ErrorContains(t, err, function, name)
			failing(t, "", 0, 0)
		}
	}
}

// Zeros behind the elements of a Load are made on the device, also where a vector is longer than a part of a copy.
func TestLoadPart(t *testing.T) {
	d := spare(t)
	f := smallprime.Goldilocks()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 1 << 18
	ring, err := poly.New[uint64](g)
	require.NoError(t, err)
	a, b := random(f, n/2, 1), random(f, 100, 2)
	want, err := poly.Mul[uint64](f, a, b)
	require.NoError(t, err)
	got, err := ring.Cyclic(t.Context(), a, b, n)
	require.NoError(t, err)
	require.Equal(t, want, got[:len(want)])
	require.Equal(t, make([]uint64, n-len(want)), got[len(want):])

	p, err := fft.NewPlan[uint64](g, n)
	require.NoError(t, err)
	v, err := p.NewVec()
	require.NoError(t, err)
	c := make([]uint64, 100)
	require.NoError(t, p.Load(v, random(f, n, 3)))
	failing(t, "cuMemcpyHtoDAsync", 2, 1)
	require.NoError(t, p.Load(v, b), "two copies")
	failing(t, "cuMemcpyDtoHAsync", 2, 1)
	require.NoError(t, p.Store(c, v), "two copies")
	failing(t, "", 0, 0)
	require.Equal(t, b, c)
	all := make([]uint64, n)
	require.NoError(t, p.Store(all, v))
	require.Equal(t, append(b, make([]uint64, n-len(b))...), all)
}

// The vectors of a single product and those of an operand go back with them, without the garbage collector.
func TestProductGivesBack(t *testing.T) {
	d := spare(t)
	f := smallprime.P62()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 1 << 11
	a, b := random(f, n/2, 1), random(f, n/2, 2)
	defer noCleanups()()
	taken := func(call func()) int {
		before := free(t, d)
		call()
		return before - free(t, d)
	}
	tables := taken(func() {
		_, err := fft.NewConvolution(t.Context(), g, n)
		require.NoError(t, err)
	})
	require.Equal(t, tables, taken(func() {
		_, err := poly.Mul(g, a, b)
		require.NoError(t, err)
	}))
	r, err := poly.New(g)
	require.NoError(t, err)
	_, err = r.Mul(t.Context(), a, b)
	require.NoError(t, err)
	require.Zero(t, taken(func() {
		o, err := r.Prepare(t.Context(), a, n)
		require.NoError(t, err)
		require.NoError(t, o.Close())
		require.NoError(t, o.Close())
		_, err = r.MulOperand(t.Context(), b, o)
		require.ErrorIs(t, err, field.ErrVec)
	}))
}
