package shards

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/rs"
)

// Set is the files of shards that are left of what was encoded. It is not safe for concurrent use. Its methods read
// what is there when they are called; files that come later need another Set.
type Set struct {
	*config
	h       header
	plan    *rs.Plan
	dirs    []string
	sources [][]*source // of each file
	others  []*Finding  // about files that do not count
	kept    int         // that are open
	stripes []*stripe   // for every call
}

// source is a file of a set.
type source struct {
	path    string
	size    int64
	headers [2]bool  // whether they are good, at its begin and at its end
	open    *os.File // nil where there are too many
}

// candidate is a file with its header.
type candidate struct {
	*source
	header
}

// Open looks for the files of a set in directories. Names of files do not count. Files of other sets and versions are
// left out, which Check finds, unless it is they that have enough shards: several whole sets are ErrForeign, and
// nothing but shards of another version is ErrVersion. Where there are no shards at all the error is rs.ErrBeyond, and
// where there are too few of a set that takes more than 256 MiB of memory.
func Open(ctx context.Context, dirs []string, opts ...Option) (*Set, error) {
	c, err := prepared(ctx, opts)
	if err != nil {
		return nil, err
	}
	s := &Set{config: c, dirs: slices.Clone(dirs)}
	if len(dirs) == 0 {
		return nil, errSpec("no directory")
	}
	found, err := s.look(ctx)
	if err == nil {
		found, err = s.choose(found)
	}
	if err != nil {
		return nil, err
	}
	need := s.h.memory(c.workers)
	if have := there(found); have < s.h.data && need > defaultMemory { // as a header may tell of any number
		return nil, &BeyondError{Have: have, Want: s.h.data, Findings: s.others}
	}
	if need > int64(memory.Limit()) {
		return nil, fmt.Errorf("shards: %w: %d shards with blocks of %d bytes take %d bytes", field.ErrMemory,
			s.h.shards(), s.h.block, need)
	}
	if s.plan, err = c.plan(&s.h); err != nil {
		return nil, err
	}
	s.sources = make([][]*source, s.h.files())
	for _, f := range found {
		i := f.first / s.h.group
		s.sources[i] = append(s.sources[i], f.source)
	}
	s.sort()
	return s, nil
}

// there is how many shards are in files.
func there(found []candidate) (n int) {
	seen := map[int]bool{}
	for _, f := range found {
		if !seen[f.first] {
			seen[f.first] = true
			_, count := f.span(f.first / f.group)
			n += count
		}
	}
	return n
}

// look reads the headers of all files.
func (s *Set) look(ctx context.Context) (found []candidate, err error) {
	for _, dir := range s.dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, failed(ErrRead, err)
		}
		for _, e := range entries {
			if err := ctx.Err(); err != nil {
				return nil, stopped(err)
			}
			if strings.HasPrefix(e.Name(), ".") { // written aside
				continue
			}
			path := filepath.Join(dir, e.Name())
			info, err := os.Stat(path)
			if err == nil && !info.Mode().IsRegular() {
				continue
			}
			var f candidate
			if err == nil {
				f, err = examine(path, info.Size())
			}
			switch {
			case err == nil:
				found = append(found, f)
			case err != ErrHeader || strings.HasSuffix(path, suffix):
				s.others = append(s.others, &Finding{File: path, Err: err})
			}
		}
	}
	return found, nil
}

// examine reads the headers of a file, of which one is enough.
func examine(path string, size int64) (c candidate, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	c.source = &source{path: path, size: size}
	var headers [2]header
	err = ErrHeader
	for i, at := range []int64{0, size - headerSize} {
		b := make([]byte, headerSize)
		if size < headerSize {
			break
		}
		if _, reading := f.ReadAt(b, at); reading != nil && reading != io.EOF {
			err = reading
			continue
		}
		h, parsing := parse(b)
		switch {
		case parsing == nil:
			headers[i], c.headers[i] = h, true
		case parsing == ErrVersion:
			err = ErrVersion
		}
	}
	switch {
	case c.headers[0]:
		c.header = headers[0]
		c.headers[1] = headers[1] == headers[0]
	case c.headers[1]:
		c.header = headers[1]
	default:
		return c, err
	}
	return c, nil
}

