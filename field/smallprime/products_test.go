package smallprime_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/internal/testscale"
)

// Tests of package residues that need fields are here, so that this package is compiled once.
func fields(q uint64) (residues.Field, error) { return smallprime.New64(q) }

// integers is products of natural numbers by digits of so many bits, n of them.
type integers struct {
	*residues.Product
	digits *residues.Digits
	n      int
}

// stream is a number on the way in or out.
type stream struct {
	d     *residues.Digits
	words []uint64
	mu    sync.Mutex
	rests map[int][]uint64
}

func (s *stream) Residues(r [][]uint64, from, to int) {
	for i := range r {
		s.d.Split(i, r[i][from:to], from, s.words)
	}
}

func (s *stream) Combine(r [][]uint64, from, to int) {
	rest := make([]uint64, s.d.Rest())
	at := s.d.Carry(s.words, rest, r, from, to)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rests[at] = rest
}

func (c integers) load(x field.Vec, a []uint64) error {
	return c.Load(context.Background(), x, &stream{d: c.digits, words: a}, c.digits.Count(len(a)), c.digits.SplitCost())
}

// store sets z to the number that x has, modulo 2^(64·len(z)).
func (c integers) store(z []uint64, x field.Vec) error {
	s := &stream{d: c.digits, words: z, rests: map[int][]uint64{}}
	n := min(c.digits.Count(len(z)), c.n)
	if err := c.Store(context.Background(), s, x, n, c.digits.CarryCost()); err != nil {
		return err
	}
	clear(z[min(len(z), slices.Max(append(slices.Collect(maps.Keys(s.rests)), 0))):])
	for at, rest := range s.rests {
		if at < len(z) {
			residues.AddTo(z[at:], rest)
		}
	}
	return nil
}

func newIntegers(t testing.TB, n, size int, s field.Spec) integers {
	t.Helper()
	return newIntegersOver(t, n, size, s, fields)
}

func newIntegersOver(t testing.TB, n, size int, s field.Spec, fields func(q uint64) (residues.Field, error)) integers {
	t.Helper()
	most := new(big.Int).Lsh(big.NewInt(1), uint(size))
	most.Sub(most, big.NewInt(1))
	require.NoError(t, residues.Fits(n, 1, &s))
	primes, ok := residues.Primes(residues.Bits(), n, residues.Least(n, most, most, residues.Natural))
	require.True(t, ok)
	p, err := residues.NewProduct(primes, n, false, s, fields)
	require.NoError(t, err)
	d, err := residues.NewDigits(t.Context(), primes, size)
	require.NoError(t, err)
	return integers{p, d, n}
}

func (c integers) newVec(t testing.TB) field.Vec {
	t.Helper()
	v, err := c.NewVec()
	require.NoError(t, err)
	return v
}

