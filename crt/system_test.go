package crt_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
)

// systems are the prime lists that tests share: one prime and many, tiny and of 63 bits, and mixed so that digits
// exceed the primes after them. Those that kernels serve are there for every tier.
func systems(t testing.TB) map[string]*crt.System {
	all := map[string]*crt.System{}
	for name, primes := range map[string][]uint64{
		"3":          {3},
		"3,5,7":      {3, 5, 7},
		"p62":        {4611686018326724609},
		"largest":    {1<<63 - 25, 1<<63 - 165, 1<<63 - 259, 1<<63 - 301},
		"mixed":      {1<<63 - 25, 3, 4611686018326724609, 65537, 4294967291, 5},
		"62 bits ×8": generate(t, 62, 24, 8),
		"62 bits ×7": generate(t, 62, 24, 7),
		"30 bits ×9": generate(t, 30, 16, 9),
		// What kernels serve, and what they do not: primes and numbers of primes at the bounds.
		"50 bits":     generate(t, 50, 24, 1),
		"50 bits ×11": generate(t, 50, 24, 11),
		"50 bits ×26": generate(t, 50, 10, 26),
		"to 50 bits":  {1<<50 - 27, 257, 65537, 4294967291, 263},
		"up to 2^8":   {251, 1<<50 - 27},
		"63 bits ×70": generate(t, 63, 20, 70),
	} {
		all[name] = onTier(t, cpu.Active(), primes)
		if slices.Max(primes) < 1<<50 && slices.Min(primes) > 1<<8 {
			for _, tier := range cpu.Present() {
				all[name+", "+tier.String()] = onTier(t, tier, primes)
			}
		}
	}
	return all
}

// onTier makes a system on a tier.
func onTier(t testing.TB, tier cpu.Tier, primes []uint64) *crt.System {
	undo, err := cpu.Use(tier)
	require.NoError(t, err)
	defer undo()
	s, err := crt.New(t.Context(), primes)
	require.NoError(t, err)
	return s
}

func generate(t testing.TB, bits, twoAdicity, count int) []uint64 {
	primes, err := crt.Primes(t.Context(), bits, twoAdicity, count)
	require.NoError(t, err)
	return primes
}

func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %#x", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// randomInt returns a random number of n random bits.
func randomInt(r *rand.Rand, n int) *big.Int {
	x := new(big.Int)
	for x.BitLen() < n {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(r.Uint64()))
	}
	return x.Rsh(x, uint(x.BitLen()-n))
}

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func add(x *big.Int, d int64) *big.Int { return new(big.Int).Add(x, big.NewInt(d)) }

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		primes []uint64
		want   error
	}{
		"nothing":         {nil, field.ErrLength},
		"0":               {[]uint64{0}, field.ErrModulus},
		"1":               {[]uint64{3, 1}, field.ErrModulus},
		"2":               {[]uint64{2}, field.ErrModulus},
		"even":            {[]uint64{65536}, field.ErrModulus},
		"composite":       {[]uint64{3, 15}, field.ErrModulus},
		"carmichael":      {[]uint64{561}, field.ErrModulus},
		"strong pseudo 2": {[]uint64{3215031751}, field.ErrModulus},
		"twice":           {[]uint64{5, 3, 5}, field.ErrModulus},
		"2^63":            {[]uint64{1 << 63}, field.ErrModulus},
		"above 2^63":      {[]uint64{1<<63 + 29}, field.ErrModulus},
		"goldilocks":      {[]uint64{1<<64 - 1<<32 + 1}, field.ErrModulus},
	} {
		_, err := crt.New(t.Context(), c.primes)
		require.ErrorIs(t, err, c.want, name)
	}
	for _, o := range []crt.Option{nil, crt.WithWorkers(-1)} {
		_, err := crt.New(t.Context(), []uint64{3}, o)
		require.ErrorIs(t, err, field.ErrSpec)
	}
}

func TestSystem(t *testing.T) {
	primes := []uint64{7, 3, 1<<63 - 25}
	s, err := crt.New(t.Context(), primes)
	require.NoError(t, err)

	got := s.Primes()
	require.Equal(t, primes, got)
	got[0] = 0
	require.Equal(t, primes, s.Primes(), "Primes is fresh")

	m := new(big.Int).Mul(big.NewInt(21), big.NewInt(1<<63-25))
	require.Equal(t, m.String(), s.Modulus().String())
	s.Modulus().SetInt64(0)
	require.Equal(t, m.String(), s.Modulus().String(), "Modulus is fresh")
	require.Equal(t, m.BitLen(), s.Bits())

	for _, n := range []int{0, 1, 5} {
		r := must(s.NewResidues(n))
		require.Len(t, r, 3)
		for i := range r {
			require.Equal(t, make([]uint64, n), r[i])
			require.Equal(t, len(r[i]), cap(r[i]))
		}
		for _, x := range must(s.NewInts(n)) {
			require.Zero(t, x.Sign())
		}
		require.Len(t, must(s.NewInts(n)), n)
	}
	for _, n := range []int{math.MaxInt >> 15, math.MaxInt >> 3, math.MaxInt} {
		_, err := s.NewResidues(n)
		require.ErrorIs(t, err, field.ErrMemory)
		_, err = s.NewInts(n)
		require.ErrorIs(t, err, field.ErrMemory)
	}
}

