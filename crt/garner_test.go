package crt_test

import (
	"context"
	"math/big"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
)

// symmetric returns x mod m in [−m/2, m/2).
func symmetric(x, m *big.Int) *big.Int {
	y := new(big.Int).Mod(x, m)
	if y.Cmp(new(big.Int).Rsh(m, 1)) > 0 {
		y.Sub(y, m)
	}
	return y
}

func requireInts(t *testing.T, want, got []*big.Int, name string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		if want[i].Cmp(got[i]) != 0 {
			t.Fatalf("%s: element %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}

func TestGarner(t *testing.T) {
	for name, s := range systems(t) {
		a := integers(t, s)
		r := must(s.NewResidues(len(a)))
		require.NoError(t, s.Residues(t.Context(), r, a))
		unsigned, signed := make([]*big.Int, len(a)), make([]*big.Int, len(a))
		for i, x := range a {
			unsigned[i] = new(big.Int).Mod(x, s.Modulus())
			signed[i] = symmetric(x, s.Modulus())
		}
		// Integers with room, without, and with old values of every size.
		dst := [][]*big.Int{must(s.NewInts(len(a))), make([]*big.Int, len(a)), make([]*big.Int, len(a))}
		for i, x := range a {
			dst[1][i], dst[2][i] = new(big.Int), new(big.Int).Set(x)
		}
		for _, d := range dst {
			require.NoError(t, s.Garner(t.Context(), d, r))
			requireInts(t, unsigned, d, name)
			require.NoError(t, s.GarnerSymmetric(t.Context(), d, r))
			requireInts(t, signed, d, name+", symmetric")
			require.NoError(t, s.Garner(t.Context(), d, r))
			requireInts(t, unsigned, d, name+", again")
		}
	}
}

// TestGarnerAll takes every list of residues of small systems.
func TestGarnerAll(t *testing.T) {
	for _, primes := range [][]uint64{{3}, {3, 5}, {7, 3, 5}, {13, 11, 3}} {
		s, err := crt.New(t.Context(), primes)
		require.NoError(t, err)
		m := int(s.Modulus().Int64())
		r, dst := must(s.NewResidues(m)), must(s.NewInts(m))
		for i, p := range primes {
			for x := range m {
				r[i][x] = uint64(x) % p
			}
		}
		require.NoError(t, s.Garner(t.Context(), dst, r))
		for x := range m {
			require.EqualValues(t, x, dst[x].Int64())
		}
		require.NoError(t, s.GarnerSymmetric(t.Context(), dst, r))
		for x := range m {
			require.EqualValues(t, (x+m/2)%m-m/2, dst[x].Int64(), "%d modulo %d", x, m)
		}
	}
}

func TestGarnerRefuses(t *testing.T) {
	s, err := crt.New(t.Context(), []uint64{11, 13})
	require.NoError(t, err)
	good := [][]uint64{{1, 2}, {1, 2}}
	ints := func() []*big.Int { return []*big.Int{big.NewInt(-99), big.NewInt(-99)} }
	twice := ints()
	twice[1] = twice[0]
	descending := append(slices.Clone(must(s.NewInts(3))), must(s.NewInts(1))...)
	slices.Reverse(descending)
	for name, c := range map[string]struct {
		dst  []*big.Int
		r    [][]uint64
		want error
	}{
		"no rows":          {ints(), nil, field.ErrLength},
		"too few rows":     {ints(), good[:1], field.ErrLength},
		"too many rows":    {ints(), [][]uint64{{1, 2}, {1, 2}, {1, 2}}, field.ErrLength},
		"a short row":      {ints(), [][]uint64{{1, 2}, {1}}, field.ErrLength},
		"a nil row":        {ints(), [][]uint64{{1, 2}, nil}, field.ErrLength},
		"dst too short":    {ints()[:1], good, field.ErrLength},
		"dst nil":          {nil, good, field.ErrLength},
		"a nil integer":    {[]*big.Int{big.NewInt(-99), nil}, good, field.ErrRange},
		"a residue p":      {ints(), [][]uint64{{1, 2}, {1, 13}}, field.ErrRange},
		"a residue of 64":  {ints(), [][]uint64{{1 << 63, 2}, {1, 2}}, field.ErrRange},
		"an integer twice": {twice, good, field.ErrOverlap},
	} {
		require.ErrorIs(t, s.Garner(t.Context(), c.dst, c.r), c.want, name)
		require.ErrorIs(t, s.GarnerSymmetric(t.Context(), c.dst, c.r), c.want, name)
		for _, x := range c.dst {
			require.True(t, x == nil || x.Int64() == -99, name)
		}
	}
	require.NoError(t, s.Garner(t.Context(), descending, [][]uint64{{1, 2, 3, 4}, {1, 2, 3, 4}}),
		"order of pointers is free")
	descending[3] = descending[0]
	require.ErrorIs(t, s.Garner(t.Context(), descending, [][]uint64{{1, 2, 3, 4}, {1, 2, 3, 4}}), field.ErrOverlap)
	require.NoError(t, s.Garner(t.Context(), nil, [][]uint64{nil, nil}))
}

func TestGarnerCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, workers := range []int{1, 3} {
		s, err := crt.New(t.Context(), []uint64{11, 13}, crt.WithWorkers(workers))
		require.NoError(t, err)
		dst := must(s.NewInts(100000))
		require.ErrorIs(t, s.Garner(ctx, dst, must(s.NewResidues(len(dst)))), context.Canceled)
	}
}

// countingRunner runs tasks one after the other, last first.
type countingRunner struct{ tasks atomic.Int64 }

func (r *countingRunner) Run(tasks int, f func(i int)) {
	r.tasks.Add(int64(tasks))
	for i := range tasks {
		f(tasks - 1 - i)
	}
}

func TestWorkers(t *testing.T) {
	primes, rnd := generate(t, 62, 24, 5), newRand(t)
	serial, err := crt.New(t.Context(), primes)
	require.NoError(t, err)
	a := make([]*big.Int, 20011)
	for i := range a {
		a[i] = symmetric(randomInt(rnd, 400), serial.Modulus())
	}
	want := must(serial.NewResidues(len(a)))
	require.NoError(t, serial.Residues(t.Context(), want, a))
	for workers := 0; workers <= 5; workers++ {
		for _, runner := range []field.Runner{nil, new(countingRunner)} {
			s, err := crt.New(t.Context(), primes, crt.WithWorkers(workers), crt.WithRunner(runner))
			require.NoError(t, err)
			r, dst := must(s.NewResidues(len(a))), must(s.NewInts(len(a)))
			c, counts := runner.(*countingRunner)
			all := func(runs int, what string) {
				if counts && workers > 1 {
					require.EqualValues(t, runs*workers, c.tasks.Swap(0), "%s on all workers", what)
				}
			}
			all(1, "NewInts")
			require.NoError(t, s.Residues(t.Context(), r, a))
			require.Equal(t, want, r)
			all(1, "Residues")
			require.NoError(t, s.GarnerSymmetric(t.Context(), dst, r))
			requireInts(t, a, dst, "workers")
			all(2, "Garner and its check")
			r[3][17] = primes[3]
			require.ErrorContains(t, s.Garner(t.Context(), dst, r), "r[3][17]")
		}
	}
}

func TestGarnerReusesMemory(t *testing.T) {
	for name, s := range systems(t) {
		a, r := must(s.NewInts(64)), must(s.NewResidues(64))
		for i, p := range s.Primes() {
			for j := range r[i] {
				r[i][j] = p - 1 - uint64(i*j)%p
			}
		}
		words := func() int {
			return int(testing.AllocsPerRun(10, func() {
				require.NoError(t, s.GarnerSymmetric(t.Context(), a, r))
				require.NoError(t, s.Residues(t.Context(), r, a))
			}))
		}
		require.LessOrEqual(t, words(), 32, "%s: allocations do not grow with the number of elements", name)
	}
}
