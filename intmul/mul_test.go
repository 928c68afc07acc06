package intmul

import (
	"context"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
)

// from sets the lengths from which on products are not left to math/big, for tests.
func from(c crossovers) Option { return func(a *Arithmetic) { a.least = c } }

// short lets transforms multiply numbers of so few words, and products divide by numbers of so few bits.
func short(words, divisor int) crossovers {
	c := measured
	c.product, c.square, c.divisor = kernels{words, words, words}, kernels{words, words, words}, divisor
	c.wrap, c.reciprocal = 64*words, divisor/2
	return c
}

// special returns numbers of so many bits on which carries, bounds and cuts depend.
func special(r *rand.Rand, bits int) []*big.Int {
	one := big.NewInt(1)
	power := new(big.Int).Lsh(one, uint(bits-1))
	ones := new(big.Int).Sub(new(big.Int).Lsh(one, uint(bits)), one)
	words := make([]big.Word, (bits+63)/64*perWord)
	for i := range words {
		words[i] = ^big.Word(0) * big.Word(i/perWord%2)
	}
	alternating := new(big.Int).SetBits(words)
	alternating.And(alternating, ones)
	sparse := new(big.Int).Add(power, one)
	sparse.SetBit(sparse, r.IntN(bits), 1)
	return []*big.Int{ones, power, alternating, sparse, new(big.Int).Add(power, one), new(big.Int).Sub(power, one),
		random(r, bits)}
}

// random returns a number of so many bits, the highest of them set.
func random(r *rand.Rand, bits int) *big.Int {
	words := make([]big.Word, (bits+63)/64*perWord)
	for i := range words {
		words[i] = big.Word(r.Uint64())
	}
	x := new(big.Int).SetBits(words)
	x.And(x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1)))
	return x.SetBit(x, bits-1, 1)
}

// Products of every two lengths are those of math/big.
func TestLengths(t *testing.T) {
	a, err := New(from(short(1, measured.divisor)))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	x := random(r, 200*64)
	ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 200*64), big.NewInt(1))
	var u, v, z, want big.Int
	for i := 1; i <= 200; i++ {
		for j := 1; j <= i; j += 1 + i/8 {
			for _, x := range []*big.Int{x, ones} {
				u.Rsh(x, uint(64*(200-i)))
				v.Rsh(x, uint(64*(200-j)))
				require.NoError(t, a.Mul(t.Context(), &z, &u, &v))
				require.Zero(t, want.Mul(&u, &v).Cmp(&z), "%d and %d words", i, j)
			}
		}
		require.NoError(t, a.Sqr(t.Context(), &z, &u))
		require.Zero(t, want.Mul(&u, &u).Cmp(&z), "%d words", i)
	}
}

// Special values of both signs, on every tier, with several workers and with one, at lengths of one word and of many.
func TestSpecial(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(1, 2))
		for _, workers := range []int{1, 3} {
			a, err := New(WithWorkers(workers), from(short(1, measured.divisor)))
			require.NoError(t, err)
			for _, bits := range []int{1, 64, 129, 5000, 40000} {
				numbers := special(r, bits)
				for i, x := range numbers {
					y := numbers[r.IntN(len(numbers))]
					if i%2 == 1 {
						x = new(big.Int).Neg(x)
					}
					var z big.Int
					require.NoError(t, a.Mul(t.Context(), &z, x, y))
					require.Zero(t, new(big.Int).Mul(x, y).Cmp(&z), "%v, %d bits, %d", tier, bits, i)
					require.NoError(t, a.Sqr(t.Context(), &z, x))
					require.Zero(t, new(big.Int).Mul(x, x).Cmp(&z), "%v, %d bits, %d", tier, bits, i)
				}
			}
		}
		undo()
	}
}

// One generate goes through every propagate: (2^n − 1)·(2^n + 1) = 2^2n − 1, and all ones times 1 plus a bit.
func TestCarries(t *testing.T) {
	for _, n := range []uint{1 << 15, 64*700 + 1, 200000} {
		x := new(big.Int).Lsh(big.NewInt(1), n)
		y := new(big.Int).Add(x, big.NewInt(1))
		x.Sub(x, big.NewInt(1))
		want := new(big.Int).Lsh(big.NewInt(1), 2*n)
		require.Zero(t, want.Sub(want, big.NewInt(1)).Cmp(Mul(new(big.Int), x, y)))
		// y·(2^n − 1) + y is y·2^n
		z := Mul(new(big.Int), y, x)
		require.Zero(t, new(big.Int).Lsh(y, n).Cmp(z.Add(z, y)))
	}
}

