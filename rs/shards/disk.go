package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
)

// disk is the file operations that change something. Tests make them fail, one by one.
type disk struct {
	fail    func(op string) error        // nil: none fails by itself
	sync    func(f *os.File) error       // what is written reaches the disk
	written func(at, result int64) int64 // nil, or what the system is taken to say of a write around its cache
}

func (d *disk) step(op, path string) error {
	if d.fail == nil {
		return nil
	}
	if err := d.fail(op); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

// file is one that is written.
type file struct {
	*os.File
	d  *disk
	fd int // of what is written around the cache
}

// create makes a file that is not there.
func (d *disk) create(path string) (*file, error) {
	if err := d.step("create", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &file{File: f, d: d}, nil
}

// open opens a file that is there.
func (d *disk) open(path string) (*file, error) {
	if err := d.step("open", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return &file{File: f, d: d}, nil
}

// WriteAt writes half where it is made to fail, as a full disk does.
func (f *file) WriteAt(b []byte, at int64) (int, error) {
	if err := f.d.step("write", f.Name()); err != nil {
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, err
	}
	return f.File.WriteAt(b, at)
}

func (f *file) Write(b []byte) (int, error) {
	if err := f.d.step("write", f.Name()); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f *file) Truncate(size int64) error {
	if err := f.d.step("truncate", f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// begin has the system bring what was written to the disk, and does not wait: finish has less to wait for then.
func (f *file) begin(at, n int64) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Control(func(fd uintptr) { beginWrite(fd, at, n) })
}

// finish brings what was written to the disk, and closes the file.
func (f *file) finish() error {
	if err := f.d.step("sync", f.Name()); err != nil {
		_ = f.Close()
		return err
	}
	return f.settle()
}

// settle is finish that no test makes fail.
func (f *file) settle() error {
	err := f.d.sync(f.File)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// finishAll is finish of many files, some at a time: a journal is written once for those that wait for it together.
func (d *disk) finishAll(ctx context.Context, files []*file) error {
	const atOnce = 16
	ended := make(chan error, atOnce)
	var failed error
	running := 0
	wait := func() {
		if err := <-ended; failed == nil {
			failed = err
		}
		running--
	}
	for _, f := range files {
		if running == atOnce {
			wait()
		}
		if failed == nil {
			failed = ctx.Err()
		}
		if failed == nil {
			failed = d.step("sync", f.Name())
		}
		if failed != nil {
			break
		}
		running++
		go func() { ended <- f.settle() }()
	}
	for running > 0 {
		wait()
	}
	return failed
}

func (d *disk) mkdir(path string) error {
	if err := d.step("mkdir", path); err != nil {
		return err
	}
	return os.Mkdir(path, 0o777)
}

// removeAll forgets what was written aside.
func (d *disk) removeAll(path string) {
	if d.step("remove", path) != nil {
		return
	}
	if os.RemoveAll(path) == nil {
		return
	}
	// A directory that nobody may write to keeps what is in it.
	_ = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			_ = os.Chmod(p, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(path)
}

// syncDir brings the names in a directory to the disk, where the system lets it.
func (d *disk) syncDir(path string) error {
	if err := d.step("sync", path); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil // directories are no files there
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.sync(f)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// vacant is an error where something has the name already.
func vacant(path string) error {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return exists(path)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return failed(ErrWrite, err)
	}
}

// aside is a name for what is to be at path.
func aside(path string) string {
	path = filepath.Clean(path)
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%x", filepath.Base(path), rand.Uint64()))
}

// appear gives what was written aside its name, unless somebody has taken that.
func (d *disk) appear(from, to string) error {
	if err := vacant(to); err != nil {
		return err
	}
	return d.replace(from, to)
}

// replace is appear for a name that may be taken.
func (d *disk) replace(from, to string) error {
	err := d.step("rename", to)
	if err == nil {
		err = os.Rename(from, to)
	}
	if err == nil {
		err = d.syncDir(filepath.Dir(to))
	}
	if err != nil {
		return failed(ErrWrite, err)
	}
	return nil
}
