package shards

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/galfft/fft/rs"
	"github.com/stretchr/testify/require"
)

// faults makes a call again and again: one operation after the other fails that changes something, by itself as on a
// full disk, and then with all that follow, as when the process is killed. What is then so is after's to say; complete
// is that nothing failed, or nothing but what follows the last rename.
func faults(t *testing.T, call func(fail Option) error, after func(killed bool, err error)) {
	t.Helper()
	for _, killed := range []bool{false, true} {
		for n := 1; ; n++ {
			steps := 0
			err := call(func(c *config) {
				c.disk.fail = func(string) error {
					if steps++; steps == n || killed && steps > n {
						return syscall.ENOSPC
					}
					return nil
				}
			})
			if steps < n {
				require.NoError(t, err)
				after(killed, nil)
				require.Greater(t, n, 3) // something did fail
				break
			}
			require.ErrorIs(t, err, ErrWrite)
			require.ErrorIs(t, err, syscall.ENOSPC)
			after(killed, err)
		}
	}
}

// asides are names in a directory that are not there for people.
func asides(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			list = append(list, e.Name())
		}
	}
	return list
}

// fresh removes what a call has left.
func fresh(t *testing.T, parent, target string) {
	t.Helper()
	require.NoError(t, os.RemoveAll(target))
	for _, name := range asides(t, parent) {
		require.NoError(t, os.RemoveAll(filepath.Join(parent, name)))
	}
}

// There are all shards or no directory, whatever fails.
func TestEncodeFails(t *testing.T) {
	parent, want := t.TempDir(), content(700)
	dir := filepath.Join(parent, "set")
	faults(t, func(fail Option) error {
		return Encode(ctx, bytes.NewReader(want), dir, 3, 2, short, fail)
	}, func(killed bool, err error) {
		if _, missing := os.Stat(dir); missing == nil {
			require.Equal(t, Intact, check(t, open(t, dir)).State)
		} else {
			require.Error(t, err)
		}
		if !killed {
			require.Empty(t, asides(t, parent))
		}
		fresh(t, parent, dir)
	})
}

// Several workers write the same shards as one, and where any write of any of them fails there is no directory.
func TestWriters(t *testing.T) {
	parent, text := t.TempDir(), content(3000)
	one := snapshot(t, encoded(t, text, 6, 3))
	for _, workers := range []int{2, 3, 20} {
		require.Equal(t, one, snapshot(t, encoded(t, text, 6, 3, WithWorkers(workers))))
	}
	dir := filepath.Join(parent, "set")
	for n := int32(1); ; n++ {
		var writes atomic.Int32
		err := Encode(ctx, bytes.NewReader(text), dir, 6, 3, short, WithWorkers(3), func(c *config) {
			c.disk.fail = func(op string) error {
				if op == "write" && writes.Add(1) == n {
					return syscall.ENOSPC
				}
				return nil
			}
		})
		if writes.Load() < n {
			require.NoError(t, err)
			require.Greater(t, n, int32(9*3)) // of blocks, and headers
			require.Equal(t, one, snapshot(t, dir))
			return
		}
		require.ErrorIs(t, err, ErrWrite)
		require.ErrorIs(t, err, syscall.ENOSPC)
		require.Empty(t, asides(t, parent))
		require.NoDirExists(t, dir)
	}
}

// There is the whole file, or the whole directory, or none.
func TestRestoreFails(t *testing.T) {
	parent := t.TempDir()
	tree := filepath.Join(parent, "tree")
	plant(t, tree)
	file := filepath.Join(parent, "file")
	require.NoError(t, os.WriteFile(file, content(700), 0o640))
	for _, from := range []string{tree, file} {
		set := filepath.Join(t.TempDir(), "set")
		require.NoError(t, EncodeFile(ctx, from, set, 3, 2, short))
		target := filepath.Join(parent, "target")
		faults(t, func(fail Option) error {
			s, err := Open(ctx, []string{set}, short, fail)
			require.NoError(t, err)
			return s.Restore(ctx, target)
		}, func(killed bool, err error) {
			if _, missing := os.Lstat(target); missing == nil {
				require.Equal(t, listing(t, from), listing(t, target))
			} else {
				require.Error(t, err)
			}
			if !killed {
				require.Empty(t, asides(t, parent))
			}
			fresh(t, parent, target)
		})
	}
}

// What could be rebuilt can be rebuilt after a repair that fails, and be repaired.
func TestRepairFails(t *testing.T) {
	want := content(400)
	for _, files := range []int{6, 2} {
		var dir string
		var whole map[string]string
		damage := func() {
			dir = encoded(t, want, 3, 3, WithFiles(files), WithMemoryLimit(1<<12))
			whole = snapshot(t, dir)
			h := open(t, dir).h
			if files > 2 {
				require.NoError(t, os.Remove(filepath.Join(dir, h.name(2))))
			}
			change(t, filepath.Join(dir, h.name(0)), func(b []byte) []byte { b[headerSize+7]++; return b[:len(b)-150] })
			change(t, filepath.Join(dir, h.name(1)), func(b []byte) []byte { b[headerSize+9]++; b[0]++; return b })
		}
		damage()
		faults(t, func(fail Option) error {
			s, err := Open(ctx, []string{dir}, short, fail)
			require.NoError(t, err)
			_, err = s.Repair(ctx)
			return err
		}, func(killed bool, _ error) {
			s := open(t, dir)
			require.Equal(t, want, copied(t, s))
			if !killed {
				require.Empty(t, asides(t, dir))
			}
			_, err := s.Repair(ctx)
			require.NoError(t, err)
			for _, name := range asides(t, dir) {
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			}
			require.Equal(t, whole, snapshot(t, dir))
			damage()
		})
	}
}

// Files that cannot be read are erasures, with the reason.
func TestUnreadable(t *testing.T) {
	dir := encoded(t, content(700), 3, 2)
	s := open(t, dir)
	require.NoError(t, os.Remove(at(dir, 1))) // after it was found
	r := check(t, s)
	require.Equal(t, Repairable, r.State)
	require.ErrorIs(t, r.Findings[0], os.ErrNotExist)
	require.Equal(t, content(700), copied(t, s))
	var path *os.PathError
	require.True(t, errors.As(error(r.Findings[0]), &path))
}

// Headers may tell of more than any file has: what is not there takes neither time nor memory.
func TestHugeHeaders(t *testing.T) {
	open := func(h header) (*Set, error) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "0.shard"), append(h.put(), h.put()...), 0o666))
		return Open(ctx, []string{dir})
	}
	s, err := open(header{code: rs.Vandermonde, data: 1, parity: 1, group: 1, block: 1 << 29, length: 1 << 59})
	require.NoError(t, err)
	report, err := s.Check(ctx)
	require.NoError(t, err)
	require.Equal(t, Beyond, report.State)
	require.EqualValues(t, uint64(2<<30), report.Bad)
	var beyond *BeyondError
	require.ErrorAs(t, report.Beyond, &beyond)
	require.EqualValues(t, 1<<30, beyond.Stripes)
	require.ErrorIs(t, s.Restore(ctx, filepath.Join(t.TempDir(), "file")), rs.ErrBeyond)
	_, err = open(header{code: rs.Additive32, data: 10_000_000, parity: 1, group: 1, block: 4, length: 1 << 20})
	require.ErrorIs(t, err, rs.ErrTooFew)
}
