package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tuneinsight/lattigo/v6/ring"
)

// operations are those of Lattigo's interface. The lazy ones leave Lattigo's values below 2p, and ours below p.
var operations = []struct {
	name string
	run  func(s *ring.SubRing, src, dst []uint64)
	lazy bool
}{
	{"forward", (*ring.SubRing).NTT, false},
	{"forward lazy", (*ring.SubRing).NTTLazy, true},
	{"backward", (*ring.SubRing).INTT, false},
	{"backward lazy", (*ring.SubRing).INTTLazy, true},
}

// rings are Lattigo's ring and the same one with plans, modulo primes of all the arithmetics that transforms have.
func rings(t *testing.T, n int) (theirs, ours *ring.Ring) {
	var moduli []uint64
	for _, bits := range []uint64{60, 50, 49, 31, 29} {
		g := ring.NewNTTFriendlyPrimesGenerator(bits, uint64(2*n))
		p, err := g.NextDownstreamPrime()
		require.NoError(t, err)
		moduli = append(moduli, p)
	}
	theirs, err := ring.NewRing(n, moduli)
	require.NoError(t, err)
	ours, err = ring.NewRingWithCustomNTT(n, moduli, NewTransformer, 2*n)
	require.NoError(t, err)
	return theirs, ours
}

// vectors are random values modulo p, and edge values.
func vectors(n int, p uint64) (list [][]uint64) {
	rnd := rand.New(rand.NewPCG(uint64(n), p))
	random, edges, largest, impulse := make([]uint64, n), make([]uint64, n), slices.Repeat([]uint64{p - 1}, n),
		make([]uint64, n)
	for i := range n {
		random[i] = rnd.Uint64N(p)
		edges[i] = []uint64{0, 1, p / 2, p/2 + 1, p - 1}[rnd.IntN(5)]
	}
	impulse[n-1] = p - 1
	return [][]uint64{random, edges, largest, impulse, make([]uint64, n)}
}

func TestEqual(t *testing.T) {
	for n := ring.MinimumRingDegreeForLoopUnrolledOperations; n <= 1<<14; n *= 2 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			theirs, ours := rings(t, n)
			for i, s := range theirs.SubRings {
				for _, x := range vectors(n, s.Modulus) {
					for _, op := range operations {
						equal(t, op.run, s, ours.SubRings[i], x, op.lazy)
					}
				}
			}
		})
	}
}

// equal compares an operation of both rings, out of place and in place.
func equal(t *testing.T, run func(s *ring.SubRing, src, dst []uint64), theirs, ours *ring.SubRing, x []uint64,
	lazy bool) {
	src, want, got := slices.Clone(x), make([]uint64, len(x)), make([]uint64, len(x))
	run(theirs, x, want)
	if lazy {
		theirs.Reduce(want, want)
	}
	run(ours, src, got)
	require.True(t, slices.Equal(want, got), "p = %d", ours.Modulus)
	require.True(t, slices.Equal(x, src), "the source has changed")
	run(ours, src, src)
	require.True(t, slices.Equal(want, src), "p = %d, in place", ours.Modulus)
}

// Lattigo transforms what lazy operations leave, values below 2p.
func TestUnreduced(t *testing.T) {
	const n = 64
	theirs, ours := rings(t, n)
	for i, s := range theirs.SubRings {
		for _, x := range vectors(n, s.Modulus) {
			lazy := slices.Clone(x)
			for j := 0; j < n; j += 3 {
				lazy[j] += s.Modulus
			}
			for _, op := range operations {
				equal(t, op.run, s, ours.SubRings[i], lazy, op.lazy)
			}
		}
	}
}

// A product of polynomials modulo X^n + 1 and several primes, as Lattigo's schemes compute it.
func TestProduct(t *testing.T) {
	const n = 32
	theirs, ours := rings(t, n)
	product := func(r *ring.Ring) ring.Poly {
		x, y := r.NewPoly(), r.NewPoly()
		for i, s := range r.SubRings {
			copy(x.Coeffs[i], vectors(n, s.Modulus)[0])
			copy(y.Coeffs[i], vectors(n, s.Modulus)[1])
		}
		r.NTT(x, x)
		r.NTTLazy(y, y)
		r.MulCoeffsBarrett(x, y, x)
		r.INTT(x, x)
		return x
	}
	got, want := product(ours), product(theirs)
	require.Equal(t, want.Coeffs, got.Coeffs)
}

// The first calls come at once, and find one plan. Slices may be longer than the ring's degree.
func TestConcurrent(t *testing.T) {
	const n = 256
	theirs, ours := rings(t, n)
	s, x, want := ours.SubRings[0], vectors(n, ours.SubRings[0].Modulus)[0], make([]uint64, n)
	theirs.SubRings[0].NTT(x, want)
	results := make([][]uint64, 8)
	var wg sync.WaitGroup
	for i := range results {
		results[i] = make([]uint64, n+1)
		wg.Go(func() { s.NTT(append(slices.Clone(x), 1<<63), results[i]) })
	}
	wg.Wait()
	for _, got := range results {
		require.Equal(t, append(slices.Clone(want), 0), got)
	}
}

// What has no plan panics at the first call, and tells why.
func TestNoPlan(t *testing.T) {
	for _, c := range []struct {
		p     uint64
		order int // of Lattigo's root
		want  string
	}{
		{1<<60 - 1<<18 + 1, 4 * 16, "root of order 64, want 32: the ring is not negacyclic"},
		{1<<60 - 1, 2 * 16, "prime"},
		{1<<61 - 1, 2 * 16, "root"},
	} {
		s, err := ring.NewSubRingWithCustomNTT(16, c.p, NewTransformer, c.order)
		require.NoError(t, err)
		require.ErrorContains(t, panicked(func() { s.NTT(make([]uint64, 16), make([]uint64, 16)) }), c.want)
	}
}

func panicked(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// Calls allocate nothing once the plan is there.
func TestAllocations(t *testing.T) {
	_, ours := rings(t, 1024)
	s, x := ours.SubRings[0], vectors(1024, ours.SubRings[0].Modulus)[0]
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s.NTT(x, x)
		s.INTT(x, x)
	}))
}

func TestCompare(t *testing.T) {
	require.NoError(t, compare(60, 64, time.Millisecond))
}
