package shards

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// plant makes a directory with a bit of everything that is kept.
func plant(t *testing.T, root string) {
	t.Helper()
	long := strings.Repeat("long name ", 20)
	for _, dir := range []string{"", "empty", "closed", "deep/er/still", long} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for name, mode := range map[string]fs.FileMode{"a": 0o644, "closed/b": 0o400, "deep/er/c.sh": 0o755, long + "/ümläut": 0o600,
		"empty.txt": 0o666, "private": 0o600, ".hidden": 0o640} {
		n := 300 * len(name)
		if name == "empty.txt" {
			n = 0
		}
		require.NoError(t, os.WriteFile(filepath.Join(root, name), content(n), 0o600))
		require.NoError(t, os.Chmod(filepath.Join(root, name), mode))
	}
	require.NoError(t, os.Symlink("a", filepath.Join(root, "link")))
	require.NoError(t, os.Symlink("/no/where", filepath.Join(root, "deep", "broken")))
	when := time.Date(2001, 2, 3, 4, 5, 6, 789012345, time.UTC)
	for i, name := range []string{"a", "closed/b", "deep/er/c.sh", "empty", "closed", "deep", "."} {
		require.NoError(t, os.Chtimes(filepath.Join(root, name), when, when.Add(time.Duration(i)*time.Hour)))
	}
	require.NoError(t, os.Chmod(filepath.Join(root, "closed"), 0o555))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "closed"), 0o755) })
}

// listing is all that is kept of a file or a directory. Times of links are not.
func listing(t *testing.T, root string) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		inside, err := filepath.Rel(root, name)
		require.NoError(t, err)
		line := fmt.Sprint(inside, " ", info.Mode())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(name)
			require.NoError(t, err)
			line += " to " + to
		case info.Mode().IsRegular():
			b, err := os.ReadFile(name)
			require.NoError(t, err)
			line += fmt.Sprintf(" %d bytes %x", len(b), sha256.Sum256(b))
			fallthrough
		default:
			line += " " + info.ModTime().UTC().String()
		}
		all = append(all, line)
		return nil
	}))
	return all
}

// Names, modes, times, links and empty directories are kept, whatever shards are lost.
func TestDirectory(t *testing.T) {
	parent := t.TempDir()
	tree, dir := filepath.Join(parent, "tree"), filepath.Join(parent, "set")
	plant(t, tree)
	require.NoError(t, EncodeFile(ctx, tree, dir, 4, 3, WithMemoryLimit(1<<12)))
	remove(t, dir, 0, 3, 4)
	var notes []string
	s, err := Open(ctx, []string{dir}, WithNotes(func(text string) { notes = append(notes, text) }))
	require.NoError(t, err)
	require.Equal(t, Directory, s.Info().Kind)
	again := filepath.Join(parent, "again")
	require.NoError(t, s.Restore(ctx, again))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(again, "closed"), 0o755) })
	require.Equal(t, listing(t, tree), listing(t, again))
	require.Equal(t, []string{"not restored: the times of 2 links"}, notes)
	require.ErrorIs(t, s.Restore(ctx, again), ErrExists)

	// What Copy writes is an archive that others read.
	r := tar.NewReader(bytes.NewReader(copied(t, s)))
	h, err := r.Next()
	require.NoError(t, err)
	require.Equal(t, "./", h.Name)
}

// A directory does not hold its own shards.
func TestInside(t *testing.T) {
	tree := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Mkdir(filepath.Join(tree, "sub"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(tree, "sub"), link))
	for _, dir := range []string{filepath.Join(tree, "set"), filepath.Join(link, "set")} {
		require.ErrorContains(t, EncodeFile(ctx, tree, dir, 2, 1, short), "which it is made of")
		require.NoDirExists(t, dir)
	}
}

// Mode and time of a file are kept.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	a, b, set := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "set")
	require.NoError(t, os.WriteFile(a, content(999), 0o600))
	require.NoError(t, os.Chmod(a, 0o751))
	require.NoError(t, os.Chtimes(a, time.Time{}, time.Unix(-1000, 17)))
	require.NoError(t, EncodeFile(ctx, a, set, 2, 1, short))
	require.NoError(t, open(t, set).Restore(ctx, b))
	require.Equal(t, listing(t, a), listing(t, b))
	require.ErrorIs(t, EncodeFile(ctx, filepath.Join(dir, "no"), set+"2", 2, 1), ErrRead)
}

// Files that change while they are read are refused.
func TestChanges(t *testing.T) {
	parent := t.TempDir()
	tree := filepath.Join(parent, "tree")
	require.NoError(t, os.Mkdir(tree, 0o700))
	name := filepath.Join(tree, "file")
	for _, from := range []string{tree, name} {
		for _, n := range []int{900_000, 1_100_000} {
			require.NoError(t, os.WriteFile(name, content(1_000_000), 0o600))
			first := true
			err := EncodeFile(ctx, from, filepath.Join(parent, "set"), 3, 2, short, WithProgress(func(done, _ int64) {
				if first && done > 100_000 { // the file is open, and its end far
					first = false
					require.NoError(t, os.Truncate(name, int64(n)))
				}
			}))
			require.ErrorIs(t, err, ErrRead, "%s %d", from, n)
			require.ErrorIs(t, err, errChanged)
			require.NoDirExists(t, filepath.Join(parent, "set"))
			require.Empty(t, asides(t, parent))
		}
	}
}

// An archive from somewhere cannot write outside, and what is not kept is named.
func TestArchives(t *testing.T) {
	archive := func(headers ...*tar.Header) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range headers {
			require.NoError(t, w.WriteHeader(h))
		}
		require.NoError(t, w.Close())
		return b.Bytes()
	}
	var notes []string
	c, err := configure([]Option{short, WithNotes(func(text string) { notes = append(notes, text) })})
	require.NoError(t, err)
	parent := t.TempDir()
	for i, headers := range [][]*tar.Header{
		{{Typeflag: tar.TypeReg, Name: "../out"}},
		{{Typeflag: tar.TypeReg, Name: "/out"}},
		{{Typeflag: tar.TypeSymlink, Name: "up", Linkname: ".."}, {Typeflag: tar.TypeReg, Name: "up/out"}},
		{{Typeflag: tar.TypeDir, Name: "d/"}, {Typeflag: tar.TypeDir, Name: "d/"}},
	} {
		dir := filepath.Join(parent, fmt.Sprint(i))
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.ErrorIs(t, c.unarchive(bytes.NewReader(archive(headers...)), dir), ErrWrite, i)
		require.NoFileExists(t, filepath.Join(parent, "out"))
	}
	pipe := archive(&tar.Header{Typeflag: tar.TypeFifo, Name: "pipe"})
	require.NoError(t, c.unarchive(bytes.NewReader(pipe), t.TempDir()))
	require.Equal(t, []string{"left out: pipe is no file, directory or link"}, notes)
}