func TestPrimes(t *testing.T) {
	for _, c := range []struct {
		bits, twoAdicity int
		want             []uint64
	}{
		{62, 24, []uint64{4611686018326724609}},
		{63, 24, []uint64{9223372036737335297}},
		{50, 24, []uint64{1125899437080577}},
		{30, 24, []uint64{754974721}},
		{2, 0, []uint64{3}},
		{2, 1, []uint64{3}},
		{3, 2, []uint64{5}},
		{4, 0, []uint64{13, 11, 7, 5, 3}},
		{9, 8, []uint64{257}},
		{17, 16, []uint64{65537}},
		{20, 16, []uint64{786433, 65537}},
		{62, 24, nil},
	} {
		got, err := crt.Primes(t.Context(), c.bits, c.twoAdicity, len(c.want))
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	for _, c := range [][3]int{{1, 0, 1}, {64, 1, 1}, {62, -1, 1}, {20, 21, 1}, {20, 1, -1}, {16, 16, 1}, {2, 1, 2},
		{20, 16, 3}, {63, 63, 1}} {
		_, err := crt.Primes(t.Context(), c[0], c[1], c[2])
		require.ErrorIs(t, err, field.ErrRange, fmt.Sprint(c))
	}
}

func TestNewBounded(t *testing.T) {
	for k := 1; k <= 4; k++ {
		primes := generate(t, 62, 24, k+1)
		below, err := crt.New(t.Context(), primes[:k])
		require.NoError(t, err)
		half := new(big.Int).Rsh(below.Modulus(), 1)
		for d, want := range map[int64]int{-1: k, 0: k, 1: k + 1} {
			s, err := crt.NewBounded(t.Context(), add(half, d), 24)
			require.NoError(t, err)
			require.Equal(t, primes[:want], s.Primes(), "the bound is (M−1)/2 + %d", d)
		}
	}
	s, err := crt.NewBounded(t.Context(), new(big.Int), 0)
	require.NoError(t, err)
	require.Len(t, s.Primes(), 1)
	for name, c := range map[string]struct {
		bound      *big.Int
		twoAdicity int
	}{
		"nil":             {nil, 0},
		"negative":        {big.NewInt(-1), 0},
		"2-adicity −1":    {big.NewInt(1), -1},
		"2-adicity 63":    {big.NewInt(1), 63},
		"no prime":        {big.NewInt(1), 61},
		"too few of them": {pow2(1000), 57},
	} {
		_, err := crt.NewBounded(t.Context(), c.bound, c.twoAdicity)
		require.ErrorIs(t, err, field.ErrRange, name)
	}
	_, err = crt.NewBounded(t.Context(), big.NewInt(1), 1, crt.WithWorkers(-1))
	require.ErrorIs(t, err, field.ErrSpec)
}

// TestPrimesAreAll compares with the definition, number by number.
func TestPrimesAreAll(t *testing.T) {
	for bits := 2; bits <= 12; bits++ {
		for twoAdicity := 0; twoAdicity <= bits; twoAdicity++ {
			var want []uint64
			for p := uint64(1)<<bits - 1; p > 2; p-- {
				if (p-1)%(1<<twoAdicity) == 0 && new(big.Int).SetUint64(p).ProbablyPrime(0) {
					want = append(want, p)
				}
			}
			got, err := crt.Primes(t.Context(), bits, twoAdicity, len(want))
			require.NoError(t, err)
			require.True(t, slices.Equal(want, got), "%d bits, 2-adicity %d", bits, twoAdicity)
			_, err = crt.Primes(t.Context(), bits, twoAdicity, len(want)+1)
			require.ErrorIs(t, err, field.ErrRange)
		}
	}
}

func TestNilContext(t *testing.T) {
	s, err := crt.New(t.Context(), []uint64{97, 101})
	require.NoError(t, err)
	var none context.Context
	a := []*big.Int{big.NewInt(1)}
	require.ErrorIs(t, s.Residues(none, must(s.NewResidues(1)), a), field.ErrSpec)
	require.ErrorIs(t, s.Garner(none, a, must(s.NewResidues(1))), field.ErrSpec)
	_, err = crt.Mul(none, a, a)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = crt.New(none, []uint64{97})
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = crt.NewBounded(none, big.NewInt(1), 1)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = crt.Primes(none, 30, 1, 1)
	require.ErrorIs(t, err, field.ErrSpec)
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// Workers beyond number take no more memory than those that find work.
func TestManyWorkers(t *testing.T) {
	a := []*big.Int{big.NewInt(1), big.NewInt(2)}
	for _, workers := range []int{1 << 30, math.MaxInt} {
		bytes := allocated(func() {
			c, err := crt.Mul(t.Context(), a, a, crt.WithWorkers(workers))
			require.NoError(t, err)
			require.Equal(t, "[1 4 4]", fmt.Sprint(c))
		})
		require.Less(t, bytes, uint64(1<<22))
	}
}

// allocated is the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