// z may be an operand, or share memory with one that is not to change.
func TestAliases(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, bits := range []int{100, 30000} {
		x, y := random(r, bits), random(r, bits)
		want := new(big.Int).Mul(x, y)
		z := new(big.Int).Set(x)
		require.Zero(t, want.Cmp(Mul(z, z, y)))
		z.Set(y)
		require.Zero(t, want.Cmp(Mul(z, x, z)))
		square := new(big.Int).Mul(x, x)
		z.Set(x)
		require.Zero(t, square.Cmp(Mul(z, z, z)))
		require.Zero(t, square.Cmp(Sqr(z, x)))
		long := make([]big.Word, 3*len(x.Bits()))
		copy(long, x.Bits())
		u, shared := new(big.Int).SetBits(long[:len(x.Bits())]), new(big.Int).SetBits(long[:1])
		require.Zero(t, want.Cmp(Mul(shared, u, y)))
		require.Zero(t, x.Cmp(u))
		require.Zero(t, Mul(z, x, new(big.Int)).Sign())
	}
}

// One operand is cut into blocks, and short ones go either way.
func TestUnbalanced(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	a, err := New(from(short(2, measured.divisor)))
	require.NoError(t, err)
	for _, c := range [][2]int{{64 * 17, 128}, {64*170 + 1, 640}, {10000, 130}, {100000, 9000},
		{64 * 9 * 50, 64 * 50}} {
		for i, x := range special(r, c[0]) {
			y := special(r, c[1])[6-i]
			var z big.Int
			require.NoError(t, a.Mul(t.Context(), &z, y, x))
			require.Zero(t, new(big.Int).Mul(x, y).Cmp(&z), "%v, %d", c, i)
			o, err := a.Prepare(t.Context(), y, 64*20)
			require.NoError(t, err)
			require.NoError(t, a.MulOperand(t.Context(), &z, x, o))
			require.Zero(t, new(big.Int).Mul(x, y).Cmp(&z), "%v, %d", c, i)
		}
	}
}

// Words of big.Int, with zeros on top.
func TestMulWords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a, err := New()
	require.NoError(t, err)
	for _, n := range []int{1, 10, 1000} {
		x, y := random(r, 64*n), random(r, 64*n)
		u, v := append(x.Bits(), 0), append(y.Bits(), 0, 0)
		z := make([]big.Word, len(u)+len(v))
		for i := range z {
			z[i] = 1
		}
		require.NoError(t, a.MulWords(t.Context(), z, u, v))
		require.Zero(t, new(big.Int).Mul(x, y).Cmp(new(big.Int).SetBits(z)))
	}
}

// Shapes are such that the bound is below the product of their primes, and not below that of one prime fewer; where a
// digit has one bit more it is not below either.
func TestBound(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		l := primes()
		for k, shapes := range catalogOf(3) {
			for _, s := range shapes {
				count := (s.n + 1) / 2
				require.Equal(t, k, s.primes)
				require.Negative(t, bound(3, count, s.size).Cmp(l.products[k]))
				require.Positive(t, bound(3, count, s.size).Cmp(l.products[k-1]))
				require.Positive(t, bound(3, count, s.size+1).Cmp(l.products[k]))
			}
		}
		undo()
	}
}

// All digits are 2^b − 1 and as many as there may be: the primes of a shape serve, for every number of primes, and one
// fewer gives a wrong product.
func TestOnePrimeFewer(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	for k := leastPrimes; k <= mostPrimes; k++ {
		for _, s := range catalogOf(1)[k][:6] {
			bits := (s.n + 1) / 2 * s.size
			x := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(bits)), big.NewInt(1))
			want := new(big.Int).Mul(x, x)
			require.True(t, s.fits(bits, bits))
			for _, fewer := range []int{0, 1} {
				s.primes -= fewer
				e, err := a.engine(t.Context(), s)
				require.NoError(t, err)
				z := make([]uint64, 2*len(of(x)))
				require.NoError(t, e.multiply(t.Context(), z, of(x), of(x)))
				require.Equal(t, fewer == 0, new(big.Int).SetBits(fromWords(z)).Cmp(want) == 0, "%+v", s)
			}
		}
	}
}

