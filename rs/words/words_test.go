package words_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/nils"
	"github.com/galfft/fft/poly"
	"github.com/galfft/fft/rs"
	"github.com/galfft/fft/rs/words"
	"github.com/stretchr/testify/require"
)

var ctx = context.Background()

// randomField is what tests need of a field.
type randomField[E any] interface {
	field.Rooted[E]
	Random(z *E, r *rand.Rand)
}

// naive is the value of the polynomial of degree below the number of points that has these values there.
func naive[E any](f field.Field[E], points, values []E, x *E) (z E) {
	for i := range points {
		var scale, difference E
		f.One(&scale)
		term := values[i]
		for j := range points {
			if j != i {
				f.Sub(&difference, &points[i], &points[j])
				f.Mul(&scale, &scale, &difference)
				f.Sub(&difference, x, &points[j])
				f.Mul(&term, &term, &difference)
			}
		}
		if err := f.Inv(&scale, &scale); err != nil {
			panic(err)
		}
		f.Mul(&term, &term, &scale)
		f.Add(&z, &z, &term)
	}
	return z
}

func check[E comparable](t *testing.T, f randomField[E], k, n int) {
	r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
	var shift, root E
	f.Random(&shift, r)
	require.NoError(t, f.RootOfUnity(&root, uint64(n)))
	c, err := words.New[E](f, k, n, &shift)
	require.NoError(t, err)
	word, data := c.Size()
	require.Equal(t, []int{n, k}, []int{word, data})
	points := []E{shift}
	for len(points) < n {
		x := points[len(points)-1]
		f.Mul(&x, &x, &root)
		points = append(points, x)
	}
	w := make([]E, n)
	for i := range w { // what is no data is overwritten
		f.Random(&w[i], r)
	}
	var at, values []E
	for i := 0; i < n; i += n / k {
		at, values = append(at, points[i]), append(values, w[i])
	}
	require.NoError(t, c.Encode(ctx, w))
	for i := range w {
		require.Equal(t, naive[E](f, at, values, &points[i]), w[i], "%d of %d: symbol %d", k, n, i)
	}
	right, err := c.Verify(ctx, w)
	require.NoError(t, err)
	require.True(t, right)
	if k < n {
		i := r.IntN(n)
		wrong := slices.Clone(w)
		var one E
		f.One(&one)
		f.Add(&wrong[i], &wrong[i], &one)
		right, err = c.Verify(ctx, wrong)
		require.NoError(t, err)
		require.False(t, right)
	}
	for losses := range n - k + 2 {
		missing, lost := make([]bool, n), slices.Clone(w)
		for _, i := range r.Perm(n)[:losses] {
			missing[i] = true
			f.Random(&lost[i], r)
		}
		before := slices.Clone(lost)
		err := c.Reconstruct(ctx, lost, missing)
		if losses > n-k {
			require.ErrorIs(t, err, rs.ErrTooFew)
			require.Equal(t, before, lost)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, w, lost, "%d of %d: %d lost", k, n, losses)
	}
}

// Words are what a sum over all data makes of it, and any losses that may be are made up for.
func TestWords(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {1, 2}, {1, 8}, {2, 2}, {2, 8}, {4, 8}, {8, 32}, {16, 32}} {
		check(t, smallprime.Goldilocks(), c[0], c[1])
		check(t, smallprime.BabyBear(), c[0], c[1])
		check(t, smallprime.P62(), c[0], c[1])
		check(t, bigprime.BN254(), c[0], c[1])
	}
	for _, c := range [][2]int{{3, 6}, {3, 15}, {5, 15}, {6, 12}} {
		check(t, smallprime.Goldilocks(), c[0], c[1])
	}
}

// The values of a low-degree extension are a word, and are rebuilt from as many of them as were extended.
func TestExtension(t *testing.T) {
	f := smallprime.Goldilocks()
	const k, n = 1 << 8, 1 << 10
	r, shift := rand.New(rand.NewPCG(1, 2)), uint64(7)
	l, err := poly.NewLDE(f, k, n/k, 1, &shift)
	require.NoError(t, err)
	values, word := make([]uint64, k), make([]uint64, n)
	for i := range values {
		f.Random(&values[i], r)
	}
	require.NoError(t, l.ExtendTo(ctx, word, values))
	c, err := words.New(f, k, n, &shift)
	require.NoError(t, err)
	right, err := c.Verify(ctx, word)
	require.NoError(t, err)
	require.True(t, right)
	missing, lost := make([]bool, n), slices.Clone(word)
	for _, i := range r.Perm(n)[:n-k] {
		missing[i], lost[i] = true, 0
	}
	require.NoError(t, c.Reconstruct(ctx, lost, missing))
	require.Equal(t, word, lost)
	ended, end := context.WithCancel(ctx)
	end()
	for _, err := range []error{c.Encode(ended, lost), c.Reconstruct(ended, lost, missing)} {
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, word, lost)
	}
	_, err = c.Verify(ended, lost)
	require.ErrorIs(t, err, context.Canceled)
	lost[0] = f.Modulus()
	require.ErrorIs(t, c.Encode(ctx, lost), field.ErrRange)
	require.Equal(t, word[1:], lost[1:])
}

// Nil and zero arguments and receivers of everything exported.
func TestNils(t *testing.T) {
	f, one := smallprime.Goldilocks(), uint64(1)
	c, err := words.New(f, 2, 4, &one)
	require.NoError(t, err)
	var none context.Context
	binary64, err := binary.New[uint64](64)
	require.NoError(t, err)
	spec := func(call func(c *words.Code[uint64], ctx context.Context, w []uint64) error) []nils.Case {
		return []nils.Case{nils.Is(field.ErrSpec, func() error { return call(nil, ctx, nil) },
			func() error { return call(new(words.Code[uint64]), ctx, nil) },
			func() error { return call(c, none, make([]uint64, 4)) }),
			nils.Is(field.ErrLength, func() error { return call(c, ctx, nil) })}
	}
	nils.Run(t, nils.Table{
		"New": {nils.Is(field.ErrSpec,
			func() error { _, err := words.New[uint64](nil, 2, 4, &one); return err },
			func() error { _, err := words.New(f, 2, 4, nil); return err },
			func() error { _, err := words.New(f, 2, 4, &one, nil); return err },
			func() error { _, err := words.New(binary64, 2, 4, &one); return err }),
			nils.Is(field.ErrNotInvertible, func() error { _, err := words.New(f, 2, 4, new(uint64)); return err }),
			nils.Is(rs.ErrCounts, func() error { _, err := words.New(f, 0, 0, &one); return err },
				func() error { _, err := words.New(f, 3, 4, &one); return err },
				func() error { _, err := words.New(f, 4, 2, &one); return err })},
		"Code.Size": {nils.Quiet(func() { (*words.Code[uint64])(nil).Size() },
			func() { new(words.Code[uint64]).Size() })},
		"Code.Encode": spec(func(c *words.Code[uint64], ctx context.Context, w []uint64) error {
			return c.Encode(ctx, w)
		}),
		"Code.Verify": spec(func(c *words.Code[uint64], ctx context.Context, w []uint64) error {
			_, err := c.Verify(ctx, w)
			return err
		}),
		"Code.Reconstruct": append(spec(func(c *words.Code[uint64], ctx context.Context, w []uint64) error {
			return c.Reconstruct(ctx, w, make([]bool, len(w)))
		}), nils.Is(field.ErrLength, func() error { return c.Reconstruct(ctx, make([]uint64, 4), nil) })),
	})
	require.False(t, errors.Is(c.Encode(ctx, make([]uint64, 4)), field.ErrSpec))
}
