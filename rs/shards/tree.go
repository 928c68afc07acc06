package shards

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// archived calls use with an archive of a directory, and about how long that is.
func (c *config) archived(ctx context.Context, root string, use func(r io.Reader, total int64) error) error {
	total := int64(0)
	err := filepath.WalkDir(root, func(_ string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && e.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				total += info.Size()
			}
		}
		total += 3 * tarBlock
		return err
	})
	if err != nil {
		return reading(ctx, err)
	}
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.CloseWithError(c.archive(ctx, w, root))
	}()
	err = use(r, total)
	r.CloseWithError(errEnough) // where it was not read to its end
	<-done
	return err
}

const tarBlock = 512

var errEnough = errors.New("nobody reads on")

// reading is an error of what is read, unless the context has ended.
func reading(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return stopped(ctx.Err())
	}
	return failed(ErrRead, err)
}

// archive writes all that is in a directory, in the order of names.
func (c *config) archive(ctx context.Context, w io.Writer, root string) error {
	t := tar.NewWriter(w)
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		info, err := os.Lstat(name)
		if inside == "." {
			info, err = os.Stat(name) // where root is a link
		}
		if err != nil {
			return err
		}
		h := &tar.Header{Name: filepath.ToSlash(inside), Mode: int64(unixMode(info.Mode())), ModTime: info.ModTime(),
			Format: tar.FormatPAX}
		switch {
		case info.IsDir():
			h.Typeflag, h.Name = tar.TypeDir, h.Name+"/"
		case info.Mode()&fs.ModeSymlink != 0:
			h.Typeflag = tar.TypeSymlink
			if h.Linkname, err = os.Readlink(name); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			h.Typeflag, h.Size = tar.TypeReg, info.Size()
		default:
			c.note(fmt.Sprintf("left out: %s is no file, directory or link", name))
			return nil
		}
		if err := t.WriteHeader(h); err != nil || h.Typeflag != tar.TypeReg {
			return err
		}
		return copyFile(ctx, t, name, h.Size)
	})
	if err == nil {
		err = t.Close()
	}
	return err
}

// copyFile writes a file of so many bytes.
func copyFile(ctx context.Context, w io.Writer, name string, size int64) error {
	f, err := openInput(ctx, name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(w, io.LimitReader(contextReader{ctx, f}, size))
	if err != nil {
		return err
	}
	more, err := f.Read(make([]byte, 1))
	if err != nil && err != io.EOF {
		return err
	}
	if n < size || more > 0 {
		return fmt.Errorf("%s has %d bytes, or more, want the %d that were there before: %w", name, n, size, errChanged)
	}
	return nil
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// unarchive makes what is in an archive, in a directory that is there and empty. Modes and times come last, so that
// files can be made in directories that nobody may write to.
func (c *config) unarchive(r io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return failed(ErrWrite, err)
	}
	defer root.Close()
	u := &unarchiver{config: c, root: root}
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = u.add(h, t)
		}
		if err != nil {
			return failed(ErrWrite, err)
		}
	}
	for i := len(u.dirs) - 1; i >= 0; i-- { // those inside first
		d := u.dirs[i]
		if err := u.disk.syncDir(filepath.Join(dir, filepath.FromSlash(d.Name))); err != nil {
			return failed(ErrWrite, err)
		}
		u.keep(d)
	}
	if u.links > 0 {
		c.note(fmt.Sprintf("not restored: the times of %d links", u.links))
	}
	// What is behind the end of an archive is zeros.
	_, err = io.Copy(io.Discard, r)
	return err
}

type unarchiver struct {
	*config
	root  *os.Root
	dirs  []*tar.Header
	links int
}

// add makes a file. No name leads out of root.
func (u *unarchiver) add(h *tar.Header, content io.Reader) error {
	name := path.Clean(h.Name)
	if err := u.disk.step("create", name); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		u.dirs = append(u.dirs, &tar.Header{Name: name, Mode: h.Mode, ModTime: h.ModTime})
		if name == "." {
			return nil
		}
		return u.root.Mkdir(name, 0o700)
	case tar.TypeSymlink:
		err := u.root.Symlink(h.Linkname, name)
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, errors.ErrUnsupported) { // a system without links
			u.note(fmt.Sprintf("not restored: the link %s to %s: %v", name, h.Linkname, err))
			return nil
		}
		u.links++
		return err
	case tar.TypeReg:
		f, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		to := &file{File: f, d: u.disk}
		if _, err := io.Copy(struct{ io.Writer }{to}, content); err != nil {
			_ = f.Close()
			return err
		}
		if err := to.finish(); err != nil {
			return err
		}
		u.keep(&tar.Header{Name: name, Mode: h.Mode, ModTime: h.ModTime})
		return nil
	}
	u.note(fmt.Sprintf("left out: %s is no file, directory or link", name))
	return nil
}

// keep sets mode and time.
func (u *unarchiver) keep(h *tar.Header) {
	if err := u.root.Chmod(h.Name, goMode(uint32(h.Mode))); err != nil {
		u.note(fmt.Sprintf("not restored: the mode of %s: %v", h.Name, err))
	}
	if err := u.root.Chtimes(h.Name, time.Time{}, h.ModTime); err != nil {
		u.note(fmt.Sprintf("not restored: the time of %s: %v", h.Name, err))
	}
}

func same(name string, info fs.FileInfo) bool {
	other, err := os.Stat(name)
	return err == nil && os.SameFile(other, info)
}