// choose finds the files of the set that is whole, or most so.
func (s *Set) choose(found []candidate) ([]candidate, error) {
	shards := map[header]int{}
	first := map[header]string{}
	seen := map[header]bool{}
	for _, f := range found {
		key := f.key()
		if first[key] == "" {
			first[key] = f.path
		}
		if !seen[f.header] {
			seen[f.header] = true
			_, count := f.span(f.first / f.group)
			shards[key] += count
		}
	}
	var sets []header
	whole := 0
	for key, n := range shards {
		sets = append(sets, key)
		if n >= key.data {
			whole++
		}
	}
	share := func(h header) float64 { return min(1, float64(shards[h])/float64(h.data)) }
	slices.SortFunc(sets, func(a, b header) int {
		if c := cmp.Compare(share(b), share(a)); c != 0 {
			return c
		}
		return cmp.Compare(first[a], first[b])
	})
	if whole > 1 || len(sets) > 1 && whole == 0 {
		var some []string
		for _, h := range sets {
			some = append(some, first[h])
		}
		return nil, fmt.Errorf("shards: %w: want those of one set, not of %d, as %s", ErrForeign, len(sets), names(some))
	}
	if len(sets) == 0 {
		for _, f := range s.others {
			if f.Err == ErrVersion {
				return nil, fmt.Errorf("shards: %w: %s, want version %d", ErrVersion, f.File, version)
			}
		}
		return nil, &BeyondError{Have: 0, Want: 1, Findings: s.others}
	}
	s.h = sets[0]
	return slices.DeleteFunc(found, func(f candidate) bool {
		if f.key() == s.h {
			return false
		}
		first, count := f.span(f.first / f.group)
		s.others = append(s.others, &Finding{File: f.path, First: first, Count: count, Err: ErrForeign})
		return true
	}), nil
}

// sort puts the source of each file that is most likely whole before others, and notes what is odd about them.
func (s *Set) sort() {
	for i, list := range s.sources {
		first, count := s.h.span(i)
		size, name := s.h.bytes(count), s.h.name(i)
		slices.SortStableFunc(list, func(a, b *source) int {
			rank := func(f *source) (n int) {
				if f.size != size {
					n += 2
				}
				if filepath.Base(f.path) != name {
					n++
				}
				return n
			}
			return cmp.Compare(rank(a), rank(b))
		})
		for j, f := range list {
			switch {
			case j > 0:
				s.others = append(s.others, &Finding{File: f.path, First: first, Count: count, Err: ErrDuplicated})
			case filepath.Base(f.path) != name && s.named(filepath.Base(f.path)):
				s.others = append(s.others, &Finding{File: f.path, First: first, Count: count, Err: ErrSwapped})
			}
		}
	}
}

// named reports whether a name is one of the set's.
func (s *Set) named(name string) bool {
	var first int
	if n, _ := fmt.Sscanf(name, "%d", &first); n != 1 || first < 0 || first >= s.h.shards() {
		return false
	}
	return s.h.name(first/s.h.group) == name
}

// Info is what a set is made of.
type Info struct {
	Kind         Kind
	Code         rs.Code
	Data, Parity int   // shards
	Block        int   // bytes
	Length       int64 // of the data; of a directory, that of its archive
	Digest       [32]byte
	Mode         fs.FileMode // of a file
	Files        int         // of shards, where none is missing
}

// Info tells what the set is made of. It is the zero value of a nil set.
func (s *Set) Info() Info {
	if s == nil || s.plan == nil {
		return Info{}
	}
	return Info{Kind: s.h.kind, Code: s.h.code, Data: s.h.data, Parity: s.h.parity, Block: s.h.block,
		Length: s.h.length, Digest: s.h.digest, Mode: goMode(s.h.mode), Files: s.h.files()}
}

func (s *Set) made(ctx context.Context) error {
	if s == nil || s.plan == nil {
		return errSpec("the set is nil or the zero value")
	}
	if ctx == nil {
		return errSpec("the context is nil")
	}
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	return nil
}
