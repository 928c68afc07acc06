package shards

import (
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// held is the memory that something holds. What is in a pool goes with the second collection.
func held() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// measured notes the most memory that is held while it is read or written.
type measured struct {
	io.Reader
	most int64
	n    int
}

func (m *measured) note() {
	if m.n++; m.n%64 == 0 {
		m.most = max(m.most, held())
	}
}

func (m *measured) Read(b []byte) (int, error)  { m.note(); return m.Reader.Read(b) }
func (m *measured) Write(b []byte) (int, error) { m.note(); return len(b), nil }

// A stream of ten times the memory is encoded, and rebuilt with losses, in less than that.
func TestMemory(t *testing.T) {
	const limit = 2 << 20
	before := held()
	src := &measured{Reader: io.LimitReader(rand.NewChaCha8([32]byte{}), 10*limit)}
	dir := filepath.Join(t.TempDir(), "set")
	require.NoError(t, Encode(ctx, src, dir, 20, 4, short, WithMemoryLimit(limit)))
	require.Greater(t, src.n, 64)
	require.Less(t, src.most-before, int64(limit))

	remove(t, dir, 3, 7, 21)
	before = held()
	dst := new(measured)
	require.NoError(t, open(t, dir).Copy(ctx, dst))
	require.Greater(t, dst.n, 64)
	require.Less(t, dst.most-before, int64(limit))
}

// More workers do not make blocks shorter, where few of them have room.
func TestBlocks(t *testing.T) {
	blocks := func(workers int) (block, of int) {
		c, err := configure([]Option{WithWorkers(workers), WithFiles(2000)})
		require.NoError(t, err)
		h := header{data: 1000, parity: 100}
		require.NoError(t, c.fit(&h))
		require.LessOrEqual(t, h.memory(c.workers), int64(defaultMemory/4*3))
		return h.block, c.workers
	}
	for _, workers := range []int{1, 4, 16, 1000} {
		block, of := blocks(workers)
		require.Equal(t, mostBlock, block)
		require.GreaterOrEqual(t, of, min(workers, fewWorkers))
	}
}
