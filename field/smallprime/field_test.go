package smallprime

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// full is everything that a field offers.
type full[E any] interface {
	field.Rooted[E]
	field.Info
	field.Codec[E]
	field.Sampler[E]
	field.Vectors[E]
	field.Planner[E]
	Modulus() E
}

var (
	_ full[uint32]          = (*Field32)(nil)
	_ full[uint64]          = (*Field64)(nil)
	_ full[uint64]          = (*GoldilocksField)(nil)
	_ field.Shifter[uint64] = (*GoldilocksField)(nil)
)

// each runs test for the fields of all primes; on lower tiers it takes the largest of each class and 17 by default.
func each(t *testing.T, test32 func(*testing.T, *Field32), test64 func(*testing.T, *Field64)) {
	some32, some64 := primes32, primes64
	if tiers := cpu.Present(); cpu.Active() != tiers[len(tiers)-1] && testscale.Of(t) < testscale.Full {
		some32 = []uint32{17, 1<<30 - 35, 1<<31 - 1, 1<<32 - 5}
		some64 = []uint64{17, 1<<50 - 27, 1<<62 - 57, 1<<63 - 25, 1<<64 - 59, goldilocks}
	}
	for _, p := range some32 {
		t.Run(fmt.Sprintf("uint32/%d", p), func(t *testing.T) { test32(t, field32(t, p)) })
	}
	for _, p := range some64 {
		if sameAbove(p) {
			continue
		}
		t.Run(fmt.Sprintf("uint64/%d", p), func(t *testing.T) { test64(t, field64(t, p)) })
	}
}

func TestNew(t *testing.T) {
	for _, p := range []uint64{0, 1, 2, 4, 1 << 31, 9, 561, 25326001, 1<<32 - 1, 1<<32 - 2} {
		_, err := New32(uint32(p))
		require.ErrorIs(t, err, field.ErrModulus)
		require.ErrorContains(t, err, fmt.Sprint(p))
	}
	for _, p := range []uint64{0, 1, 2, 4, 9, 561, 3825123056546413051, 4294967291 * 4294967291, 1<<64 - 1, 1<<64 - 2} {
		_, err := New64(p)
		require.ErrorIs(t, err, field.ErrModulus)
		require.ErrorContains(t, err, fmt.Sprint(p))
	}
	_, err := New64(4)
	require.EqualError(t, err, "fft: unsupported modulus: 4 is even, want an odd prime")
}

func TestElements(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		each(t, func(t *testing.T, f *Field32) { testElements(t, f) },
			func(t *testing.T, f *Field64) { testElements(t, f) })
	})
}

// testElements compares the element and vector methods with math/big.
func testElements[W word](t *testing.T, f full[W]) {
	r, p := newRand(), f.Characteristic()
	require.Equal(t, p, f.Order())
	require.Equal(t, p.Uint64(), uint64(f.Modulus()))
	want := func(z *big.Int) W { return W(z.Mod(z, p).Uint64()) }
	const n = 2000
	x, y, z := make([]W, n), make([]W, n), make([]W, n)
	sum, diff, prod := make([]W, n), make([]W, n), make([]W, n)
	for i := range n {
		x[i], y[i] = W(edgy(r, p.Uint64()-1)), W(edgy(r, p.Uint64()-1))
		a, b := new(big.Int).SetUint64(uint64(x[i])), new(big.Int).SetUint64(uint64(y[i]))
		sum[i], diff[i], prod[i] = want(new(big.Int).Add(a, b)), want(new(big.Int).Sub(a, b)),
			want(new(big.Int).Mul(a, b))
		f.Add(&z[i], &x[i], &y[i])
		require.Equal(t, sum[i], z[i], "%d + %d", a, b)
		f.Sub(&z[i], &x[i], &y[i])
		require.Equal(t, diff[i], z[i], "%d − %d", a, b)
		f.Mul(&z[i], &x[i], &y[i])
		require.Equal(t, prod[i], z[i], "%d · %d", a, b)
		f.Neg(&z[i], &x[i])
		require.Equal(t, want(new(big.Int).Neg(a)), z[i], "−%d", a)
		require.Equal(t, x[i] == y[i], f.Equal(&x[i], &y[i]))
		if b := new(big.Int).ModInverse(a, p); b != nil {
			require.NoError(t, f.Inv(&z[i], &x[i]))
			require.Equal(t, W(b.Uint64()), z[i], "1/%d", a)
		}
	}
	f.AddVec(z, x, y)
	require.Equal(t, sum, z)
	f.SubVec(z, x, y)
	require.Equal(t, diff, z)
	f.MulVec(z, x, y)
	require.Equal(t, prod, z)
	copy(z, x)
	f.MulVec(z, z, y)
	require.Equal(t, prod, z)
	copy(z, diff)
	f.MulAddVec(z, x, y)
	for i := range z {
		var s W
		f.Add(&s, &diff[i], &prod[i])
		require.Equal(t, s, z[i])
	}
	testInvVec(t, f, x)

	zero, keep := W(0), W(1)
	require.ErrorIs(t, f.Inv(&keep, &zero), field.ErrNotInvertible)
	require.Equal(t, W(1), keep)
	f.One(&zero)
	require.Equal(t, W(1), zero)
	f.Set(&zero, &x[7])
	require.Equal(t, x[7], zero)
}

