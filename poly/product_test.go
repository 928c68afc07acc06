package poly_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

var ctx = context.Background()

// crossovers are settings of the schoolbook that split tests everywhere: never, early, as measured, always.
func crossovers[E any](r *poly.Ring[E]) map[string]*poly.Ring[E] {
	if raceEnabled {
		return map[string]*poly.Ring[E]{"schoolbook 3": r.WithSchoolbook(3), "as measured": r}
	}
	return map[string]*poly.Ring[E]{
		"schoolbook 0": r.WithSchoolbook(0), "schoolbook 1": r.WithSchoolbook(1), "schoolbook 3": r.WithSchoolbook(3),
		"schoolbook 7": r.WithSchoolbook(7), "as measured": r, "schoolbook 1000": r.WithSchoolbook(1000),
	}
}

func TestEveryLength(t *testing.T) {
	t.Run("257", func(t *testing.T) { everyLength(t, p257, 40) })
	t.Run("97", func(t *testing.T) { everyLength(t, p97, 16) })
	t.Run("998244353", func(t *testing.T) { everyLength(t, p998, 40) })
	t.Run("bigint", func(t *testing.T) { everyLength(t, bigField(), 16) })
	t.Run("tile", func(t *testing.T) { everyLength(t, testfields.NewPlain256(), 12) })
	t.Run("fermat", func(t *testing.T) { everyLength(t, testfields.NewFermat(), 24) })
}

// everyLength checks every operation of a ring for all pairs of lengths up to most, whatever the crossover.
func everyLength[E any](t *testing.T, f field.Field[E], most int) {
	if raceEnabled {
		most /= 4
	}
	for name, r := range crossovers(must(poly.New(f))) {
		for la := range most + 1 {
			for lb := range most + 1 {
				g := rng(la, lb)
				a, b := random(f, g, la), random(f, g, lb)
				a0, b0 := clone(f, a), clone(f, b)
				want := naive(f, a, b)
				check := func(op string, want []E) func([]E, error) {
					return func(got []E, err error) {
						t.Helper()
						require.NoError(t, err, "%s, %s of %d by %d", name, op, la, lb)
						require.True(t, equal(f, want, got), "%s, %s of %d by %d: got %v, want %v", name, op, la, lb,
							got, want)
						require.True(t, equal(f, a, a0) && equal(f, b, b0), "%s, %s of %d by %d: operands changed",
							name, op, la, lb)
					}
				}
				check("product", want)(r.Mul(ctx, a, b))
				if lb <= la && lb > 0 {
					check("middle product", want[lb-1:la])(r.Middle(ctx, a, b))
				}
				o, err := r.Prepare(ctx, a, max(la, len(want)+la%3))
				check("prepared operand", a)(a, err)
				check("product with a prepared operand", want)(r.MulOperand(ctx, b, o))
				p, err := r.Prepare(ctx, b, max(la, lb, len(want)+la%3))
				check("prepared operand", b)(b, err)
				if got, err := r.MulOperands(ctx, o, p); la > 0 && lb > 0 {
					check("product of prepared operands", want)(got, err)
				}
				if la == lb {
					check("square", naive(f, a, a))(r.Square(ctx, a))
				}
			}
		}
	}
}

func TestCyclicEveryLength(t *testing.T) {
	t.Run("257", func(t *testing.T) { cyclicEveryLength(t, p257, 20) })
	t.Run("bigint", func(t *testing.T) { cyclicEveryLength(t, bigField(), 10) })
}

