package shards

import (
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// measured notes the most memory of the heap while it is read or written.
type measured struct {
	io.Reader
	most uint64
	n    int
}

func (m *measured) note() {
	if m.n++; m.n%64 == 0 {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		m.most = max(m.most, s.HeapAlloc)
	}
}

func (m *measured) Read(b []byte) (int, error)  { m.note(); return m.Reader.Read(b) }
func (m *measured) Write(b []byte) (int, error) { m.note(); return len(b), nil }

// A stream of ten times the memory is encoded, and rebuilt with losses, in less than that.
func TestMemory(t *testing.T) {
	const limit = 2 << 20
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	src := &measured{Reader: io.LimitReader(rand.NewChaCha8([32]byte{}), 10*limit)}
	dir := filepath.Join(t.TempDir(), "set")
	require.NoError(t, Encode(ctx, src, dir, 20, 4, short, WithMemoryLimit(limit)))
	require.Greater(t, src.n, 64)
	require.Less(t, src.most-before.HeapAlloc, uint64(limit))

	remove(t, dir, 3, 7, 21)
	runtime.GC()
	runtime.ReadMemStats(&before)
	dst := new(measured)
	require.NoError(t, open(t, dir).Copy(ctx, dst))
	require.Less(t, dst.most-before.HeapAlloc, uint64(limit))
}
