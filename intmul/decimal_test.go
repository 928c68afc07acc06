package intmul

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/residues"
)

// decimals returns the decimal of an integer, from its digits.
func decimals(t testing.TB, a *Arithmetic, x *big.Int) *Decimal {
	z := new(Decimal)
	require.NoError(t, a.ParseDecimal(context.Background(), z, x.Append(nil, 10)))
	return z
}

// specialDecimals returns numbers of so many words of 19 digits on which carries and bounds depend.
func specialDecimals(r *rand.Rand, words int) []*big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(19*words)), nil)
	one := big.NewInt(1)
	high := new(big.Int).Quo(power, big.NewInt(10))
	return []*big.Int{new(big.Int).Sub(power, one), high, new(big.Int).Add(high, one),
		random(r, power.BitLen()-1), new(big.Int)}
}

// Sums, differences and products are those of math/big, on every tier, with workers and with one.
func TestDecimal(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(41, 42))
		for _, workers := range []int{1, 3} {
			least := measured
			least.decimal = 3
			a, err := New(WithWorkers(workers), from(least))
			require.NoError(t, err)
			for _, c := range [][2]int{{1, 1}, {2, 1}, {5, 4}, {64, 64}, {300, 299}, {200, 11}, {1, 1000}, {30, 1000},
				{3000, 2500}} {
				for i, x := range specialDecimals(r, c[0]) {
					y := specialDecimals(r, c[1])[r.IntN(5)]
					if i%2 == 1 {
						x.Neg(x)
					}
					if i%3 == 1 {
						y.Neg(y)
					}
					u, v, z, want := decimals(t, a, x), decimals(t, a, y), new(Decimal), new(big.Int)
					require.NoError(t, a.MulDecimal(t.Context(), z, u, v))
					require.Equal(t, want.Mul(x, y).String(), z.String(), "%v, %v, %d", tier, c, i)
					require.NoError(t, a.SqrDecimal(t.Context(), z, u))
					require.Equal(t, want.Mul(x, x).String(), z.String(), "%v, %v, %d", tier, c, i)
					require.NoError(t, a.AddDecimal(t.Context(), z, u, v))
					require.Equal(t, want.Add(x, y).String(), z.String(), "%v, %v, %d", tier, c, i)
					require.NoError(t, a.SubDecimal(t.Context(), z, u, v))
					require.Equal(t, want.Sub(x, y).String(), z.String(), "%v, %v, %d", tier, c, i)
					require.Equal(t, want.Sign(), z.Sign())
					require.NoError(t, a.MulDecimal(t.Context(), u, u, v)) // the result is an operand
					require.Equal(t, want.Mul(x, y).String(), u.String())
					require.NoError(t, a.SubDecimal(t.Context(), v, v, v))
					require.Zero(t, v.Sign())
					require.Equal(t, "0", v.String())
				}
			}
		}
		undo()
	}
}

// Decimals and integers of math/big become one another, with zeros inside and at every number of words.
func TestConvertDecimal(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	least := short(8, 512)
	least.decimal, least.quotients, least.parts, least.digits = 8, 3, 150, 3
	n := measured.quotients
	for _, c := range []crossovers{measured, least} {
		a, err := New(from(c))
		require.NoError(t, err)
		for _, bits := range []int{1, 64, 65, 64 * n, 64*n + 1, 64 * n * 2, 9601, 12000, 70001} {
			tens := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(float64(bits)*.30102)), nil)
			nines := new(big.Int).Sub(tens, big.NewInt(1))
			half := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(float64(bits)*.150)), nil)
			for i, x := range append(special(r, bits), tens, nines, new(big.Int).Add(tens, half),
				new(big.Int).Sub(tens, half), new(big.Int).Mul(half, random(r, bits/2+1))) {
				if i%2 == 1 {
					x.Neg(x)
				}
				z, back := new(Decimal), new(big.Int)
				require.NoError(t, a.ToDecimal(t.Context(), z, x))
				require.Equal(t, x.String(), z.String(), "%d bits, %d", bits, i)
				require.Equal(t, len(strings.TrimPrefix(x.String(), "-")), z.Digits())
				require.NoError(t, a.FromDecimal(t.Context(), back, z))
				require.Zero(t, x.Cmp(back))
				var b strings.Builder
				require.NoError(t, a.FormatDecimal(t.Context(), &b, z))
				require.Equal(t, x.String(), b.String())
			}
		}
	}
}

