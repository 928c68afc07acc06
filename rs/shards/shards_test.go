package shards

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/rs"
)

var ctx = context.Background()

// short makes blocks of 64 bytes for few shards, and leaves them to the system.
func short(c *config) {
	c.memory = 5000
	c.disk = &disk{sync: func(*os.File) error { return nil }}
}

// content is bytes that do not repeat.
func content(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

// encoded makes the shards of b in a directory of its own.
func encoded(t *testing.T, b []byte, data, parity int, opts ...Option) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	require.NoError(t, Encode(ctx, bytes.NewReader(b), dir, data, parity, append([]Option{short}, opts...)...))
	return dir
}

func open(t *testing.T, dirs ...string) *Set {
	t.Helper()
	s, err := Open(ctx, dirs, short)
	require.NoError(t, err)
	return s
}

func copied(t *testing.T, s *Set) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, s.Copy(ctx, &b))
	return b.Bytes()
}

func check(t *testing.T, s *Set) *Report {
	t.Helper()
	r, err := s.Check(ctx)
	require.NoError(t, err)
	return r
}

// snapshot is the files of a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = fmt.Sprintf("%d bytes, %x", len(b), sha256.Sum256(b))
	}
	return all
}

// What was encoded comes back, whatever the length, the code, the files and the pieces in which it arrives, when any
// files are lost of as many shards as there is parity; and what is repaired is what was there.
func TestRoundTrip(t *testing.T) {
	const data, parity = 5, 4
	for code := rs.Vandermonde; code <= rs.Additive128; code++ {
		for _, files := range []int{data + parity, 3} {
			if files == 3 && code%2 == 0 {
				continue
			}
			const stripe = data * leastBlock
			lengths := []int{1, 3*stripe - 100}
			if code == rs.Vandermonde && files > 3 || code == rs.Leopard16 && files == 3 {
				lengths = append(lengths, 0, data, 64, stripe-1, stripe, stripe+1)
			}
			for _, n := range lengths {
				t.Run(fmt.Sprint(code, files, n), func(t *testing.T) {
					want := content(n)
					dir := encoded(t, want, data, parity, WithCode(code), WithFiles(files))
					whole := snapshot(t, dir)
					require.Len(t, whole, files)
					s := open(t, dir)
					info := s.Info()
					require.Equal(t, []any{Stream, code, data, parity, int64(n), files},
						[]any{info.Kind, info.Code, info.Data, info.Parity, info.Length, info.Files})
					require.Equal(t, want, append([]byte{}, copied(t, s)...))
					require.Equal(t, &Report{}, check(t, s))

					lost := rand.Perm(files)[:parity*files/(data+parity)]
					for _, i := range lost {
						require.NoError(t, os.Remove(filepath.Join(dir, s.h.name(i))))
					}
					s = open(t, dir)
					require.Equal(t, want, append([]byte{}, copied(t, s)...))
					r, err := s.Repair(ctx)
					require.NoError(t, err)
					require.Equal(t, Repairable, r.State)
					require.Len(t, r.Findings, len(lost))
					require.ErrorIs(t, r.Findings[0], ErrMissing)
					require.Equal(t, whole, snapshot(t, dir))
					require.Equal(t, Intact, check(t, open(t, dir)).State)
				})
			}
		}
	}
}

// Pieces in which data arrives make no difference, nor do workers.
func TestPieces(t *testing.T) {
	want := content(1000)
	whole := snapshot(t, encoded(t, want, 3, 2))
	for i, pieces := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.DataErrReader, iotest.HalfReader} {
		r := pieces(bytes.NewReader(want))
		dir := filepath.Join(t.TempDir(), "set")
		require.NoError(t, Encode(ctx, r, dir, 3, 2, short, WithWorkers(i)))
		require.Equal(t, whole, snapshot(t, dir))
	}
}

// damage is what happens to the files of a set of 4 and 3 shards, each in a file of its own, of 5 stripes.
type damage struct {
	name     string
	do       func(t *testing.T, dir string)
	state    State
	findings []error
}

func at(dir string, shard int) string { return filepath.Join(dir, fmt.Sprintf("%03d.shard", shard)) }

func change(t *testing.T, path string, do func(b []byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, do(b), 0o600))
}