// Every number of workers gives the same bits, in transforms that they share and in those that they do not.
func TestWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, bits := range []int{30000, 3000000} {
		x, y := random(r, bits), random(r, bits)
		want := Mul(new(big.Int), x, y)
		if bits < 1e6 {
			require.Zero(t, want.Cmp(new(big.Int).Mul(x, y)))
		}
		for _, workers := range []int{2, 3, 16, 64} {
			a, err := New(WithWorkers(workers))
			require.NoError(t, err)
			var z big.Int
			require.NoError(t, a.Mul(t.Context(), &z, x, y))
			require.Zero(t, want.Cmp(&z), "%d bits, %d workers", bits, workers)
		}
	}
}

// Long products agree with residues modulo 2^61 − 1 and a prime of 64 bits.
func TestModulo(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	a, err := New(WithWorkers(2))
	require.NoError(t, err)
	for _, bits := range []int{1e6, 3e6 + 7} {
		x, y := random(r, bits), special(r, bits)[r.IntN(2)*6]
		var z big.Int
		require.NoError(t, a.Mul(t.Context(), &z, x, y))
		checkModulo(t, &z, x, y)
	}
}

func checkModulo(t *testing.T, z, x, y *big.Int) {
	t.Helper()
	for _, p := range []uint64{1<<61 - 1, 18446744073709551557} {
		m := new(big.Int).SetUint64(p)
		u, v := new(big.Int).Mod(x, m), new(big.Int).Mod(y, m)
		require.Zero(t, u.Mod(u.Mul(u, v), m).Cmp(v.Mod(z, m)))
	}
}

// counted ends at the n-th look at it.
type counted struct {
	context.Context
	looks, most int
}

func (c *counted) Err() error {
	if c.looks++; c.looks > c.most {
		return context.Canceled
	}
	return nil
}

// A product that is stopped at any look at its context leaves z and its operands as they were, and looks at the context
// after some coefficients.
func TestStop(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	a, err := New()
	require.NoError(t, err)
	x, y := random(r, 100000), random(r, 90000)
	long, text := random(r, 2000000), x.Append(nil, 10)
	for name, f := range map[string]func(ctx context.Context, z *big.Int) error{
		"Mul":      func(ctx context.Context, z *big.Int) error { return a.Mul(ctx, z, x, y) },
		"alias":    func(ctx context.Context, z *big.Int) error { return a.Mul(ctx, z, z, y) },
		"Sqr":      func(ctx context.Context, z *big.Int) error { return a.Sqr(ctx, z, x) },
		"long":     func(ctx context.Context, z *big.Int) error { return a.Mul(ctx, z, long, y) },
		"QuoRem":   func(ctx context.Context, z *big.Int) error { return a.QuoRem(ctx, new(big.Int), z, long, y) },
		"DivExact": func(ctx context.Context, z *big.Int) error { return a.DivExact(ctx, z, new(big.Int).Mul(x, y), y) },
		"Sqrt":     func(ctx context.Context, z *big.Int) error { return a.Sqrt(ctx, z, x) },
		"GCD":      func(ctx context.Context, z *big.Int) error { return a.GCD(ctx, z, x, y) },
		"Exp":      func(ctx context.Context, z *big.Int) error { return a.Exp(ctx, z, x, big.NewInt(5), y) },
		"MulAdd": func(ctx context.Context, z *big.Int) error {
			return a.MulAdd(ctx, z, []*big.Int{x, y}, []*big.Int{y, y})
		},
		"Product":  func(ctx context.Context, z *big.Int) error { return a.Product(ctx, z, []*big.Int{x, y, x}) },
		"MulRange": func(ctx context.Context, z *big.Int) error { return a.MulRange(ctx, z, 1, 9000) },
		"Parse":    func(ctx context.Context, z *big.Int) error { return a.Parse(ctx, z, text, 10) },
	} {
		z, u, v := random(r, 300000), new(big.Int).Set(x), new(big.Int).Set(y)
		was := new(big.Int).Set(z)
		stops := 0
		for ; ; stops += 1 + stops/4 {
			ctx := &counted{Context: context.Background(), most: stops}
			if err = f(ctx, z); err == nil {
				break
			}
			require.ErrorIs(t, err, context.Canceled)
			require.Zero(t, was.Cmp(z), "%s, %d looks", name, stops)
		}
		require.Greater(t, stops, 2, name)
		require.Zero(t, u.Cmp(x))
		require.Zero(t, v.Cmp(y))
		require.NotZero(t, was.Cmp(z))
	}
}

