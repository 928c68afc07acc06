package shards

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Repair is Check, and where the state is Repairable it makes the set intact: it writes bad blocks and headers where
// they stand, and files that are missing in the first directory. The report is that of before. No block that is good
// is written to, so that a repair that is stopped at any moment loses nothing. ErrWrite is an error of the system.
func (s *Set) Repair(ctx context.Context) (*Report, error) {
	t, err := s.Check(ctx)
	if err != nil || t.State != Repairable {
		return t, err
	}
	p := &repairer{reader: s.reader(true, s.h.shards()), paths: make([]string, s.h.files())}
	defer s.close()
	defer func() {
		for _, path := range p.asides {
			s.disk.removeAll(path)
		}
	}()
	if err := p.run(ctx, p.write); err != nil {
		return t, err
	}
	for i := range s.sources {
		if err := ctx.Err(); err != nil {
			return t, stopped(err)
		}
		if err := p.finish(i); err != nil {
			return t, err
		}
	}
	return t, nil
}

// repairer is a call of Repair.
type repairer struct {
	*reader
	paths  []string // of files that were written to
	asides []string // those that have no name yet
}

// change opens a file, one that is missing aside, for something that is written to it.
func (p *repairer) change(i int, do func(f *file) error) error {
	var f *file
	var err error
	switch {
	case p.paths[i] == "" && len(p.sources[i]) == 0:
		p.paths[i] = aside(filepath.Join(p.dirs[0], p.h.name(i)))
		if f, err = p.disk.create(p.paths[i]); err == nil {
			p.asides = append(p.asides, p.paths[i])
		}
	case p.paths[i] == "":
		p.paths[i] = p.sources[i][0].path
		fallthrough
	default:
		f, err = p.disk.open(p.paths[i])
	}
	if err == nil {
		if err = do(f); err != nil {
			_ = f.Close()
		}
	}
	if err != nil {
		return failed(ErrWrite, err)
	}
	return nil
}

// write writes the bad blocks of a stripe.
func (p *repairer) write(st *stripe, good bool) error {
	if !good {
		return errLost // what was good has gone meanwhile
	}
	for len(st.wrong) > 0 {
		i := st.wrong[0] / p.h.group
		first, count := p.h.span(i)
		n := 0
		for ; n < len(st.wrong) && st.wrong[n] < first+count; n++ {
			st.seal(st.wrong[n])
		}
		list := st.wrong[:n]
		st.wrong = st.wrong[n:]
		err := p.change(i, func(f *file) error {
			at := p.h.offset(count, st.number)
			if n == count {
				if _, err := f.WriteAt(st.piece(i), at); err != nil {
					return err
				}
				return f.Close()
			}
			for _, shard := range list {
				k := shard - first
				if _, err := f.WriteAt(st.block(shard), at+int64(k*st.size)); err != nil {
					return err
				}
				if _, err := f.WriteAt(st.sumAt(shard), at+int64(count*st.size+k*sumSize)); err != nil {
					return err
				}
			}
			return f.Close()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// finish writes the headers of a file that has changed or has bad ones, and brings it to the disk.
func (p *repairer) finish(i int) error {
	first, count := p.h.span(i)
	size := p.h.bytes(count)
	sources := p.sources[i]
	whole := len(sources) > 0 && sources[0].size == size && sources[0].headers == [2]bool{true, true}
	if whole && p.paths[i] == "" {
		return nil
	}
	err := p.change(i, func(f *file) error {
		if !whole {
			h := p.h
			h.first = first
			for _, at := range []int64{0, size - headerSize} {
				if _, err := f.WriteAt(h.put(), at); err != nil {
					return err
				}
			}
			if err := f.Truncate(size); err != nil {
				return err
			}
		}
		return f.finish()
	})
	if err != nil || len(sources) > 0 {
		return err
	}
	work := p.paths[i]
	if err := p.name(i, work); err != nil {
		return err
	}
	p.asides = slices.DeleteFunc(p.asides, func(path string) bool { return path == work })
	return nil
}

// name gives a file that was missing its name, or one like it where something else has that. What has the name and no
// header is what was left of the file.
func (p *repairer) name(i int, work string) error {
	path := filepath.Join(p.dirs[0], p.h.name(i))
	if slices.ContainsFunc(p.others, func(f *Finding) bool { return f.File == path && f.Err == ErrHeader }) {
		return p.disk.replace(work, path)
	}
	free := path
	for n := 1; ; n++ {
		if _, err := os.Lstat(free); err != nil {
			return p.disk.appear(work, free)
		}
		free = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, suffix), n, suffix)
	}
}