// flip changes a bit of a block.
func flip(t *testing.T, dir string, shard, stripe int) {
	t.Helper()
	change(t, at(dir, shard), func(b []byte) []byte {
		b[headerSize+stripe*(leastBlock+sumSize)+17] ^= 1
		return b
	})
}

func remove(t *testing.T, dir string, shards ...int) {
	t.Helper()
	for _, i := range shards {
		require.NoError(t, os.Remove(at(dir, i)))
	}
}

func swap(t *testing.T, a, b string) {
	t.Helper()
	for _, x := range [][2]string{{a, a + "~"}, {b, a}, {a + "~", b}} {
		require.NoError(t, os.Rename(x[0], x[1]))
	}
}

var damages = []damage{
	{"none", func(*testing.T, string) {}, Intact, nil},
	{"one bit", func(t *testing.T, dir string) { flip(t, dir, 1, 2) }, Repairable, []error{ErrDamaged}},
	{"a bit of every file, at other places", func(t *testing.T, dir string) {
		for i := range 7 {
			flip(t, dir, i, i%5)
		}
	}, Repairable, []error{ErrDamaged, ErrDamaged, ErrDamaged, ErrDamaged, ErrDamaged, ErrDamaged, ErrDamaged}},
	{"too many bits of a stripe", func(t *testing.T, dir string) {
		for i := range 4 {
			flip(t, dir, i, 3)
		}
	}, Beyond, []error{ErrDamaged, ErrDamaged, ErrDamaged, ErrDamaged}},
	{"all parity", func(t *testing.T, dir string) { remove(t, dir, 4, 5, 6) }, Repairable,
		[]error{ErrMissing, ErrMissing, ErrMissing}},
	{"four shards", func(t *testing.T, dir string) { remove(t, dir, 0, 1, 2, 6) }, Beyond,
		[]error{ErrMissing, ErrMissing, ErrMissing, ErrMissing}},
	{"truncated", func(t *testing.T, dir string) {
		require.NoError(t, os.Truncate(at(dir, 0), 200))
		require.NoError(t, os.Truncate(at(dir, 5), 300))
	}, Repairable, []error{ErrTruncated, ErrTruncated}},
	{"truncated to nothing", func(t *testing.T, dir string) {
		require.NoError(t, os.Truncate(at(dir, 0), 0))
	}, Repairable, []error{ErrMissing, ErrHeader}},
	{"longer", func(t *testing.T, dir string) {
		change(t, at(dir, 2), func(b []byte) []byte { return append(b, "more"...) })
	}, Repairable, []error{ErrDamaged}},
	{"first header", func(t *testing.T, dir string) {
		change(t, at(dir, 2), func(b []byte) []byte { b[40] ^= 4; return b })
	}, Repairable, []error{ErrDamaged}},
	{"last header", func(t *testing.T, dir string) {
		change(t, at(dir, 2), func(b []byte) []byte { b[len(b)-1] ^= 4; return b })
	}, Repairable, []error{ErrDamaged}},
	{"both headers", func(t *testing.T, dir string) {
		change(t, at(dir, 2), func(b []byte) []byte { b[1] ^= 4; b[len(b)-2] ^= 4; return b })
	}, Repairable, []error{ErrMissing, ErrHeader}},
	{"swapped", func(t *testing.T, dir string) { swap(t, at(dir, 1), at(dir, 5)) }, Intact,
		[]error{ErrSwapped, ErrSwapped}},
	{"swapped blocks", func(t *testing.T, dir string) {
		change(t, at(dir, 1), func(b []byte) []byte {
			one, two := b[headerSize:headerSize+68], b[headerSize+68:headerSize+136]
			return bytes.Join([][]byte{b[:headerSize], two, one, b[headerSize+136:]}, nil)
		})
	}, Repairable, []error{ErrDamaged}},
	{"duplicated", func(t *testing.T, dir string) {
		change(t, at(dir, 1), func(b []byte) []byte {
			require.NoError(t, os.WriteFile(at(dir, 1)+" (copy)", b, 0o600))
			return b
		})
	}, Intact, []error{ErrDuplicated}},
	{"duplicated, and damaged apart", func(t *testing.T, dir string) {
		change(t, at(dir, 1), func(b []byte) []byte {
			other := bytes.Clone(b)
			other[headerSize+3]++
			b[headerSize+200]++
			require.NoError(t, os.WriteFile(at(dir, 1)+" (copy)", other, 0o600))
			return b
		})
		remove(t, dir, 2, 3, 4) // what is good in one of both is wanted
	}, Repairable, []error{ErrDamaged, ErrMissing, ErrMissing, ErrMissing, ErrDuplicated}},
	{"named as one that is missing", func(t *testing.T, dir string) {
		remove(t, dir, 3)
		require.NoError(t, os.Rename(at(dir, 2), at(dir, 3)))
	}, Repairable, []error{ErrMissing, ErrSwapped}},
	{"foreign", func(t *testing.T, dir string) {
		require.NoError(t, os.Rename(at(encoded(t, content(1201), 4, 3), 2), at(dir, 2)))
	}, Repairable, []error{ErrMissing, ErrForeign}},
	{"another version", func(t *testing.T, dir string) {
		change(t, at(dir, 2), func(b []byte) []byte { b[8]++; b[len(b)-headerSize+8]++; return b })
	}, Repairable, []error{ErrMissing, ErrVersion}},
	{"other files", func(t *testing.T, dir string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "README"), content(500), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".000.shard.17"), content(500), 0o600))
		require.NoError(t, os.Mkdir(filepath.Join(dir, "sub.shard"), 0o700))
	}, Intact, nil},
}

