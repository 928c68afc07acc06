package tuning

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Save adds the lines of t to a file, which it makes where there is none, with its directory. The file is replaced at
// once: whoever reads it, and whatever ends the program, sees the old one or the new one. Several programs may save at
// once, and no line is lost: they take turns by a lock on a second file, FILE.lock, which stays.
//
// A file that is no table for this machine stays as it is, and is the error.
func (t *Table) Save(file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return errLine(file, 0, err)
	}
	unlock, err := lock(file + ".lock")
	if err != nil {
		return errLine(file, 0, err)
	}
	defer unlock()
	all := New()
	old, err := Read(file, all.Header)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	}
	all.Merge(old)
	all.Merge(t)
	if err := replace(file, all.Text()); err != nil {
		return errLine(file, 0, err)
	}
	return nil
}

// replace gives a file new contents at once, with the lock held: by a second file beside it, of which a killed program
// may leave a part.
func replace(file string, text []byte) (err error) {
	part := file + ".new"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return syncDir(filepath.Dir(file))
}

// lockLimit is how long a program waits for others, which hold the lock for the time of one Save.
const lockLimit = 10 * time.Second

// lock takes the lock on a file, which it makes. The system gives it back where the program ends.
func lock(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		taken, err := tryLock(f)
		switch {
		case err != nil:
			return nil, errors.Join(err, f.Close())
		case taken:
			return func() { f.Close() }, nil
		case time.Since(start) > lockLimit:
			return nil, errors.Join(fmt.Errorf("%s is locked by another program for %v", file, lockLimit), f.Close())
		}
	}
}
