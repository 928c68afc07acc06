package intmul

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Engines of one length have the same tables, whatever their digits and the number of their primes, and tables that no
// engine has any longer are dropped.
func TestImages(t *testing.T) {
	a := must(t)
	made := func(s shape) *engine {
		e, err := a.engine(t.Context(), s)
		require.NoError(t, err)
		return e
	}
	s := shape{primes: 3, size: 60, n: 1 << 8}
	e := made(s)
	wider, longer := s, s
	wider.primes, wider.size, longer.n = 4, 80, 1<<9
	w, l := made(wider), made(longer)
	for i, m := range e.images {
		require.Same(t, m, w.images[i])
		require.NotSame(t, m, l.images[i])
	}
	require.Len(t, a.images, 7)
	require.Equal(t, e.tables/3*4, w.tables)

	l.images[0].tables = tablesAll
	w.images[3].tables = longTable
	made(s) // so that the wider one was used last long ago
	a.forget(longer)
	require.Len(t, a.engines, 2)
	require.Nil(t, a.engines[wider])
	require.Len(t, a.images, 6)
	made(wider) // which has no room for the longer one
	require.Nil(t, a.engines[longer])
	require.Len(t, a.images, 4)
	require.NotSame(t, w.images[3], a.engines[wider].e.images[3])
	require.Same(t, w.images[2], a.engines[wider].e.images[2])

	made(longer).images[0].tables = longTable
	a.engines[wider].e.images[3].tables = longTable
	a.limit = 4*longTable + 8*longer.tableBytes()
	a.forget(wider)
	require.Len(t, a.engines, 3)
	a.limit = 2 * longTable // of which tables take half
	a.forget(wider)
	require.Nil(t, a.engines[longer])
}

// Workers fold and join parts of a row as one goroutine does.
func TestThirds(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	a, err := New(WithWorkers(3))
	require.NoError(t, err)
	a.grain = 1
	e, err := a.engine(t.Context(), shape{primes: 2, size: 40, n: 3 << 10})
	require.NoError(t, err)
	m, n := e.images[1], e.n/3
	for _, do := range []func(m *image, low, high, top []uint64){(*image).fold, (*image).join} {
		row := make([]uint64, e.row())
		for i := range row {
			row[i] = r.Uint64N(m.p)
		}
		want := slices.Clone(row)
		do(m, want[:n], want[n:2*n], want[2*n:3*n])
		e.inside = true
		e.thirds(1, row, e.n, do)
		require.Equal(t, want, row)
	}
}

// Coefficients of every length become those of both parts, and behind them there may be anything.
func TestFold(t *testing.T) {
	r := rand.New(rand.NewPCG(70, 2))
	for _, workers := range []int{1, 3} {
		a, err := New(WithWorkers(workers))
		require.NoError(t, err)
		a.grain = 1
		e, err := a.engine(t.Context(), shape{primes: 2, size: 40, n: 3 << 10})
		require.NoError(t, err)
		e.inside = true
		m, n := e.images[1], e.n/3
		for _, count := range []int{1, n - 1, n, n + 1, n + 513, 2*n - 1, 2 * n, 2*n + 1, 3 * n} {
			row := make([]uint64, e.n)
			for i := range row {
				row[i] = r.Uint64N(m.p)
			}
			want := slices.Clone(row)
			clear(want[count:])
			m.fold(want[:n], want[n:2*n], want[2*n:])
			long, short := e.fold(1, row, count)
			require.Equal(t, min(count, 2*n), long, count)
			require.Equal(t, min(count, n), short, count)
			require.Equal(t, want[:long], row[:long], count)
			require.Equal(t, want[2*n:][:short], row[2*n:][:short], count)
			require.Equal(t, make([]uint64, 2*n-long), want[long:2*n], count)
			require.Equal(t, make([]uint64, n-short), want[2*n+short:], count)
		}
	}
}

// A product has no more workers than pay, and a longer one no fewer.
func TestWorkersOf(t *testing.T) {
	a, err := New(WithWorkers(12))
	require.NoError(t, err)
	last := 1
	for bits := 1 << 14; bits <= 1<<27; bits *= 2 {
		s, ok := choose(1, bits, bits)
		require.True(t, ok)
		workers := a.workersOf(s)
		require.GreaterOrEqual(t, workers, last)
		if workers > fewWorkers {
			require.LessOrEqual(t, perWorker*float64(min(workers, 8)*min(workers, 8)), perCost*s.cost())
		}
		last = workers
		if bits > 1<<22 {
			continue
		}
		e, err := a.engine(t.Context(), s)
		require.NoError(t, err)
		require.Equal(t, workers, e.workers)
		require.Equal(t, workers, e.loops.Workers)
		require.LessOrEqual(t, e.tasks(), workers)
	}
	require.Equal(t, 12, last, "all where that is no power of two")
	a.grain = 1
	require.Equal(t, 12, a.workersOf(shape{primes: 2, size: 40, n: 1 << 8}))
}
