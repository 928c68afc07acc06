package crt_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
)

// schoolbook is the definition of a product.
func schoolbook(a, b []*big.Int) []*big.Int {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	c := make([]*big.Int, len(a)+len(b)-1)
	for i := range c {
		c[i] = new(big.Int)
	}
	t := new(big.Int)
	for i, x := range a {
		for j, y := range b {
			c[i+j].Add(c[i+j], t.Mul(x, y))
		}
	}
	return c
}

// polynomial returns n coefficients of up to size bits and either sign, some 0.
func polynomial(r *rand.Rand, n, size int) []*big.Int {
	a := make([]*big.Int, n)
	for i := range a {
		a[i] = randomInt(r, r.IntN(size+1))
		if r.IntN(2) == 1 {
			a[i].Neg(a[i])
		}
	}
	return a
}

func constant(n int, x *big.Int) []*big.Int {
	a := make([]*big.Int, n)
	for i := range a {
		a[i] = x
	}
	return a
}

func TestMul(t *testing.T) {
	r := newRand(t)
	for _, c := range [][4]int{ // lengths and bits
		{0, 0, 1, 1}, {0, 5, 1, 1}, {5, 0, 1, 1}, {1, 1, 0, 0}, {1, 1, 1, 1}, {1, 1, 5000, 5000}, {1, 100, 64, 64},
		{2, 2, 61, 0}, {2, 3, 30, 30}, {7, 50, 1, 200}, {33, 33, 128, 63}, {100, 100, 1, 1}, {128, 129, 100, 100},
		{3, 500, 64, 1000}, {200, 300, 31, 31}, {20, 20, 10000, 10000}, {5, 3, 10000, 1},
	} {
		for _, workers := range []int{1, 2, 7} {
			a, b := polynomial(r, c[0], c[2]), polynomial(r, c[1], c[3])
			got, err := crt.Mul(t.Context(), a, b, crt.WithWorkers(workers))
			require.NoError(t, err)
			requireInts(t, schoolbook(a, b), got, fmt.Sprint(c, workers))
			got, err = crt.Mul(t.Context(), a, a, crt.WithWorkers(workers))
			require.NoError(t, err)
			requireInts(t, schoolbook(a, a), got, fmt.Sprint("square ", c, workers))
		}
	}
}

// TestMulBound takes products that meet the bound, with 2mAB as close below and above the product of primes as can be.
func TestMulBound(t *testing.T) {
	one := []*big.Int{big.NewInt(1)}
	for _, size := range []int{50, 62} {
		for k := 1; k <= 5; k++ {
			for _, m := range []int{1, 2, 3, 64} {
				s, err := crt.New(t.Context(), generate(t, size, map[int]int{1: 0, 2: 2, 3: 3, 64: 7}[m], k))
				require.NoError(t, err)
				half := new(big.Int).Rsh(s.Modulus(), 1)
				half.Div(half, big.NewInt(int64(m)))
				for d := int64(-1); d <= 2; d++ {
					for _, sign := range []int64{1, -1} {
						a := constant(m, add(half, d))
						b := constant(m, big.NewInt(sign))
						got, err := crt.Mul(t.Context(), a, b)
						require.NoError(t, err)
						requireInts(t, schoolbook(a, b), got, fmt.Sprint(size, k, m, d, sign))
						got, err = crt.Mul(t.Context(), a, one)
						require.NoError(t, err)
						requireInts(t, a, got, "times 1")
					}
				}
			}
		}
	}
}

// slicedRunner is a Runner that cannot be compared.
type slicedRunner []int

func (slicedRunner) Run(tasks int, f func(i int)) {
	for i := range tasks {
		f(i)
	}
}

// Products of the same lengths have the memory and the plans of those before, which changes nothing: from several
// goroutines, of other operands and signs, of squares, and modulo other primes.
func TestMulAgain(t *testing.T) {
	errs := make(chan error, 4)
	for g := range 4 {
		go func() {
			errs <- func() error {
				r := rand.New(rand.NewPCG(3, uint64(g)))
				for i := range 12 {
					size := []int{40, 40, 300, 1000}[i%4]
					a, b := polynomial(r, 60, size), polynomial(r, 60, size)
					if i%3 == 0 {
						b = a
					}
					opts := []crt.Option{crt.WithWorkers(1 + g)}
					if i%5 == 0 {
						opts = append(opts, crt.WithRunner(slicedRunner{}))
					}
					got, err := crt.Mul(t.Context(), a, b, opts...)
					if err != nil {
						return err
					}
					for j, want := range schoolbook(a, b) {
						if want.Cmp(got[j]) != 0 {
							return fmt.Errorf("goroutine %d, product %d, coefficient %d: %v, want %v", g, i, j, got[j], want)
						}
					}
				}
				return nil
			}()
		}()
	}
	for range 4 {
		require.NoError(t, <-errs)
	}
}

func TestMulZeros(t *testing.T) {
	zeros := constant(5, new(big.Int))
	got, err := crt.Mul(t.Context(), zeros, constant(3, big.NewInt(-7)))
	require.NoError(t, err)
	requireInts(t, constant(7, new(big.Int)), got, "zeros")
	got[0].SetInt64(1)
	require.Zero(t, zeros[0].Sign(), "the result is fresh")
}

func TestMulRefuses(t *testing.T) {
	one := constant(1, big.NewInt(1))
	for _, nils := range [][]*big.Int{{nil}, {one[0], nil}} {
		_, err := crt.Mul(t.Context(), nils, one)
		require.ErrorIs(t, err, field.ErrRange)
		_, err = crt.Mul(t.Context(), one, nils)
		require.ErrorIs(t, err, field.ErrRange)
		_, err = crt.Mul(t.Context(), nil, nils)
		require.ErrorIs(t, err, field.ErrRange)
	}
	_, err := crt.Mul(t.Context(), one, one, crt.WithWorkers(-1))
	require.ErrorIs(t, err, field.ErrSpec)

	huge := constant(1<<20, big.NewInt(1))
	huge[7] = pow2(1 << 23)
	_, err = crt.Mul(t.Context(), huge, huge)
	require.ErrorIs(t, err, field.ErrMemory)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, workers := range []int{1, 2} {
		_, err = crt.Mul(ctx, constant(1000, pow2(100)), constant(1000, pow2(100)), crt.WithWorkers(workers))
		require.ErrorIs(t, err, context.Canceled)
	}
}