// multiply sets z to ab.
func (c integers) multiply(ctx context.Context, z, a, b []uint64, x, y field.Vec) error {
	for _, do := range []func() error{
		func() error { return c.load(x, a) },
		func() error { return c.load(y, b) },
		func() error { return c.ForwardVec(ctx, x) },
		func() error { return c.ForwardVec(ctx, y) },
		func() error { return c.MulVec(x, x, y) },
		func() error { return c.InverseVec(ctx, x) },
		func() error { return c.store(z, x) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

func number(words []uint64) *big.Int {
	z, t := new(big.Int), new(big.Int)
	for _, w := range slices.Backward(words) {
		z.Or(z.Lsh(z, 64), t.SetUint64(w))
	}
	return z
}

// natural returns n words: ones, one, none or random ones, with rows of zeros and ones.
func natural(r *rand.Rand, n, kind int) []uint64 {
	a := make([]uint64, n)
	for i := range a {
		switch {
		case kind == 0 || kind > 2 && r.IntN(8) == 0:
			a[i] = ^uint64(0)
		case kind == 1 && i == 0:
			a[i] = 1
		case kind > 2 && r.IntN(8) > 0:
			a[i] = r.Uint64()
		}
	}
	return a
}

// Products of integers are those of math/big, for digits of every kind of width, on all tiers: all ones meet the bound
// of the primes exactly where a product fills the vectors.
func TestIntegers(t *testing.T) {
	sizes := []int{1, 7, 32, 50, 63, 64, 65, 104, 128, 200}
	if testscale.Of(t) >= testscale.Full {
		sizes = nil
		for size := range 200 {
			sizes = append(sizes, size+1)
		}
	}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(1, uint64(tier)))
		for _, size := range sizes {
			const n = 1 << 10
			for _, s := range []field.Spec{{}, {Workers: 3, Grain: 1}} {
				c := newIntegers(t, n, size, s)
				x, y := c.newVec(t), c.newVec(t)
				for kind := range 5 {
					whole := n * size / 64
					for _, lengths := range [][2]int{{whole / 2, whole - whole/2 - 1}, {0, 3},
						{min(whole/2, 1), whole / 4}} {
						a, b := natural(r, lengths[0], kind), natural(r, lengths[1], kind)
						z := natural(r, len(a)+len(b), 0)
						require.NoError(t, c.multiply(t.Context(), z, a, b, x, y))
						want := number(a)
						require.Zero(t, want.Mul(want, number(b)).Cmp(number(z)), "%d bits, %v, %v words", size, tier, lengths)
						if len(z) > 1 { // modulo a power of two
							low := natural(r, len(z)/2, 0)
							require.NoError(t, c.store(low, x))
							require.Equal(t, z[:len(low)], low)
						}
					}
				}
			}
		}
		undo()
	}
}

// Sums that meet the bound of the primes come out, modulo x^n − 1: all digits of both factors are all ones.
func TestBound(t *testing.T) {
	for _, size := range []int{20, 60, 64, 92} {
		for _, n := range []int{1, 2, 64, 512} {
			c := newIntegers(t, n, size, field.Spec{})
			x, a := c.newVec(t), natural(nil, n*size/64, 0)
			if len(a)*64 != n*size {
				continue
			}
			require.NoError(t, c.load(x, a))
			require.NoError(t, c.ForwardVec(t.Context(), x))
			require.NoError(t, c.MulVec(x, x, x))
			require.NoError(t, c.InverseVec(t.Context(), x))
			z := make([]uint64, len(a)+5)
			require.NoError(t, c.store(z, x))
			digit := new(big.Int).Lsh(big.NewInt(1), uint(size))
			digit.Sub(digit, big.NewInt(1))
			want := digit.Mul(digit, digit)
			want.Mul(want, big.NewInt(int64(n))).Mul(want, new(big.Int).Quo(number(a),
				new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(size)), big.NewInt(1))))
			require.Zero(t, want.Cmp(number(z)), "%d digits of %d bits", n, size)
		}
	}
}

// Products modulo the greatest numbers that so many primes serve come out where all coefficients are greatest, and the
// next numbers have a prime more: modulo x^n − 1 all coefficients of the product are then n, and modulo x^n + 1
// coefficient j is 2j + 2 − n.
func TestPackedBound(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		for _, n := range []int{1, 8, 64} {
			for k := 1; k <= 6; k++ {
				for _, negacyclic := range []bool{false, true} {
					testPackedBound(t, n, k, negacyclic)
				}
			}
		}
		undo()
	}
}

func testPackedBound(t *testing.T, n, k int, negacyclic bool) {
	all, _ := residues.Primes(residues.Bits(), n, new(big.Int).Lsh(big.NewInt(1), uint((k-1)*residues.Bits()+10)))
	require.Len(t, all, k)
	most, p := big.NewInt(1), new(big.Int)
	for _, q := range all {
		most.Mul(most, new(big.Int).SetUint64(q))
	}
	for bit := most.BitLen(); bit > 0; bit-- { // the greatest even number that they serve
		if p.SetBit(p, bit, 1); residues.LeastModulo(n, p, negacyclic).Cmp(most) >= 0 {
			p.SetBit(p, bit, 0)
		}
	}
	p.Sub(p, big.NewInt(1))
	words := (p.BitLen() + 63) / 64
	form := residues.Form[uint64]{P: p, Words: words, Elements: words, Invalid: func([]uint64) int { return -1 }}
	c, err := residues.NewPacked(form, n, negacyclic, field.Spec{}, fields)
	require.NoError(t, err)
	require.Contains(t, c.Report().Form, fmt.Sprintf("modulo %d primes", k), "%d numbers modulo %v", n, p)
	a := make([]uint64, n*words)
	for i := range n {
		split(a[i*words:][:words], new(big.Int).Sub(p, big.NewInt(1)))
	}
	v, err := c.NewVec()
	require.NoError(t, err)
	require.NoError(t, c.Load(v, a))
	require.NoError(t, c.ForwardVec(t.Context(), v))
	require.NoError(t, c.MulVec(v, v, v))
	require.NoError(t, c.InverseVec(t.Context(), v))
	got, want := make([]uint64, n*words), make([]uint64, n*words)
	require.NoError(t, c.Store(got, v))
	for j := range n {
		x := big.NewInt(int64(n))
		if negacyclic {
			x.SetInt64(int64(2*j + 2 - n))
		}
		split(want[j*words:][:words], x.Mod(x, p))
	}
	require.Equal(t, want, got, "%d numbers modulo %v, %d primes, negacyclic %t", n, p, k, negacyclic)

	form.P = new(big.Int).Add(p, big.NewInt(4))
	form.Words = (form.P.BitLen() + 63) / 64
	form.Elements = form.Words
	c, err = residues.NewPacked(form, n, negacyclic, field.Spec{}, fields)
	require.NoError(t, err)
	require.Contains(t, c.Report().Form, fmt.Sprintf("modulo %d primes", k+1))
}