func cyclicEveryLength[E any](t *testing.T, f field.Field[E], most int) {
	if raceEnabled {
		most /= 4
	}
	for name, r := range crossovers(must(poly.New(f))) {
		for n := 1; n <= most; n++ {
			for la := range most + 5 {
				for lb := range most + 5 {
					g := rng(la, lb, n)
					a, b := random(f, g, la), random(f, g, lb)
					c := naive(f, a, b)
					got, err := r.Cyclic(ctx, a, b, n)
					require.NoError(t, err)
					require.True(t, equal(f, modulo(f, c, n, false), got), "%s: %d by %d modulo x^%d − 1", name, la,
						lb, n)
					got, err = r.Negacyclic(ctx, a, b, n)
					require.NoError(t, err)
					require.True(t, equal(f, modulo(f, c, n, true), got), "%s: %d by %d modulo x^%d + 1", name, la, lb,
						n)
				}
				a := random(f, rng(la, n), la)
				got, err := r.Cyclic(ctx, a, a, n)
				require.NoError(t, err)
				require.True(t, equal(f, modulo(f, naive(f, a, a), n, false), got), "%s: square of %d modulo x^%d − 1",
					name, la, n)
			}
		}
	}
}

// kronecker is a·b by one product of integers.
func kronecker(p uint64, a, b []uint64) []uint64 {
	const slot = 20 // bytes: products below 2^128, at most 2^32 of them
	pack := func(a []uint64) *big.Int {
		z := make([]byte, slot*len(a))
		for i, x := range a {
			for k := range 8 {
				z[len(z)-1-slot*i-k] = byte(x >> (8 * k))
			}
		}
		return new(big.Int).SetBytes(z)
	}
	c := make([]uint64, len(a)+len(b)-1)
	z := pack(a)
	z.Mul(z, pack(b))
	bytes := z.FillBytes(make([]byte, slot*len(c)))
	for i := range c {
		x := new(big.Int).SetBytes(bytes[slot*(len(c)-1-i):][:slot])
		c[i] = x.Mod(x, new(big.Int).SetUint64(p)).Uint64()
	}
	return c
}

func TestKronecker(t *testing.T) {
	rings := map[string]*poly.Ring[uint64]{
		"serial":      must(poly.New(p998)),
		"never short": must(poly.New(p998)).WithSchoolbook(0),
		"three workers": must(poly.New(p998, fft.WithWorkers(3), fft.WithGrain(16), fft.WithAlgorithm(fft.FourStep),
			fft.WithBase(8))),
	}
	lengths := [][2]int{
		{1, 5000}, {17, 4000}, {40, 3000}, {33, 65536}, {100, 10000}, {1000, 1000}, {1024, 1025}, {1025, 1025},
		{1024, 1024},
		{1030, 1020}, {2049, 2049}, {2060, 2060}, {4096, 1}, {4096, 4096}, {3000, 70}, {700, 20000}, {5000, 12345},
		{30000, 2800},
	}
	if raceEnabled {
		lengths = [][2]int{{40, 3000}, {1025, 1025}, {4096, 4096}}
	}
	for _, l := range lengths {
		g := rng(l[0], l[1])
		a, b := random(p998, g, l[0]), random(p998, g, l[1])
		want, square := kronecker(p998.p, a, b), kronecker(p998.p, a, a)
		for name, r := range rings {
			for _, ab := range [][2][]uint64{{a, b}, {b, a}} {
				got, err := r.Mul(ctx, ab[0], ab[1])
				require.NoError(t, err)
				require.True(t, equal(p998, want, got), "%s: %d by %d", name, len(ab[0]), len(ab[1]))
				if x, y := ab[0], ab[1]; len(x) >= len(y) {
					got, err := r.Middle(ctx, x, y)
					require.NoError(t, err)
					require.True(t, equal(p998, want[len(y)-1:len(x)], got), "%s: middle of %d by %d", name, len(x),
						len(y))
				}
			}
			got, err := r.Square(ctx, a)
			require.NoError(t, err)
			require.True(t, equal(p998, square, got), "%s: square of %d", name, len(a))
			o, err := r.Prepare(ctx, a, len(want))
			require.NoError(t, err)
			got, err = r.MulOperand(ctx, b, o)
			require.NoError(t, err)
			require.True(t, equal(p998, want, got), "%s: prepared %d by %d", name, len(a), len(b))
			for _, n := range []int{1, 64, 100, 1024, 4096} {
				got, err := r.Cyclic(ctx, a, b, n)
				require.NoError(t, err)
				require.True(t, equal(p998, modulo(p998, want, n, false), got), "%s: %d by %d modulo x^%d − 1", name,
					len(a), len(b), n)
				got, err = r.Negacyclic(ctx, a, b, n)
				require.NoError(t, err)
				require.True(t, equal(p998, modulo(p998, want, n, true), got), "%s: %d by %d modulo x^%d + 1", name,
					len(a), len(b), n)
			}
		}
	}
}