// A text of many parts is written as it is read, and what is no number is an error with its place.
func TestDecimalText(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	text := "-" + strings.Repeat("9876543210", 2*glanceWords*wordDigits/10+1)
	z := new(Decimal)
	require.NoError(t, a.ParseDecimal(t.Context(), z, []byte(text)))
	var b strings.Builder
	require.NoError(t, a.FormatDecimal(t.Context(), &b, z))
	require.Equal(t, text, b.String())
	require.Equal(t, text, z.String())
	broken := errors.New("broken")
	require.ErrorIs(t, a.FormatDecimal(t.Context(), failing{broken}, z), broken)
	for _, bad := range []string{"", "-", "+", "1x", "--1", "a"} {
		require.ErrorIs(t, a.ParseDecimal(t.Context(), z, []byte(bad)), field.ErrRange, bad)
	}
	require.Equal(t, text, z.String())
	for _, zero := range []string{"0", "-0", "+000", strings.Repeat("0", 50)} {
		require.NoError(t, a.ParseDecimal(t.Context(), z, []byte(zero)))
		require.Equal(t, "0", z.String())
		require.Zero(t, z.Sign())
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// All words are 10^19 − 1 and as many as there may be: the primes of a shape serve, and the bound says so of no fewer.
func TestDecimalBound(t *testing.T) {
	l, most := primes(), new(big.Int).SetUint64(wordRadix-1)
	for _, n := range []int{1, 100, 1 << 20, 1 << 23, 1 << 24, 1 << 26} {
		s, ok := chooseDecimal(n, n)
		require.True(t, ok)
		b := residues.Least(n, most, most, residues.Natural)
		require.Negative(t, b.Cmp(l.products[s.primes]))
		require.True(t, s.primes == 3 || b.Cmp(l.products[s.primes-1]) >= 0, "%+v", s)
		require.GreaterOrEqual(t, s.n, 2*n-1)
	}
	// CarryRadix with a prime more.
	a, err := New()
	require.NoError(t, err)
	e, err := a.engine(t.Context(), shape{primes: 4, size: 64, n: 256, radix: decimal})
	require.NoError(t, err)
	x := decimals(t, a, new(big.Int).Sub(new(big.Int).Exp(big.NewInt(10), big.NewInt(19*100), nil), big.NewInt(1)))
	z, want := make([]uint64, 200), make([]uint64, 200)
	require.NoError(t, e.multiply(t.Context(), z, x.words, x.words))
	require.NoError(t, schoolDecimal(t.Context(), want, x.words, x.words))
	require.Equal(t, want, z)
}

// Computing with decimals stops at any look at the context, and results keep their values.
func TestDecimalStops(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(45, 46))
	x := random(r, 40000)
	u, long := decimals(t, a, x), decimals(t, a, random(r, 300000))
	for name, f := range map[string]func(ctx context.Context, z *Decimal) error{
		"AddDecimal":   func(ctx context.Context, z *Decimal) error { return a.AddDecimal(ctx, z, u, long) },
		"SubDecimal":   func(ctx context.Context, z *Decimal) error { return a.SubDecimal(ctx, z, u, long) },
		"MulDecimal":   func(ctx context.Context, z *Decimal) error { return a.MulDecimal(ctx, z, long, u) },
		"SqrDecimal":   func(ctx context.Context, z *Decimal) error { return a.SqrDecimal(ctx, z, u) },
		"ToDecimal":    func(ctx context.Context, z *Decimal) error { return a.ToDecimal(ctx, z, x) },
		"ParseDecimal": func(ctx context.Context, z *Decimal) error { return a.ParseDecimal(ctx, z, long.Append(nil)) },
	} {
		z := decimals(t, a, big.NewInt(5))
		stops := 0
		for ; ; stops += 1 + stops/4 {
			ctx := &counted{Context: context.Background(), most: stops}
			if err = f(ctx, z); err == nil {
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, "5", z.String(), "%s, %d looks", name, stops)
		}
		require.GreaterOrEqual(t, stops, 2, name)
		require.NotEqual(t, "5", z.String())
	}
}

// FuzzDecimal compares decimals with math/big.
func FuzzDecimal(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4}, true)
	f.Add(make([]byte, 100), []byte{}, false)
	least := measured
	least.decimal = 1
	a, err := New(from(least))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, u, v []byte, negative bool) {
		x, y := new(big.Int).SetBytes(u), new(big.Int).SetBytes(v)
		if negative {
			x.Neg(x)
		}
		ctx, z, d, e := t.Context(), new(Decimal), new(Decimal), new(Decimal)
		require.NoError(t, a.ToDecimal(ctx, d, x))
		require.NoError(t, a.ToDecimal(ctx, e, y))
		require.Equal(t, x.String(), d.String())
		require.NoError(t, a.MulDecimal(ctx, z, d, e))
		require.Equal(t, new(big.Int).Mul(x, y).String(), z.String())
		require.NoError(t, a.AddDecimal(ctx, z, d, e))
		require.Equal(t, new(big.Int).Add(x, y).String(), z.String())
		require.NoError(t, a.SubDecimal(ctx, z, e, d))
		require.Equal(t, new(big.Int).Sub(y, x).String(), z.String())
	})
}

// What is kept of a conversion serves others of the same length, and is left behind by one that is stopped. Shorter
// numbers come first: what a longer one leaves has powers enough for them, also where it should not be taken.
func TestKeptConversions(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	a, err := New()
	require.NoError(t, err)
	for i, bits := range []int{3000, 64000, 64000, 199000, 200000, 200000, 200064, 199000, 64000, 200000} {
		x := random(r, bits)
		want := x.String()
		if i == 5 {
			_, err := a.Append(&counted{Context: t.Context(), most: 9}, nil, x, 10)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, a.Parse(&counted{Context: t.Context(), most: 9}, new(big.Int), []byte(want), 10),
				context.Canceled)
		}
		text, err := a.Append(t.Context(), nil, x, 10)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
		var z big.Int
		require.NoError(t, a.Parse(t.Context(), &z, text, 10))
		require.Zero(t, x.Cmp(&z))
	}
	c, err := a.converter(t.Context(), 3125)
	require.NoError(t, err)
	a.converters.Put(c)
	again, err := a.converter(t.Context(), 3125)
	require.NoError(t, err)
	require.Same(t, c, again)
	j, err := a.joins(t.Context(), 1000)
	require.NoError(t, err)
	a.joiners.Put(j)
	for _, digits := range []int{2000, 500, 1100} { // other levels, and another leaf
		other, err := a.joins(t.Context(), digits)
		require.NoError(t, err)
		require.NotSame(t, j, other, digits)
	}
	same, err := a.joins(t.Context(), 1000)
	require.NoError(t, err)
	require.Same(t, j, same)
}