// Every damage is found by name, rebuilt bit for bit and repaired, or refused.
func TestDamage(t *testing.T) {
	want := content(1200)
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir := encoded(t, want, 4, 3, WithMemoryLimit(1<<12))
			whole := snapshot(t, dir)
			d.do(t, dir)
			before := files(t, dir)
			s := open(t, dir)
			r := check(t, s)
			require.Equal(t, d.state, r.State)
			var kinds []error
			for _, f := range r.Findings {
				kinds = append(kinds, f.Err)
				require.NotEmpty(t, f.Error())
			}
			require.Equal(t, d.findings, kinds)
			require.Equal(t, before, files(t, dir)) // nothing was written

			target := filepath.Join(t.TempDir(), "file")
			err := s.Restore(ctx, target)
			if d.state == Beyond {
				require.ErrorIs(t, r.Beyond, rs.ErrBeyond)
				require.ErrorIs(t, err, rs.ErrBeyond)
				require.ErrorIs(t, err, rs.ErrTooFew)
				require.ErrorIs(t, err, d.findings[0])
				require.NoFileExists(t, target)
				r, err = s.Repair(ctx)
				require.NoError(t, err)
				require.Equal(t, Beyond, r.State)
				require.Equal(t, before, files(t, dir))
				return
			}
			require.NoError(t, err)
			got, err := os.ReadFile(target)
			require.NoError(t, err)
			require.Equal(t, want, got)

			_, err = s.Repair(ctx)
			require.NoError(t, err)
			r = check(t, open(t, dir))
			require.Equal(t, Intact, r.State, "%v", r.Findings)
			there := map[string]int{}
			for _, b := range files(t, dir) {
				there[b]++
			}
			for name, b := range whole { // some of them under other names
				require.Positive(t, there[b], name)
			}
		})
	}
}

// files is snapshot without directories.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	_ = os.Remove(filepath.Join(dir, "sub.shard"))
	return snapshot(t, dir)
}

// A set is refused by name where nobody can tell what is wanted, or what it is.
func TestRefused(t *testing.T) {
	one, two := encoded(t, content(500), 2, 1), encoded(t, content(501), 2, 1)
	_, err := Open(ctx, []string{one, two})
	require.ErrorIs(t, err, ErrForeign)
	require.ErrorContains(t, err, at(one, 0))

	// The one that is whole is wanted, be it of fewer files.
	remove(t, one, 0, 1)
	require.Equal(t, content(501), copied(t, open(t, one, two)))
	remove(t, two, 0, 1)
	_, err = Open(ctx, []string{one, two})
	require.ErrorIs(t, err, ErrForeign)

	change(t, at(one, 2), func(b []byte) []byte { b[8]++; b[len(b)-headerSize+8]++; return b })
	_, err = Open(ctx, []string{one})
	require.ErrorIs(t, err, ErrVersion)

	_, err = Open(ctx, []string{t.TempDir()})
	require.ErrorIs(t, err, rs.ErrBeyond)
	require.ErrorIs(t, err, rs.ErrTooFew)
	_, err = Open(ctx, []string{filepath.Join(one, "nowhere")})
	require.ErrorIs(t, err, ErrRead)
	require.ErrorIs(t, err, os.ErrNotExist)

	// A set without stripes is whole as long as it has a file.
	empty := encoded(t, nil, 2, 1)
	remove(t, empty, 0, 1)
	require.Empty(t, copied(t, open(t, empty)))
}

