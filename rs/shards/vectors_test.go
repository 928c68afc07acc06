package shards

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/rs"
)

var update = flag.Bool("update", false, "write the vectors of the format anew, which no version but the first may do")

// vectors are sets that every version reads. All are of content(n).
var vectors = []struct {
	name            string
	code            rs.Code
	data, parity, n int
	files           int
}{
	{"vandermonde", rs.Vandermonde, 3, 2, 500, 5},
	{"cauchy", rs.Cauchy, 2, 3, 256, 5},
	{"zfec", rs.Zfec, 4, 2, 1, 6},
	{"leopard8", rs.Leopard8, 3, 3, 1000, 2},
	{"leopard16", rs.Leopard16, 5, 3, 700, 3},
	{"additive32", rs.Additive32, 5, 4, 331, 9},
	{"additive64", rs.Additive64, 2, 3, 200, 5},
	{"additive128", rs.Additive128, 2, 3, 200, 5},
	{"empty", rs.Vandermonde, 1, 1, 0, 2},
}

// Every version reads the sets of the first one, and makes the same, as docs/shards.md promises.
func TestVectors(t *testing.T) {
	for _, v := range vectors {
		dir := filepath.Join("testdata", "v1", v.name)
		made := encoded(t, content(v.n), v.data, v.parity, WithCode(v.code), WithFiles(v.files))
		if *update {
			require.NoError(t, os.RemoveAll(dir))
			require.NoError(t, os.CopyFS(dir, os.DirFS(made)))
		}
		s := open(t, dir)
		require.Equal(t, Intact, check(t, s).State)
		require.True(t, bytes.Equal(content(v.n), copied(t, s)), v.name)
		require.Equal(t, snapshot(t, dir), snapshot(t, made), v.name)
	}
}

// FuzzHeader takes bytes for a header: what is parsed has the same bytes again, and figures that fit.
func FuzzHeader(f *testing.F) {
	for _, v := range vectors {
		h := header{code: v.code, data: v.data, parity: v.parity, group: 1, block: 64, length: int64(v.n)}
		f.Add(h.put())
	}
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := parse(sealed(b))
		if err != nil {
			return
		}
		again, err := parse(h.put())
		require.NoError(t, err)
		require.Equal(t, h, again)
		n, last := h.stripes()
		require.GreaterOrEqual(t, n, int64(0))
		require.True(t, last > 0 && last <= h.block && last%h.code.Unit() == 0)
		_, count := h.span(h.first / h.group)
		require.True(t, count > 0 && count <= h.group)
		require.GreaterOrEqual(t, h.bytes(count), int64(2*headerSize))
		require.Positive(t, h.memory(1<<12))
	})
}

// sealed is b with the sum that a header wants.
func sealed(b []byte) []byte {
	if len(b) < headerSize {
		return b
	}
	b = bytes.Clone(b[:headerSize])
	binary.LittleEndian.PutUint32(b[124:], crc32.Checksum(b[:124], castagnoli))
	return b
}

// FuzzSet takes places and bytes that are written over the files of a set: no call panics, and what is restored is what
// was encoded.
func FuzzSet(f *testing.F) {
	f.Add(uint16(3), uint16(200), []byte{1, 2, 3}, uint16(400))
	f.Add(uint16(0), uint16(32), []byte{255, 255, 255, 255}, uint16(0))
	f.Add(uint16(1), uint16(56), []byte{0, 0, 1, 0, 0, 0, 0, 0}, uint16(100))
	f.Fuzz(func(t *testing.T, file, place uint16, text []byte, cut uint16) {
		want := content(500)
		dir := encoded(t, want, 3, 2)
		change(t, at(dir, int(file%5)), func(b []byte) []byte {
			copy(b[int(place)%len(b):], text)
			copy(b, sealed(b))
			return b[:len(b)-int(cut)%len(b)]
		})
		s, err := Open(ctx, []string{dir}, short)
		if err != nil {
			return
		}
		var got bytes.Buffer
		if s.Copy(ctx, &got) == nil {
			require.True(t, bytes.Equal(want, got.Bytes()))
		}
		r, err := s.Repair(ctx)
		if err == nil && r.State != Beyond {
			require.Equal(t, want, copied(t, open(t, dir)))
		}
	})
}

// FuzzOptions takes arguments of Encode: they are refused by name, with nothing made, or what was encoded comes back.
func FuzzOptions(f *testing.F) {
	f.Add(int16(3), int16(2), int8(0), int16(1), int32(5000), int16(0), uint16(1000))
	f.Add(int16(5), int16(4), int8(rs.Additive128), int16(2), int32(100000), int16(3), uint16(700))
	f.Add(int16(300), int16(100), int8(rs.Leopard16), int16(0), int32(1<<20), int16(7), uint16(60000))
	f.Add(int16(-1), int16(0), int8(-1), int16(-1), int32(-1), int16(-1), uint16(0))
	f.Fuzz(func(t *testing.T, data, parity int16, code int8, workers int16, memory int32, files int16, n uint16) {
		want, dir := content(int(n)), filepath.Join(t.TempDir(), "set")
		err := Encode(ctx, bytes.NewReader(want), dir, int(data)%500, int(parity)%500, short, WithCode(rs.Code(code)),
			WithWorkers(int(workers)%100), WithMemoryLimit(int(memory)), WithFiles(int(files)%100))
		if err != nil {
			known := []error{field.ErrSpec, field.ErrMemory, rs.ErrCounts}
			require.True(t, slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }), "%v", err)
			require.NoDirExists(t, dir)
			return
		}
		require.True(t, bytes.Equal(want, copied(t, open(t, dir))))
	})
}
