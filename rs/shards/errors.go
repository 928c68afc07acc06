package shards

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/rs"
)

// Errors of calls, found with errors.Is. Damage beyond repair is rs.ErrBeyond, bad options are field.ErrSpec, numbers
// that a code does not serve are rs.ErrCounts, and field.ErrMemory is that blocks do not fit in memory.
var (
	ErrRead   = errors.New("reading failed")
	ErrWrite  = errors.New("writing failed")
	ErrExists = errors.New("the target exists")
)

// Errors of files of shards, for [Finding]. Those that a set cannot be told from, ErrVersion and ErrForeign, are errors
// of [Open] as well.
var (
	ErrMissing    = errors.New("missing")
	ErrTruncated  = errors.New("truncated")
	ErrDamaged    = errors.New("damaged")
	ErrHeader     = errors.New("no header of shards")
	ErrVersion    = errors.New("another version of the format")
	ErrForeign    = errors.New("shards of another set")
	ErrDuplicated = errors.New("there twice")
	ErrSwapped    = errors.New("under the name of other shards")
	ErrDigest     = errors.New("the SHA-256 differs")
)

// Finding is something about a file of shards. Methods of a nil one panic.
type Finding struct {
	File   string // a path; of a missing file its name alone
	First  int    // its first shard, and how many it has; 0 and 0 where nobody knows
	Count  int
	Blocks int64 // of blocks and headers, those that are bad
	Err    error // one of the errors above, or that of the system
}

func (f *Finding) Error() string {
	text := f.File + ": "
	switch {
	case f.Count == 1:
		text += fmt.Sprintf("shard %d: ", f.First)
	case f.Count > 1:
		text += fmt.Sprintf("shards %d to %d: ", f.First, f.First+f.Count-1)
	}
	text += f.Err.Error()
	if f.Blocks > 0 {
		text += fmt.Sprintf(", bad blocks: %d", f.Blocks)
	}
	return text
}

// Unwrap returns Err.
func (f *Finding) Unwrap() error { return f.Err }

// BeyondError is an rs.ErrBeyond with its figures. As too few shards are left it is an rs.ErrTooFew too. Methods of a
// nil one panic.
type BeyondError struct {
	Have, Want int   // good blocks of the worst stripe, and how many it takes
	Stripes    int64 // that are beyond repair
	Findings   []*Finding
}

func (e *BeyondError) Error() string {
	if e.Have >= e.Want {
		return fmt.Sprintf("shards: %v: %v", rs.ErrBeyond, ErrDigest)
	}
	text := fmt.Sprintf("shards: %v: %d shards are there, want %d", rs.ErrBeyond, e.Have, e.Want)
	if e.Stripes > 0 {
		text = fmt.Sprintf("shards: %v: a stripe has %d good blocks, want %d", rs.ErrBeyond, e.Have, e.Want)
	}
	const most = 3
	for i, f := range e.Findings {
		if i == most {
			return text + fmt.Sprintf("; and %d more", len(e.Findings)-most)
		}
		text += "; " + f.Error()
	}
	return text
}

// Is reports whether target is rs.ErrBeyond, rs.ErrTooFew, or ErrDigest where blocks are good and the whole is not.
func (e *BeyondError) Is(target error) bool {
	return target == rs.ErrBeyond || target == rs.ErrTooFew && e.Have < e.Want ||
		target == ErrDigest && e.Have >= e.Want
}

// Unwrap returns the findings.
func (e *BeyondError) Unwrap() (list []error) {
	for _, f := range e.Findings {
		list = append(list, f)
	}
	return list
}

func errSpec(format string, args ...any) error {
	return fmt.Errorf("shards: %w: %s", field.ErrSpec, fmt.Sprintf(format, args...))
}

func stopped(err error) error { return fmt.Errorf("shards: stopped: %w", err) }

// failed is an error of the system, which is kept.
func failed(kind, err error) error { return fmt.Errorf("shards: %w: %w", kind, err) }

func exists(path string) error {
	return fmt.Errorf("shards: %w: %w", ErrExists, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist})
}

// names is a list of paths for people.
func names(paths []string) string { return strings.Join(paths, ", ") }