// Blocks that are good, and not those that were encoded, are found by the whole.
func TestDigest(t *testing.T) {
	dir := encoded(t, content(500), 2, 1)
	h := open(t, dir).h
	h.digest[0]++
	for i := range 3 {
		h.first = i
		change(t, at(dir, i), func(b []byte) []byte {
			return bytes.Join([][]byte{h.put(), b[headerSize : len(b)-headerSize], h.put()}, nil)
		})
	}
	s := open(t, dir)
	require.Equal(t, Beyond, check(t, s).State)
	err := s.Restore(ctx, filepath.Join(dir, "file"))
	require.ErrorIs(t, err, rs.ErrBeyond)
	require.ErrorIs(t, err, ErrDigest)
	require.NotErrorIs(t, err, rs.ErrTooFew)
	require.NoFileExists(t, filepath.Join(dir, "file"))
}

// A source that fails leaves nothing, whatever its error is.
func TestSourceFails(t *testing.T) {
	broken := errors.New("broken")
	for _, err := range []error{broken, io.ErrUnexpectedEOF} {
		for _, n := range []int{0, 1, 100, 1000} {
			parent := t.TempDir()
			src := io.MultiReader(bytes.NewReader(content(n)), iotest.ErrReader(err))
			got := Encode(ctx, src, filepath.Join(parent, "set"), 3, 2, short)
			require.ErrorIs(t, got, ErrRead)
			require.ErrorIs(t, got, err)
			require.Empty(t, snapshot(t, parent))
		}
	}
}

func TestArguments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	encode := func(data, parity int, opts ...Option) error {
		return Encode(ctx, bytes.NewReader(nil), dir, data, parity, append([]Option{short}, opts...)...)
	}
	require.ErrorIs(t, encode(0, 1), rs.ErrCounts)
	require.ErrorIs(t, encode(1, -1), rs.ErrCounts)
	require.ErrorIs(t, encode(200, 100, WithCode(rs.Cauchy)), rs.ErrCounts)
	require.ErrorIs(t, encode(1, 1, WithCode(-1)), field.ErrSpec)
	require.ErrorIs(t, encode(1, 1, WithFiles(-1)), field.ErrSpec)
	err := encode(200, 50)
	require.ErrorIs(t, err, field.ErrMemory)
	var want int
	_, _ = fmt.Sscanf(err.Error(), "shards: not enough memory: 250 shards in 5000 bytes, want %d", &want)
	require.NoError(t, encode(200, 50, WithMemoryLimit(want)))
	require.ErrorIs(t, encode(1e9, 1<<20, WithMemoryLimit(defaultMemory)), field.ErrMemory, "and no plan of them")

	whole := snapshot(t, dir)
	err = encode(1, 1)
	require.ErrorIs(t, err, ErrExists)
	require.ErrorIs(t, err, os.ErrExist)
	require.Equal(t, whole, snapshot(t, dir))
	err = open(t, dir).Restore(ctx, dir)
	require.ErrorIs(t, err, ErrExists)
	require.Equal(t, whole, snapshot(t, dir))
}

// Contexts end every call, and leave nothing.
func TestContext(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "set")
	for _, after := range []int{0, 1, 3} {
		ctx, cancel := context.WithCancel(ctx)
		opts := []Option{short, WithProgress(func(int64, int64) {
			if after--; after <= 0 {
				cancel()
			}
		})}
		if after == 0 {
			cancel()
		}
		require.ErrorIs(t, Encode(ctx, bytes.NewReader(content(2000)), dir, 3, 2, opts...), context.Canceled)
		require.Empty(t, snapshot(t, parent))
	}
	require.NoError(t, Encode(ctx, bytes.NewReader(content(2000)), dir, 3, 2, short))
	remove(t, dir, 0)
	for name, call := range map[string]func(ctx context.Context, s *Set) error{
		"copy":    func(ctx context.Context, s *Set) error { return s.Copy(ctx, io.Discard) },
		"check":   func(ctx context.Context, s *Set) error { _, err := s.Check(ctx); return err },
		"repair":  func(ctx context.Context, s *Set) error { _, err := s.Repair(ctx); return err },
		"restore": func(ctx context.Context, s *Set) error { return s.Restore(ctx, filepath.Join(parent, "file")) },
	} {
		for after := range 3 {
			ctx, cancel := context.WithCancel(ctx)
			s, err := Open(ctx, []string{dir}, WithProgress(func(int64, int64) {
				if after--; after <= 0 {
					cancel()
				}
			}))
			require.NoError(t, err)
			if after == 0 {
				cancel()
			}
			require.ErrorIs(t, call(ctx, s), context.Canceled, name)
		}
	}
	entries, err := os.ReadDir(parent)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Len(t, snapshot(t, dir), 4)
}

