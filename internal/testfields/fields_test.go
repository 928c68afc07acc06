package testfields_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testfields"
)

func newRand() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }

// TestOnePrime compares the three fields of one prime: encodings, products, inverses and roots agree.
func TestOnePrime(t *testing.T) {
	p, _ := new(big.Int).SetString(scalars, 16)
	reference, err := testfields.NewBigInt(p)
	require.NoError(t, err)
	agreeWith(t, reference, testfields.NewWord256())
	agreeWith(t, reference, testfields.NewPlain256())
}

// full is a field with its encoding.
type full[E any] interface {
	field.Rooted[E]
	field.Info
	field.Codec[E]
}

func agreeWith(t *testing.T, f *testfields.BigInt, g full[[4]uint64]) {
	require.Equal(t, f.Order(), g.Order())
	number := func(x *[4]uint64) string { return string(g.AppendText(nil, x)) }
	want := func(x *testfields.Int) string { return string(f.AppendText(nil, x)) }
	for _, n := range append([]uint64{1, 2, 4, 8, 1 << 20}, orders...) {
		var a testfields.Int
		var b [4]uint64
		require.NoError(t, f.RootOfUnity(&a, n))
		require.NoError(t, g.RootOfUnity(&b, n))
		require.Equal(t, want(&a), number(&b), "root of order %d", n)
	}
	r := newRand()
	for range 100 {
		var a, b testfields.Int
		var x, y [4]uint64
		f.Random(&a, r)
		f.Random(&b, r)
		require.NoError(t, g.SetBig(&x, f.Big(new(big.Int), &a)))
		require.NoError(t, g.SetBig(&y, f.Big(new(big.Int), &b)))
		f.Mul(&a, &a, &b)
		g.Mul(&x, &x, &y)
		require.Equal(t, want(&a), number(&x))
		require.NoError(t, f.Inv(&a, &a))
		require.NoError(t, g.Inv(&x, &x))
		require.Equal(t, want(&a), number(&x))
	}
}

// TestForms tells the two encodings in memory apart.
func TestForms(t *testing.T) {
	var x [4]uint64
	testfields.NewPlain256().One(&x)
	require.Equal(t, [4]uint64{1}, x)

	p, _ := new(big.Int).SetString(scalars, 16)
	r := new(big.Int).Lsh(big.NewInt(1), 256)
	testfields.NewWord256().One(&x)
	require.Equal(t, r.Mod(r, p).Uint64(), x[0])
}

// TestFermatRoots checks that powers of roots are the root that Shift multiplies by.
func TestFermatRoots(t *testing.T) {
	f := testfields.NewFermat()
	for n := uint64(32); n <= 1<<16; n *= 2 {
		var w uint32
		require.NoError(t, f.RootOfUnity(&w, n))
		field.Pow(f, &w, &w, new(big.Int).SetUint64(n/32))
		require.EqualValues(t, 2, w, "order %d", n)
	}
}

func TestCounts(t *testing.T) {
	c := testfields.NewCounting(testfields.NewFermat())
	for _, optional := range []any{
		new(field.Info), new(field.Codec[uint32]), new(field.Sampler[uint32]), new(field.Shifter[uint32]),
	} {
		require.NotImplements(t, optional, c)
	}
	f := c.Field()
	require.NotImplements(t, new(field.Info), f)
	x, y := uint32(3), uint32(5)
	f.Set(&x, &y)
	f.Add(&x, &x, &y)
	f.Sub(&x, &x, &y)
	f.Sub(&x, &x, &y)
	f.Neg(&y, &y)
	f.Mul(&x, &x, &y)
	f.(field.Shifter[uint32]).Shift(&x, &y, 4)
	require.EqualValues(t, []int64{3, 1, 1}, []int64{c.Adds.Load(), c.Muls.Load(), c.Shifts.Load()})
	c.Reset()
	require.EqualValues(t, []int64{0, 0, 0}, []int64{c.Adds.Load(), c.Muls.Load(), c.Shifts.Load()})

	var w [4]uint64
	words := testfields.NewCounting(testfields.NewWord256())
	require.NotImplements(t, new(field.Shifter[[4]uint64]), words.Field())
	require.NoError(t, words.RootOfUnity(&w, 8))
	rootless := testfields.NewCounting[uint32](struct{ field.Field[uint32] }{f})
	require.ErrorIs(t, rootless.RootOfUnity(&x, 1), field.ErrNoRoot)
}