// Products that need blocks because the field has no longer transform.
func TestBlocksWithinTheRoots(t *testing.T) {
	r := must(poly.New(p257))
	for _, l := range [][2]int{{128, 129}, {128, 5000}, {100, 157}, {100, 158}, {150, 150}, {128, 200}, {70, 1000}} {
		a, b := random(p257, rng(l[0]), l[0]), random(p257, rng(l[1]), l[1])
		for name, r := range map[string]*poly.Ring[uint64]{"as measured": r, "schoolbook 5": r.WithSchoolbook(5)} {
			got, err := r.Mul(ctx, a, b)
			if name == "schoolbook 5" && l[0] == 150 {
				require.ErrorIs(t, err, field.ErrNoRoot)
				continue
			}
			require.NoError(t, err, "%s: %v", name, l)
			require.True(t, equal(p257, naive(p257, a, b), got), "%s: %v", name, l)
		}
	}
}

func TestConvolutionTheorem(t *testing.T) {
	r := must(poly.New(p998))
	for _, n := range []int{1, 2, 8, 512} {
		g := rng(n)
		a, b := random(p998, g, n), random(p998, g, n)
		c, err := r.Cyclic(ctx, a, b, n)
		require.NoError(t, err)
		x, err := r.Evaluate(ctx, a, n)
		require.NoError(t, err)
		y, err := r.Evaluate(ctx, b, n)
		require.NoError(t, err)
		field.MulVec(p998, x, x, y)
		z, err := r.Evaluate(ctx, c, n)
		require.NoError(t, err)
		require.Equal(t, x, z)
	}
}

func TestPackageFunctions(t *testing.T) {
	a, b := random(p998, rng(1), 300), random(p998, rng(2), 77)
	c, err := poly.Mul(p998, a, b)
	require.NoError(t, err)
	require.Equal(t, kronecker(p998.p, a, b), c)
	c, err = poly.Square(p998, a)
	require.NoError(t, err)
	require.Equal(t, kronecker(p998.p, a, a), c)
	c, err = poly.Mul(p998, nil, a)
	require.NoError(t, err)
	require.Empty(t, c)
}

// Squares take two transforms, a prepared operand saves one, an operand of half the length the first layer of its own,
// and working form counts as nothing.
func TestTransforms(t *testing.T) {
	f := testfields.NewCounting(field.Field[uint64](p998))
	r := must(poly.New(f.Field())).WithSchoolbook(0)
	a, b := random(p998, rng(1), 64), random(p998, rng(2), 65)
	count := func(do func()) int {
		do() // makes the plan
		f.Reset()
		do()
		return int(f.Adds.Load())
	}
	one := count(func() {
		_, err := r.Evaluate(ctx, a, 128)
		require.NoError(t, err)
	})
	for _, c := range []struct {
		name       string
		transforms int
		layers     int // saved
		do         func()
	}{
		{"product", 3, 1, func() { _, _ = r.Mul(ctx, a, b) }},
		{"square", 2, 1, func() { _, _ = r.Square(ctx, a) }},
		{"product of one slice by itself", 2, 1, func() { _, _ = r.Mul(ctx, a, a) }},
		{"middle product", 3, 1, func() { _, _ = r.Middle(ctx, random(p998, rng(3), 128), a) }},
	} {
		require.Equal(t, c.transforms*one-c.layers*one/7, count(c.do), c.name)
	}
	o, err := r.Prepare(ctx, a, 128)
	require.NoError(t, err)
	p, err := r.Prepare(ctx, b, 128)
	require.NoError(t, err)
	require.Equal(t, 2*one, count(func() { _, _ = r.MulOperand(ctx, b, o) }))
	require.Equal(t, one, count(func() { _, _ = r.MulOperands(ctx, p, o) }))
}