// A check ends with its context though there is nothing to rebuild.
func TestContextBeyond(t *testing.T) {
	dir := encoded(t, content(2000), 3, 2)
	remove(t, dir, 0, 1, 2)
	ctx, cancel := context.WithCancel(ctx)
	s, err := Open(ctx, []string{dir}, short, WithProgress(func(int64, int64) { cancel() }))
	require.NoError(t, err)
	_, err = s.Check(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// A block that is bad in both of two files counts once.
func TestTwice(t *testing.T) {
	dir := encoded(t, content(500), 3, 2)
	flip(t, dir, 1, 0)
	change(t, at(dir, 1), func(b []byte) []byte {
		require.NoError(t, os.WriteFile(at(dir, 1)+" (copy)", b, 0o600))
		return b
	})
	require.Equal(t, int64(1), check(t, open(t, dir)).Bad)
}

// Every file that is written reaches the disk before it has its name, and the name after that.
func TestSynced(t *testing.T) {
	var lock sync.Mutex
	var synced []string
	note := func(c *config) {
		c.disk = &disk{sync: func(f *os.File) error {
			lock.Lock()
			defer lock.Unlock()
			synced = append(synced, filepath.Base(f.Name()))
			return nil
		}}
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "set")
	require.NoError(t, Encode(ctx, bytes.NewReader(content(500)), dir, 2, 2, note))
	slices.Sort(synced[:4]) // all at once, and before what follows
	require.Equal(t, []string{"000.shard", "001.shard", "002.shard", "003.shard"}, synced[:4])
	require.Contains(t, synced[4], ".set.")
	require.Equal(t, filepath.Base(parent), synced[5])

	remove(t, dir, 1)
	flip(t, dir, 2, 0)
	synced = nil
	s, err := Open(ctx, []string{dir}, note)
	require.NoError(t, err)
	_, err = s.Repair(ctx)
	require.NoError(t, err)
	require.Len(t, synced, 3)
	require.Contains(t, synced[0], ".001.shard.")
	require.Equal(t, []string{"set", "002.shard"}, synced[1:])
	synced = nil
	require.NoError(t, s.Restore(ctx, filepath.Join(parent, "file")))
	require.Contains(t, synced[0], ".file.")
	require.Equal(t, []string{filepath.Base(parent)}, synced[1:])
}

// Progress is bytes of data, and ends at their number.
func TestProgress(t *testing.T) {
	var last [2]int64
	progress := WithProgress(func(done, total int64) {
		require.GreaterOrEqual(t, done, last[0])
		last = [2]int64{done, total}
	})
	dir := encoded(t, content(2000), 3, 2, progress)
	require.Equal(t, int64(-1), last[1])
	require.GreaterOrEqual(t, last[0], int64(2000))
	last = [2]int64{}
	s, err := Open(ctx, []string{dir}, progress)
	require.NoError(t, err)
	require.NoError(t, s.Copy(ctx, io.Discard))
	require.Equal(t, [2]int64{2000, 2000}, last)
}

// Files may be in several directories, and more than may be open.
func TestManyFiles(t *testing.T) {
	want := content(3000)
	dir := encoded(t, want, 20, 10, WithMemoryLimit(1<<15))
	other := t.TempDir()
	for i := 0; i < 30; i += 3 {
		require.NoError(t, os.Rename(at(dir, i), at(other, i)))
	}
	s, err := Open(ctx, []string{dir, other}, WithFiles(4))
	require.NoError(t, err)
	require.Equal(t, want, copied(t, s))
	require.Equal(t, want, copied(t, open(t, dir))) // one directory may go
}
