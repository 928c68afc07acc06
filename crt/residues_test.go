package crt_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
)

// integers are edges of s, of the words and of the groups of words that are summed together, and random numbers;
// all with both signs.
func integers(t testing.TB, s *crt.System) []*big.Int {
	r, m := newRand(t), s.Modulus()
	half := new(big.Int).Rsh(m, 1)
	a := []*big.Int{new(big.Int), big.NewInt(1), big.NewInt(2), m, half}
	for _, d := range []int64{-2, -1, 1, 2} {
		a = append(a, add(m, d), add(half, d))
	}
	for _, p := range s.Primes() {
		a = append(a, new(big.Int).SetUint64(p), new(big.Int).SetUint64(p-1))
	}
	for _, n := range []int{31, 32, 33, 63, 64, 65, 127, 128, 129, 1024, 2047, 2048, 2049, 4096, 4097, 6144, 10000} {
		a = append(a, pow2(n), add(pow2(n), -1), add(pow2(n), 1), randomInt(r, n))
	}
	for range 200 {
		a = append(a, randomInt(r, 1+r.IntN(s.Bits()+100)))
	}
	for _, x := range a {
		a = append(a, new(big.Int).Neg(x))
	}
	return a
}

func TestResidues(t *testing.T) {
	for name, s := range systems(t) {
		a := integers(t, s)
		r := must(s.NewResidues(len(a)))
		require.NoError(t, s.Residues(t.Context(), r, a))
		want, modulus := new(big.Int), new(big.Int)
		for i, p := range s.Primes() {
			modulus.SetUint64(p)
			for j, x := range a {
				if want.Mod(x, modulus).Uint64() != r[i][j] {
					t.Fatalf("%s: %v mod %d = %d, want %v", name, x, p, r[i][j], want)
				}
			}
		}
	}
}

func TestResiduesOfNothing(t *testing.T) {
	s, err := crt.New(t.Context(), []uint64{3, 5})
	require.NoError(t, err)
	require.NoError(t, s.Residues(t.Context(), [][]uint64{nil, {}}, nil))
}

func TestResiduesRefuses(t *testing.T) {
	s, err := crt.New(t.Context(), []uint64{11, 13})
	require.NoError(t, err)
	two := []*big.Int{big.NewInt(100), big.NewInt(101)}
	shared := []uint64{99, 99, 99}
	for name, c := range map[string]struct {
		dst  [][]uint64
		a    []*big.Int
		want error
	}{
		"no rows":        {nil, two, field.ErrLength},
		"too few rows":   {[][]uint64{{99, 99}}, two, field.ErrLength},
		"too many rows":  {[][]uint64{{99, 99}, {99, 99}, {99, 99}}, two, field.ErrLength},
		"a short row":    {[][]uint64{{99, 99}, {99}}, two, field.ErrLength},
		"a long row":     {[][]uint64{{99, 99}, {99, 99, 99}}, two, field.ErrLength},
		"a nil row":      {[][]uint64{{99, 99}, nil}, two, field.ErrLength},
		"a nil integer":  {[][]uint64{{99, 99}, {99, 99}}, []*big.Int{two[0], nil}, field.ErrRange},
		"one row twice":  {[][]uint64{shared[:2], shared[:2]}, two, field.ErrOverlap},
		"rows that meet": {[][]uint64{shared[1:], shared[:2]}, two, field.ErrOverlap},
	} {
		require.ErrorIs(t, s.Residues(t.Context(), c.dst, c.a), c.want, name)
		for _, row := range c.dst {
			for _, v := range row {
				require.EqualValues(t, 99, v, name)
			}
		}
	}
	var length *field.LengthError
	require.ErrorAs(t, s.Residues(t.Context(), [][]uint64{{0, 0}, {0}}, two), &length)
	require.Equal(t, field.LengthError{What: "dst[1]", Want: 2, Got: 1}, *length)
}

func TestResiduesCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, workers := range []int{1, 3} {
		s, err := crt.New(t.Context(), []uint64{11, 13}, crt.WithWorkers(workers))
		require.NoError(t, err)
		a := must(s.NewInts(100000))
		require.ErrorIs(t, s.Residues(ctx, must(s.NewResidues(len(a))), a), context.Canceled)
	}
}
