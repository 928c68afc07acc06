package shards

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Restore makes the file or the directory at path that was encoded, with what was kept of modes and times. It appears
// when it is complete, and must not be there before, which is ErrExists. Data beyond repair is rs.ErrBeyond, and an
// error of the system ErrWrite; then nothing is at path.
func (s *Set) Restore(ctx context.Context, path string) error {
	if err := s.made(ctx); err != nil {
		return err
	}
	if path == "" {
		return errSpec("the path is empty")
	}
	path = filepath.Clean(path)
	if err := vacant(path); err != nil {
		return err
	}
	work := aside(path)
	make := s.restoreFile
	if s.h.kind == Directory {
		make = s.restoreDirectory
	}
	err := make(ctx, work)
	if err == nil {
		err = s.disk.appear(work, path)
	}
	if err != nil {
		s.disk.removeAll(work)
	}
	return err
}

func (s *Set) restoreFile(ctx context.Context, path string) error {
	f, err := s.disk.create(path)
	if err != nil {
		return failed(ErrWrite, err)
	}
	if err := s.Copy(ctx, struct{ io.Writer }{f}); err != nil {
		_ = f.Close()
		return err
	}
	if s.h.kind == File {
		if err := f.Chmod(goMode(s.h.mode)); err != nil {
			s.note("not restored: the mode of the file: " + err.Error())
		}
	}
	if err := f.finish(); err != nil {
		return failed(ErrWrite, err)
	}
	if s.h.kind == File {
		if err := os.Chtimes(path, time.Time{}, s.h.modified()); err != nil {
			s.note("not restored: the time of the file: " + err.Error())
		}
	}
	return nil
}

func (s *Set) restoreDirectory(ctx context.Context, path string) error {
	if err := s.disk.mkdir(path); err != nil {
		return failed(ErrWrite, err)
	}
	r, w := io.Pipe()
	copied := make(chan error)
	go func() {
		err := s.Copy(ctx, w)
		w.CloseWithError(err)
		copied <- err
	}()
	err := s.unarchive(r, path)
	r.CloseWithError(errEnough)
	if copying := <-copied; copying != nil && !errors.Is(copying, errEnough) {
		return copying
	}
	return err
}
