package gfpf_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// extreme draws elements that are −1 half of the time, and else 0, 1, p − 2, whose digits are all r − 1, or any.
func extreme[E gfpf.Digits](f *gfpf.Field[E], n int, seed uint64) []E {
	rnd := rand.New(rand.NewPCG(seed, uint64(n)))
	var zero, one, minusOne, full E
	f.One(&one)
	f.Neg(&minusOne, &one)
	f.Sub(&full, &minusOne, &one)
	x := make([]E, n)
	for i := range x {
		switch rnd.IntN(10) {
		case 0:
			x[i] = zero
		case 1:
			x[i] = one
		case 2:
			x[i] = full
		case 3, 4:
			f.Random(&x[i], rnd)
		default:
			x[i] = minusOne
		}
	}
	return x
}

// Transforms of every power of two, of values that are −1 and others at the ends, against the definition.
func TestDefinition(t *testing.T) {
	againstDefinition(t, gfpf.P1(), 1024)
	againstDefinition(t, gfpf.P3(), 512)
}

func againstDefinition[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], most int) {
	for n := 1; n <= most; n *= 2 {
		x := extreme(f, n, 1)
		got, want := make([]E, n), make([]E, n)
		p, err := fft.NewPlan(f, n)
		require.NoError(t, err)
		judge, err := fft.NewPlan(f, n, fft.WithAlgorithm(fft.Naive), fft.WithWorkers(2))
		require.NoError(t, err)
		require.NoError(t, p.Forward(got, x))
		require.NoError(t, judge.Forward(want, x))
		require.Equal(t, want, got, "%s, %d points", f.Name(), n)
		require.NoError(t, p.Inverse(got, got))
		require.Equal(t, x, got, "%s, %d points, and back", f.Name(), n)
	}
}

// Products of polynomials against products of integers whose digits are the coefficients (Kronecker).
func TestConvolution(t *testing.T) {
	convolve(t, gfpf.P1(), 1000)
	convolve(t, gfpf.P3(), 500)
}

func convolve[E gfpf.Digits](t *testing.T, f *gfpf.Field[E], n int) {
	a, b := extreme(f, n, 2), extreme(f, n/2+1, 3)
	got, err := poly.Mul(f, a, b)
	require.NoError(t, err)
	p := f.Characteristic()
	room := uint(2*p.BitLen() + 20)
	pack := func(x []E) *big.Int {
		z := new(big.Int)
		for i := len(x) - 1; i >= 0; i-- {
			z.Lsh(z, room).Add(z, f.Big(new(big.Int), &x[i]))
		}
		return z
	}
	product := pack(a)
	product.Mul(product, pack(b))
	mask := new(big.Int).Lsh(big.NewInt(1), room)
	mask.Sub(mask, big.NewInt(1))
	require.Len(t, got, len(a)+len(b)-1)
	for i := range got {
		c := new(big.Int).And(product, mask)
		product.Rsh(product, room)
		require.Zero(t, c.Mod(c, p).Cmp(f.Big(new(big.Int), &got[i])), "%s, coefficient %d", f.Name(), i)
	}
	require.Zero(t, product.Sign())
}

// What is no field, length or element is refused.
func TestRefusals(t *testing.T) {
	_, err := gfpf.New[[8]uint64](1<<63 + 1<<35)
	require.ErrorIs(t, err, fft.ErrModulus, "a composite number")
	f := gfpf.P3()
	_, err = fft.NewPlan(f, 20)
	require.ErrorIs(t, err, fft.ErrNoRoot, "no divisor of p − 1")
	_, err = fft.NewPlan(f, 64, fft.WithBase(12))
	require.ErrorIs(t, err, fft.ErrSpec, "a base case that is no power of two")
	x := [8]uint64{1, 2, 3, 4}
	b := make([]byte, f.Size())
	for i := range b {
		b[i] = 0xff
	}
	require.ErrorIs(t, f.SetBytes(&x, b), fft.ErrRange)
	require.ErrorIs(t, f.SetBytes(&x, b[1:]), fft.ErrLength)
	require.Equal(t, [8]uint64{1, 2, 3, 4}, x, "nothing is written")
	// Slices that are too short, and plans that need more than they may.
	z, short := make([][8]uint64, 64), make([][8]uint64, 8)
	for _, op := range []func(z, x, y [][8]uint64){f.AddVec, f.SubVec, f.MulVec, f.MulAddVec} {
		require.Panics(t, func() { op(z, short, z) })
		require.Panics(t, func() { op(z, z, short) })
	}
	require.Equal(t, make([][8]uint64, 64), z)
	_, err = fft.NewPlan(f, 1<<12, fft.WithAlgorithm(fft.Naive), fft.WithMemoryLimit(1<<18))
	require.ErrorIs(t, err, fft.ErrMemory)
	y := make([][8]uint64, 65)
	p := fft.Must(fft.NewPlan(f, 64))
	require.ErrorIs(t, p.Forward(y[1:], y[:64]), fft.ErrOverlap)
}