// Sums of products, of one sign and of both, and parts of products.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, workers := range []int{1, 3} {
		a, err := New(WithWorkers(workers), from(short(4, measured.divisor)))
		require.NoError(t, err)
		for _, lengths := range [][2]int{{1000, 900}, {20000, 30000}, {20000, 600}, {64 * 1000, 64 * 1000}} {
			for signs := range 4 {
				var x, y []*big.Int
				want := new(big.Int)
				for i := range 3 {
					u, v := special(r, lengths[0])[2*i], special(r, lengths[1])[2*i]
					if signs>>(i%2)&1 == 1 {
						u.Neg(u)
					}
					x, y = append(x, u), append(y, v)
					want.Add(want, new(big.Int).Mul(u, v))
				}
				z := new(big.Int)
				require.NoError(t, a.MulAdd(t.Context(), z, x, y))
				require.Zero(t, want.Cmp(z), "%v, %d", lengths, signs)
				for _, to := range []int{0, 1, 64, 5000, 40000, 200000} {
					want.Mul(x[0], y[1])
					mask := new(big.Int).Lsh(big.NewInt(1), uint(to))
					want.And(want, mask.Sub(mask, big.NewInt(1)))
					require.NoError(t, a.MulLow(t.Context(), z, x[0], y[1], to))
					require.Zero(t, want.Cmp(z), "%v, %d bits", lengths, to)
					require.NoError(t, a.MulMiddle(t.Context(), z, x[0], y[1], to/3, to))
					require.Zero(t, want.Rsh(want, uint(to/3)).Cmp(z), "%v, %d bits", lengths, to)
				}
			}
		}
	}
}

// What does not fit in the limit is an error before anything is allocated, and Explain tells what a product takes.
func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	a, err := New(WithMemoryLimit(1 << 17))
	require.NoError(t, err)
	x, y, z := random(r, 1e6), random(r, 1e6), big.NewInt(5)
	for name, f := range map[string]func() error{
		"Mul":       func() error { return a.Mul(t.Context(), z, x, y) },
		"MemoryUse": func() error { _, err := a.MemoryUse(1e6, 1e6); return err },
		"Explain":   func() error { return a.Explain(io.Discard, 1e6, 1e6) },
		"huge":      func() error { _, err := a.MemoryUse(math.MaxInt/2, math.MaxInt/2); return err },
	} {
		require.ErrorIs(t, f(), field.ErrMemory, name)
		require.Equal(t, int64(5), z.Int64())
	}
	b, err := New()
	require.NoError(t, err)
	var s strings.Builder
	require.NoError(t, b.Explain(&s, 100, 200))
	require.Equal(t, "100 × 200 bits: math/big\n", s.String())
	s.Reset()
	require.NoError(t, b.Explain(&s, 1e8, 1e6))
	require.Contains(t, s.String(), "the longer factor in blocks")
	bytes, err := b.MemoryUse(1e6, 1e6)
	require.NoError(t, err)
	require.Less(t, bytes, int(8e6))
	_, err = b.MemoryUse(-1, 1)
	require.ErrorIs(t, err, field.ErrRange)
}

// A long result takes the memory of z where the context cannot end, also of a factor, and memory of its own elsewhere.
func TestLongResults(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	a, err := New(WithWorkers(2))
	require.NoError(t, err)
	x, y, z := random(r, 32*direct+1000), random(r, 32*direct), new(big.Int)
	begin := func(z *big.Int) *big.Word { return &z.Bits()[0] }
	require.NoError(t, a.Mul(context.Background(), z, x, y))
	checkModulo(t, z, x, y)
	first := begin(z)
	require.NoError(t, a.Mul(context.Background(), z, y, x))
	checkModulo(t, z, x, y)
	if perWord == 1 {
		require.Same(t, first, begin(z))
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	require.NoError(t, a.Mul(ctx, z, x, y))
	checkModulo(t, z, x, y)
	require.NotSame(t, first, begin(z))
	first = begin(z)
	z.SetBits(append(z.Bits()[:0], x.Bits()...))
	require.NoError(t, a.Mul(context.Background(), z, z, y))
	checkModulo(t, z, x, y)
	if perWord == 1 {
		require.Same(t, first, begin(z))
	}
}