// Where one factor has few terms, fewer primes serve: a long one of ones by a word at each of its places. Terms beyond
// the length are the length.
func TestPackedTerms(t *testing.T) {
	const n, terms = 1 << 10, 3
	p := new(big.Int).Lsh(big.NewInt(1), uint(residues.Bits()-2)) // two primes for few terms, and three for n
	p.Sub(p, big.NewInt(1))
	form := residues.Form[uint64]{P: p, Words: 1, Elements: 1, Invalid: func([]uint64) int { return -1 }}
	made := func(terms int) *residues.Packed[uint64] {
		c, err := residues.NewPacked(form, n, false, field.Spec{Terms: terms}, fields)
		require.NoError(t, err)
		return c
	}
	c := made(terms)
	require.Less(t, c.Report().Vector, made(0).Report().Vector)
	require.Equal(t, made(0).Report().Vector, made(n+1).Report().Vector)
	most := new(big.Int).Sub(p, big.NewInt(1)).Uint64()
	a, b := []uint64{most, most, most}, make([]uint64, n)
	for i := range b {
		b[i] = most
	}
	x, err := c.NewVec()
	require.NoError(t, err)
	y, err := c.NewVec()
	require.NoError(t, err)
	require.NoError(t, c.Load(x, a))
	require.NoError(t, c.Load(y, b))
	require.NoError(t, c.ForwardVec(t.Context(), x))
	require.NoError(t, c.ForwardVec(t.Context(), y))
	require.NoError(t, c.MulVec(x, x, y))
	require.NoError(t, c.InverseVec(t.Context(), x))
	require.NoError(t, c.Store(b, x))
	for i := range b {
		require.Equal(t, uint64(terms), b[i], "coefficient %d modulo %v", i, p) // of 3·(−1)²
	}
}

// split sets words to x.
func split(words []uint64, x *big.Int) {
	for i := range words {
		words[i] = new(big.Int).And(new(big.Int).Rsh(x, uint(64*i)), new(big.Int).SetUint64(1<<64-1)).Uint64()
	}
}

// What products refuse, and that vectors end.
func TestProductErrors(t *testing.T) {
	for n, want := range map[int]error{-1: field.ErrLength, 0: field.ErrLength, 3: field.ErrLength,
		1 << 28: field.ErrMemory} {
		require.ErrorIs(t, residues.Fits(n, 3, &field.Spec{MemoryLimit: 1 << 30}), want)
	}
	require.ErrorIs(t, residues.Fits(8, 3, &field.Spec{Batch: field.Batch{Count: -3}}), field.ErrSpec)
	require.ErrorIs(t, residues.Fits(8, 3, &field.Spec{Terms: -1}), field.ErrSpec)
	c, other := newIntegers(t, 8, 32, field.Spec{}), newIntegers(t, 8, 32, field.Spec{})
	x := c.newVec(t)
	closed := c.newVec(t)
	require.NoError(t, closed.Close())
	require.ErrorIs(t, closed.Close(), field.ErrVec)
	for _, v := range []field.Vec{nil, (*residues.Vec)(nil), other.newVec(t), closed} {
		for _, err := range []error{c.load(v, nil), c.store(nil, v), c.ForwardVec(t.Context(), v),
			c.InverseVec(t.Context(), v), c.MulVec(v, x, x), c.MulVec(x, v, x), c.MulVec(x, x, v)} {
			require.ErrorIs(t, err, field.ErrVec)
		}
	}
	require.ErrorIs(t, c.load(x, make([]uint64, 5)), field.ErrLength)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, c.ForwardVec(ended, x), context.Canceled)
	primes, _ := residues.Primes(residues.Bits(), 8, big.NewInt(1))
	_, err := residues.NewProduct(primes, 1<<12, false, field.Spec{Context: ended, MemoryLimit: 1 << 30}, fields)
	require.ErrorIs(t, err, context.Canceled)
	_, err = residues.NewProduct(primes, 1<<12, false, field.Spec{MemoryLimit: 1 << 12}, fields)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = residues.NewSystem(ended, primes)
	require.ErrorIs(t, err, context.Canceled)
	_, err = residues.NewDigits(ended, primes, 7)
	require.ErrorIs(t, err, context.Canceled)
}

