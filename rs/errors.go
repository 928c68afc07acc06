package rs

import (
	"errors"
	"fmt"

	"github.com/galfft/fft/field"
)

// Errors of codes and shards, found with errors.Is. Bad options, nil contexts and zero values are field.ErrSpec.
var (
	ErrCounts = errors.New("unsupported numbers of shards")
	ErrShards = errors.New("wrong number of shards")
	ErrSize   = errors.New("bad size of a shard")
	ErrTooFew = errors.New("too few shards")
	ErrBeyond = errors.New("damage beyond repair")
)

// TooFewError is an ErrTooFew with its figures. Methods of a nil one panic.
type TooFewError struct {
	Have, Want int // shards
}

func (e *TooFewError) Error() string {
	return fmt.Sprintf("rs: %v: %d are there, want %d", ErrTooFew, e.Have, e.Want)
}

// Is reports whether target is ErrTooFew.
func (e *TooFewError) Is(target error) bool { return target == ErrTooFew }

// SizeError is an ErrSize with its place. Methods of a nil one panic.
type SizeError struct {
	Shard     int // its index
	Got, Want int // bytes; where Want is 0, a multiple of Unit is wanted that is not 0
	Unit      int
}

func (e *SizeError) Error() string {
	if e.Want > 0 {
		return fmt.Sprintf("rs: %v: shard %d has %d bytes, want %d", ErrSize, e.Shard, e.Got, e.Want)
	}
	return fmt.Sprintf("rs: %v: shard %d has %d bytes, want a multiple of %d above 0", ErrSize, e.Shard, e.Got, e.Unit)
}

// Is reports whether target is ErrSize or field.ErrLength.
func (e *SizeError) Is(target error) bool { return target == ErrSize || target == field.ErrLength }

func errSpec(format string, args ...any) error {
	return fmt.Errorf("rs: %w: %s", field.ErrSpec, fmt.Sprintf(format, args...))
}

func stopped(err error) error { return fmt.Errorf("rs: stopped: %w", err) }