// testInvVec inverts the values of x that can be inverted, in place and out of place, and finds the others.
func testInvVec[W word](t *testing.T, f full[W], x []W) {
	var units []W
	for _, v := range x {
		if v != 0 {
			units = append(units, v)
		}
	}
	for n := 0; n <= len(units); n = 2*n + 1 {
		u, z := units[:n], make([]W, n)
		require.NoError(t, field.InvVec(f, z, u))
		for i := range z {
			var want W
			require.NoError(t, f.Inv(&want, &u[i]))
			require.Equal(t, want, z[i])
		}
		again := append([]W(nil), z...)
		require.NoError(t, field.InvVec(f, again, again))
		require.Equal(t, append([]W(nil), u...), again)
		if n == 0 {
			require.ErrorIs(t, field.InvVec(f, z, units[:1]), field.ErrLength)
			continue
		}
		bad := append([]W(nil), u...)
		bad[n/2] = 0
		kept := append([]W(nil), bad...)
		err := field.InvVec(f, bad, bad)
		require.ErrorIs(t, err, field.ErrNotInvertible)
		require.ErrorContains(t, err, fmt.Sprintf("element %d", n/2))
		require.Equal(t, kept, bad)
	}
}

func TestRandom(t *testing.T) {
	f, r := field64(t, 5), newRand()
	var count [5]int
	for range 5000 {
		var z uint64
		f.Random(&z, r)
		count[z]++
	}
	for z, n := range count {
		require.InDelta(t, 1000, n, 150, "value %d", z)
	}
}

// TestModulus divides by numbers that are not prime as well, as factoring does.
func TestModulus(t *testing.T) {
	r := newRand()
	for range 20000 {
		p := 1 + edgy(r, 1<<64-2)
		x, y, m := r.Uint64N(p), edgy(r, 1<<64-1), newModulus(p)
		z := new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))
		require.Equal(t, z.Mod(z, new(big.Int).SetUint64(p)).Uint64(), m.mul(x, y), "%d · %d mod %d", x, y, p)
	}
}

func FuzzMul(f *testing.F) {
	f.Add(uint64(goldilocks), uint64(1)<<63, ^uint64(0))
	f.Add(uint64(3), uint64(2), uint64(2))
	f.Fuzz(func(t *testing.T, p, x, y uint64) {
		for p = max(3, p|1); !factor.IsPrime(p); p -= 2 {
		}
		g := field64(t, p)
		x, y = x%p, y%p
		var z uint64
		g.Mul(&z, &x, &y)
		b := new(big.Int).Mul(new(big.Int).SetUint64(x), new(big.Int).SetUint64(y))
		require.Equal(t, b.Mod(b, g.Order()).Uint64(), z)
		if p < 1<<32 {
			var z32 uint32
			x, y := uint32(x), uint32(y)
			field32(t, uint32(p)).Mul(&z32, &x, &y)
			require.Equal(t, z, uint64(z32))
		}
	})
}