// countingRunner runs tasks one after the other, last first.
type countingRunner struct{ most atomic.Int64 }

func (r *countingRunner) Run(tasks int, f func(i int)) {
	r.most.Store(max(r.most.Load(), int64(tasks)))
	for i := range tasks {
		f(tasks - 1 - i)
	}
}

// coarse is a field whose transforms have the default grain, whatever that of products is.
type coarse struct{ *smallprime.Field64 }

func (f coarse) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	s.Grain = 0
	return f.Field64.Plan(d, s)
}

// Workers share long transforms, and the primes of short ones.
func TestShares(t *testing.T) {
	alike := func(q uint64) (residues.Field, error) {
		f, err := smallprime.New64(q)
		return coarse{f}, err
	}
	for _, n := range []int{1 << 5, 1 << 15} {
		for _, workers := range []int{0, 3, 2} {
			r, of := new(countingRunner), alike
			if workers == 2 {
				of = fields
			}
			s := field.Spec{Workers: workers, Grain: 1, Runner: r} // tasks of products pay from the first word on
			c := newIntegersOver(t, n, 256, s, of)
			inside := c.Report().Workers == max(1, workers) // the first transform has all of them
			require.Equal(t, workers <= 1 || n > 1<<5, inside)
			x := c.newVec(t)
			require.NoError(t, c.ForwardVec(t.Context(), x))
			require.EqualValues(t, workers, r.most.Load(), fmt.Sprint(n, workers))
		}
	}
}

// FuzzIntegers multiplies natural numbers by digits of any width.
func FuzzIntegers(f *testing.F) {
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255}, []byte{1}, uint8(64), false)
	f.Add([]byte{}, []byte{0}, uint8(0), true)
	f.Fuzz(func(t *testing.T, a, b []byte, size uint8, workers bool) {
		const n = 1 << 7
		s := field.Spec{}
		if workers {
			s = field.Spec{Workers: 2, Grain: 1}
		}
		bits := int(size)%150 + 1
		c := newIntegers(t, n, bits, s)
		most := n * bits / 128 // words of a factor
		words := func(b []byte) (z []uint64) {
			for i := range min(len(b)/8+1, most) {
				var w uint64
				for j, x := range b[8*i : min(len(b), 8*i+8)] {
					w |= uint64(x) << (8 * j)
				}
				z = append(z, w)
			}
			return z
		}
		x, y := words(a), words(b)
		z := make([]uint64, len(x)+len(y))
		require.NoError(t, c.multiply(t.Context(), z, x, y, c.newVec(t), c.newVec(t)))
		want := number(x)
		require.Zero(t, want.Mul(want, number(y)).Cmp(number(z)))
	})
}

// Digits allocate nothing once warm.
func TestDigitsAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random")
	}
	c := newIntegers(t, 1<<8, 64, field.Spec{})
	a, row := natural(rand.New(rand.NewPCG(3, 4)), 1<<7, 3), make([]uint64, 1<<8)
	rows := [][]uint64{row, row, row}
	z, rest := make([]uint64, 1<<8), make([]uint64, c.digits.Rest())
	move := func() {
		c.digits.Split(0, row, 0, a)
		c.digits.Carry(z, rest, rows, 0, 1<<8)
	}
	least := testing.AllocsPerRun(5, move)
	for range 10 { // a collection empties pools
		least = min(least, testing.AllocsPerRun(5, move))
	}
	require.Zero(t, least)
}
